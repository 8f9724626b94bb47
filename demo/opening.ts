import { addDays } from '../engine/expression/run/calendar.ts'
import { BOOKING_MONTHS, depreciationOf } from './books/assets.ts'
import { createItems } from './items.ts'
import type { Hands } from './world/hands.ts'
import { createCustomer, createSupplier, employeeRecord } from './world/parties.ts'
import { BANK_ACCOUNT, FINISHED, SAVINGS, STORES } from './world/places.ts'
import { costOf, money, type World } from './world/world.ts'

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
    await Promise.all(records.map((record) => hands.createUnlessThere(doctype, record)))
  }
  await Promise.all(
    exchangeRates(world).map((rate) => hands.create('accounts', 'Currency Exchange', rate)),
  )
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
  })
  await hands.create('accounts', 'Bank Account', {
    ...common,
    account_name: SAVINGS,
    account: SAVINGS,
    iban: 'AT483200000012345864',
  })
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

/** Stock, bills of materials, assets and the opening entries of the ledger. */
async function openBooks(world: World, hands: Hands): Promise<void> {
  await openStock(world, hands)
  await createBoms(world, hands)
  await openLedger(world, hands, await createOldAssets(world, hands))
}

async function openStock({ company, name, stock }: World, hands: Hands): Promise<void> {
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
}

async function createBoms({ company, name, boms }: World, hands: Hands): Promise<void> {
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
}

/** What the assets of before the story cost, and what of it is worn. */
interface OldAssets {
  readonly amount: number
  readonly worn: number
}

async function createOldAssets(world: World, hands: Hands): Promise<OldAssets> {
  const { company, name, first } = world
  const old = company.assets.filter(({ age }) => age !== undefined)
  let worn = 0
  for (const asset of old) {
    const { bookings, before, next } = depreciationOf(asset, first)
    const depreciated = money((asset.amount * before) / bookings)
    worn += depreciated
    const bought = addDays(first, -asset.age!)
    const { id } = await hands.make('accounts', 'Asset', {
      asset_name: asset.name,
      asset_category: asset.category,
      location: asset.location,
      company: name,
      is_existing_asset: true,
      purchase_date: bought,
      available_for_use_date: bought,
      gross_purchase_amount: asset.amount,
      opening_accumulated_depreciation: depreciated,
      opening_number_of_booked_depreciations: before,
      currency: company.company.default_currency,
      calculate_depreciation: true,
      finance_books: [
        {
          depreciation_method: 'Straight Line',
          total_number_of_depreciations: bookings,
          frequency_of_depreciation: BOOKING_MONTHS,
          depreciation_start_date: next,
        },
      ],
    })
    world.assets.set(asset.name, id)
  }
  return { amount: old.reduce((sum, { amount }) => sum + amount, 0), worn }
}

async function openLedger(
  { name, first }: World,
  hands: Hands,
  { amount, worn }: OldAssets,
): Promise<void> {
  const opening = await hands.make('accounts', 'Journal Entry', {
    title: 'Opening balances',
    voucher_type: 'Opening Entry',
    company: name,
    accounts: [
      { account: 'Bank', debit: OPENING_BALANCE },
      { account: 'Fixed Assets', debit: amount },
      { account: 'Accumulated Depreciation', credit: money(worn) },
      { account: 'Capital', credit: money(OPENING_BALANCE + amount - worn) },
    ],
  })
  await hands.make('accounts', 'Bank Transaction', {
    bank_account: BANK_ACCOUNT,
    date: first,
    amount: OPENING_BALANCE,
    description: 'Balance carried forward',
    transaction_id: 'opening',
    payment_entries: [{ payment_document: 'Journal Entry', payment_entry: opening.id }],
  })
}
