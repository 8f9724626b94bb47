import { randomBytes } from 'node:crypto'
import type { Database, Statement } from './database.ts'
import type { Delivery, Outbox } from './deliveries.ts'
import {
  type AttributeRow,
  type BarcodeRow,
  etagOf,
  type ItemRow,
  type LevelRow,
  type ListedRow,
  listedItem,
  shownItem,
  toFlag,
  toMoney,
  toQuantity,
  UNLISTED,
  type UomRow,
} from './item.ts'
import type { ListQuery } from './list-query.ts'
import { type Detail, invalid, Refusal } from './refusal.ts'
import { searchIndex } from './search.ts'
import type { BarcodeInput, ItemInput, UomInput } from './validation.ts'

export interface Saved {
  readonly id: string
  readonly json: string
  readonly etag: string
  /** Deliveries to be sent after the commit. */
  readonly deliveries?: readonly Delivery[]
}

export interface ItemStore {
  get(name: string): Saved
  /** JSON text of a page with its total. */
  list(query: ListQuery): string
  /** Inside a transaction. */
  create(input: ItemInput & { readonly item_code: string }, by: string): Saved
  /** Inside a transaction. */
  update(name: string, input: ItemInput, by: string): Saved
}

const COLUMNS = [
  'name',
  'owner',
  'created',
  'modified',
  'modified_by',
  'docstatus',
  'version',
  'item_code',
  'item_name',
  'item_group',
  'stock_uom',
  'brand',
  'description',
  'image',
  'disabled',
  'standard_rate',
  'standard_buying_rate',
  'is_sales_item',
  'is_purchase_item',
  'is_stock_item',
  'allow_negative_stock',
  'valuation_method',
  'default_warehouse',
  'safety_stock',
  'shelf_life_in_days',
  'warranty_period',
  'lead_time_days',
  'weight_per_unit',
  'weight_uom',
  'default_bom',
  'is_fixed_asset',
  'asset_category',
  'has_batch_no',
  'has_serial_no',
  'is_traced',
  'inspection_required_before_purchase',
  'inspection_required_before_delivery',
  'quality_inspection_template',
  'has_variants',
  'variant_of',
  'code_1',
  'code_2',
  'code_3',
  'income_account',
  'expense_account',
  'actual_qty',
  'stock_value',
  'valuation_rate',
  'last_stock_date',
] as const

const LISTED = COLUMNS.filter((name) => !UNLISTED.some((left) => left === name)).join(', ')

/** The five fields that name another record, and the tables they look in. */
const LINKS = {
  item_group: ['Item Group', 'item_groups'],
  stock_uom: ['UOM', 'uoms'],
  brand: ['Brand', 'brands'],
  default_warehouse: ['Warehouse', 'warehouses'],
  weight_uom: ['UOM', 'uoms'],
} as const

export function itemStore(database: Database, outbox?: Outbox): ItemStore {
  const search = searchIndex(database)
  const find = database.prepare<[string], ItemRow>(
    `select rid, ${COLUMNS.join(', ')} from items where name = ?`,
  )
  const uomsOf = database.prepare<[number], UomRow>(
    'select row_id, uom, conversion_factor from items__uoms where parent = ? order by idx',
  )
  const barcodesOf = database.prepare<[number], BarcodeRow>(
    'select row_id, barcode, barcode_type, uom from items__barcodes where parent = ? order by idx',
  )
  const attributesOf = database.prepare<[number], AttributeRow>(
    'select row_id, attribute, attribute_value from items__attributes where parent = ? order by idx',
  )
  const levelsOf = database.prepare<[number], LevelRow>(
    `select row_id, warehouse, warehouse_reorder_level, warehouse_reorder_qty, material_request_type
     from items__reorder_levels where parent = ? order by idx`,
  )
  const insert = database.prepare(
    `insert into items (${COLUMNS.join(', ')}) values (${COLUMNS.map((name) => `@${name}`).join(', ')})`,
  )
  const insertUom = database.prepare(
    'insert into items__uoms (row_id, parent, idx, uom, conversion_factor) values (?, ?, ?, ?, ?)',
  )
  const insertBarcode = database.prepare(
    'insert into items__barcodes (row_id, parent, idx, barcode, barcode_type, uom) values (?, ?, ?, ?, ?, ?)',
  )
  const removeUoms = database.prepare('delete from items__uoms where parent = ?')
  const removeBarcodes = database.prepare('delete from items__barcodes where parent = ?')
  const insertEvent = database.prepare(
    `insert into svc_events (id, event, resource, kind, record_id, at, actor, data)
     values (?, ?, 'items', ?, ?, ?, ?, ?)`,
  )
  const exists = Object.fromEntries(
    Object.values(LINKS).map(([, table]) => [
      table,
      database.prepare<[string]>(`select 1 from ${table} where name = ?`),
    ]),
  )
  const statements = new Map<string, Statement>()

  function prepared(sql: string): Statement {
    let statement = statements.get(sql)
    if (!statement) {
      statement = database.prepare(sql)
      statements.set(sql, statement)
    }
    return statement
  }

  function checkLinks(row: ItemRow, before: ItemRow | undefined, input: ItemInput): void {
    const problems: Detail[] = []
    const check = (field: string, doctype: string, table: string, name: string): void => {
      if (exists[table]!.get(name)) return
      problems.push({ field, message: `expected an existing ${doctype}, got "${name}"` })
    }
    for (const [field, [doctype, table]] of Object.entries(LINKS)) {
      const name = row[field as keyof typeof LINKS]
      const isNew = before?.[field as keyof typeof LINKS] !== name
      if (name !== null && isNew) check(field, doctype, table, name)
    }
    for (const [index, { uom }] of (input.uoms ?? []).entries())
      check(`uoms[${index}].uom`, 'UOM', 'uoms', uom)
    for (const [index, { uom }] of (input.barcodes ?? []).entries())
      if (uom != null) check(`barcodes[${index}].uom`, 'UOM', 'uoms', uom)
    if (problems.length > 0) throw invalid(problems)
  }

  function saveUoms(parent: number, rows: readonly UomInput[]): void {
    for (const [index, { row_id = newRowId(), uom, conversion_factor }] of rows.entries())
      insertUom.run(row_id, parent, index + 1, uom, toQuantity(conversion_factor))
  }

  function saveBarcodes(parent: number, rows: readonly BarcodeInput[]): void {
    for (const [index, row] of rows.entries()) {
      const { row_id = newRowId(), barcode, barcode_type = null, uom = null } = row
      insertBarcode.run(row_id, parent, index + 1, barcode, barcode_type, uom)
    }
  }

  function result(row: ItemRow): Saved {
    const item = shownItem(
      row,
      uomsOf.all(row.rid),
      barcodesOf.all(row.rid),
      attributesOf.all(row.rid),
      levelsOf.all(row.rid),
    )
    return { id: row.name, json: JSON.stringify(item), etag: etagOf(row) }
  }

  function saved(row: ItemRow, kind: 'created' | 'updated'): Saved {
    const written = result(row)
    const { name, modified, modified_by } = row
    const id = newEventId()
    const event = `items.${kind}`
    insertEvent.run(id, event, kind, name, modified, modified_by, written.json)
    if (!outbox) return written
    return {
      ...written,
      deliveries: outbox.insert({ id, event, at: modified, data: written.json }),
    }
  }

  return {
    get(name) {
      const row = find.get(name)
      if (!row) throw notFound(name)
      return result(row)
    },

    list({ where, values, q, order, limit, offset }) {
      const found = q === undefined ? undefined : search.condition(q)
      const conditions = [where, found?.sql].filter(Boolean).join(' and ')
      const parameters = [...values, ...(found?.values ?? [])]
      const filter = conditions === '' ? '' : ` where ${conditions}`
      const rows = prepared(
        `select rid, ${LISTED} from items${filter} order by ${order} limit ${limit + 1} offset ${offset}`,
      ).all(...parameters) as ListedRow[]
      const total =
        q !== undefined && where === ''
          ? search.count(q)
          : (
              prepared(`select count(*) as n from items${filter}`).get(...parameters) as {
                n: number
              }
            ).n
      const more = rows.length > limit
      if (more) rows.pop()
      const last = rows.at(-1)
      return JSON.stringify({
        data: rows.map(listedItem),
        meta: { total, limit, offset },
        next_cursor: more && last ? cursorOf(last) : undefined,
      })
    },

    create(input, by) {
      const now = new Date().toISOString()
      const row: ItemRow = {
        rid: 0,
        name: input.item_code,
        owner: by,
        created: now,
        modified: now,
        modified_by: by,
        docstatus: 0,
        version: 1,
        item_code: input.item_code,
        item_name: input.item_name!,
        item_group: input.item_group ?? null,
        stock_uom: input.stock_uom ?? null,
        brand: input.brand ?? null,
        description: input.description ?? null,
        image: input.image ?? null,
        disabled: toFlag(input.disabled, 0),
        standard_rate: toMoney(input.standard_rate),
        standard_buying_rate: toMoney(input.standard_buying_rate),
        is_sales_item: toFlag(input.is_sales_item, 1),
        is_purchase_item: toFlag(input.is_purchase_item, 1),
        is_stock_item: toFlag(input.is_stock_item, 1),
        allow_negative_stock: 0,
        valuation_method: 'Moving Average',
        default_warehouse: input.default_warehouse ?? null,
        safety_stock: toQuantity(input.safety_stock),
        shelf_life_in_days: null,
        warranty_period: null,
        lead_time_days: null,
        weight_per_unit: toQuantity(input.weight_per_unit),
        weight_uom: input.weight_uom ?? null,
        default_bom: null,
        is_fixed_asset: 0,
        asset_category: null,
        has_batch_no: 0,
        has_serial_no: 0,
        is_traced: 0,
        inspection_required_before_purchase: 0,
        inspection_required_before_delivery: 0,
        quality_inspection_template: null,
        has_variants: 0,
        variant_of: null,
        code_1: null,
        code_2: null,
        code_3: null,
        income_account: null,
        expense_account: null,
        actual_qty: 0,
        stock_value: 0,
        valuation_rate: 0,
        last_stock_date: null,
      }
      checkLinks(row, undefined, input)
      row.rid = insertItem(row)
      saveUoms(row.rid, input.uoms ?? [])
      saveBarcodes(row.rid, input.barcodes ?? [])
      search.insert(row)
      return saved(row, 'created')
    },

    update(name, input, by) {
      const before = find.get(name)
      if (!before) throw notFound(name)
      const { uoms, barcodes, ...scalars } = input
      const now = new Date().toISOString()
      const row: ItemRow = { ...before, ...columnsOf(scalars) }
      if (now > before.modified) row.modified = now
      row.modified_by = by
      row.version += 1
      checkLinks(row, before, input)
      const changed = COLUMNS.filter((column) => row[column] !== before[column])
      prepared(
        `update items set ${changed.map((column) => `${column} = ?`).join(', ')} where rid = ?`,
      ).run(...changed.map((column) => row[column]), row.rid)
      if (uoms !== undefined) {
        removeUoms.run(row.rid)
        saveUoms(row.rid, uoms ?? [])
      }
      if (barcodes !== undefined) {
        removeBarcodes.run(row.rid)
        saveBarcodes(row.rid, barcodes ?? [])
      }
      search.update(before, row)
      return saved(row, 'updated')
    },
  }

  function insertItem(row: ItemRow): number {
    try {
      return Number(insert.run(row).lastInsertRowid)
    } catch (error) {
      if ((error as { code?: string }).code !== 'SQLITE_CONSTRAINT_UNIQUE') throw error
      throw new Refusal(409, 'CONFLICT', `Item "${row.name}" already exists`)
    }
  }
}

/** Sent fields as their columns keep them. */
function columnsOf(input: Omit<ItemInput, 'uoms' | 'barcodes'>): Partial<ItemRow> {
  const columns: Record<string, unknown> = { ...input }
  for (const name of ['standard_rate', 'standard_buying_rate'] as const)
    if (name in input) columns[name] = toMoney(input[name])
  for (const name of ['safety_stock', 'weight_per_unit'] as const)
    if (name in input) columns[name] = toQuantity(input[name])
  for (const name of ['disabled', 'is_sales_item', 'is_purchase_item', 'is_stock_item'] as const)
    if (name in input) columns[name] = toFlag(input[name], null)
  return columns as Partial<ItemRow>
}

function notFound(name: string): Refusal {
  return new Refusal(404, 'NOT_FOUND', `there is no Item "${name}"`)
}

function cursorOf({ modified, rid }: ListedRow): string {
  return Buffer.from(JSON.stringify([modified, rid])).toString('base64url')
}

function newRowId(): string {
  return randomBytes(10).toString('hex')
}

function newEventId(): string {
  return `evt_${Date.now().toString(36).padStart(9, '0')}${randomBytes(10).toString('hex')}`
}
