/** A row of `items`. */
export interface ItemRow {
  rid: number
  name: string
  owner: string
  created: string
  modified: string
  modified_by: string
  docstatus: number
  version: number
  item_code: string
  item_name: string
  item_group: string | null
  stock_uom: string | null
  brand: string | null
  description: string | null
  image: string | null
  disabled: number | null
  standard_rate: number | null
  standard_buying_rate: number | null
  is_sales_item: number | null
  is_purchase_item: number | null
  is_stock_item: number | null
  allow_negative_stock: number | null
  valuation_method: string | null
  default_warehouse: string | null
  safety_stock: number | null
  shelf_life_in_days: number | null
  warranty_period: number | null
  lead_time_days: number | null
  weight_per_unit: number | null
  weight_uom: string | null
  default_bom: string | null
  is_fixed_asset: number | null
  asset_category: string | null
  has_batch_no: number | null
  has_serial_no: number | null
  is_traced: number | null
  inspection_required_before_purchase: number | null
  inspection_required_before_delivery: number | null
  quality_inspection_template: string | null
  has_variants: number | null
  variant_of: string | null
  code_1: string | null
  code_2: string | null
  code_3: string | null
  income_account: string | null
  expense_account: string | null
  actual_qty: number | null
  stock_value: number | null
  valuation_rate: number | null
  last_stock_date: string | null
}

export interface UomRow {
  row_id: string
  uom: string
  conversion_factor: number
}

export interface BarcodeRow {
  row_id: string
  barcode: string
  barcode_type: string | null
  uom: string | null
}

export interface AttributeRow {
  row_id: string
  attribute: string
  attribute_value: string | null
}

export interface LevelRow {
  row_id: string
  warehouse: string
  warehouse_reorder_level: number
  warehouse_reorder_qty: number
  material_request_type: string | null
}

const MONEY = 10_000
const QUANTITY = 1_000_000

function scaledDown(value: number | null, scale: number): number | null {
  return value === null ? null : value / scale
}

function flag(value: number | null): boolean {
  return value === 1
}

/** Fields that no item here sets, as they begin. */
const UNSET = {
  allow_alternative_item: false,
  deferred_expense_account: null,
  deferred_revenue_account: null,
  no_of_months: null,
  delivered_by_supplier: false,
  over_billing_allowance: null,
  over_delivery_receipt_allowance: null,
}

/** A whole item with its tables, as GET answers it. */
export function shownItem(
  row: ItemRow,
  uoms: readonly UomRow[],
  barcodes: readonly BarcodeRow[],
  attributes: readonly AttributeRow[],
  levels: readonly LevelRow[],
): object {
  return {
    id: row.name,
    name: row.name,
    item_code: row.item_code,
    item_name: row.item_name,
    item_group: row.item_group,
    stock_uom: row.stock_uom,
    brand: row.brand,
    description: row.description,
    image: row.image,
    disabled: flag(row.disabled),
    standard_rate: scaledDown(row.standard_rate, MONEY),
    standard_buying_rate: scaledDown(row.standard_buying_rate, MONEY),
    is_sales_item: flag(row.is_sales_item),
    is_purchase_item: flag(row.is_purchase_item),
    is_stock_item: flag(row.is_stock_item),
    allow_negative_stock: flag(row.allow_negative_stock),
    valuation_method: row.valuation_method,
    ...UNSET,
    default_warehouse: row.default_warehouse,
    safety_stock: scaledDown(row.safety_stock, QUANTITY),
    shelf_life_in_days: row.shelf_life_in_days,
    warranty_period: row.warranty_period,
    lead_time_days: row.lead_time_days,
    weight_per_unit: scaledDown(row.weight_per_unit, QUANTITY),
    weight_uom: row.weight_uom,
    default_bom: row.default_bom,
    is_fixed_asset: flag(row.is_fixed_asset),
    asset_category: row.asset_category,
    has_batch_no: flag(row.has_batch_no),
    has_serial_no: flag(row.has_serial_no),
    inspection_required_before_purchase: flag(row.inspection_required_before_purchase),
    inspection_required_before_delivery: flag(row.inspection_required_before_delivery),
    quality_inspection_template: row.quality_inspection_template,
    has_variants: flag(row.has_variants),
    variant_of: row.variant_of,
    attributes,
    reorder_levels: levels.map((level) => ({
      ...level,
      warehouse_reorder_level: level.warehouse_reorder_level / QUANTITY,
      warehouse_reorder_qty: level.warehouse_reorder_qty / QUANTITY,
    })),
    income_account: row.income_account,
    expense_account: row.expense_account,
    actual_qty: scaledDown(row.actual_qty, QUANTITY),
    stock_value: scaledDown(row.stock_value, MONEY),
    valuation_rate: scaledDown(row.valuation_rate, QUANTITY),
    last_stock_date: row.last_stock_date,
    uoms: uoms.map(({ row_id, uom, conversion_factor }) => ({
      row_id,
      uom,
      conversion_factor: conversion_factor / QUANTITY,
    })),
    barcodes,
    taxes: [],
    item_defaults: [],
    owner: row.owner,
    created: row.created,
    modified: row.modified,
    modified_by: row.modified_by,
  }
}

/** Columns that lists leave out: the long text, and what no API shows. */
export const UNLISTED = ['description', 'is_traced', 'code_1', 'code_2', 'code_3'] as const

export type ListedRow = Omit<ItemRow, (typeof UNLISTED)[number]>

/** An item in a list: without tables and the long description. */
export function listedItem(row: ListedRow): object {
  return {
    id: row.name,
    name: row.name,
    item_code: row.item_code,
    item_name: row.item_name,
    item_group: row.item_group,
    stock_uom: row.stock_uom,
    brand: row.brand,
    image: row.image,
    disabled: flag(row.disabled),
    standard_rate: scaledDown(row.standard_rate, MONEY),
    standard_buying_rate: scaledDown(row.standard_buying_rate, MONEY),
    is_sales_item: flag(row.is_sales_item),
    is_purchase_item: flag(row.is_purchase_item),
    is_stock_item: flag(row.is_stock_item),
    allow_negative_stock: flag(row.allow_negative_stock),
    valuation_method: row.valuation_method,
    ...UNSET,
    default_warehouse: row.default_warehouse,
    safety_stock: scaledDown(row.safety_stock, QUANTITY),
    shelf_life_in_days: row.shelf_life_in_days,
    warranty_period: row.warranty_period,
    lead_time_days: row.lead_time_days,
    weight_per_unit: scaledDown(row.weight_per_unit, QUANTITY),
    weight_uom: row.weight_uom,
    default_bom: row.default_bom,
    is_fixed_asset: flag(row.is_fixed_asset),
    asset_category: row.asset_category,
    has_batch_no: flag(row.has_batch_no),
    has_serial_no: flag(row.has_serial_no),
    inspection_required_before_purchase: flag(row.inspection_required_before_purchase),
    inspection_required_before_delivery: flag(row.inspection_required_before_delivery),
    quality_inspection_template: row.quality_inspection_template,
    has_variants: flag(row.has_variants),
    variant_of: row.variant_of,
    income_account: row.income_account,
    expense_account: row.expense_account,
    actual_qty: scaledDown(row.actual_qty, QUANTITY),
    stock_value: scaledDown(row.stock_value, MONEY),
    valuation_rate: scaledDown(row.valuation_rate, QUANTITY),
    last_stock_date: row.last_stock_date,
    owner: row.owner,
    created: row.created,
    modified: row.modified,
    modified_by: row.modified_by,
  }
}

/** Name of a version of an item, for `ETag`. */
export function etagOf({ rid, version, created }: ItemRow): string {
  return `"${rid.toString(36)}-${version.toString(36)}-${Date.parse(created).toString(36)}"`
}

export function toMoney(value: number | null | undefined): number | null {
  return value == null ? null : Math.round(value * MONEY)
}

export function toQuantity(value: number | null | undefined): number | null {
  return value == null ? null : Math.round(value * QUANTITY)
}

export function toFlag(value: boolean | null | undefined, unset: number | null): number | null {
  if (value === undefined) return unset
  return value === null ? null : Number(value)
}
