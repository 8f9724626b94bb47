import { suggest } from '../../base/suggest.ts'
import type { Field } from '../../fields/field.ts'
import { fieldType } from '../../fields/index.ts'
import { isPublic } from '../../fields/public-fields.ts'
import type { Path } from '../yaml/parse.ts'
import type { Report } from '../yaml/source.ts'

/** Fields by name; undefined stands for one that is declared but could not be read. */
export type FieldScope = ReadonlyMap<string, Field | undefined>

/** Fields, and the names of those that are `written` but could not be read. */
export function scopeOf(
  fields: readonly Field[],
  written: Readonly<Record<string, unknown>>,
): FieldScope {
  const scope = new Map<string, Field | undefined>()
  for (const name of Object.keys(written)) scope.set(name, undefined)
  for (const field of fields) scope.set(field.name, field)
  return scope
}

/** Message about a name that is no field. */
export function unknownField(name: string, scope: FieldScope): string {
  const near = suggest(name, scope.keys())
  return `no field ${JSON.stringify(name)}${near === undefined ? '' : `; did you mean ${near}?`}`
}

/** Which fields will do, and what for, in words that follow "cannot". */
export interface Demand {
  readonly fits: (field: Field) => boolean
  readonly use: string
}

/** Reports a name that is no field, or a field that does not fit; what could not be read is passed over. */
export function checkNamed(
  name: string,
  path: Path,
  scope: FieldScope,
  report: Report,
  { fits, use }: Demand,
): void {
  const field = scope.get(name)
  if (!scope.has(name)) report(path, unknownField(name, scope))
  else if (field && !fits(field))
    report(path, `a field of the type ${field.type} cannot ${use}, got ${JSON.stringify(name)}`)
}

/** The same for a name that callers hear: of an internal field nobody may, and `isForAll` of one that only some may read. */
export function checkTold(
  name: string,
  path: Path,
  scope: FieldScope,
  report: Report,
  demand: Demand & { readonly isForAll?: boolean },
): void {
  const field = scope.get(name)
  if (field && !isPublic(field)) report(path, internalName(name, demand.use))
  else if (field?.rights?.read && demand.isForAll)
    report(path, `only some may read ${name} (permissions.fields), so it cannot ${demand.use}`)
  else checkNamed(name, path, scope, report, demand)
}

/** Message about an internal field where callers would hear its name. */
export function internalName(name: string, use: string): string {
  return `${name} is internal, so it cannot ${use}; name a field that callers know, or make it hidden instead`
}

/** Demands on a field, for `checkNamed`. */
export const NAME_PART = {
  isForAll: true,
  use: 'be part of a name',
  fits: ({ type }: Field) =>
    fieldType(type).storage !== 'rows' &&
    fieldType(type).kind !== 'json' &&
    !fieldType(type).secret,
}
export const COPIED = {
  use: 'be copied',
  fits: (field: Field) => NAME_PART.fits(field) || fieldType(field.type).kind === 'json',
}
