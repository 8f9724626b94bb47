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
  default_warehouse: string | null
  safety_stock: number | null
  weight_per_unit: number | null
  weight_uom: string | null
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

const MONEY = 10_000
const QUANTITY = 1_000_000

function scaledDown(value: number | null, scale: number): number | null {
  return value === null ? null : value / scale
}

function flag(value: number | null): boolean | null {
  return value === null ? null : value === 1
}

/** A whole item with its tables, as GET answers it. */
export function shownItem(
  row: ItemRow,
  uoms: readonly UomRow[],
  barcodes: readonly BarcodeRow[],
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
    default_warehouse: row.default_warehouse,
    safety_stock: scaledDown(row.safety_stock, QUANTITY),
    weight_per_unit: scaledDown(row.weight_per_unit, QUANTITY),
    weight_uom: row.weight_uom,
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
    owner: row.owner,
    created: row.created,
    modified: row.modified,
    modified_by: row.modified_by,
  }
}

/** An item in a list: without tables and the long description. */
export function listedItem(row: Omit<ItemRow, 'description'>): object {
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
    default_warehouse: row.default_warehouse,
    safety_stock: scaledDown(row.safety_stock, QUANTITY),
    weight_per_unit: scaledDown(row.weight_per_unit, QUANTITY),
    weight_uom: row.weight_uom,
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
