import type { DocTypeDefinition } from '../definition/model/definition.ts'
import { type Actor, isManager, type UserLimit } from './actor.ts'

/** Limit by a field: a record is seen only if the field names one of these, or nothing. */
export interface FieldLimit {
  /** Name of the field; `name` is the record itself. */
  readonly field: string
  /** Field of a dynamic link that names the DocType, and the DocType for which the limit is. */
  readonly where?: { readonly field: string; readonly is: string }
  readonly names: ReadonlySet<string>
}

const NONE: readonly FieldLimit[] = []

/**
 * Limits of a person on the records of a DocType; empty for who has none, and for System Managers. Of records of a
 * limited DocType itself only the name counts: what they link to among each other (a parent, an amended one) does
 * not.
 */
export function fieldLimits(
  { actor }: { readonly actor: Actor },
  definition: DocTypeDefinition,
): readonly FieldLimit[] {
  const given = limitsOf(actor, definition.doctype)
  if (given.length === 0) return NONE
  const limits: FieldLimit[] = []
  for (const [allow, list] of Map.groupBy(given, (limit) => limit.allow)) {
    const names = new Set(list.flatMap((limit) => limit.names))
    if (allow === definition.doctype) {
      limits.push({ field: 'name', names })
      continue
    }
    for (const { name: field, link, linkTable, linkFrom } of definition.fields) {
      if (link === allow && linkTable === undefined) limits.push({ field, names })
      if (linkFrom !== undefined)
        limits.push({ field, where: { field: linkFrom, is: allow }, names })
    }
  }
  return limits
}

function limitsOf(actor: Actor, doctype: string): readonly UserLimit[] {
  if (!actor.limits || actor.limits.length === 0 || isManager(actor)) return []
  return actor.limits.filter(({ appliesTo = doctype }) => appliesTo === doctype)
}

/** Defaults of this person's limits, for fields of a new record that name nothing: field → name. */
export function limitDefaults(
  { actor }: { readonly actor: Actor },
  { doctype, fields }: DocTypeDefinition,
): readonly (readonly [field: string, name: string])[] {
  const defaults = limitsOf(actor, doctype).filter(({ isDefault }) => isDefault)
  if (defaults.length === 0) return []
  return fields.flatMap(({ name, link, linkTable, readOnly }) => {
    const found = defaults.find(({ allow }) => allow === link)
    return found && linkTable === undefined && !readOnly ? [[name, found.value] as const] : []
  })
}
