import type { Random } from '../helpers/random.ts'
import type { Story } from '../stories/story.ts'
import { LATER, type LaterDoctype } from './trade-later.ts'

/** Documents of a random trade: how to make one, and which of their actions are pressed. */
export interface TradeDocument {
  /** None for what actions of others make alone. */
  readonly body?: (random: Random, owner: Owner, story: Story) => object | Promise<object>
  readonly actions: readonly string[]
  readonly input?: (random: Random, owner: Owner, action: string) => object
  /** What is changed in one that is never submitted. */
  readonly change?: (random: Random) => object
}

/** Ids of what there is by DocType, oldest first. */
export type Pool = Map<TradeDoctype, string[]>

/** A company that trades, what the names of its accounts and warehouses end in, its documents, and whom it meets. */
export interface Owner {
  readonly company: string
  readonly suffix: string
  readonly pool: Pool
  /** Customers and suppliers, who may be the other company. */
  readonly customers: readonly string[]
  readonly suppliers: readonly string[]
  /** Service that is earned by months. */
  readonly service: string
  /** The till. */
  readonly till: string
  /** Bill of materials of what is made. */
  bom: string
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
  | LaterDoctype

const CUSTOMERS = ['Ann', 'Bob', 'Cid']
const SUPPLIERS = ['Steel', 'Paper']
const BANK = 'Main Account'
/** Goods by how they are valued; OIL is kept by batch, CRATE is made of bolts and nuts. */
const METHODS: Readonly<Record<string, string>> = {
  BOLT: 'Moving Average',
  NUT: 'FIFO',
  PIN: 'LIFO',
  OIL: 'Moving Average',
  CRATE: 'FIFO',
}
const GOODS = Object.keys(METHODS)
/** What orders name: goods without a batch, and work. */
const ITEMS = [...GOODS.filter((item) => item !== 'OIL'), 'WORK']
const BATCHES = ['OIL-1', 'OIL-2']
const WAREHOUSES = ['Stores', 'Finished Goods']
const CURRENCIES = ['USD', 'USD', 'EUR', 'JPY', 'KWD']

/** Customers, suppliers, items and exchange rates that the trade is about, and the two companies that trade. */
export async function prepareTrade(story: Story): Promise<readonly Owner[]> {
  await story.create('Company', {
    company_name: 'Blau GmbH',
    abbr: 'BG',
    default_currency: 'EUR',
    country: 'Germany',
    chart_of_accounts: 'General',
  })
  await prepareMasters(story)
  const owners: Owner[] = []
  for (const [company, suffix, sister] of [
    ['Acme Inc', '', 'Blau GmbH'],
    ['Blau GmbH', ' - BG', 'Acme Inc'],
  ] as const)
    owners.push(await prepareOwner(story, company, suffix, sister))
  return owners
}

async function prepareMasters(story: Story): Promise<void> {
  for (const item_code of [...GOODS, 'WORK', 'WELDING'])
    await story.create('Item', {
      item_code,
      item_name: item_code,
      standard_rate: 12.5,
      standard_buying_rate: 7.35,
      is_stock_item: item_code in METHODS,
      has_batch_no: item_code === 'OIL',
      ...(item_code in METHODS && { valuation_method: METHODS[item_code] }),
    })
  for (const batch_id of BATCHES) await story.create('Batch', { batch_id, item: 'OIL' })
  for (const [from_currency, to_currency, exchange_rate] of [
    ['EUR', 'USD', 1.0837],
    ['JPY', 'USD', 0.0067],
    ['KWD', 'USD', 3.2511],
    ['USD', 'EUR', 0.9228],
    ['JPY', 'EUR', 0.0062],
    ['KWD', 'EUR', 3.0002],
  ] as const)
    await story.create('Currency Exchange', {
      from_currency,
      to_currency,
      date: '2026-01-01',
      exchange_rate,
    })
}

async function prepareOwner(
  story: Story,
  company: string,
  suffix: string,
  sister: string,
): Promise<Owner> {
  const id = async (doctype: string, body: object): Promise<string> =>
    (await story.create(doctype, body)).id
  await story.create('Bank Account', {
    account_name: BANK + suffix,
    account: `Bank${suffix}`,
    company,
  })
  await story.create('Warehouse', { warehouse_name: `At Welder${suffix}`, company })
  const prepaid = await story.create('Account', {
    account_name: `Prepaid Costs${suffix}`,
    root_type: 'Asset',
    parent_account: `Current Assets${suffix}`,
    company,
  })
  const service = await id('Item', {
    item_code: `YEAR${suffix}`,
    item_name: 'A quarter of reading',
    is_stock_item: false,
    deferred_revenue_account: `Deferred Income${suffix}`,
    deferred_expense_account: prepaid.id,
    no_of_months: 3,
  })
  const loyalty_program = await id('Loyalty Program', {
    loyalty_program_name: `Club${suffix}`,
    company,
    expense_account: `Rent${suffix}`,
    conversion_factor: 0.5,
    expiry_duration: 30,
    collection_rules: [{ tier_name: 'Reader', min_spent: 0, collection_factor: 10 }],
  })
  const tax_withholding_category = await id('Tax Withholding Category', {
    category_name: `Rent of Rooms${suffix}`,
    rates: [
      {
        from_date: '2026-01-01',
        to_date: '2026-12-31',
        tax_withholding_rate: 10,
        single_threshold: 100,
        cumulative_threshold: 300,
      },
    ],
    accounts: [{ company, account: `Output Tax${suffix}` }],
  })
  const customers: string[] = []
  const suppliers: string[] = []
  for (const name of CUSTOMERS)
    customers.push(await id('Customer', { customer_name: name + suffix }))
  customers.push(await id('Customer', { customer_name: `Reader${suffix}`, loyalty_program }))
  customers.push(await id('Customer', { customer_name: sister, represents_company: sister }))
  for (const name of SUPPLIERS)
    suppliers.push(await id('Supplier', { supplier_name: name + suffix }))
  suppliers.push(
    await id('Supplier', { supplier_name: `Owner${suffix}`, tax_withholding_category }),
  )
  suppliers.push(await id('Supplier', { supplier_name: sister, represents_company: sister }))
  const till = await id('POS Profile', {
    name: `Till${suffix}`,
    company,
    warehouse: `Stores${suffix}`,
    payments: [{ mode_of_payment: 'Cash', default: true }],
  })
  const bom = await story.make('BOM', {
    item: 'CRATE',
    company,
    items: [
      { item_code: 'BOLT', qty: 2 },
      { item_code: 'NUT', qty: 1 },
    ],
  })
  return { company, suffix, pool: new Map(), customers, suppliers, service, till, bom: bom.id }
}

export const amount = (random: Random, limit: number): number =>
  (random.below(limit * 100) + 1) / 100
export const quantity = (random: Random): number => random.one([1, 2, 3, 5, 0.5, 2.25, 12])
export const list = <T>(random: Random, limit: number, make: () => T): T[] =>
  Array.from({ length: 1 + random.below(limit) }, make)
export const sometimes = (random: Random, values: object): object =>
  random.chance(0.3) ? values : {}

/** A row that is ordered or moved; only what moves names a batch. */
export function sold(random: Random, { suffix }: Owner, moves = false): object {
  return {
    ...(moves ? goods(random) : { item_code: random.one(ITEMS) }),
    qty: quantity(random),
    rate: amount(random, 60),
    warehouse: random.one(WAREHOUSES) + suffix,
  }
}

/** Goods that move, with a batch where they are kept by batch. */
export function goods(random: Random): object {
  const item_code = random.one(GOODS)
  return item_code === 'OIL' ? { item_code, batch_no: random.one(BATCHES) } : { item_code }
}

export function selling(random: Random, owner: Owner, moves = false): object {
  return {
    customer: random.one(owner.customers),
    items: list(random, 4, () => sold(random, owner, moves)),
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

export function buying(random: Random, owner: Owner, moves = false): object {
  return {
    supplier: random.one(owner.suppliers),
    items: list(random, 3, () => sold(random, owner, moves)),
    ...sometimes(random, { currency: random.one(CURRENCIES) }),
  }
}

/** A payment for one or two of the latest invoices, of the party of the first; sometimes it is the wrong one. */
async function payment(
  random: Random,
  { pool, customers, suppliers }: Owner,
  story: Story,
  side: 'Sales Invoice' | 'Purchase Invoice',
): Promise<object> {
  const selling = side === 'Sales Invoice'
  const [link, holder, names] = selling
    ? (['sales_invoice', 'customer', customers] as const)
    : (['purchase_invoice', 'supplier', suppliers] as const)
  const head = selling ? {} : { payment_type: 'Pay', party_type: 'Supplier' }
  const invoices = (pool.get(side) ?? []).slice(-8)
  const paid_amount = amount(random, 200)
  const wrong = { ...head, party: random.one(names), paid_amount }
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
      'reserve_stock',
      'reserve_stock',
      'make_pick_list',
      'hold',
      'resume',
      'close',
      'reopen',
    ],
  },
  'Delivery Note': {
    body: (random, owner) =>
      without(selling(random, owner, true), 'additional_discount_percentage'),
    actions: ['make_invoice', 'make_return', 'close', 'reopen'],
  },
  'Sales Invoice': {
    body: soldAtOnce,
    actions: ['make_payment', 'make_payment', 'make_return', 'make_inter_company_bill'],
  },
  'Payment Entry': {
    body: (random, owner, story) =>
      payment(random, owner, story, random.chance(0.6) ? 'Sales Invoice' : 'Purchase Invoice'),
    actions: [],
  },
  'Purchase Order': {
    body: (random, owner) => (random.chance(0.4) ? welding(random, owner) : buying(random, owner)),
    actions: [
      'make_receipt',
      'make_receipt',
      'make_invoice',
      'make_subcontracting_order',
      'make_subcontracting_order',
      'make_subcontracting_order',
      'hold',
      'resume',
      'close',
      'reopen',
    ],
  },
  'Purchase Receipt': {
    body: (random, owner) => buying(random, owner, true),
    actions: ['make_invoice', 'make_return', 'make_landed_cost_voucher', 'close', 'reopen'],
    input: freight,
  },
  'Purchase Invoice': {
    // Half of the bills bring their goods.
    body: (random, owner) =>
      random.chance(0.5)
        ? { ...buying(random, owner, true), update_stock: true }
        : withoutWarehouse(buying(random, owner)),
    actions: ['make_payment', 'make_return', 'make_landed_cost_voucher'],
    input: freight,
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
          ...goods(random),
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
          ...goods(random),
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
      customer: random.one(owner.customers),
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
    body: (random, owner) => ({
      subject: `Issue ${random.below(1000)}`,
      customer: random.one(owner.customers),
    }),
    actions: [],
    change: move('Replied', 'On Hold', 'Resolved', 'Closed', 'Open'),
  },
  ...LATER,
}

/** An order for work on materials that are sent. */
function welding(random: Random, { suppliers, suffix }: Owner): object {
  return {
    supplier: random.one(suppliers),
    is_subcontracted: true,
    supplier_warehouse: `At Welder${suffix}`,
    set_warehouse: `Finished Goods${suffix}`,
    items: [
      {
        item_code: 'WELDING',
        qty: 2,
        rate: amount(random, 30),
        fg_item: 'CRATE',
        fg_item_qty: 1 + random.below(4),
      },
    ],
  }
}

/** What a landed cost voucher is made with; other actions ask for nothing. */
function freight(random: Random, { suffix }: Owner, action: string): object {
  return action === 'make_landed_cost_voucher'
    ? { amount: amount(random, 40), expense_account: `Stock Adjustment${suffix}` }
    : {}
}

/** An invoice: of what goes with it, at a till, of a service that is earned by months, paid with points, or as any other. */
function soldAtOnce(random: Random, owner: Owner): object {
  const [kind] = [random.below(6)]
  if (kind === 0) return { ...selling(random, owner, true), update_stock: true }
  if (kind === 1) {
    const payments = [{ mode_of_payment: 'Cash', amount: amount(random, 900) }]
    return {
      ...without(selling(random, owner, true), 'currency'),
      pos_profile: owner.till,
      payments,
      update_stock: random.chance(0.5),
    }
  }
  const body = withoutWarehouse(selling(random, owner)) as { items: object[] }
  if (kind === 2)
    return {
      ...body,
      items: [...body.items, { item_code: owner.service, qty: 1, rate: amount(random, 90) }],
    }
  if (kind === 3)
    return { ...body, customer: owner.customers[3], loyalty_points: 1 + random.below(5) }
  return body
}

/** Moves of a chosen status; some are not along its arrows. */
function move(...states: readonly string[]): (random: Random) => object {
  return (random) => ({ status: random.one(states) })
}

function without(body: object, key: string): object {
  return Object.fromEntries(Object.entries(body).filter(([name]) => name !== key))
}

/** Rows of invoices name no warehouse: goods move by delivery notes and receipts. */
export function withoutWarehouse(body: object): object {
  const { items, ...rest } = body as { items: object[] }
  return { ...rest, items: items.map((row) => without(row, 'warehouse')) }
}
