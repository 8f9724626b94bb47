import { hash } from 'node:crypto'
import type { Field } from '../../fields/field.ts'
import { isPublic } from '../../fields/public-fields.ts'
import { createFieldReads, type FieldReads } from '../check/fields-read.ts'
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
  return new Map(
    [...drafts].map(([name, draft]) => [
      name,
      { ...draft, definition: withInherited(draft.definition, reads, reporterOf(draft)) },
    ]),
  )
}

function withInherited(
  definition: DocTypeDefinition,
  reads: FieldReads,
  report: Report,
): DocTypeDefinition {
  const inherited: Record<string, { readonly read: readonly string[] }> = {}
  const withReaders = (field: Field, table: Field | undefined): Field => {
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
    const cells = field.child?.fields.map((cell) => withReaders(cell, field))
    const isSame = cells?.every((cell, index) => cell === field.child!.fields[index]) ?? true
    return withReaders(
      isSame ? field : { ...field, child: { ...field.child!, fields: cells! } },
      undefined,
    )
  })
  if (Object.keys(inherited).length === 0) return definition
  const { behaviour } = definition
  const { permissions } = behaviour
  // What is inherited follows from the files of other DocTypes too.
  const checksum = hash('sha256', definition.checksum + JSON.stringify(inherited)).slice(0, 32)
  return {
    ...definition,
    checksum,
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

function isTaken({ formula, fetch, lookup }: Field): boolean {
  return formula !== undefined || fetch !== undefined || lookup !== undefined
}
