import { Ajv } from 'ajv'
import { invalid } from './refusal.ts'

export interface InvoiceInput {
  readonly customer: string
  readonly po_no?: string
  readonly items: readonly LineInput[]
  readonly taxes: readonly TaxInput[]
}

export interface LineInput {
  readonly item_code: string
  readonly qty: number
  readonly rate?: number
}

export interface TaxInput {
  readonly charge_type: 'On Net Total'
  readonly description: string
  readonly account_head: string
  readonly rate: number
}

const name = { type: 'string', minLength: 1, maxLength: 140, pattern: '^[^\\n\\r\\u0000]*$' }
const decimal = { type: 'number', minimum: 0, maximum: 1e9, multipleOf: 0.000001 }

const validate = new Ajv({
  allErrors: true,
  multipleOfPrecision: 7,
}).compile<InvoiceInput>({
  type: 'object',
  properties: {
    customer: name,
    po_no: name,
    items: {
      type: 'array',
      minItems: 1,
      maxItems: 1000,
      items: {
        type: 'object',
        properties: {
          item_code: name,
          qty: { ...decimal, exclusiveMinimum: 0 },
          rate: decimal,
        },
        required: ['item_code', 'qty'],
        additionalProperties: false,
      },
    },
    taxes: {
      type: 'array',
      maxItems: 50,
      items: {
        type: 'object',
        properties: {
          charge_type: { const: 'On Net Total' },
          description: name,
          account_head: name,
          rate: { ...decimal, maximum: 100 },
        },
        required: ['charge_type', 'description', 'account_head', 'rate'],
        additionalProperties: false,
      },
    },
  },
  required: ['customer', 'items', 'taxes'],
  additionalProperties: false,
})

/** The body of a create. Throws Refusal with everything that is wrong with it. */
export function readInvoice(body: unknown): InvoiceInput {
  if (validate(body)) return body
  const errors = validate.errors ?? []
  throw invalid(
    errors.map(({ instancePath, message = 'is not valid' }) => ({
      field: instancePath.slice(1),
      message,
    })),
  )
}
