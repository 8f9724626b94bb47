import { blankObject } from '../../base/blank-object.ts'
import type { Detail } from '../../base/errors.ts'
import { once } from '../../base/once.ts'
import type { Field } from '../../fields/field.ts'
import type { ColumnValue, Value } from '../../fields/field-type.ts'
import { type HasFields, publicFields } from '../../fields/public-fields.ts'
import { type Doc, type Row, rowsOf, valueIn } from '../../storage/database/document.ts'
import { type WrittenProperty, writtenWhenWarm } from '../../storage/database/written-object.ts'
import type { RawRow } from '../../storage/records/record-row.ts'
import type { DocTable, FieldColumn } from '../../storage/records/tables.ts'

export type WireRecord = Record<string, unknown>

/** Turns records of one DocType into what clients see: the one shape of GET, writes, lists and events. */
export interface Presenter {
  /** The record with its tables, as GET answers it. */
  record(doc: Doc): WireRecord
  /** The same with its internal fields: for papers, which may say what an answer does not. */
  whole(doc: Doc): WireRecord
  /** Fields that a list shows; by default all scalars except long texts. */
  listed(fields?: readonly string[]): ListedFields
}

/** Fields of a DocType that are shown: what to read for them, and how to show them. */
export interface ListedFields {
  readonly columns: readonly FieldColumn[]
  readonly tables: readonly string[]
  readonly show: (doc: Doc) => WireRecord
  /** Shows a row of the database; only where there are no tables to show. */
  readonly showRaw: (raw: RawRow) => WireRecord
}

interface ShownField {
  readonly name: string
  readonly show: (doc: Doc) => unknown
  /** Shows the field from a row of the database; tables have none. */
  readonly showRaw: (raw: RawRow) => unknown
  /** Undefined for a table and for what is no declared field. */
  readonly column?: FieldColumn
}

/** Fields of a record that its reader may read, the internal ones among them. */
function readFields({ fields }: HasFields): readonly Field[] {
  return fields.filter(({ withheld }) => !withheld)
}

export function createPresenter(plan: DocTable): Presenter {
  const children = new Set(plan.children.map(({ field }) => field))
  const shown = shownOf(plan, publicFields)
  const whole = once(() => showAll(shownOf(plan, readFields)))
  const inList = new Set(shown.map(({ name }) => name))
  for (const { name, type } of plan.columns) {
    if (!type.inList || type.secret) inList.delete(name)
  }
  for (const name of children) inList.delete(name)

  function listedFields(names: ReadonlySet<string>): ListedFields {
    const fields = shown.filter(({ name }) => names.has(name))
    return {
      columns: plan.columns.filter(({ name }) => names.has(name)),
      tables: [...children].filter((name) => names.has(name)),
      show: showAll(fields),
      showRaw: showAllRaw(fields),
    }
  }

  const byDefault = listedFields(inList)
  return {
    record: showAll(shown),
    whole: (doc) => whole()(doc),
    listed: (fields) => (fields ? listedFields(new Set(fields)) : byDefault),
  }
}

/** A record in the order its parts are shown: its identity, the wanted declared fields, its state and history. */
function shownOf(plan: DocTable, fieldsOf: (owner: HasFields) => readonly Field[]): ShownField[] {
  const { definition } = plan
  const shown: ShownField[] = [
    { name: 'id', show: (doc) => doc.name, showRaw: (raw) => raw.name },
    { name: 'name', show: (doc) => doc.name, showRaw: (raw) => raw.name },
  ]
  const columns = new Map(plan.columns.map((column) => [column.name, column]))
  const children = new Map(plan.children.map((child) => [child.field, child]))
  for (const { name } of fieldsOf(definition)) {
    const column = columns.get(name)
    const child = children.get(name)
    if (column)
      shown.push({ name, column, show: showColumn(column), showRaw: showRawColumn(column) })
    if (child) {
      const wanted = new Set(fieldsOf(child.definition).map((field) => field.name))
      const cells = child.columns.filter((column) => wanted.has(column.name))
      const showRow = rowShower(cells)
      shown.push({
        name,
        show: (doc) => rowsOf(doc, name).map(showRow),
        showRaw: () => undefined,
      })
    }
  }
  if (definition.submittable) {
    const docstatus = {
      show: (doc: Doc) => doc.docstatus,
      showRaw: (raw: RawRow) => Number(raw.docstatus),
    }
    shown.push({ name: 'docstatus', ...docstatus })
    const amended = {
      show: (doc: Doc) => doc.amended_from ?? null,
      showRaw: (raw: RawRow) => raw.amended_from ?? null,
    }
    shown.push({ name: 'amended_from', ...amended })
  }
  for (const name of ['owner', 'created', 'modified', 'modified_by'] as const) {
    shown.push({ name, show: (doc) => doc[name], showRaw: (raw) => raw[name] })
  }
  return shown
}

function showAll(shown: readonly ShownField[]): (doc: Doc) => WireRecord {
  const blank = blankObject(shown.map(({ name }) => name))
  const showEach = (doc: Doc): WireRecord => {
    const record = blank()
    for (const { name, show } of shown) record[name] = show(doc)
    return record
  }
  return writtenWhenWarm(showEach, () => ({
    parameters: ['doc'],
    properties: shown.map(({ name, column }, at) => [
      name,
      column ? shownCell('doc', `shown[${at}].column`, column) : `shown[${at}].show(doc)`,
    ]),
    known: { shown },
  }))
}

function showAllRaw(shown: readonly ShownField[]): (raw: RawRow) => WireRecord {
  const blank = blankObject(shown.map(({ name }) => name))
  const showEach = (raw: RawRow): WireRecord => {
    const record = blank()
    for (const { name, showRaw } of shown) record[name] = showRaw(raw)
    return record
  }
  return writtenWhenWarm(showEach, () => ({
    parameters: ['raw'],
    properties: shown.map(({ name, column }, at) => [
      name,
      column?.type.verbatim ? shownCell('raw', '', column) : `shown[${at}].showRaw(raw)`,
    ]),
    known: { shown },
  }))
}

/** Code of the wire form of a cell; `column` is that of the column. */
function shownCell(owner: string, column: string, { name, type }: FieldColumn): string {
  if (type.secret) return 'null'
  const value = `${owner}[${JSON.stringify(name)}]`
  const unset = JSON.stringify(type.unset ?? null)
  if (type.verbatim) return `${value} ?? ${unset}`
  return `(${value} ?? null) === null ? ${unset} : ${column}.type.toWire(${value}, ${column}.field)`
}

function showColumn({ name, field, type }: FieldColumn): (doc: Doc) => unknown {
  if (type.secret) return () => null
  const { unset = null } = type
  return (doc) => {
    const value = valueIn(doc, name)
    return value === null ? unset : type.toWire(value, field)
  }
}

/** Shows a column straight on the wire: a page of a list needs no records in between. */
function showRawColumn({ name, field, type }: FieldColumn): (raw: RawRow) => unknown {
  if (type.secret) return () => null
  const { unset = null, verbatim } = type
  if (verbatim) return (raw) => raw[name] ?? unset
  return (raw) => {
    const column = raw[name] ?? null
    return column === null
      ? unset
      : type.toWire(type.fromColumn(column as ColumnValue, field), field)
  }
}

function rowShower(columns: readonly FieldColumn[]): (row: Row) => WireRecord {
  const blank = blankObject(['row_id', ...columns.map(({ name }) => name)])
  const showEach = (row: Row): WireRecord => {
    const shown = blank()
    shown.row_id = row.row_id
    for (const { name, field, type } of columns) {
      const value: Value = row[name] ?? null
      if (type.secret) shown[name] = null
      else shown[name] = value === null ? (type.unset ?? null) : type.toWire(value, field)
    }
    return shown
  }
  return writtenWhenWarm(showEach, () => ({
    parameters: ['row'],
    properties: [
      ['row_id', 'row.row_id'],
      ...columns.map((column, at): WrittenProperty => {
        return [column.name, shownCell('row', `columns[${at}]`, column)]
      }),
    ],
    known: { columns },
  }))
}

/** The result of an operation on one record; its tables must be loaded. */
export function presentResult(presenter: Presenter, doc: Doc): DocumentResult {
  const record = presenter.record(doc)
  return { id: doc.name, record, json: JSON.stringify(record), etag: etagOf(doc) }
}

/** ETag of a record: changes with every change of it, and differs from that of a later record of the same name. */
export function etagOf({ rid, version, created }: Doc): string {
  return `"${rid.toString(36)}-${version.toString(36)}-${Date.parse(created).toString(36)}"`
}

/** A record after an operation, in the shape of GET (contract §3, Record). */
export interface DocumentResult {
  readonly id: string
  readonly record: Readonly<Record<string, unknown>>
  /** `record` as JSON text: the same bytes go into the event and the answer. */
  readonly json: string
  readonly etag: string
  /** Of a rehearsal. */
  readonly preview?: Preview
}

/** Problem of a body, as `details` of a 422 have it. */
export type PreviewProblem = Pick<Detail, 'field' | 'message' | 'code' | 'suggestions'>

/** Outcome of an operation that was only tried (contract §7.2): what the caller may read of it. */
export interface Preview {
  /** The answer that the operation would have; null where nothing can be computed. */
  readonly record: WireRecord | null
  /** Problems of a body that would be refused with 422; then this and the record are all there is. */
  readonly problems: readonly PreviewProblem[]
  /** What is odd about the record and refuses nothing (`warn`). */
  readonly warnings: readonly PreviewProblem[]
  readonly created: readonly { readonly resource: string; readonly record: WireRecord }[]
  readonly changed: readonly PreviewedChange[]
  readonly deleted: readonly Omit<PreviewedChange, 'fields'>[]
  /** Rows that are added to ledgers, by resource. */
  readonly ledgers: Readonly<Record<string, readonly WireRecord[]>>
  /** Full names of the events, in their order. */
  readonly events: readonly string[]
}

/** Another record that would change, and how. */
export interface PreviewedChange {
  readonly resource: string
  readonly id: string
  readonly title: string
  readonly fields: Readonly<Record<string, readonly [before: unknown, after: unknown]>>
}
