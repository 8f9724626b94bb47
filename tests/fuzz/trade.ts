import type { Random } from '../helpers/random.ts'
import type { Story } from '../stories/story.ts'

/** Documents of a random trade: how to make one, and which of their actions are pressed. */
export interface TradeDocument {
  body(random: Random, owner: Owner, story: Story): object | Promise<object>
  readonly actions: readonly string[]
  readonly input?: (random: Random, owner: Owner, action: string) => object
  /** What is changed in one that is never submitted. */
  readonly change?: (random: Random) => object
}

/** Ids of what there is by DocType, oldest first. */
export type Pool = Map<TradeDoctype, string[]>

/** A company that trades, what the names of its accounts and warehouses end in, and its documents. */
export interface Owner {
  readonly company: string
  readonly suffix: string
  readonly pool: Pool
}

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

/** Customers, suppliers, items and exchange rates that the trade is about, and the two companies that trade. */
export async function prepareTrade(story: Story): Promise<readonly Owner[]> {
  await story.create('Company', {
    company_name: 'Blau GmbH',
    abbr: 'BG',
    default_currency: 'EUR',
    country: 'Germany',
    chart_of_accounts: 'General',
  })
  const owners = [
    { company: 'Acme Inc', suffix: '', pool: new Map() },
    { company: 'Blau GmbH', suffix: ' - BG', pool: new Map() },
  ]
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
  for (const { company, suffix } of owners)
    await story.create('Bank Account', {
      account_name: BANK + suffix,
      account: `Bank${suffix}`,
      company,
    })
  for (const [from_currency, to_currency, exchange_rate] of [
    ['EUR', 'USD', 1.0837],
    ['JPY', 'USD', 0.0067],
    ['KWD', 'USD', 3.2511],
    ['USD', 'EUR', 0.9228],
    ['JPY', 'EUR', 0.0062],
    ['KWD', 'EUR', 3.0002],
  ] as const) {
    await story.create('Currency Exchange', {
      from_currency,
      to_currency,
      date: '2026-01-01',
      exchange_rate,
    })
  }
  return owners
}

const party = (random: Random, names: readonly string[]): string => parties.get(random.one(names))!
const amount = (random: Random, limit: number): number => (random.below(limit * 100) + 1) / 100
const quantity = (random: Random): number => random.one([1, 2, 3, 5, 0.5, 2.25, 12])
const list = <T>(random: Random, limit: number, make: () => T): T[] =>
  Array.from({ length: 1 + random.below(limit) }, make)
const sometimes = (random: Random, values: object): object => (random.chance(0.3) ? values : {})

function sold(random: Random, { suffix }: Owner): object {
  return {
    item_code: random.one(ITEMS),
    qty: quantity(random),
    rate: amount(random, 60),
    warehouse: random.one(WAREHOUSES) + suffix,
  }
}

function selling(random: Random, owner: Owner): object {
  return {
    customer: party(random, CUSTOMERS),
    items: list(random, 4, () => sold(random, owner)),
    ...sometimes(random, { currency: random.one(CURRENCIES) }),
    ...sometimes(random, {
      taxes: [
        {
          charge_type: 'On Net Total',
          description: 'VAT',
          account_head: `Output Tax${owner.suffix}`,
          rate: 19,
        },
      ],
    }),
    ...sometimes(random, { additional_discount_percentage: random.one([5, 12.5, 33.33]) }),
  }
}

function buying(random: Random, owner: Owner): object {
  return {
    supplier: party(random, SUPPLIERS),
    items: list(random, 3, () => sold(random, owner)),
    ...sometimes(random, { currency: random.one(CURRENCIES) }),
  }
}

/** A payment for one or two of the latest invoices, of the party of the first; sometimes it is the wrong one. */
async function payment(
  random: Random,
  { pool }: Owner,
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
    body: (random, owner) => withoutWarehouse(selling(random, owner)),
    actions: ['make_order', 'make_order', 'lose'],
    input: (_random, _owner, action) => (action === 'lose' ? { lost_reason: 'price' } : {}),
  },
  'Sales Order': {
    body: (random, owner) => selling(random, owner),
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
    body: (random, owner) => without(selling(random, owner), 'additional_discount_percentage'),
    actions: ['make_invoice', 'make_return', 'close', 'reopen'],
  },
  'Sales Invoice': {
    body: (random, owner) => withoutWarehouse(selling(random, owner)),
    actions: ['make_payment', 'make_payment', 'make_return'],
  },
  'Payment Entry': {
    body: (random, owner, story) =>
      payment(random, owner, story, random.chance(0.6) ? 'Sales Invoice' : 'Purchase Invoice'),
    actions: [],
  },
  'Purchase Order': {
    body: (random, owner) => buying(random, owner),
    actions: ['make_receipt', 'make_receipt', 'make_invoice', 'hold', 'resume', 'close', 'reopen'],
  },
  'Purchase Receipt': {
    body: (random, owner) => buying(random, owner),
    actions: ['make_invoice', 'make_return', 'close', 'reopen'],
  },
  'Purchase Invoice': {
    body: (random, owner) => withoutWarehouse(buying(random, owner)),
    actions: ['make_payment', 'make_return'],
  },
  'Journal Entry': {
    body: async (random, { pool, suffix }, story) => {
      const value = amount(random, 90)
      const wrong = random.chance(0.1) ? 1 : 0
      const expense = { account: `Office Expenses${suffix}`, debit: value }
      const sales_invoice = (pool.get('Sales Invoice') ?? []).at(-1)
      if (sales_invoice === undefined || random.chance(0.6))
        return { accounts: [expense, { account: `Cash${suffix}`, credit: value + wrong }] }
      const { customer } = await story.get('Sales Invoice', sales_invoice)
      const debtor = {
        account: `Debtors${suffix}`,
        party_type: 'Customer',
        party: customer,
        sales_invoice,
      }
      return { accounts: [expense, { ...debtor, credit: value + wrong }] }
    },
    actions: ['reverse'],
  },
  'Stock Entry': {
    body: (random, { suffix }) => {
      const names = WAREHOUSES.map((name) => name + suffix)
      const [from, to] = random.chance(0.5) ? names : names.toReversed()
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
    body: (random, { suffix }) => ({
      items: [
        {
          item_code: random.one(['BOLT', 'NUT']),
          warehouse: random.one(WAREHOUSES) + suffix,
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
    body: (random, owner) => ({
      customer: party(random, CUSTOMERS),
      opportunity_amount: amount(random, 900),
      items: list(random, 2, () => without(sold(random, owner), 'warehouse')),
    }),
    actions: ['make_quotation', 'win', 'lose'],
    input: (_random, _owner, action) => (action === 'lose' ? { lost_reason: 'price' } : {}),
    change: move('Replied', 'Quotation', 'Closed', 'Open'),
  },
  'Bank Transaction': {
    body: async (random, { pool, suffix }, story) => {
      const payment = (pool.get('Payment Entry') ?? []).at(-1)
      const paid = payment === undefined ? undefined : await story.get('Payment Entry', payment)
      const sum = paid && random.chance(0.7) ? Number(paid.paid_amount) : amount(random, 90)
      return {
        bank_account: BANK + suffix,
        date: '2026-03-09',
        amount: paid?.payment_type === 'Pay' ? -sum : sum,
        description: payment ?? 'fee',
      }
    },
    actions: ['match', 'match', 'match', 'reconcile', 'unmatch'],
    input: (random, { pool }, action) =>
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
