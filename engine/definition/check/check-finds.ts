import type { Field, Find } from '../../fields/field.ts'
import { fieldType } from '../../fields/index.ts'
import { isPublic } from '../../fields/public-fields.ts'
import {
  COPIED,
  checkNamed,
  type FieldScope,
  internalName,
  scopeOf,
} from '../model/named-fields.ts'
import { RECORD_NAMES, ROW_ID, takenFieldName } from '../model/standard-fields.ts'
import { splitDot } from '../normalise/normalise-field.ts'
import type { Path } from '../yaml/parse.ts'
import type { Report } from '../yaml/source.ts'
import { checkDocType, checkTable } from './check-sources.ts'
import type { World } from './world.ts'

/** Surroundings that finds are checked in. */
export interface FindsCheck {
  readonly path: Path
  /** Fields beside them. */
  readonly scope: FieldScope
  readonly world: World
  readonly report: Report
}

/** Checks what finds of a DocType or table are called, and that there is what they search and name. */
export function checkFinds(finds: readonly Find[] | undefined, check: FindsCheck): void {
  const { report } = check
  for (const find of finds ?? []) {
    const path = [...check.path, find.name]
    checkName(find.name, path, check)
    const found = checkFrom(find, path, check)
    if (!found) continue
    const { fields, document } = found
    for (const name of Object.keys(find.equals ?? {}))
      checkNamed(
        name,
        [...path, 'match', name],
        fields,
        (at, told) => report(at, told, 'key'),
        COMPARED,
      )
    const { latest } = find
    if (latest === undefined) continue
    const ofDocument = document && latest.startsWith(OF_DOCUMENT)
    const name = ofDocument ? latest.slice(OF_DOCUMENT.length) : latest
    checkNamed(name, [...path, 'latest'], ofDocument ? document : fields, report, COPIED)
  }
}

const OF_DOCUMENT = 'document.'

function checkName(name: string, path: Path, { scope, report }: FindsCheck): void {
  const why = takenFieldName(name)
  if (why !== undefined) report(path, `a find cannot be called ${name}: ${why}`, 'key')
  else if (RECORD_NAMES.has(name))
    report(path, `a find cannot be called ${name}: expressions have a record of that name`, 'key')
  else if (scope.has(name))
    report(path, `there is a field ${name} already; call the find otherwise`, 'key')
  if (name.includes('__')) report(path, `the name of a find cannot contain __, got ${name}`, 'key')
}

/** Fields of what a find searches. */
interface Found {
  readonly fields: FieldScope
  /** Those of the document of a found row. */
  readonly document?: FieldScope
}

/** What a find searches; undefined where that is not there, which is told, or could not be read. */
function checkFrom(
  { from, match }: Find,
  path: Path,
  { world, report }: FindsCheck,
): Found | undefined {
  const [doctype, table] = splitDot(from)
  const at = [...path, 'from']
  const target = checkDocType(doctype, at, world, report)
  if (!target) return undefined
  const document = world.scopeOf(target)
  if (table === undefined) return { fields: document }
  if (match !== undefined)
    report([...path, 'match'], 'an id names a record; find rows by match: {row_id: …}, or where')
  const rows = checkTable(target, table, at, report)
  return rows?.child && { fields: scopeOf([ROW_ID, ...rows.child.fields], {}), document }
}

/** Reports what a form would have to look for: only the workspace itself knows what a find finds. */
export function checkToldFinds(
  { visibleWhen, internal }: Field,
  path: Path,
  finds: readonly Find[] | undefined,
  report: Report,
): void {
  if (!isPublic({ internal })) return
  const found = finds?.find(({ name }) =>
    new RegExp(`(?<![\\w.])${name}\\s*\\.`).test(visibleWhen ?? ''),
  )
  if (found) report([...path, 'visible_when'], internalName(found.name, 'be asked by a form'))
}

const COMPARED = {
  use: 'be compared',
  fits: ({ type }: Field) => fieldType(type).operators.includes('eq'),
}
