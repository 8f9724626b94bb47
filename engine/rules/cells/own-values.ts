import { type Bond, bondOf } from '../../definition/model/bond.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Registry } from '../../definition/model/registry.ts'
import { originsOf } from '../../expression/tree/analyse.ts'
import type { Field } from '../../fields/field.ts'
import type { CompiledRule } from '../base/compiled-rule.ts'

/** Level that an expression with a bond stands on. */
interface Level {
  readonly definition: Pick<DocTypeDefinition, 'doctype' | 'fields' | 'idField'>
  readonly registry: Registry
  /** Columns of the row that a cell stands in. */
  readonly columns: readonly Field[] | undefined
  readonly bond: Bond
}

/** Whether all that an expression may give belongs to what the record belongs to. */
export function areOwn(rule: CompiledRule | undefined, level: Level): boolean {
  if (!rule) return true
  return originsOf(rule.expression.tree).every(
    (origin) => origin !== undefined && isOriginOwn(origin.split('.'), level),
  )
}

/** Whether a path leads to a link of the same bond here, or to a field of a record that is the owner, or belongs to it. */
function isOriginOwn(path: readonly string[], level: Level): boolean {
  const { definition, columns, bond } = level
  if (path[0] === 'parent') {
    if (!columns || bond.isOfRow) return false
    return isOriginOwn(path.slice(1), { ...level, columns: undefined })
  }
  const [head = '', ...rest] = path
  if (rest.length > 1) return false
  if (rest.length === 1) return isOwn(head, level)
  const field = (columns ?? definition.fields).find(({ name }) => name === head)
  // What is kept behind a link belongs to whom the record there belongs to.
  if (field?.made && field.fetch) return isOwn(field.fetch.link, level)
  return field !== undefined && isSame(bondOf(level.registry, definition, field, columns), bond)
}

/** Whether the record behind a link is the owner, or belongs to it. */
export function isOwn(link: string, { definition, registry, columns, bond }: Level): boolean {
  const field = (columns ?? definition.fields).find(({ name }) => name === link)
  if (!field) return false
  if (field.name === bond.ours && bond.isOfRow === (columns !== undefined)) return true
  const other = bondOf(registry, definition, field, columns)
  return other !== undefined && other.owner === bond.owner && isSame(other, bond)
}

function isSame(one: Bond | undefined, other: Bond): boolean {
  return one !== undefined && one.ours === other.ours && one.isOfRow === other.isOfRow
}
