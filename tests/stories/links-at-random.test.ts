import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { type Random, randomOf, rounds, seedsOf } from '../helpers/random.ts'
import { openStory, type Shown, type Story } from './story.ts'

const SEEDS = seedsOf(import.meta.filename, [1, 2])

/** From one document to the next: the action that makes it, and the body that names the rows instead. */
interface Step {
  readonly from: string
  readonly action: string
  readonly to: string
  /** Column that names the row of the earlier document. */
  readonly link: string
  /** What else a body has to say, beside party, items and quantities. */
  readonly more?: (source: Shown) => object
  readonly takesBack?: true
}

const back = ({ id }: Shown): object => ({ is_return: true, return_against: id })
const SALES: readonly Step[] = [
  { from: 'Quotation', action: 'make_order', to: 'Sales Order', link: 'quotation_item' },
  {
    from: 'Sales Order',
    action: 'make_delivery_note',
    to: 'Delivery Note',
    link: 'so_detail',
    more: ({ id }) => ({ sales_order: id }),
  },
  { from: 'Sales Order', action: 'make_invoice', to: 'Sales Invoice', link: 'so_detail' },
  { from: 'Delivery Note', action: 'make_invoice', to: 'Sales Invoice', link: 'dn_detail' },
  {
    from: 'Delivery Note',
    action: 'make_return',
    to: 'Delivery Note',
    link: 'dn_detail',
    more: back,
    takesBack: true,
  },
  {
    from: 'Sales Invoice',
    action: 'make_return',
    to: 'Sales Invoice',
    link: 'sales_invoice_item',
    more: back,
    takesBack: true,
  },
]
const PURCHASES: readonly Step[] = [
  {
    from: 'Supplier Quotation',
    action: 'make_purchase_order',
    to: 'Purchase Order',
    link: 'supplier_quotation_item',
  },
  {
    from: 'Purchase Order',
    action: 'make_receipt',
    to: 'Purchase Receipt',
    link: 'purchase_order_item',
    more: ({ id }) => ({ purchase_order: id }),
  },
  { from: 'Purchase Order', action: 'make_invoice', to: 'Purchase Invoice', link: 'po_detail' },
  { from: 'Purchase Receipt', action: 'make_invoice', to: 'Purchase Invoice', link: 'pr_detail' },
  {
    from: 'Purchase Receipt',
    action: 'make_return',
    to: 'Purchase Receipt',
    link: 'purchase_receipt_item',
    more: back,
    takesBack: true,
  },
  {
    from: 'Purchase Invoice',
    action: 'make_return',
    to: 'Purchase Invoice',
    link: 'purchase_invoice_item',
    more: back,
    takesBack: true,
  },
]

/** A document that names rows of another is what the action of that one makes, whatever was agreed there. */
forEachDatabaseWhenDeep('documents made by a link to rows', ({ test, fresh }) => {
  let story: Story
  let customer: string
  let supplier: string

  test.before(async () => {
    story = await openStory(await fresh())
    await story.create('Item', { item_code: 'LAMP', item_name: 'Lamp' })
    await story.create('Item', { item_code: 'HOUR', item_name: 'Hour' })
    await story.create('Cost Center', { cost_center_name: 'Graz' })
    customer = (await story.create('Customer', { customer_name: 'Blue Whale' })).id
    supplier = (await story.create('Supplier', { supplier_name: 'Timber Co' })).id
    await story.make('Stock Entry', {
      stock_entry_type: 'Material Receipt',
      posting_date: '2026-01-02',
      to_warehouse: 'Stores',
      items: [
        { item_code: 'LAMP', qty: 10_000, basic_rate: 5 },
        { item_code: 'HOUR', qty: 10_000, basic_rate: 7 },
      ],
    })
  })
  test.after(() => story.close())

  const partyOf = ({ from }: Step): object =>
    SALES.some((one) => one.from === from) ? { customer } : { supplier }

  function agreed(random: Random, isSale: boolean): object {
    const euro = random.chance(0.4) ? { currency: 'EUR', conversion_rate: 1.1 } : {}
    const discounts = [
      {},
      { additional_discount_percentage: 7.5 },
      { additional_discount_amount: 1 + random.below(900) / 100 },
      { additional_discount_percentage: 10, apply_discount_on: 'Grand Total' },
    ]
    const tax = isSale ? 'Output Tax' : 'Input Tax'
    const taxes = [
      { charge_type: 'On Net Total', account_head: tax, description: 'VAT', rate: 19 },
      {
        charge_type: 'Actual',
        account_head: 'Freight Charged',
        description: 'Freight',
        charge_amount: random.below(3000) / 100,
      },
    ]
    return {
      ...euro,
      ...random.one(discounts),
      ...(random.chance(0.5) ? { cost_center: 'Graz' } : {}),
      ...(random.chance(0.5) ? { terms: 'Ex works' } : {}),
      taxes: random.one([[], taxes.slice(0, 1), taxes]),
      items: Array.from({ length: 1 + random.below(3) }, () => ({
        item_code: random.one(['LAMP', 'HOUR']),
        qty: 2 + random.below(8),
        rate: (100 + random.below(9000)) / 100,
        ...(random.chance(0.3) ? { description: 'Green' } : {}),
      })),
    }
  }

  const seen = new Set<string>()

  /** Drafts of a part of the document, by the action and by links, which must agree; the first is submitted. */
  async function follow(random: Random, source: Shown, step: Step): Promise<Shown> {
    const { from, action, to, link, more = () => ({}), takesBack } = step
    const rows = source.items.map(({ row_id, qty }: Shown) => ({
      row_id,
      qty: random.chance(0.5) ? qty : 1 + random.below(qty),
    }))
    const made = await story.draftOf(from, source.id, action, { rows })
    const named = await story.create(to, {
      ...partyOf(step),
      ...more(source),
      items: source.items.map(({ item_code }: Shown, at: number) => ({
        item_code,
        qty: takesBack ? -rows[at].qty : rows[at].qty,
        [link]: rows[at].row_id,
      })),
    })
    seen.add(`${from} ${link}`)
    assert.equal(plain(named), plain(made), `${from} ${source.id} by ${link}`)
    await story.remove(to, named.id)
    return story.submit(to, made.id)
  }

  for (const seed of SEEDS)
    test(`are what its actions make (seed ${seed})`, async () => {
      const random = randomOf(seed)
      for (let round = 0; round < rounds(2); round += 1)
        for (const steps of [SALES, PURCHASES]) {
          const first = steps[0]!
          const isSale = steps === SALES
          const offer = await story.make(first.from, {
            ...partyOf(first),
            ...agreed(random, isSale),
          })
          const order = await follow(random, offer, first)
          const open = new Map<string, Shown>([[first.to, order]])
          for (const step of steps.slice(1)) {
            const source = open.get(step.from)
            if (!source) continue
            // An order that was delivered in part is billed by the deliveries.
            const next = await follow(random, source, step).catch((error: unknown) => {
              if (/billed more|nothing is left/.test(String(error))) return undefined
              throw error
            })
            if (next && !step.takesBack) open.set(step.to, next)
          }
        }
      assert.equal(await story.differences(), [])
    })

  test('of every kind', () => {
    assert.equal(seen, new Set([...SALES, ...PURCHASES].map(({ from, link }) => `${from} ${link}`)))
  })
})

/** A document without what every record has of its own, and without when it was made. */
function plain(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, one) =>
      /^(id|name|row_id|_?created|_?modified|owner|posting_time)$/.test(key) ? undefined : one,
    ),
  )
}
