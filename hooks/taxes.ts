import { minorUnit } from '../engine/base/currency.ts'
import { AppError } from '../engine/base/errors.ts'
import { pow10 } from '../engine/base/money.ts'
import {
  defineHook,
  type ReadRecord,
  refuse,
  type ValuesOf,
} from '../engine/definition/model/hook.ts'
import { fraction } from './fraction.ts'
import { basesOf } from './tax-bases.ts'
import type { Rates } from './tax-shares.ts'
import { addingUpTo, DOCUMENT, discountOf, totalsOf, UNDISCOUNTED } from './tax-totals.ts'

const READS = {
  'Item Tax Template': {
    taxes: { rows: { tax_type: 'str', tax_rate: 'decimal', root_type: 'str?' } },
  },
} as const

/**
 * Amount of each tax of a document, for the column that holds it, below 0 for what is deducted; the net amount it is taken
 * of, and at which rate: 0 where items have several.
 */
export const taxAmounts = defineHook({
  inputs: DOCUMENT,
  reads: READS,
  outputs: { tax_amount: 'money', taxable_amount: 'money', tax_rate: 'decimal' },
  gives: 'rows',
  run(document, read) {
    const rates = ratesBy(read)
    refuseUntaxed(document, read)
    const totals = totalsOf(document, rates)
    const bases = basesOf(document, totals, rates)
    return totals.taxes.map((tax_amount, row) => ({ tax_amount, ...bases[row]! }))
  },
})

/** Net amount of each item of a document: less the taxes in its price and its share of the discount. */
export const netAmounts = defineHook({
  inputs: DOCUMENT,
  reads: READS,
  outputs: { net_amount: 'money' },
  gives: 'rows',
  run: (document, read) =>
    (unlessRefused(() => totalsOf(document, ratesBy(read)))?.net ?? []).map((net_amount) => ({
      net_amount,
    })),
})

/** A discount on a whole document that is a percentage of its net or its grand total. */
export const totalDiscount = defineHook({
  inputs: { ...UNDISCOUNTED, apply_discount_on: 'str?', percentage: 'decimal' },
  reads: READS,
  outputs: { discount_amount: 'money' },
  gives: 'values',
  run({ percentage, ...document }, read) {
    const found = unlessRefused(() => discountOf(document, percentage, ratesBy(read)))
    return found === undefined ? [] : [{ discount_amount: found }]
  },
})

/** Spreads what taxes and charges add to the value of goods over the goods that are kept in stock, by net amount. */
export const valuationTaxes = defineHook({
  inputs: {
    items: { rows: { base_net_amount: 'money', is_stock_item: 'bool' } },
    /** Amount that is spread. */
    amount: 'money',
    currency: 'str?',
  },
  reads: {},
  outputs: { item_tax_amount: 'money' },
  gives: 'rows',
  run({ items, amount, currency = '' }) {
    const stocked = items.filter(({ is_stock_item }) => is_stock_item)
    const whole = stocked.reduce((sum, { base_net_amount }) => sum + base_net_amount, 0n)
    const exact = stocked.map(({ base_net_amount }) =>
      fraction(whole === 0n ? 0n : amount * base_net_amount, whole === 0n ? 1n : whole),
    )
    const shares = addingUpTo(amount, exact, pow10(4 - minorUnit(currency)))
    return items.map(({ is_stock_item }) => ({
      item_tax_amount: is_stock_item ? shares.shift()! : 0n,
    }))
  },
})

/**
 * Refuses an item whose template takes it off a tax of the document and onto an account that has no row there: it
 * would bear no tax at all. Accounts of the other side, such as input tax on an invoice, are no matter of the document.
 */
function refuseUntaxed(
  { items, taxes }: Pick<ValuesOf<typeof DOCUMENT>, 'items' | 'taxes'>,
  read: ReadRecord<typeof READS>,
): void {
  for (const [index, { item_tax_template: template = '' }] of items.entries()) {
    const own = template === '' ? [] : (read('Item Tax Template', template)?.taxes ?? [])
    const ofItem = new Map(own.map((one) => [one.tax_type, one]))
    const left = taxes.find(
      ({ account_head, rate }) => rate > 0n && ofItem.get(account_head)?.tax_rate === 0n,
    )
    if (!left) continue
    const rowOf = ({ tax_type }: { readonly tax_type: string }): boolean =>
      taxes.some(({ account_head }) => account_head === tax_type)
    const side = ofItem.get(left.account_head)?.root_type ?? ''
    const meant = own.filter((one) => one.tax_rate > 0n && side !== '' && one.root_type === side)
    if (meant.length > 0 && !meant.some(rowOf))
      refuse(
        `${template} of row ${index + 1} of the items takes it from ${left.account_head} to ${meant[0]!.tax_type}, which has no row here: add one at 0 %, or choose a template of taxes that has it`,
      )
  }
}

function ratesBy(read: ReadRecord<typeof READS>): (template: string) => Rates {
  return (template) => {
    const rows = template === '' ? [] : (read('Item Tax Template', template)?.taxes ?? [])
    return new Map(rows.map(({ tax_type, tax_rate }) => [tax_type, tax_rate]))
  }
}

/** Result of a calculation; undefined where it refuses the tax rows: the hook of their amounts tells that once. */
function unlessRefused<T>(calculate: () => T): T | undefined {
  try {
    return calculate()
  } catch (error) {
    if (error instanceof AppError && error.code === 'VALIDATION_ERROR') return undefined
    throw error
  }
}
