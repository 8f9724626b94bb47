import { addDays, addMonths } from '../../engine/expression/calendar.ts'
import type { DemoCustomer, DemoSupplier } from './company.ts'
import type { Hands, Shown } from './hands.ts'
import { type Buyer, costOf, money, type World } from './world.ts'

/** Warehouses of the masters and of the company. */
export const STORES = 'Stores'
export const IN_WORK = 'Work In Progress'
export const FINISHED = 'Finished Goods'
export const SHOWROOM = 'Showroom'
export const REJECTED = 'Rejected Goods'
/** Item that machines are billed as; its cost is booked as an asset. */
export const MACHINE = 'EX-MACHINE'
export const BANK_ACCOUNT = 'Business Account'
export const SAVINGS = 'Savings Account'

/** Money in the bank on the first day, in the company's currency. */
const OPENING_BALANCE = 240_000
/** Finished bicycles of each model on the first day, per share it sells. */
const OPENING_BICYCLES = 4

/**
 * The first day: what the company had before the story begins. Records that do not link to one another are
 * created at once.
 */
export async function open(world: World, hands: Hands): Promise<void> {
  const { masters } = world.company
  for (const [doctype, records] of Object.entries(masters)) {
    await each(records, (record) => hands.createUnlessThere(doctype, record))
  }
  await each(exchangeRates(world), (rate) => hands.create('accounts', 'Currency Exchange', rate))
  await openBank(world, hands)
  await createItems(world, hands)
  await createEmployees(world, hands)
  for (const [key, supplier] of Object.entries(world.company.suppliers)) {
    const { id } = await createSupplier(hands, supplier)
    world.sellers.set(key, { ...supplier, id })
  }
  for (const customer of world.company.customers) {
    world.buyers.push(await createCustomer(world, hands, customer))
  }
  await openBooks(world, hands)
}

/** All at once, started in their order. */
function each<T, R>(values: readonly T[], run: (value: T) => Promise<R>): Promise<R[]> {
  return Promise.all(values.map(run))
}

function exchangeRates({ company, first }: World): object[] {
  return Object.entries(company.exchange_rates).map(([currency, rate]) => ({
    date: first,
    from_currency: currency,
    to_currency: company.company.default_currency,
    exchange_rate: rate,
  }))
}

async function openBank({ company, name }: World, hands: Hands): Promise<void> {
  const [bank] = company.masters.Bank ?? []
  const common = { bank: bank?.bank_name, company: name }
  await hands.create('accounts', 'Bank Account', {
    ...common,
    account_name: BANK_ACCOUNT,
    account: 'Bank',
    iban: 'AT611904300234573201',
    is_default: true,
    opening_balance: OPENING_BALANCE,
  })
  await hands.create('accounts', 'Bank Account', {
    ...common,
    account_name: SAVINGS,
    account: SAVINGS,
    iban: 'AT483200000012345864',
  })
}

async function createItems({ company }: World, hands: Hands): Promise<void> {
  const create = (body: object): Promise<Shown> => hands.create('stock', 'Item', body)
  await each(company.parts, ({ code, name, group, cost, lot }) =>
    create({
      item_code: code,
      item_name: name,
      item_group: group,
      stock_uom: 'Nos',
      standard_buying_rate: cost,
      is_sales_item: false,
      default_warehouse: STORES,
      safety_stock: lot / 2,
    }),
  )
  await each(company.bicycles, (bicycle) =>
    create({
      item_code: bicycle.code,
      item_name: bicycle.name,
      item_group: bicycle.group,
      brand: 'Bergwind',
      stock_uom: 'Nos',
      standard_rate: bicycle.price,
      standard_buying_rate: costOf(company, bicycle),
      is_purchase_item: false,
      default_warehouse: FINISHED,
      safety_stock: bicycle.share * 2,
    }),
  )
  await each(company.accessories, ({ code, name, price, cost, lot, barcode }) =>
    create({
      item_code: code,
      item_name: name,
      item_group: 'Accessories',
      stock_uom: 'Nos',
      standard_rate: price,
      standard_buying_rate: cost,
      default_warehouse: STORES,
      safety_stock: lot / 4,
      barcodes: [{ barcode, barcode_type: 'EAN' }],
    }),
  )
  await each(company.services, ({ code, name, price }) =>
    create({
      item_code: code,
      item_name: name,
      item_group: 'Workshop Services',
      stock_uom: 'Unit',
      standard_rate: price,
      is_stock_item: false,
      is_purchase_item: false,
      income_account: 'Service',
    }),
  )
  await create({
    item_code: MACHINE,
    item_name: 'Machine or vehicle',
    item_group: 'Running Costs',
    stock_uom: 'Unit',
    is_stock_item: false,
    is_sales_item: false,
    expense_account: 'Fixed Assets',
  })
  await each(company.running_costs, ({ code, name, amount, account }) =>
    create({
      item_code: code,
      item_name: name,
      item_group: 'Running Costs',
      stock_uom: 'Unit',
      standard_buying_rate: amount,
      is_stock_item: false,
      is_sales_item: false,
      expense_account: account,
    }),
  )
}

async function createEmployees(world: World, hands: Hands): Promise<void> {
  const { company, first, last, name } = world
  for (const employee of company.employees) {
    // Who joins later is hired by the flow of people.ts.
    if (employee.joined === undefined) continue
    const { id } = await hands.create('hr', 'Employee', employeeRecord(world, employee))
    const to = employee.leaves === undefined ? last : addDays(first, employee.leaves)
    world.workers.push({ ...employee, id, from: employee.joined, to })
  }
  const [manager] = world.workers
  await hands.update('hr', 'Territory', 'Austria', { territory_manager: manager?.id })
  await hands.update('owner', 'Company', name, { accounts_frozen_till_date: addDays(first, -1) })
}

/** The record of an employee who joins on a day, or joined before the story. */
export function employeeRecord(
  { company, name, first }: World,
  employee: World['company']['employees'][number],
): object {
  const { account } = employee
  const person = `${employee.first}.${employee.last}`.toLowerCase()
  return {
    first_name: employee.first,
    last_name: employee.last,
    gender: employee.gender,
    date_of_birth: employee.born,
    company: name,
    department: employee.department,
    designation: employee.designation,
    employment_type: employee.designation === 'Apprentice' ? 'Apprentice' : 'Full-time',
    date_of_joining: employee.joined ?? addDays(first, employee.joins ?? 0),
    company_email: `${person}@bergwind.example`,
    leave_approver: company.accounts.hr?.email,
    expense_approver: company.accounts.accounts?.email,
    ...(account === undefined ? {} : { user_id: company.accounts[account]?.email }),
  }
}

async function createSupplier(hands: Hands, supplier: DemoSupplier): Promise<Shown> {
  const { name, group, country, currency } = supplier
  const record = await hands.create('stock', 'Supplier', {
    supplier_name: name,
    supplier_group: group,
    country,
    email_id: mailOf('office', name),
    phone: phoneOf(name),
    ...(currency === undefined ? {} : { default_currency: currency }),
  })
  await createReach(hands, 'stock', 'Supplier', record.id, supplier)
  return record
}

/** A customer with contact and address, as the flows know them. */
async function createCustomer(
  { company }: World,
  hands: Hands,
  customer: DemoCustomer,
): Promise<Buyer> {
  const { name, kind: kindName, country, currency, buys, late } = customer
  const kind = company.kinds[kindName]!
  const record = await hands.create('sales', 'Customer', {
    customer_name: name,
    customer_group: kind.group,
    customer_type: kind.type,
    territory: territoryOf(country),
    email_id: mailOf('hello', name),
    phone: phoneOf(name),
    account_manager: company.accounts.sales?.email,
    ...(currency === undefined ? {} : { default_currency: currency }),
    ...(kind.type === 'Company' ? { credit_limit: 250_000 } : {}),
  })
  const { contact, address } = await createReach(hands, 'sales', 'Customer', record.id, customer)
  return { id: record.id, name, country, currency, kind, kindName, buys, late, contact, address }
}

async function createReach(
  hands: Hands,
  by: string,
  doctype: string,
  id: string,
  party: DemoCustomer | DemoSupplier,
): Promise<{ readonly contact: string; readonly address: string }> {
  const { name, contact, street, city, pincode, country } = party
  const [firstName, lastName] = contact
  const links = [{ link_doctype: doctype, link_name: id }]
  const [person, address] = await Promise.all([
    hands.create(by, 'Contact', {
      first_name: firstName,
      last_name: lastName,
      company_name: name,
      email_id: mailOf(firstName, name),
      phone: phoneOf(`${firstName} ${lastName}`),
      is_primary_contact: true,
      links,
    }),
    hands.create(by, 'Address', {
      address_title: name,
      address_type: 'Billing',
      address_line1: street,
      city,
      pincode,
      country,
      is_primary_address: true,
      is_shipping_address: true,
      links,
    }),
  ])
  return { contact: person.id, address: address.id }
}

/** Territories are countries where there are many customers. */
export function territoryOf(country: string): string {
  if (['Austria', 'Germany', 'Switzerland', 'Italy'].includes(country)) return country
  return country === 'United States' ? 'Overseas' : 'Rest Of The World'
}

/** `Velo Bern AG` → `hello@velobernag.example`. */
export function mailOf(person: string, company: string): string {
  const plain = (text: string): string =>
    text
      .normalize('NFD')
      .replaceAll(/[^A-Za-z0-9]/g, '')
      .toLowerCase()
  return `${plain(person)}@${plain(company)}.example`
}

/** A number of the range that is kept for stories, always the same for a name. */
export function phoneOf(name: string): string {
  const digits = [...name].reduce((sum, character) => sum + character.charCodeAt(0), 0) % 100
  return `+43 512 55501${String(digits).padStart(2, '0')}`
}

/** Stock, bills of materials, assets and the opening entries of the ledger. */
async function openBooks(world: World, hands: Hands): Promise<void> {
  const { company, name, first, stock, boms } = world
  const counted = [
    ...[...company.parts, ...company.accessories].map(({ code, cost, lot }) => ({
      item_code: code,
      warehouse: STORES,
      qty: lot,
      valuation_rate: cost,
    })),
    ...company.bicycles.map((bicycle) => ({
      item_code: bicycle.code,
      warehouse: FINISHED,
      qty: bicycle.share * OPENING_BICYCLES,
      valuation_rate: costOf(company, bicycle),
    })),
  ]
  for (const { item_code: item, warehouse, qty } of counted) stock.put(item, warehouse, qty)
  await hands.make('stock', 'Stock Reconciliation', {
    purpose: 'Opening Stock',
    company: name,
    items: counted,
  })
  for (const bicycle of company.bicycles) {
    const { id } = await hands.make('stock', 'BOM', {
      item: bicycle.code,
      company: name,
      is_default: true,
      items: Object.entries(bicycle.parts).map(([item, qty]) => ({ item_code: item, qty })),
      operations: [
        { operation: 'Assembly', workstation: 'Bench 1', time_in_mins: 95, hour_rate: 42 },
        { operation: 'Adjustment and test ride', time_in_mins: 30, hour_rate: 42 },
      ],
    })
    boms.set(bicycle.code, id)
  }
  const old = company.assets.filter(({ age }) => age !== undefined)
  let worn = 0
  for (const asset of old) {
    worn += Math.min(asset.amount, (asset.amount * asset.age!) / (asset.months * 30.4))
    const bought = addDays(first, -asset.age!)
    const { id } = await hands.make('accounts', 'Asset', {
      asset_name: asset.name,
      asset_category: asset.category,
      location: asset.location,
      company: name,
      purchase_date: bought,
      available_for_use_date: bought,
      gross_purchase_amount: asset.amount,
      currency: company.company.default_currency,
      calculate_depreciation: true,
      finance_books: [
        {
          depreciation_method: 'Straight Line',
          total_number_of_depreciations: asset.months,
          frequency_of_depreciation: 1,
          depreciation_start_date: addMonths(bought, 1),
        },
      ],
    })
    world.assets.set(asset.name, id)
  }
  const assets = old.reduce((sum, { amount }) => sum + amount, 0)
  await hands.make('accounts', 'Journal Entry', {
    title: 'Opening balances',
    voucher_type: 'Opening Entry',
    company: name,
    accounts: [
      { account: 'Bank', debit: OPENING_BALANCE },
      { account: 'Fixed Assets', debit: assets },
      { account: 'Accumulated Depreciation', credit: money(worn) },
      { account: 'Capital', credit: money(OPENING_BALANCE + assets - worn) },
    ],
  })
}
