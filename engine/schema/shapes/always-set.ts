import type { Behaviour, DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Field } from '../../fields/field.ts'
import { fieldType } from '../../fields/index.ts'

/** Standard fields that are never unset. */
const STANDARD: ReadonlySet<string> = new Set([
  'id',
  'name',
  'docstatus',
  'owner',
  'created',
  'modified',
  'modified_by',
])

/** Kinds of which an expression always gives a value; an empty text is unset. */
const NUMBERS: ReadonlySet<string> = new Set(['money', 'decimal', 'int'])

/** Facts that decide beside a field itself; rows of a table have no status and no name. */
type Owner = Pick<DocTypeDefinition, 'naming' | 'behaviour'>

/**
 * Whether who reads a field always finds a value in it: it is required, a check, what the record is named after, a
 * status that has one from the start, or a number that the engine computes. A record stored before the DocType said
 * so may still lack it: a submitted document does not get what a later version computes.
 */
export function isAlwaysSet(field: Field, owner?: Owner): boolean {
  if (field.required || STANDARD.has(field.name)) return true
  const type = fieldType(field.type)
  if (type.unset !== undefined) return true
  if (owner && (isNamedAfter(field, owner) || isStatusSet(field, owner.behaviour))) return true
  if (!NUMBERS.has(type.kind)) return false
  const { formula, rollup } = field
  // Over nothing there is no least and no greatest.
  return formula !== undefined || rollup?.operation === 'sum' || rollup?.operation === 'count'
}

function isNamedAfter({ name }: Field, { naming }: Owner): boolean {
  return naming.kind === 'field' && naming.field === name
}

/** Whether a status is always set: a chosen one begins with `initial`; of a derived one some state must always hold. */
function isStatusSet({ name }: Field, { status }: Behaviour): boolean {
  if (status?.field !== name) return false
  if (status.derive === undefined) return status.initial !== undefined
  return Object.values(status.derive).some((when) => when.trim() === 'true')
}
