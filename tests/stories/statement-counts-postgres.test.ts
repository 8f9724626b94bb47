import * as assert from 'uvu/assert'
import { onDatabase } from '../helpers/databases.ts'
import { postgresStatementsOf } from '../helpers/statements.ts'
import { openStory, type Shown, type Story } from './story.ts'

/** Most statements of a create and of a submit, each alone in its transaction (docs/performance.md). */
const MOST = { create: 16, submit: 18 } as const

onDatabase('postgres', 'statements', ({ test, fresh }) => {
  let story: Story

  test.before(async () => {
    story = await openStory(await fresh())
  })
  test.after(() => story.close())

  test('that an invoice of five lines takes are no more than they were', async () => {
    const item = (item_code: string, more: object): Promise<Shown> =>
      story.create('Item', { item_code, item_name: item_code, is_stock_item: false, ...more })
    const codes = ['ONE', 'TWO', 'THREE', 'FOUR', 'FIVE']
    for (const code of codes) await item(code, code < 'OZ' ? {} : { income_account: 'Service' })
    const { id: customer } = await story.create('Customer', { customer_name: 'Somebody' })
    const invoice = () => ({
      customer,
      items: codes.map((item_code) => ({ item_code, qty: 1, rate: 10 })),
      taxes: [{ charge_type: 'On Net Total', account_head: 'Output Tax', rate: 19 }],
    })
    await story.make('Sales Invoice', invoice())
    let id = ''
    const created = await postgresStatementsOf(async () => {
      id = (await story.create('Sales Invoice', invoice())).id
    })
    const submitted = await postgresStatementsOf(() => story.submit('Sales Invoice', id))
    assert.ok(created.length <= MOST.create, `${created.length}\n${created.join('\n')}`)
    assert.ok(submitted.length <= MOST.submit, `${submitted.length}\n${submitted.join('\n')}`)
  })
})
