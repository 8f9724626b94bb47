import type { Story } from './story.ts'

/** Names of the customers and suppliers of the shop, by what they are called in the tables of tests. */
export interface PriceShop {
  readonly parties: Readonly<Record<string, string>>
}

/** Item: stock unit, another unit and how many stock units it holds, selling and buying price. */
const ITEMS = [
  ['BOLT', 'Nos', 'Box', 12, 8, 5],
  ['BEAM', 'Nos', 'Pair', 2, 100, 60],
  ['CLOTH', 'Meter', 'Roll', 50, 2.5, 1.6],
  ['ADVICE', 'Hour', 'Day', 8, 80, 50],
  ['LAMP', 'Nos', 'Box', 6, 25, 12],
] as const

/** Price list: its currency, and whether it is for selling or buying. */
const LISTS = [
  ['Retail', 'USD', 'selling'],
  ['Euro', 'EUR', 'selling'],
  ['Trade', 'GBP', 'selling'],
  ['Flat', 'USD', 'selling'],
  ['Supply', 'USD', 'buying'],
  ['Import', 'EUR', 'buying'],
] as const

const FEBRUARY = { valid_upto: '2026-02-28' }
const MARCH = { valid_from: '2026-03-01' }

/** Price: list, item, unit, amount; what else there is to say of it. */
const PRICES = [
  ['Retail', 'BOLT', 'Nos', 7.5],
  ['Retail', 'BOLT', 'Box', 84],
  ['Retail', 'CLOTH', 'Meter', 3],
  ['Retail', 'ADVICE', 'Hour', 70, FEBRUARY],
  ['Retail', 'ADVICE', 'Hour', 75, MARCH],
  ['Retail', 'LAMP', 'Nos', 20],
  ['Retail', 'LAMP', 'Nos', 18, { customer: 'Gill' }],
  ['Euro', 'BOLT', 'Nos', 6],
  ['Euro', 'CLOTH', 'Roll', 130],
  ['Euro', 'ADVICE', 'Hour', 64],
  ['Trade', 'BOLT', 'Nos', 4.5],
  ['Trade', 'LAMP', 'Box', 50],
  ['Flat', 'BOLT', 'Nos', 9],
  ['Flat', 'BOLT', 'Box', 90],
  ['Flat', 'CLOTH', 'Meter', 2.9],
  ['Supply', 'BOLT', 'Nos', 4],
  ['Supply', 'BOLT', 'Box', 45],
  ['Supply', 'CLOTH', 'Meter', 1.5],
  ['Supply', 'ADVICE', 'Hour', 38, FEBRUARY],
  ['Supply', 'ADVICE', 'Hour', 40, MARCH],
  ['Supply', 'LAMP', 'Nos', 9, { supplier: 'Sven' }],
  ['Supply', 'LAMP', 'Nos', 10],
  ['Import', 'BOLT', 'Nos', 3.2],
] as const

/** Customer or supplier, and the list that is theirs. */
const CUSTOMERS = [
  ['Walk-in'],
  ['Vera', 'Retail'],
  ['Erik', 'Euro', 'EUR'],
  ['Gill', 'Retail'],
] as const
const SUPPLIERS = [['Otto'], ['Sven', 'Supply'], ['Emma', 'Import', 'EUR']] as const

/** Makes five items, lists and rules in three currencies, and who trades by them. */
export async function makePriceShop(story: Story): Promise<PriceShop> {
  for (const [from_currency, exchange_rate] of [
    ['EUR', 1.25],
    ['GBP', 2],
  ] as const)
    await story.create('Currency Exchange', {
      date: '2026-01-01',
      from_currency,
      to_currency: 'USD',
      exchange_rate,
    })
  for (const [
    item_code,
    stock_uom,
    uom,
    conversion_factor,
    standard_rate,
    standard_buying_rate,
  ] of ITEMS)
    await story.create('Item', {
      item_code,
      item_name: item_code,
      stock_uom,
      uoms: [{ uom, conversion_factor }],
      standard_rate,
      standard_buying_rate,
      is_stock_item: false,
    })
  for (const [price_list_name, currency, side] of LISTS)
    await story.create('Price List', {
      price_list_name,
      currency,
      selling: side === 'selling',
      buying: side === 'buying',
      price_not_uom_dependent: price_list_name === 'Flat',
    })
  // In a currency of which nobody knows what it is worth.
  await story.create('Price List', { price_list_name: 'Francs', currency: 'CHF', buying: true })

  const parties: Record<string, string> = {}
  for (const [customer_name, default_price_list = null, default_currency = null] of CUSTOMERS)
    parties[customer_name] = (
      await story.create('Customer', { customer_name, default_price_list, default_currency })
    ).id
  for (const [supplier_name, default_price_list = null, default_currency = null] of SUPPLIERS)
    parties[supplier_name] = (
      await story.create('Supplier', { supplier_name, default_price_list, default_currency })
    ).id
  for (const [price_list, item_code, uom, price_list_rate, more = {}] of PRICES) {
    const { customer, supplier, ...days } = more as Readonly<Record<string, string>>
    await story.create('Item Price', {
      price_list,
      item_code,
      uom,
      price_list_rate,
      valid_from: '2026-01-01',
      ...(customer === undefined ? {} : { customer: parties[customer] }),
      ...(supplier === undefined ? {} : { supplier: parties[supplier] }),
      ...days,
    })
  }
  await makeRules(story, parties)
  return { parties }
}

/** Rules count quantities in stock units, and give prices and amounts for one. */
async function makeRules(story: Story, parties: PriceShop['parties']): Promise<void> {
  const rule = (title: string, item_code: string, more: object): Promise<unknown> =>
    story.create('Pricing Rule', { title, item_code, valid_from: '2026-01-01', ...more })
  await rule('24 bolts', 'BOLT', { min_qty: 24, discount_percentage: 10 })
  await rule('100 m of cloth', 'CLOTH', {
    min_qty: 100,
    rate_or_discount: 'Discount Amount',
    discount_amount: 0.2,
  })
  await rule('Lamps for Vera', 'LAMP', {
    applicable_for: 'Customer',
    customer: parties.Vera,
    rate_or_discount: 'Rate',
    rate: 16,
  })
  const buying = { selling: false, buying: true }
  await rule('120 bolts', 'BOLT', { ...buying, min_qty: 120, discount_percentage: 20 })
  await rule('Advice of Sven', 'ADVICE', {
    ...buying,
    applicable_for: 'Supplier',
    supplier: parties.Sven,
    rate_or_discount: 'Discount Amount',
    discount_amount: 5,
  })
}
