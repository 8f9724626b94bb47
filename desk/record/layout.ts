import { isNumber } from '../data/format.ts'
import { mustFill } from '../data/must-fill.ts'
import type { FieldInfo, ResourceInfo, Row } from '../data/types.ts'
import { statusField } from '../list/list-state.ts'
import { holds } from './condition.ts'

/** How a record is shown: a new one, one that may be changed, or one that is only read. */
export type Mode = 'new' | 'edit' | 'read'

/** A part of a form. */
export interface Section {
  /** Name of its first field: no two sections share it. */
  readonly key: string
  readonly title: string | undefined
  /** What is always shown. */
  readonly fields: readonly FieldInfo[]
  /** What is shown when asked for: nobody has to fill it and nobody has. */
  readonly more: readonly FieldInfo[]
  readonly tables: readonly FieldInfo[]
}

/** A form: its sections, and the sums that stand under its first table. */
export interface Layout {
  readonly sections: readonly Section[]
  readonly totals: readonly FieldInfo[]
}

const STANDARD = new Set([
  'id',
  'name',
  'owner',
  'created',
  'modified',
  'modified_by',
  'docstatus',
  'amended_from',
])

/** Fields that a first section has at least, though nobody has to fill them. */
const FIRST_FIELDS = 4

/** What is known of a record besides its values. */
export interface Knowing {
  /** Fields that somebody has changed since it was read. */
  readonly typed?: ReadonlySet<string>
  /** The one company of the workspace, as its records link to it: it goes without saying. */
  readonly company?: { readonly resource: string; readonly id: string } | undefined
}

/** A form that looks designed, of nothing but what the definition says of its fields. */
export function layoutOf(
  resource: ResourceInfo,
  row: Row,
  mode: Mode,
  knowing: Knowing = {},
): Layout {
  const hasTable = resource.fields.some(
    (field) => field.type === 'table' && isShown(field, row, mode),
  )
  const isTotal = (field: FieldInfo): boolean => hasTable && field.readOnly && isNumber(field)
  const state = statusField(resource)?.name
  const shown = resource.fields.filter(
    (field) => !STANDARD.has(field.name) && field.name !== state && isShown(field, row, mode),
  )
  const sections: { key: string; title: string | undefined; all: FieldInfo[] }[] = []
  let title: string | undefined
  for (const field of resource.fields) {
    if (field.section !== undefined) title = field.section
    if (!shown.includes(field) || isTotal(field)) continue
    const last = sections.at(-1)
    if (last && last.title === title) last.all.push(field)
    else sections.push({ key: field.name, title, all: [field] })
  }
  const sums = shown.filter((field) => isTotal(field) && isTold(field, resource, row))
  const own = sums.filter((field, at) => !saysAgain(field, sums.slice(0, at), row))
  return {
    sections: sections.map((one, at) => sectionOf(one, { resource, row, mode, knowing }, at === 0)),
    // A new record has none before something is in it.
    totals:
      mode === 'new' && own.every(({ name }) => row[name] === 0)
        ? []
        : own.filter((field, at) => !isSameAs(field, own[at - 1], resource, row)),
  }
}

/** Whether a sum of a document is the one before once more: nothing came between the two. */
function isSameAs(
  { name, type }: FieldInfo,
  before: FieldInfo | undefined,
  { list_fields, submittable }: ResourceInfo,
  row: Row,
): boolean {
  if (!before || !submittable || list_fields.includes(name)) return false
  return type === before.type && row[name] === row[before.name]
}

function isShown(field: FieldInfo, row: Row, mode: Mode): boolean {
  const { hidden, readOnly, name, type, visible_when } = field
  if (hidden || (type === 'password' && mode === 'read')) return false
  const isEmpty = isUnset(row[name])
  const isFixed = readOnly || mode === 'read' || (mode === 'edit' && field.createOnly)
  if (isFixed && isEmpty) return false
  // What only repeats the title of a link says nothing new.
  if (readOnly && Object.values(row._titles ?? {}).includes(String(row[name]))) return false
  return holds(visible_when, row) !== false || !isEmpty
}

function isUnset(value: unknown): boolean {
  return (
    value === null ||
    value === undefined ||
    value === '' ||
    value === false ||
    (Array.isArray(value) && value.length === 0)
  )
}

/** Sums of nothing say nothing, but for those a list shows too. */
function isTold({ name }: FieldInfo, { list_fields }: ResourceInfo, row: Row): boolean {
  return row[name] !== 0 || list_fields.includes(name)
}

/** A sum in the company's currency says nothing new where that is the document's too. */
function saysAgain(
  { name, currency_field }: FieldInfo,
  before: readonly FieldInfo[],
  row: Row,
): boolean {
  return before.some(
    (one) =>
      row[one.name] === row[name] &&
      one.currency_field !== currency_field &&
      row[one.currency_field ?? ''] === row[currency_field ?? ''],
  )
}

interface Scene {
  readonly resource: ResourceInfo
  readonly row: Row
  readonly mode: Mode
  readonly knowing: Knowing
}

function sectionOf(
  { key, title, all }: { key: string; title: string | undefined; all: readonly FieldInfo[] },
  scene: Scene,
  isFirst: boolean,
): Section {
  const { mode, row } = scene
  const tables = all.filter(({ type }) => type === 'table')
  const plain = all.filter(({ type }) => type !== 'table')
  const main = new Set(plain.filter((field) => isMain(field, scene)))
  if (isFirst && mode !== 'read')
    for (const field of plain)
      if (main.size < FIRST_FIELDS && field.type !== 'check' && isUnset(row[field.name]))
        main.add(field)
  return {
    key,
    title,
    fields: plain.filter((field) => main.has(field)),
    more: plain.filter((field) => !main.has(field)),
    tables,
  }
}

/** Whether a field is shown without being asked for: somebody has to fill it, has filled it, or knows the record by it. */
function isMain(field: FieldInfo, scene: Scene): boolean {
  const { resource, row, mode, knowing } = scene
  const { name, type } = field
  if (knowing.typed?.has(name)) return true
  // What is not so is not worth a line.
  if (type === 'check' && isUnset(row[name])) return false
  if (goesWithoutSaying(field, scene)) return false
  const isKnown = resource.list_fields.includes(name) || resource.search_fields.includes(name)
  if (isKnown || name === resource.title_field) return true
  if (mode !== 'new') return !isUnset(row[name]) || mustFill(field)
  // Of a new record only what the workspace does not fill by itself.
  return isUnset(row[name]) && mustFill(field)
}

/** What says nothing that a reader does not know: what it begins with, a factor of one, the one company, the currency of the amounts. */
function goesWithoutSaying(
  { name, type, readOnly, default: first, resource: target }: FieldInfo,
  { resource, row, mode, knowing }: Scene,
): boolean {
  const value = row[name]
  if (isUnset(value)) return false
  const { company } = knowing
  // Nothing of something is told where it can be entered, and in lists.
  if (value === 0 && (readOnly || mode === 'read') && !resource.list_fields.includes(name))
    return true
  if (company && target === company.resource && value === company.id) return true
  if (resource.list_fields.includes(name)) return false
  if (mode === 'read' && resource.fields.some(({ currency_field }) => currency_field === name))
    return true
  return value === first || (type === 'float' && value === 1)
}

/** Identifier of a row of another record, which tells a person nothing. */
const ROW_ID = /^[0-9a-f]{20}$/

/** Columns that an empty table offers besides those that have to be filled. */
const FREE_COLUMNS = 6

/** Columns of a table: those that have to be filled, those that are, and the first that may be; what the document says already is none. */
export function tableColumns(
  table: FieldInfo,
  rows: readonly Row[],
  canEdit: boolean,
  parent: Row = {},
): readonly FieldInfo[] {
  let free = canEdit ? FREE_COLUMNS : 0
  const found = (table.fields ?? []).filter((field) => {
    const { hidden, readOnly, name, type } = field
    if (hidden || type === 'table' || name === 'row_id') return false
    if (rows.some((row) => repeatsTitle(field, row))) return false
    if (rows.some((row) => ROW_ID.test(String(row[name] ?? '')))) return false
    if (repeatsDocument(field, rows, parent)) return false
    if (mustFill(field)) return true
    if (rows.some((row) => !isUnset(row[name]) && !isNeutral(field, row[name]))) return true
    if (readOnly || !field.in_list || free <= 0 || rows.some((row) => row[name] === 1)) return false
    free -= 1
    return true
  })
  return found.filter((field, at) => !repeatsColumn(field, found.slice(0, at), rows))
}

/** Whether a link is that of the document in every row, which it is taken from. */
function repeatsDocument(
  { name, resource }: FieldInfo,
  rows: readonly Row[],
  parent: Row,
): boolean {
  const own = parent[name]
  return resource !== undefined && !isUnset(own) && rows.every((row) => row[name] === own)
}

/** Whether a computed amount is in every row what a column before it says. */
function repeatsColumn(
  { name, readOnly, type }: FieldInfo,
  before: readonly FieldInfo[],
  rows: readonly Row[],
): boolean {
  const isSame = (one: FieldInfo): boolean =>
    one.readOnly && one.type === type && rows.every((row) => row[name] === row[one.name])
  return readOnly && type === 'currency' && rows.length > 0 && before.some(isSame)
}

/** Nothing of something, and a factor of one, say nothing. */
function isNeutral({ type }: FieldInfo, value: unknown): boolean {
  return value === 0 || (type === 'float' && value === 1)
}

function repeatsTitle({ readOnly, name }: FieldInfo, row: Row): boolean {
  const value = row[name]
  return readOnly && typeof value === 'string' && Object.values(row._titles ?? {}).includes(value)
}
