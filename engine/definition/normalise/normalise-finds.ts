import type { Find } from '../../fields/field.ts'
import type { Path } from '../yaml/parse.ts'
import { isMap, type Report } from '../yaml/source.ts'
import { compact } from './compact.ts'

/** Finds of a `find` as written, of a DocType or a table; undefined where there are none. */
export function findsOf(written: unknown, path: Path, report: Report): readonly Find[] | undefined {
  if (!isMap(written)) return undefined
  const finds = Object.entries(written).flatMap(([name, find]) =>
    isMap(find) ? findOf(name, find, [...path, name], report) : [],
  )
  return finds.length === 0 ? undefined : finds
}

function findOf(
  name: string,
  { from, match, where, latest, as_of, at = 'draft', renew }: Readonly<Record<string, unknown>>,
  path: Path,
  report: Report,
): readonly Find[] {
  if ((match === undefined) === (where === undefined))
    report(path, 'needs either match or where', 'key')
  if (latest !== undefined && typeof match === 'string')
    report([...path, 'latest'], 'means nothing beside the id of one record; remove it', 'key')
  if (as_of !== undefined && typeof match !== 'string')
    report([...path, 'as_of'], 'is for the id of one record; match it by that', 'key')
  if (renew !== undefined && at !== 'create')
    report(
      [...path, 'renew'],
      `is for at: create, got at: ${at}, which searches anew by itself; remove it`,
      'key',
    )
  if (isMap(match) && Object.keys(match).length === 0)
    report([...path, 'match'], 'needs a field of the record and its value')
  if (typeof from !== 'string') return []
  return [
    compact<Find>({
      name,
      from,
      match: typeof match === 'string' ? match : undefined,
      equals: isMap(match) ? (match as Find['equals']) : undefined,
      where: where as Find['where'],
      latest: latest as string | undefined,
      as_of: as_of as string | undefined,
      at: at as Find['at'],
      renew: renew as string | undefined,
    }),
  ]
}
