import { isRefusal, validationError } from '../../base/errors.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { VOUCHER_NO, VOUCHER_TYPE } from '../../definition/model/ledger-fields.ts'
import type { SqlFragment } from '../../expression/sql/sql-fragment.ts'
import type { Environment } from '../../expression/tree/types.ts'
import type { Field } from '../../fields/field.ts'
import type { ColumnValue, Value } from '../../fields/field-type.ts'
import { fieldType } from '../../fields/index.ts'
import { type Doc, valueIn } from '../../storage/database/document.ts'
import { anyOf, fragmentSql } from '../../storage/database/fragment.ts'
import { titlesWithin } from '../../storage/finding/limited-records.ts'
import {
  hiddenRows,
  rowsBehind,
  type SourcePlace,
  type SourceRow,
  type SourceRows,
  sourceRows,
} from '../../storage/finding/source-rows.ts'
import { assertMayWith, may, readable } from '../rights/door.ts'
import { shownValue } from './cell.ts'
import type { ExplainedRecord } from './explanation.ts'
import type { Scene } from './scene.ts'

/** Records that a value was made of. */
export type Listing =
  /** One record, which gave this value. */
  | {
      readonly kind: 'one'
      readonly definition: DocTypeDefinition
      readonly name: string
      readonly value: unknown
    }
  /** Records or rows of a DocType, as rules/explain selects them. */
  | {
      readonly kind: 'rows'
      readonly definition: DocTypeDefinition
      readonly rows: SqlFragment
      readonly environment: Environment
      /** Field whose type the values have; undefined for a count. */
      readonly field: Field | undefined
      /** Value that they have, of a smallest or largest; undefined where they are added up. */
      readonly only: ColumnValue | undefined
      /** What the one record gave that a look-up takes its value from: its column may be of another type. */
      readonly taken?: { readonly value: unknown } | undefined
    }

/** A page of records, and where the next one begins. */
export interface RecordPage {
  readonly records: readonly ExplainedRecord[]
  readonly next?: string | undefined
}

/** Page of a listing that is asked for. */
export interface PageAsked {
  readonly limit: number
  /** Place of the page before's last row. */
  readonly after: SourcePlace | undefined
  /** Cursor of a place; undefined where a caller cannot ask for more, who is told the rest in one line. */
  readonly cursor: ((place: SourcePlace) => string) | undefined
}

/** Whether the caller may read a record, and the record; undefined also where there is none. */
export async function readableRecord(
  { context }: Scene,
  definition: DocTypeDefinition,
  name: string,
): Promise<Doc | undefined> {
  if (!may(context, definition, 'read')) return undefined
  const { read } = context.services.database
  const parts = context.services.partsOf(definition)
  const doc = await parts.store.find(read, name)
  if (!doc) return undefined
  try {
    await assertMayWith(context, read, parts, doc, 'read')
    return doc
  } catch (error) {
    if (isRefusal(error)) return undefined
    throw error
  }
}

/** The records of a listing. One that the caller may not read is not named; what such rows add up to stands last. */
export function recordsOf(scene: Scene, listing: Listing, page: PageAsked): Promise<RecordPage> {
  return listing.kind === 'one' ? oneRecord(scene, listing) : pageOf(scene, listing, page)
}

async function oneRecord(
  scene: Scene,
  { definition, name, value }: Extract<Listing, { kind: 'one' }>,
): Promise<RecordPage> {
  const doc = await readableRecord(scene, definition, name)
  if (!doc) return { records: [] }
  const title = titleOf(definition, doc)
  return { records: [{ resource: definition.slug, id: name, title, value }] }
}

function titleOf({ titleField }: DocTypeDefinition, doc: Doc): string {
  return String(valueIn(doc, titleField) ?? doc.name)
}

type Rows = Extract<Listing, { kind: 'rows' }>

async function pageOf(scene: Scene, listing: Rows, page: PageAsked): Promise<RecordPage> {
  const { services } = scene.context
  const { read } = services.database
  const source = sourceOf(scene, listing)
  const found = await sourceRows(read, source, page.after, page.limit + 1)
  const shown = found.slice(0, page.limit)
  const titles = await titlesOf(scene, listing.definition, shown, source)
  const records: ExplainedRecord[] = shown.map(({ name, value }) => ({
    resource: listing.definition.slug,
    id: name,
    title: titles.get(name) ?? name,
    value: shownColumn(listing, value),
  }))
  const last = shown.at(-1)
  const hasMore = found.length > shown.length && last !== undefined
  if (hasMore && page.cursor) return { records, next: page.cursor(last) }
  if (hasMore) {
    const rest = await rowsBehind(read, source, last, isAdded(listing))
    records.push(unnamed(listing, `${rest.count} more`, rest.sum))
  }
  if (listing.taken) return { records }
  const hidden = await hiddenRows(read, source, isAdded(listing))
  if (hidden.count > 0) records.push(unnamed(listing, 'others', hidden.sum))
  return { records }
}

function sourceOf({ context }: Scene, { definition, rows, environment, only }: Rows): SourceRows {
  return {
    rows: fragmentSql(rows, environment),
    table: definition.table,
    limit: may(context, definition, 'read') ? readable(context, definition) : anyOf([]),
    only,
  }
}

/** Rows of which the caller is told no more than what they add up to, which the value itself tells. */
function unnamed(listing: Rows, title: string, sum: bigint): ExplainedRecord {
  const value = shownColumn(listing, isAdded(listing) ? sum : (listing.only ?? null))
  return { resource: null, id: null, title, value }
}

function isAdded({ only }: Rows): boolean {
  return only === undefined
}

function shownColumn({ field, taken }: Rows, column: ColumnValue): unknown {
  if (taken) return taken.value
  if (!field) return Number(column)
  const value: Value = column === null ? null : fieldType(field.type).fromColumn(column, field)
  return shownValue(field, value)
}

/** Titles of records by name; a row of a ledger is called by the document that posted it. */
async function titlesOf(
  { context }: Scene,
  definition: DocTypeDefinition,
  rows: readonly SourceRow[],
  { limit }: SourceRows,
): Promise<ReadonlyMap<string, string>> {
  const names = [...new Set(rows.map(({ name }) => name))]
  if (names.length === 0) return new Map()
  const { read } = context.services.database
  if (!definition.behaviour.ledger) return titlesWithin(read, definition, names, limit)
  const docs = await context.services.partsOf(definition).store.findMany(read, names)
  return new Map(
    [...docs].map(([name, doc]): [string, string] => {
      const voucher = [VOUCHER_TYPE, VOUCHER_NO].map((field) => valueIn(doc, field))
      return [name, voucher.includes(null) ? name : voucher.join(' ')]
    }),
  )
}

/** Place of a row in a cursor that the caller sent. Throws VALIDATION_ERROR for one of another list. */
export function placeIn(
  { context }: Scene,
  list: string,
  cursor: string | undefined,
): SourcePlace | undefined {
  if (cursor === undefined || cursor === '') return undefined
  const found = context.services.cursors.read(list, cursor)
  if (found) return { rid: found.rid, idx: Number(found.value ?? 0) }
  throw validationError([
    {
      field: 'cursor',
      message: 'expected a next_cursor of the explanation of this very field',
      code: 'wrong_type',
    },
  ])
}
