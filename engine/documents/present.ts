import { blankObject } from '../base/blank-object.ts'
import type { Value } from '../fields/field-type.ts'
import { type Doc, type Row, rowsOf, valueIn } from '../storage/document.ts'
import type { DocTable, FieldColumn } from '../storage/tables.ts'
import type { DocumentResult } from './context.ts'

export type WireRecord = Record<string, unknown>

/** Turns records of one DocType into what clients see: the one shape of GET, writes, lists and events. */
export interface Presenter {
  /** The whole record with its tables. */
  record(doc: Doc): WireRecord
  /** What a list shows: these fields beside `id` and `name`; by default all scalars except long texts. */
  listed(fields?: readonly string[]): ListedFields
}

/** Some fields of a DocType: what to read for them, and how to show them. */
export interface ListedFields {
  readonly columns: readonly FieldColumn[]
  readonly tables: readonly string[]
  readonly show: (doc: Doc) => WireRecord
}

interface ShownField {
  readonly name: string
  readonly show: (doc: Doc) => unknown
}

export function createPresenter(plan: DocTable): Presenter {
  const { definition } = plan
  const shown: ShownField[] = [
    { name: 'id', show: (doc) => doc.name },
    { name: 'name', show: (doc) => doc.name },
  ]
  const columns = new Map(plan.columns.map((column) => [column.name, column]))
  const children = new Map(plan.children.map((child) => [child.field, child]))
  for (const { name } of definition.fields) {
    const column = columns.get(name)
    const child = children.get(name)
    if (column) shown.push({ name, show: showColumn(column) })
    if (child)
      shown.push({
        name,
        show: (doc) => rowsOf(doc, name).map((row) => showRow(child.columns, row)),
      })
  }
  if (definition.submittable) {
    shown.push({ name: 'docstatus', show: (doc) => doc.docstatus })
    shown.push({ name: 'amended_from', show: (doc) => doc.amended_from ?? null })
  }
  for (const name of ['owner', 'created', 'modified', 'modified_by'] as const) {
    shown.push({ name, show: (doc) => doc[name] })
  }
  const inList = new Set(shown.map(({ name }) => name))
  for (const { name, type, field } of plan.columns) {
    if (!type.inList || type.secret || field.hidden) inList.delete(name)
  }
  for (const name of children.keys()) inList.delete(name)

  function listedFields(names: ReadonlySet<string>): ListedFields {
    return {
      columns: plan.columns.filter(({ name }) => names.has(name)),
      tables: [...children.keys()].filter((name) => names.has(name)),
      show: showAll(
        shown.filter(({ name }) => name === 'id' || name === 'name' || names.has(name)),
      ),
    }
  }

  const byDefault = listedFields(inList)
  return {
    record: showAll(shown),
    listed: (fields) => (fields ? listedFields(new Set(fields)) : byDefault),
  }
}

function showAll(shown: readonly ShownField[]): (doc: Doc) => WireRecord {
  const blank = blankObject(shown.map(({ name }) => name))
  return (doc) => {
    const record = blank()
    for (const { name, show } of shown) record[name] = show(doc)
    return record
  }
}

function showColumn({ name, field, type }: FieldColumn): (doc: Doc) => unknown {
  if (type.secret) return () => null
  return (doc) => {
    const value = valueIn(doc, name)
    return value === null ? null : type.toWire(value, field)
  }
}

function showRow(columns: readonly FieldColumn[], row: Row): WireRecord {
  const shown: WireRecord = { row_id: row.row_id }
  for (const { name, field, type } of columns) {
    const value: Value = row[name] ?? null
    shown[name] = value === null || type.secret ? null : type.toWire(value, field)
  }
  return shown
}

/** The result of an operation on one record; its tables must be loaded. */
export function presentResult(presenter: Presenter, doc: Doc): DocumentResult {
  const record = presenter.record(doc)
  return { id: doc.name, record, json: JSON.stringify(record), etag: etagOf(doc) }
}

/** Changes with every change of the record, and differs between a record and a later one of the same name. */
export function etagOf({ rid, version, created }: Doc): string {
  return `"${rid.toString(36)}-${version.toString(36)}-${Date.parse(created).toString(36)}"`
}
