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

const TELLING = 4

test('what three of four transactions asked for is asked by the next, locks first and in their order', async () => {
  const usual = createUsualReads()
  const { asked, read, one } = recorder()
  for (const item of ['BOLT', 'NUT', 'BOLT']) {
    await usual.begin(TX)
    assert.equal(asked, [])
    usual.note('accounts', ['Sales', 'Debtors'], read('accounts'))
    usual.note('items', [item], read('items'))
    usual.note('companies', ['Main'], read('companies'))
    usual.noteLock('years', '2026', one('lock 2026'))
    usual.noteLock('companies', 'Main', one('lock Main'))
    usual.noteQuery('select 1', one('query'))
  }
  await usual.begin(TX)
  // A company that is locked is read by that.
  assert.equal(asked, ['lock Main', 'lock 2026', 'accounts: Sales,Debtors', 'companies: ', 'query'])
})

test('a lock that no job of a transaction has wanted is not taken again', async () => {
  const usual = createUsualReads()
  const { asked, one } = recorder()
  for (let n = 0; n < TELLING - 1; n += 1) {
    await usual.begin(TX)
    for (const name of ['Main', 'Other']) usual.noteLock('companies', name, one(`lock ${name}`))
  }
  await usual.begin(TX)
  usual.noteUse(TX, 'companies', 'Main')
  asked.length = 0
  await usual.begin(TX)
  assert.equal(asked, ['lock Main'])
})

test('is asked for behind the lock with which jobs begin, and not before it', async () => {
  const usual = createUsualReads()
  const { asked, one } = recorder()
  for (let n = 0; n < TELLING; n += 1) {
    await usual.begin(TX)
    await usual.behindLock(TX)
    usual.noteQuery('select 1', one('query'))
  }
  asked.length = 0
  await usual.begin(TX)
  assert.equal(asked, [])
  await usual.behindLock(TX)
  assert.equal(asked, ['query'])
})

test('so much alone is kept, and learned anew after a while', async () => {
  const usual = createUsualReads()
  const { asked, read } = recorder()
  const names = Array.from({ length: 300 }, (_, at) => `R${at}`)
  for (const name of names) for (let m = 0; m < 5; m += 1) usual.note('t', [name], read('t'))
  await usual.begin(TX)
  assert.is(asked[0]!.split(',').length, 100)
  for (let n = 0; n < 120; n += 1) await usual.begin(TX)
  asked.length = 0
  await usual.begin(TX)
  assert.equal(asked, [])
})

test('what is asked for later than by the first transactions is not usual', async () => {
  const usual = createUsualReads()
  const { asked, read } = recorder()
  for (let n = 0; n < 20; n += 1) {
    await usual.begin(TX)
    if (n >= TELLING) usual.note('t', ['late'], read('t'))
  }
  assert.equal(asked, [])
})

test.run()
