import type { Random } from '../helpers/random.ts'
import type { Story } from '../stories/story.ts'

/** Documents of a random trade: how to make one, and which of their actions are pressed. */
export interface TradeDocument {
  body(random: Random, pool: Pool, story: Story): object | Promise<object>
  readonly actions: readonly string[]
  readonly input?: (random: Random, pool: Pool, action: string) => object
  /** What is changed in one that is never submitted. */
  readonly change?: (random: Random) => object
}

/** Ids of what there is by DocType, oldest first. */
export type Pool = Map<TradeDoctype, string[]>

export type TradeDoctype =
  | 'Quotation'
  | 'Sales Order'
  | 'Delivery Note'
  | 'Sales Invoice'
  | 'Payment Entry'
  | 'Purchase Order'
  | 'Purchase Receipt'
  | 'Purchase Invoice'
  | 'Journal Entry'
  | 'Stock Entry'
  | 'Stock Reconciliation'
  | 'Lead'
  | 'Opportunity'
  | 'Bank Transaction'
  | 'Issue'

const CUSTOMERS = ['Ann', 'Bob', 'Cid']
const SUPPLIERS = ['Steel', 'Paper']
const BANK = 'Main Account'
const ITEMS = ['BOLT', 'NUT', 'WORK']
const WAREHOUSES = ['Stores', 'Finished Goods']
const CURRENCIES = ['USD', 'USD', 'EUR', 'JPY', 'KWD']

/** Ids of the parties, by their names. */
const parties = new Map<string, string>()

/** Customers, suppliers, items and exchange rates that the trade is about. */
export async function prepareTrade(story: Story): Promise<void> {
  for (const customer_name of CUSTOMERS)
    parties.set(customer_name, (await story.create('Customer', { customer_name })).id)
  for (const supplier_name of SUPPLIERS)
    parties.set(supplier_name, (await story.create('Supplier', { supplier_name })).id)
  for (const item_code of ITEMS) {
    await story.create('Item', {
      item_code,
      item_name: item_code,
      standard_rate: 12.5,
      standard_buying_rate: 7.35,
      is_stock_item: item_code !== 'WORK',
    })
  }
  await story.create('Bank Account', { account_name: BANK, account: 'Bank', currency: 'USD' })
  for (const [from_currency, exchange_rate] of [
    ['EUR', 1.0837],
    ['JPY', 0.0067],
    ['KWD', 3.2511],
  ] as const) {
    await story.create('Currency Exchange', {
      from_currency,
      to_currency: 'USD',
      date: '2026-01-01',
      exchange_rate,
    })
  }
}

const party = (random: Random, names: readonly string[]): string => parties.get(random.one(names))!
const amount = (random: Random, limit: number): number => (random.below(limit * 100) + 1) / 100
const quantity = (random: Random): number => random.one([1, 2, 3, 5, 0.5, 2.25, 12])
const list = <T>(random: Random, limit: number, make: () => T): T[] =>
  Array.from({ length: 1 + random.below(limit) }, make)
const sometimes = (random: Random, values: object): object => (random.chance(0.3) ? values : {})

function sold(random: Random): object {
  return {
    item_code: random.one(ITEMS),
    qty: quantity(random),
    rate: amount(random, 60),
    warehouse: random.one(WAREHOUSES),
  }
}

function selling(random: Random): object {
  return {
    customer: party(random, CUSTOMERS),
    items: list(random, 4, () => sold(random)),
    ...sometimes(random, { currency: random.one(CURRENCIES) }),
    ...sometimes(random, {
      taxes: [
        { charge_type: 'On Net Total', description: 'VAT', account_head: 'Output Tax', rate: 19 },
      ],
    }),
    ...sometimes(random, { additional_discount_percentage: random.one([5, 12.5, 33.33]) }),
  }
}

function buying(random: Random): object {
  return {
    supplier: party(random, SUPPLIERS),
    items: list(random, 3, () => sold(random)),
    ...sometimes(random, { currency: random.one(CURRENCIES) }),
  }
}

/** A payment for one or two of the latest invoices, of the party of the first; sometimes it is the wrong one. */
async function payment(
  random: Random,
  pool: Pool,
  story: Story,
  side: 'Sales Invoice' | 'Purchase Invoice',
): Promise<object> {
  const selling = side === 'Sales Invoice'
  const [link, holder, names] = selling
    ? (['sales_invoice', 'customer', CUSTOMERS] as const)
    : (['purchase_invoice', 'supplier', SUPPLIERS] as const)
  const head = selling ? {} : { payment_type: 'Pay', party_type: 'Supplier' }
  const invoices = (pool.get(side) ?? []).slice(-8)
  const paid_amount = amount(random, 200)
  const wrong = { ...head, party: party(random, names), paid_amount }
  if (invoices.length === 0 || random.chance(0.2)) return wrong
  const references = list(random, 2, () => ({
    [link]: random.one(invoices),
    ...sometimes(random, { allocated_amount: amount(random, 40) }),
  }))
  const invoice = await story.get(side, String(references[0]![link]))
  return { ...wrong, party: invoice[holder], currency: invoice.currency, references }
}

export const TRADE: Readonly<Record<TradeDoctype, TradeDocument>> = {
  Quotation: {
    body: (random) => withoutWarehouse(selling(random)),
    actions: ['make_order', 'make_order', 'lose'],
    input: (_random, _pool, action) => (action === 'lose' ? { lost_reason: 'price' } : {}),
  },
  'Sales Order': {
    body: (random) => selling(random),
    actions: [
      'make_delivery_note',
      'make_invoice',
      'make_invoice',
      'hold',
      'resume',
      'close',
      'reopen',
    ],
  },
  'Delivery Note': {
    body: (random) => without(selling(random), 'additional_discount_percentage'),
    actions: ['make_invoice', 'make_return', 'close', 'reopen'],
  },
  'Sales Invoice': {
    body: (random) => withoutWarehouse(selling(random)),
    actions: ['make_payment', 'make_payment', 'make_return'],
  },
  'Payment Entry': {
    body: (random, pool, story) =>
      payment(random, pool, story, random.chance(0.6) ? 'Sales Invoice' : 'Purchase Invoice'),
    actions: [],
  },
  'Purchase Order': {
    body: (random) => buying(random),
    actions: ['make_receipt', 'make_receipt', 'make_invoice', 'hold', 'resume', 'close', 'reopen'],
  },
  'Purchase Receipt': {
    body: (random) => buying(random),
    actions: ['make_invoice', 'make_return', 'close', 'reopen'],
  },
  'Purchase Invoice': {
    body: (random) => withoutWarehouse(buying(random)),
    actions: ['make_payment', 'make_return'],
  },
  'Journal Entry': {
    body: async (random, pool, story) => {
      const value = amount(random, 90)
      const wrong = random.chance(0.1) ? 1 : 0
      const expense = { account: 'Office Expenses', debit: value }
      const sales_invoice = (pool.get('Sales Invoice') ?? []).at(-1)
      if (sales_invoice === undefined || random.chance(0.6))
        return { accounts: [expense, { account: 'Cash', credit: value + wrong }] }
      const { customer } = await story.get('Sales Invoice', sales_invoice)
      const debtor = { account: 'Debtors', party_type: 'Customer', party: customer, sales_invoice }
      return { accounts: [expense, { ...debtor, credit: value + wrong }] }
    },
    actions: ['reverse'],
  },
  'Stock Entry': {
    body: (random) => {
      const [from, to] = random.chance(0.5) ? WAREHOUSES : WAREHOUSES.toReversed()
      const stock_entry_type = random.one([
        'Material Receipt',
        'Material Receipt',
        'Material Issue',
        'Material Transfer',
      ])
      return {
        stock_entry_type,
        ...(stock_entry_type === 'Material Receipt' ? {} : { from_warehouse: from }),
        ...(stock_entry_type === 'Material Issue' ? {} : { to_warehouse: to }),
        items: list(random, 3, () => ({
          item_code: random.one(['BOLT', 'NUT']),
          qty: quantity(random) * (stock_entry_type === 'Material Receipt' ? 8 : 1),
          ...(stock_entry_type === 'Material Receipt' ? { basic_rate: amount(random, 9) } : {}),
        })),
      }
    },
    actions: [],
  },
  'Stock Reconciliation': {
    body: (random) => ({
      items: [
        {
          item_code: random.one(['BOLT', 'NUT']),
          warehouse: random.one(WAREHOUSES),
          qty: random.below(60),
          ...sometimes(random, { valuation_rate: amount(random, 9) }),
        },
      ],
    }),
    actions: [],
  },
  Lead: {
    body: (random) => ({
      lead_name: `Lead ${random.below(1000)}`,
      expected_amount: amount(random, 900),
    }),
    actions: ['convert'],
    change: move('Contacted', 'Qualified', 'Lost', 'Converted', 'Open'),
  },
  Opportunity: {
    body: (random) => ({
      customer: party(random, CUSTOMERS),
      opportunity_amount: amount(random, 900),
      items: list(random, 2, () => without(sold(random), 'warehouse')),
    }),
    actions: ['make_quotation', 'win', 'lose'],
    input: (_random, _pool, action) => (action === 'lose' ? { lost_reason: 'price' } : {}),
    change: move('Replied', 'Quotation', 'Closed', 'Open'),
  },
  'Bank Transaction': {
    body: async (random, pool, story) => {
      const payment = (pool.get('Payment Entry') ?? []).at(-1)
      const paid = payment === undefined ? undefined : await story.get('Payment Entry', payment)
      const sum = paid && random.chance(0.7) ? Number(paid.paid_amount) : amount(random, 90)
      return {
        bank_account: BANK,
        date: '2026-03-09',
        amount: paid?.payment_type === 'Pay' ? -sum : sum,
        description: payment ?? 'fee',
      }
    },
    actions: ['match', 'match', 'match', 'reconcile', 'unmatch'],
    input: (random, pool, action) =>
      action === 'match'
        ? { payment_entry: random.one((pool.get('Payment Entry') ?? ['none']).slice(-6)) }
        : {},
  },
  Issue: {
    body: (random) => ({
      subject: `Issue ${random.below(1000)}`,
      customer: party(random, CUSTOMERS),
    }),
    actions: [],
    change: move('Replied', 'On Hold', 'Resolved', 'Closed', 'Open'),
  },
}

/** Moves of a chosen status; some are not along its arrows. */
function move(...states: readonly string[]): (random: Random) => object {
  return (random) => ({ status: random.one(states) })
}

function without(body: object, key: string): object {
  return Object.fromEntries(Object.entries(body).filter(([name]) => name !== key))
}

/** Rows of invoices name no warehouse: goods move by delivery notes and receipts. */
function withoutWarehouse(body: object): object {
  const { items, ...rest } = body as { items: object[] }
  return { ...rest, items: items.map((row) => without(row, 'warehouse')) }
}
