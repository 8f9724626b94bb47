import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Db } from '../../../engine/storage/database/database.ts'
import { createUsualReads } from '../../../engine/storage/database/usual-reads.ts'

const TX = {} as Db

/** Reads that write down what they are asked for. */
function recorder() {
  const asked: string[] = []
  return {
    asked,
    read: (table: string) => async (_tx: Db, names: readonly string[]) => {
      asked.push(`${table}: ${names.join()}`)
    },
    one: (what: string) => async () => {
      asked.push(what)
    },
  }
}

test('what two transactions asked for is asked before the third, locks first and in their order', async () => {
  const usual = createUsualReads()
  const { asked, read, one } = recorder()
  for (const item of ['BOLT', 'NUT']) {
    await usual.ask(TX)
    assert.equal(asked, [])
    usual.note('accounts', ['Sales', 'Debtors'], read('accounts'))
    usual.note('items', [item], read('items'))
    usual.note('companies', ['Main'], read('companies'))
    usual.noteLock('years', '2026', one('lock 2026'))
    usual.noteLock('companies', 'Main', one('lock Main'))
    usual.noteQuery('select 1', one('query'))
  }
  await usual.ask(TX)
  // A company that is locked is read by that.
  assert.equal(asked, ['lock Main', 'lock 2026', 'accounts: Sales,Debtors', 'companies: ', 'query'])
})

test('so much alone is kept, and learned anew after a while', async () => {
  const usual = createUsualReads()
  const { asked, read } = recorder()
  const names = Array.from({ length: 300 }, (_, at) => `R${at}`)
  for (let n = 0; n < 2; n += 1)
    for (const name of names) for (let m = 0; m < 2; m += 1) usual.note('t', [name], read('t'))
  await usual.ask(TX)
  assert.is(asked[0]!.split(',').length, 100)
  for (let n = 0; n < 60; n += 1) await usual.ask(TX)
  asked.length = 0
  await usual.ask(TX)
  assert.equal(asked, [])
})

test.run()
