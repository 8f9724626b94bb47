import * as assert from 'uvu/assert'
import { onDatabase } from '../helpers/databases.ts'
import { postgresMessagesOf } from '../helpers/statements.ts'
import { openStory, type Shown, type Story } from './story.ts'

/** Most statements of a create and of a submit, each alone in its transaction, and most messages that they go in (docs/performance.md). */
const MOST = { create: [15, 5], submit: [16, 5] } as const

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
    // What each of them reads is known after some.
    for (let n = 0; n < 5; n += 1) await story.make('Sales Invoice', invoice())
    let id = ''
    const created = await postgresMessagesOf(async () => {
      id = (await story.create('Sales Invoice', invoice())).id
    })
    const submitted = await postgresMessagesOf(() => story.submit('Sales Invoice', id))
    const check = (
      sent: readonly (readonly string[])[],
      [statements, messages]: readonly number[],
    ) => {
      const told = sent.map((texts, at) => `${at + 1}: ${texts.join('\n   ')}`).join('\n')
      assert.ok(sent.length <= messages!, `${sent.length} messages\n${told}`)
      assert.ok(sent.flat().length <= statements!, `${sent.flat().length} statements\n${told}`)
    }
    check(created, MOST.create)
    check(submitted, MOST.submit)
  })
})
