import { sql } from 'kysely'
import * as assert from 'uvu/assert'
import { AppError } from '../../../engine/base/errors.ts'
import { forEachDatabase } from '../../helpers/databases.ts'
import { randomOf, seedsOf } from '../../helpers/random.ts'
import { openTrade, TRADING } from './trading.ts'
import { openWorkspace, type Workspace } from './workspace.ts'

const SEEDS = seedsOf(import.meta.filename, [1])

const WRITERS = 16

/** What became of one try: its result, or the code it was refused with. Anything but a refusal fails the test. */
async function outcome(run: Promise<unknown>): Promise<string> {
  try {
    await run
    return 'done'
  } catch (error) {
    if (error instanceof AppError) return error.code
    throw error
  }
}

forEachDatabase('many writers at once', ({ test, create, kind }) => {
  let workspace: Workspace
  /** On PostgreSQL a second server process writes the same workspace; on SQLite there is one writer. */
  let twin: Workspace
  test.before(async () => {
    const database = await create()
    workspace = await openTrade(database)
    twin = kind === 'postgres' ? await openWorkspace(database, TRADING) : workspace
    for (const customer_name of ['Ann', 'Bob', 'Cid'])
      await workspace.create('Customer', { customer_name })
  })
  test.after(async () => {
    if (twin !== workspace) await twin.close()
    await workspace.close()
  })

  /** Submits all at once, every other one by the other process. */
  function submitAll(doctype: string, ids: readonly string[]): Promise<string[]> {
    return Promise.all(
      ids.map((id, at) => outcome((at % 2 ? twin : workspace).submit(doctype, id))),
    )
  }

  async function invoice(customer: string, amount: number): Promise<string> {
    const items = [{ item: 'A', qty: 1, rate: amount }]
    const { id } = await workspace.create('Invoice', { customer, items })
    return (await workspace.submit('Invoice', id)).id
  }
  async function payment(customer: string, ...references: [string, number][]): Promise<string> {
    const { id } = await workspace.create('Payment', {
      customer,
      paid_amount: 1000,
      references: references.map(([invoice, amount]) => ({ invoice, amount })),
    })
    return id
  }
  /** Σ of the ledger, to prove that what was refused posted nothing. */
  async function inLedger(account: string): Promise<number> {
    const { rows } = await sql<{ net: bigint | null }>`
      select cast(sum(debit - credit) as bigint) as net from gl_entries where account = ${account}`.execute(
      workspace.engine.services.database.read,
    )
    return Number(rows[0]?.net ?? 0n) / 10_000
  }

  test(`${WRITERS} of them paying one invoice never overpay it`, async () => {
    const id = await invoice('Ann', 100)
    const payments: string[] = []
    for (let at = 0; at < WRITERS; at += 1) payments.push(await payment('Ann', [id, 15]))
    const outcomes = await submitAll('Payment', payments)
    // 6 × 15 = 90 fit into 100, the seventh does not.
    assert.equal(outcomes.toSorted(), [
      ...Array(WRITERS - 6).fill('VALIDATION_ERROR'),
      ...Array(6).fill('done'),
    ])
    const { record } = await workspace.get('Invoice', id)
    assert.equal([record.paid, record.outstanding, record.status], [90, 10, 'Partly Paid'])
    assert.is((await workspace.get('Customer', 'Ann')).record.outstanding, 10)
  })

  test('of one stock never take more than is there', async () => {
    const receipt = await workspace.create('Move', {
      items: [{ item: 'S', place: 'X', qty: 10, rate: 3 }],
    })
    await workspace.submit('Move', receipt.id)
    const moves: string[] = []
    for (let at = 0; at < WRITERS; at += 1) {
      const items = [{ item: 'S', place: 'X', qty: -1.5 }]
      moves.push((await workspace.create('Move', { items })).id)
    }
    const outcomes = await submitAll('Move', moves)
    assert.is(outcomes.filter((one) => one === 'done').length, 6)
    const { record } = await workspace.get('Bin', 'S::X')
    assert.equal([record.qty, record.value, record.valuation_rate], [1, 3, 3])
  })

  test('that make the same balance record at once all add to it', async () => {
    const moves: string[] = []
    for (let at = 0; at < WRITERS; at += 1) {
      const items = [{ item: 'NEW', place: 'Y', qty: 1, rate: at + 1 }]
      moves.push((await workspace.create('Move', { items })).id)
    }
    const outcomes = await submitAll('Move', moves)
    assert.equal(new Set(outcomes), new Set(['done']))
    const { record } = await workspace.get('Bin', 'NEW::Y')
    assert.equal([record.qty, record.value], [WRITERS, (WRITERS * (WRITERS + 1)) / 2])
  })

  test('that make a balance and name it before it is there lose nothing', async () => {
    for (let round = 0; round < 4; round += 1) {
      const item = `LATE${round}`
      const move = await workspace.create('Move', {
        items: [{ item, place: 'Y', qty: 1, rate: 1 }],
      })
      const writes = Array.from({ length: 6 }, () =>
        outcome(workspace.create('Wish', { item, place: 'Y', qty: 2 })),
      )
      assert.equal(
        new Set(await Promise.all([...writes, outcome(workspace.submit('Move', move.id))])),
        new Set(['done']),
      )
      assert.is((await workspace.get('Bin', `${item}::Y`)).record.wanted, 12)
    }
  })

  for (const seed of SEEDS)
    test(`paying and cancelling across invoices and customers in any order end in true sums (seed ${seed})`, async () => {
      const random = randomOf(seed)
      const owed = await inLedger('Debtors')
      const invoices: [string, string][] = []
      for (let at = 0; at < 9; at += 1) {
        const customer = random.one(['Ann', 'Bob', 'Cid'])
        invoices.push([customer, await invoice(customer, 200)])
      }
      const drafts: string[] = []
      for (let at = 0; at < 4 * WRITERS; at += 1) {
        // Two invoices of several customers in random order: who locks as he meets them would deadlock.
        const [one, other] = [random.one(invoices), random.one(invoices)]
        drafts.push(await payment(one[0], [one[1], 7], [other[1], 5]))
      }
      const outcomes = await Promise.all(
        drafts.map(async (draft) => {
          const [one, other] = random.chance(0.5) ? [workspace, twin] : [twin, workspace]
          const submitted = await outcome(one.submit('Payment', draft))
          if (submitted !== 'done' || random.below(3) > 0) return submitted
          return outcome(other.cancel('Payment', draft))
        }),
      )
      const odd = outcomes.filter((one) => one !== 'done' && one !== 'VALIDATION_ERROR')
      assert.equal(odd, [])
      let paid = 0
      for (const [, id] of invoices) {
        const { record } = await workspace.get('Invoice', id)
        const { rows } = await sql<{ sum: bigint | null }>`
        select cast(sum(r.amount) as bigint) as sum from payments__references r
        join payments p on p.rid = r.parent where p.docstatus = 1 and r.invoice = ${id}`.execute(
          workspace.engine.services.database.read,
        )
        assert.is(record.paid, Number(rows[0]?.sum ?? 0n) / 10_000, id)
        assert.is(record.outstanding, 200 - Number(record.paid))
        paid += Number(record.paid)
      }
      assert.ok(paid > 0)
      assert.is(await inLedger('Debtors'), owed + 9 * 200)
    })

  test('submitting, cancelling and linking the same document leave one truth', async () => {
    for (let round = 0; round < 6; round += 1) {
      const id = await invoice('Bob', 50)
      const pay = await payment('Bob', [id, 50])
      const [paid, cancelled] = await Promise.all([
        outcome(workspace.submit('Payment', pay)),
        outcome(twin.cancel('Invoice', id)),
      ])
      // Either the payment was first and holds the invoice back, or the invoice is gone and takes no payment.
      const { record } = await workspace.get('Invoice', id)
      if (record.docstatus === 2) assert.equal([paid, cancelled], ['VALIDATION_ERROR', 'done'])
      else assert.equal([paid, cancelled, record.status], ['done', 'CONFLICT', 'Paid'])
    }
  })
})
