import type { Behaviour, DocTypeDefinition } from '../definition/model/definition.ts'
import type { ChildDefinition, Field } from '../fields/field.ts'
import { isPublic, publicPlace } from '../fields/public-fields.ts'

/** Whether somebody has one of these roles. */
export type Holds = (roles: readonly string[]) => boolean

/** Lists of roles that fields of a DocType are kept for (`permissions.fields`), each once. */
export function keptFor({ behaviour }: DocTypeDefinition): readonly (readonly string[])[] {
  const declared = Object.values(behaviour.permissions?.fields ?? {})
  const lists = declared.flatMap(({ read = [], write = [] }) => [read, write])
  return [...new Map(lists.map((roles) => [roles.join('\0'), roles])).values()]
}

/**
 * The DocType as somebody knows it who holds these roles: a field that they may not read is internal and `withheld`,
 * one that they may not set is read-only and `closedTo` them. All else is as it was, in the same order, so that what
 * asks `publicFields` and `isWritable` needs to know of no rights.
 */
export function asKnown(definition: DocTypeDefinition, holds: Holds): DocTypeDefinition {
  const fields = fieldsKnown(definition.fields, holds)
  if (fields === definition.fields) return definition
  const known = { ...definition, fields }
  return {
    ...known,
    listFields: definition.listFields.filter((name) => publicPlace(known, name) !== ''),
    behaviour: behaviourKnown(known),
  }
}

function fieldsKnown(fields: readonly Field[], holds: Holds): readonly Field[] {
  let isSame = true
  const known = fields.map((field) => {
    const one = fieldKnown(field, holds)
    if (one !== field) isSame = false
    return one
  })
  return isSame ? fields : known
}

function fieldKnown(field: Field, holds: Holds): Field {
  const { read, write } = field.rights ?? {}
  if (read && !holds(read)) return { ...field, internal: true, readOnly: true, withheld: true }
  const open = field.child ? withChild(field, field.child, holds) : field
  if (!write || holds(write) || field.readOnly) return open
  return { ...open, readOnly: true, closedTo: write }
}

function withChild(field: Field, child: ChildDefinition, holds: Holds): Field {
  const fields = fieldsKnown(child.fields, holds)
  return fields === child.fields ? field : { ...field, child: { ...child, fields } }
}

/** Events without what the caller may not read of their data. */
function behaviourKnown({ fields, behaviour }: DocTypeDefinition): Behaviour {
  if (!behaviour.events) return behaviour
  const hidden = new Set(fields.flatMap((field) => (isPublic(field) ? [] : [field.name])))
  const events = Object.entries(behaviour.events).map(([name, event]) => {
    const { data } = event
    if (!Array.isArray(data)) return [name, event] as const
    return [name, { ...event, data: data.filter((one: string) => !hidden.has(one)) }] as const
  })
  return { ...behaviour, events: Object.fromEntries(events) }
}
