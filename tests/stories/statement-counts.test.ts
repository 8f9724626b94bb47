import * as assert from 'uvu/assert'
import { onDatabase } from '../helpers/databases.ts'
import { statementsOf } from '../helpers/statements.ts'
import { openStory, type Shown, type Story } from './story.ts'

/** Most statements of a create and of a submit, those of the transaction counted in (docs/performance.md). */
const MOST = {
  'Sales Order': [12, 9],
  'Sales Invoice': [12, 13],
  'Payment Entry': [16, 16],
  'Purchase Order': [11, 7], // its submit looks for the fiscal year that budgets count it in
  'Purchase Receipt': [11, 20],
  'Delivery Note': [12, 21],
  'Purchase Invoice': [10, 13],
  'Stock Entry': [10, 21],
  'Journal Entry': [9, 9],
} as const

onDatabase('sqlite', 'statements', ({ test, fresh }) => {
  let story: Story

  test.before(async () => {
    story = await openStory(await fresh())
  })
  test.after(() => story.close())

  test('that documents of a few rows take are no more than they were', async () => {
    const item = (item_code: string, more: object): Promise<Shown> =>
      story.create('Item', { item_code, item_name: item_code, standard_rate: 100, ...more })
    await item('HOUR', { is_stock_item: false })
    await item('TALK', { is_stock_item: false, income_account: 'Service' })
    for (const goods of ['BOLT', 'NUT']) await item(goods, { is_stock_item: true })
    const { id: customer } = await story.create('Customer', { customer_name: 'Somebody' })
    const { id: supplier } = await story.create('Supplier', { supplier_name: 'Someone' })
    const rows = (codes: readonly string[], more: object) =>
      codes.map((item_code) => ({ item_code, ...more }))
    const services = rows(['HOUR', 'TALK'], { qty: 1 })
    const goods = (more: object) => rows(['BOLT', 'NUT'], more)
    const taxes = [{ charge_type: 'On Net Total', account_head: 'Output Tax', rate: 19 }]
    let billed = ''
    const bodies: Readonly<Record<keyof typeof MOST, () => object>> = {
      'Sales Order': () => ({ customer, items: services, taxes }),
      'Sales Invoice': () => ({ customer, items: services, taxes }),
      'Payment Entry': () => ({
        party: customer,
        paid_amount: 50,
        references: [
          {
            reference_doctype: 'Sales Invoice',
            reference_name: billed,
            allocated_amount: 50,
          },
        ],
      }),
      'Purchase Order': () => ({
        supplier,
        items: goods({ qty: 5, rate: 2 }),
        schedule_date: '2026-03-20',
      }),
      'Purchase Receipt': () => ({ supplier, items: goods({ qty: 50, rate: 2 }) }),
      'Purchase Invoice': () => ({ supplier, items: rows(['HOUR', 'TALK'], { qty: 1, rate: 2 }) }),
      'Delivery Note': () => ({ customer, items: goods({ qty: 5 }) }),
      'Stock Entry': () => ({
        stock_entry_type: 'Material Receipt',
        items: goods({ qty: 5, basic_rate: 2, t_warehouse: 'Stores' }),
      }),
      'Journal Entry': () => ({
        accounts: [
          { account: 'Sales', credit: 5 },
          { account: 'Service', debit: 5 },
        ],
      }),
    }
    const found: string[] = []
    // The first of each makes what later ones find, such as bins.
    for (const isCounted of [false, true])
      for (const [doctype, [create, submit]] of Object.entries(MOST)) {
        let id = ''
        const body = bodies[doctype as keyof typeof MOST]()
        const created = await statementsOf(async () => {
          id = (await story.create(doctype, body)).id
        })
        const submitted = await statementsOf(() => story.submit(doctype, id))
        if (doctype === 'Sales Invoice') billed = id
        if (isCounted && (created.length > create || submitted.length > submit))
          found.push(
            `${doctype}: ${created.length} and ${submitted.length}, at most ${create} and ${submit}`,
            ...created,
            ...submitted,
          )
      }
    assert.is(found.length, 0, found.join('\n'))
  })
})
