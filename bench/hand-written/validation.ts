import { Ajv, type ValidateFunction } from 'ajv'
import { invalid } from './refusal.ts'

export interface UomInput {
  readonly row_id?: string
  readonly uom: string
  readonly conversion_factor: number
}

export interface BarcodeInput {
  readonly row_id?: string
  readonly barcode: string
  readonly barcode_type?: string | null
  readonly uom?: string | null
}

/** Body of a create; that of a change has no `item_code`, and nothing is required. */
export interface ItemInput {
  readonly item_code?: string
  readonly item_name?: string
  readonly item_group?: string | null
  readonly stock_uom?: string | null
  readonly brand?: string | null
  readonly description?: string | null
  readonly image?: string | null
  readonly disabled?: boolean | null
  readonly standard_rate?: number | null
  readonly standard_buying_rate?: number | null
  readonly is_sales_item?: boolean | null
  readonly is_purchase_item?: boolean | null
  readonly is_stock_item?: boolean | null
  readonly default_warehouse?: string | null
  readonly safety_stock?: number | null
  readonly weight_per_unit?: number | null
  readonly weight_uom?: string | null
  readonly uoms?: readonly UomInput[] | null
  readonly barcodes?: readonly BarcodeInput[] | null
}

const line = { type: 'string', maxLength: 140, pattern: '^[^\\n\\r\\u0000]*$' }
const text = { type: 'string', maxLength: 100_000, pattern: '^[^\\u0000]*$' }
const flag = { type: ['boolean', 'null'] }
const amount = { type: ['number', 'null'], minimum: 0, maximum: 1e11, multipleOf: 0.0001 }
const quantity = { type: ['number', 'null'], minimum: 0, maximum: 1e9, multipleOf: 0.000001 }

function orNull(schema: { readonly type: string }): object {
  return { ...schema, type: [schema.type, 'null'] }
}

const properties = {
  item_name: { ...line, minLength: 1 },
  item_group: orNull(line),
  stock_uom: orNull(line),
  brand: orNull(line),
  description: orNull(text),
  image: { type: ['string', 'null'], maxLength: 1000, pattern: '^(https?://|/files/)' },
  disabled: flag,
  standard_rate: amount,
  standard_buying_rate: amount,
  is_sales_item: flag,
  is_purchase_item: flag,
  is_stock_item: flag,
  default_warehouse: orNull(line),
  safety_stock: quantity,
  weight_per_unit: quantity,
  weight_uom: orNull(line),
  uoms: {
    type: ['array', 'null'],
    maxItems: 50,
    items: {
      type: 'object',
      properties: {
        row_id: { type: 'string', maxLength: 64 },
        uom: line,
        conversion_factor: { ...quantity, type: 'number', minimum: 0, exclusiveMinimum: 0 },
      },
      required: ['uom', 'conversion_factor'],
      additionalProperties: false,
    },
  },
  barcodes: {
    type: ['array', 'null'],
    maxItems: 50,
    items: {
      type: 'object',
      properties: {
        row_id: { type: 'string', maxLength: 64 },
        barcode: line,
        barcode_type: { enum: ['EAN', 'UPC-A', 'GTIN', 'ISBN', 'CODE-39', null] },
        uom: orNull(line),
      },
      required: ['barcode'],
      additionalProperties: false,
    },
  },
}

const ajv = new Ajv({ allErrors: true, allowUnionTypes: true, multipleOfPrecision: 7 })

const validateCreate = ajv.compile<ItemInput>({
  type: 'object',
  properties: { item_code: { ...line, minLength: 1 }, ...properties },
  required: ['item_code', 'item_name'],
  additionalProperties: false,
})

const validateUpdate = ajv.compile<ItemInput>({
  type: 'object',
  properties,
  additionalProperties: false,
})

export function readCreate(body: unknown): ItemInput & { readonly item_code: string } {
  return checked(validateCreate, body) as ItemInput & { readonly item_code: string }
}

export function readUpdate(body: unknown): ItemInput {
  return checked(validateUpdate, body)
}

function checked(validate: ValidateFunction<ItemInput>, body: unknown): ItemInput {
  if (validate(body)) return body
  const errors = validate.errors ?? []
  throw invalid(
    errors.map(({ instancePath, message = 'is not valid', params }) => ({
      field: instancePath.slice(1) || String(params.missingProperty ?? params.additionalProperty),
      message,
    })),
  )
}
