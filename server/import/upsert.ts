import { isObject } from '../../engine/base/json-text.ts'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import type { Services } from '../../engine/documents/work/context.ts'
import type { Field } from '../../engine/fields/field.ts'
import { type ColumnValue, FieldProblem } from '../../engine/fields/field-type.ts'
import { fieldType } from '../../engine/fields/index.ts'
import { publicField } from '../../engine/fields/public-fields.ts'
import { namesBy } from '../../engine/storage/finding/record-names.ts'
import { FileRefused } from './file-refused.ts'
import type { Incoming } from './incoming.ts'

type Wire = Readonly<Record<string, unknown>>

/** Key by which records of a file are found among those that are there. */
export interface UpsertKey {
  /** Field of the record; undefined where it is the name itself. */
  readonly field: Field | undefined
}

/** A record that is there, in the shape of GET. */
export interface Existing {
  readonly name: string
  readonly record: Wire
}

/**
 * The field that finds records: the one that is asked for, else the name where the file has it, else the only
 * unique field of the file. `has` tells whether the file has a column. Throws FileRefused where there is none.
 */
export function upsertKey(
  definition: DocTypeDefinition,
  asked: string | undefined,
  has: (name: string) => boolean,
): UpsertKey {
  if (asked === 'id' || asked === 'name') return { field: undefined }
  if (asked !== undefined) {
    const field = publicField(definition, asked)
    if (!field || fieldType(field.type).storage === 'rows' || fieldType(field.type).secret)
      throw new FileRefused(
        `${definition.label} has no field ${JSON.stringify(asked)} to find records by`,
        { option: 'key' },
      )
    return { field }
  }
  if (has('id') || has('name')) return { field: undefined }
  const unique = definition.fields.filter(({ unique, name }) => unique && has(name))
  const naming = definition.naming.kind === 'field' ? definition.naming.field : undefined
  const field =
    unique.length === 1
      ? unique[0]
      : definition.fields.find(({ name }) => name === naming && has(name))
  if (field) return { field }
  throw new FileRefused(
    unique.length > 1
      ? `the file has several unique fields (${unique.map(({ name }) => name).join(', ')}); name the one that finds records as the key`
      : 'the file has no id and no unique field; name the field that finds records as the key',
    { option: 'upsert' },
  )
}

/** The value that finds the record, as its column keeps it; null where it is unset or no value of the field. */
export function keyOf({ field }: UpsertKey, { body }: Incoming): ColumnValue {
  const wire = body[field?.name ?? 'name'] ?? null
  if (!field) return wire === null ? null : String(wire)
  try {
    const type = fieldType(field.type)
    const value = wire === null ? null : type.read(wire, field)
    return value === null ? null : type.toColumn(value, field)
  } catch (error) {
    if (error instanceof FieldProblem || error instanceof TypeError) return null
    throw error
  }
}

/** The records that have these keys, by the key as text. */
export async function findExisting(
  services: Services,
  definition: DocTypeDefinition,
  { field }: UpsertKey,
  keys: readonly ColumnValue[],
): Promise<ReadonlyMap<string, readonly Existing[]>> {
  if (keys.length === 0) return new Map()
  const { read } = services.database
  const { store, presenter } = services.partsOf(definition)
  const names = await namesBy(read, definition.table, field?.name ?? 'name', keys)
  const docs = await store.findMany(read, [...new Set([...names.values()].flat())])
  await store.loadRows(read, [...docs.values()])
  const existing = new Map(
    [...docs.values()].map((doc) => [doc.name, { name: doc.name, record: presenter.record(doc) }]),
  )
  return new Map(
    [...names].map(([key, some]) => [
      key,
      some.map((name) => existing.get(name)).filter((one) => one !== undefined),
    ]),
  )
}

/** The part of a body that differs from the record; undefined when nothing does. */
export function changesOf(
  definition: DocTypeDefinition,
  current: Wire,
  body: Wire,
): Wire | undefined {
  const { name: _, ...sent } = body
  const changes = differing(definition.fields, current, sent)
  return Object.keys(changes).length === 0 ? undefined : changes
}

function differing(fields: readonly Field[], current: Wire, sent: Wire): Record<string, unknown> {
  const known = new Map(fields.map((field) => [field.name, field]))
  const changes: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(sent)) {
    const field = known.get(name)
    if (field?.child && Array.isArray(value)) {
      const rows = differingRows(field.child.fields, current[name], value)
      if (rows) changes[name] = rows
    } else if (!field || !isSame(field, current[name], value)) changes[name] = value
  }
  return changes
}

/**
 * The rows as an update takes them. A row is the one of its `row_id`; without one that the record knows it is
 * the row that has the same values, so that a file that is imported again changes nothing; else it is new.
 */
function differingRows(
  fields: readonly Field[],
  current: unknown,
  sent: readonly unknown[],
): unknown[] | undefined {
  const old = (Array.isArray(current) ? current : []) as Wire[]
  const unclaimed = new Map(old.map((row) => [row.row_id, row]))
  const claim = (row: Wire | undefined): Wire | undefined => {
    if (row) unclaimed.delete(row.row_id)
    return row
  }
  const byId = sent.map((row) => (isObject(row) ? claim(unclaimed.get(row.row_id)) : undefined))
  let isChanged = old.length !== sent.length
  const rows = sent.map((row, at): unknown => {
    if (!isObject(row)) return row
    const { row_id: _, ...values } = row
    const was =
      byId[at] ??
      claim(
        [...unclaimed.values()].find(
          (one) => Object.keys(differing(fields, one, values)).length === 0,
        ),
      )
    const changes = was ? differing(fields, was, values) : values
    isChanged ||=
      was?.row_id !== old[at]?.row_id || was === undefined || Object.keys(changes).length > 0
    return was ? { row_id: was.row_id, ...changes } : values
  })
  return isChanged ? rows : undefined
}

/** Values are compared as they would be kept: a moment of another zone may be the same moment. */
function isSame(field: Field, current: unknown, sent: unknown): boolean {
  const type = fieldType(field.type)
  if (sent === null || sent === undefined) return (current ?? null) === (type.unset ?? null)
  try {
    const value = type.read(sent, field)
    const wire = value === null ? null : type.toWire(value, field)
    return !type.secret && JSON.stringify(wire) === JSON.stringify(current ?? null)
  } catch (error) {
    if (error instanceof FieldProblem || error instanceof TypeError) return false
    throw error
  }
}
