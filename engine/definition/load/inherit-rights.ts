import type { Field } from '../../fields/field.ts'
import { isPublic } from '../../fields/public-fields.ts'
import { createFieldReads, type FieldReads, isTaken } from '../check/fields-read.ts'
import { type Draft, draftsIn, type World } from '../check/world.ts'
import type { DocTypeDefinition } from '../model/definition.ts'
import type { Report } from '../yaml/source.ts'

type Drafts = World['drafts']

/**
 * The DocTypes with the readers of each field that is computed of what only some may read, or taken from it: those who
 * may read all of that, unless `permissions.fields` says who reads the field itself. So nobody reads in an order what is
 * kept from them in the item. Rollups and hooks are not followed: what they add up has its own readers. Reports a field
 * that nobody could read.
 */
export function inheritRights(
  drafts: Drafts,
  reporterOf: (draft: Draft) => Report,
): ReadonlyMap<string, Draft> {
  const isKept = [...drafts.values()].some(({ definition }) =>
    Object.values(definition.behaviour.permissions?.fields ?? {}).some(({ read }) => read),
  )
  if (!isKept) return drafts
  const reads = createFieldReads(draftsIn(drafts))
  const made = madeOfKept(drafts, reads)
  return new Map(
    [...drafts].map(([name, draft]) => [
      name,
      { ...draft, definition: withInherited(draft.definition, made, reads, reporterOf(draft)) },
    ]),
  )
}

/**
 * Fields that come in some way from one that is kept from somebody, which few do: only these need be looked behind. One
 * that several DocTypes have, as rows do, counts for all of them.
 */
function madeOfKept(drafts: Drafts, reads: FieldReads): ReadonlySet<Field> {
  const readers = new Map<Field, Field[]>()
  const found = new Set<Field>()
  const note = (definition: DocTypeDefinition, field: Field, table?: Field): void => {
    if (field.rights?.read || table?.rights?.read) found.add(field)
    for (const { field: read } of reads.nextTo(definition, field, table)) {
      const known = readers.get(read)
      if (known) known.push(field)
      else readers.set(read, [field])
    }
  }
  for (const { definition } of drafts.values()) {
    for (const field of definition.fields) {
      note(definition, field)
      for (const cell of field.child?.fields ?? []) note(definition, cell, field)
    }
  }
  // What is added on the way is gone through too.
  for (const field of found) for (const reader of readers.get(field) ?? []) found.add(reader)
  return found
}

function withInherited(
  definition: DocTypeDefinition,
  made: ReadonlySet<Field>,
  reads: FieldReads,
  report: Report,
): DocTypeDefinition {
  const inherited: Record<string, { readonly read: readonly string[] }> = {}
  const withReaders = (field: Field, table?: Field): Field => {
    const read = readersOf(definition, reads, field, table)
    if (!read) return field
    const place = table ? `${table.name}.${field.name}` : field.name
    if (read.length === 0)
      report(
        table ? ['fields', table.name, 'fields', field.name] : ['fields', field.name],
        `is made of fields that nobody may read all of (permissions.fields); say who reads it, "permissions: {fields: {${place}: {read: [Role]}}}", or make it internal`,
      )
    inherited[place] = { ...field.rights, read }
    return { ...field, rights: { ...field.rights, read } }
  }
  const fields = definition.fields.map((field) => {
    const cells = field.child?.fields.map((cell) =>
      made.has(cell) ? withReaders(cell, field) : cell,
    )
    const isSame = cells?.every((cell, index) => cell === field.child!.fields[index]) ?? true
    const known = isSame ? field : { ...field, child: { ...field.child!, fields: cells! } }
    return made.has(field) ? withReaders(known) : known
  })
  if (Object.keys(inherited).length === 0) return definition
  const { behaviour } = definition
  const { permissions } = behaviour
  return {
    ...definition,
    fields,
    behaviour: {
      ...behaviour,
      permissions: { ...permissions, fields: { ...permissions?.fields, ...inherited } },
    },
  }
}

/** Roles that may read everything a field is made of; undefined where everybody may, and where it says itself. */
function readersOf(
  definition: DocTypeDefinition,
  reads: FieldReads,
  field: Field,
  table: Field | undefined,
): readonly string[] | undefined {
  if (field.rights?.read || !isPublic(field) || !isTaken(field)) return undefined
  const lists = reads
    .behind(definition, field, table)
    .flatMap((one) => [
      ...(one.field.rights?.read ? [one.field.rights.read] : []),
      ...(one.table?.rights?.read ? [one.table.rights.read] : []),
    ])
  const [first, ...others] = lists
  return first?.filter((role) => others.every((list) => list.includes(role)))
}
