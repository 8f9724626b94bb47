import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { randomOf, rounds, seedsOf } from '../helpers/random.ts'
import { type RandomDocument, randomDocument, TEMPLATES } from '../helpers/random-taxes.ts'
import { plainTotals } from '../helpers/tax-calculator.ts'
import { openStory, type Shown, type Story } from './story.ts'

const SEEDS = seedsOf(import.meta.filename, [1, 2, 3])
const cents = (amount: number): number => Math.round(amount * 100)

forEachDatabaseWhenDeep('taxes of random documents', ({ test, fresh }) => {
  let story: Story
  let party: { readonly customer: string; readonly supplier: string }

  test.before(async () => {
    story = await openStory(await fresh())
    for (const [title, rates] of Object.entries(TEMPLATES))
      await story.create('Item Tax Template', {
        title,
        taxes: Object.entries(rates).map(([tax_type, tax_rate]) => ({ tax_type, tax_rate })),
      })
    await story.create('Item', { item_code: 'BOARD', item_name: 'Board' })
    party = {
      customer: (await story.create('Customer', { customer_name: 'Buyer' })).id,
      supplier: (await story.create('Supplier', { supplier_name: 'Mill' })).id,
    }
  })
  test.after(() => story.close())

  const made = (doctype: string, { items, taxes, ...rest }: RandomDocument): Promise<Shown> =>
    story.make(doctype, {
      ...(doctype === 'Sales Invoice'
        ? { customer: party.customer }
        : { supplier: party.supplier, update_stock: true }),
      items: items.map(({ qty, rate, item_tax_template }) => ({
        item_code: 'BOARD',
        qty,
        rate,
        ...(item_tax_template === undefined ? {} : { item_tax_template }),
      })),
      taxes: taxes.map((tax) => ({ ...tax, description: tax.charge_type })),
      ...(rest.apply_discount_on === undefined
        ? {}
        : {
            apply_discount_on: rest.apply_discount_on,
            additional_discount_percentage: rest.percentage ?? 0,
            additional_discount_amount: rest.discount ?? 0,
          }),
    })

  for (const seed of SEEDS)
    test(`are those of an independent calculator, and the books balance (seed ${seed})`, async () => {
      const random = randomOf(seed)
      for (let round = 0; round < rounds(8); round++) {
        const isPurchase = round % 2 === 0
        const document = randomDocument(random, isPurchase)
        const expected = plainTotals(document)
        const isAgainstAll = document.taxes.some(
          ({ add_deduct_tax, category }) => add_deduct_tax === 'Deduct' && category !== 'Total',
        )
        // No document takes more off than there is, and goods are worth something.
        if (expected.grand < 0 || expected.net < 0 || isAgainstAll) continue
        const doctype = isPurchase ? 'Purchase Invoice' : 'Sales Invoice'
        const { id, net_total, grand_total, taxes, items, total, discount_amount } = await made(
          doctype,
          document,
        )
        const told = `round ${round}: ${JSON.stringify(document)}`
        const amounts = taxes.map((tax: Shown) => cents(tax.tax_amount))
        assert.equal(
          [cents(net_total), amounts, cents(grand_total)],
          [expected.net, [...expected.taxes], expected.grand],
          told,
        )
        const sum = (of: (item: Shown) => number): number =>
          items.reduce((so: number, item: Shown) => so + cents(of(item)), 0)
        assert.is(
          sum((item) => item.net_amount),
          cents(net_total),
          told,
        )
        assert.is(cents(taxes.at(-1)?.total ?? net_total), cents(grand_total), told)
        const included = document.taxes.map((tax, row) =>
          tax.included_in_print_rate ? amounts[row]! : 0,
        )
        if ((discount_amount ?? 0) === 0)
          assert.is(
            cents(net_total) + included.reduce((so: number, tax: number) => so + tax, 0),
            cents(total),
            told,
          )
        const booked = Object.values(await story.books(id))
        assert.is(cents(booked.reduce((so, amount) => so + amount, 0)), 0, told)
        if (random.chance(0.2)) {
          await story.cancel(doctype, id)
          assert.equal(await story.books(id), {}, told)
        }
      }
      assert.equal(await story.differences(), [])
    })
})
