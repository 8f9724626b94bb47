import * as assert from 'uvu/assert'
import { lastProof, proofSentence, proveBooks } from '../../../engine/documents/verify/proof.ts'
import { verifyWorkspace } from '../../../engine/documents/verify/verify.ts'
import { lastPlace, type Point } from '../../../engine/storage/finding/logged-changes.ts'
import { forEachDatabase } from '../../helpers/databases.ts'
import { behindTheBack, failing, foundBy, SHOPS } from './verify-shops.ts'
import { openWorkspace, type Workspace } from './workspace.ts'

const TILLS = `
doctype: Till
module: setup
tier: free
naming: prompt
fields:
  cash: {type: currency, rollup: {from: Till Entry, match: till, sum: amount}}
---
doctype: Till Entry
module: setup
tier: free
naming: uuid
resource: till-entries
ledger: {negate: [amount]}
fields:
  posting_date: {type: date}
  till: {type: link, options: Till}
  amount: {type: currency}
---
doctype: Receipt
module: setup
tier: free
naming: prompt
submittable: true
fields:
  till: {type: link, options: Till}
  amount: {type: currency}
effects:
  submit:
    - {post: Till Entry, rows: [{set: {till: till, amount: amount, posting_date: today()}}]}
`

forEachDatabase('svc verify of what was written since', ({ test, create, kind }) => {
  let workspace: Workspace
  let place: bigint

  const since = (point: Point = place) =>
    verifyWorkspace(workspace.engine.services, { since: point })
  const found = async (point?: Point) => foundBy((await since(point)).checks)
  const sell = async (name: string, shop: string, rate: number): Promise<void> => {
    await workspace.create('Sale', { name, shop, items: [{ qty: 1, rate }] })
    await workspace.submit('Sale', name)
  }
  // The last line of the log is of a record of its own, a minute later than all else.
  const now = async (): Promise<bigint> => {
    workspace.clock.time += 60_000
    await workspace.create('Chain', { name: `C${workspace.clock.time}` })
    workspace.clock.time += 60_000
    return lastPlace(workspace.engine.services.database.read, kind)
  }

  // Each test begins with books that are right, and a place in the log behind all of it.
  test.before(async () => {
    workspace = await openWorkspace(await create(), `${SHOPS}---${TILLS}`)
    for (const name of ['Oslo', 'Bergen', 'Bodo']) await workspace.create('Shop', { name })
    for (const name of ['Front', 'Back']) await workspace.create('Till', { name })
    await sell('S1', 'Oslo', 100)
    await sell('S2', 'Bergen', 50)
    await workspace.create('Sale', { name: 'D1', shop: 'Bodo', day: '2026-03-01' })
    await workspace.create('Receipt', { name: 'R1', till: 'Front', amount: 10 })
    await workspace.submit('Receipt', 'R1')
  })
  test.before.each(async () => {
    await verifyWorkspace(workspace.engine.services, { repair: true })
    place = await now()
  })
  test.after(() => workspace.close())

  test('looks at nothing where nothing was written, whatever is wrong with what is older', async () => {
    await behindTheBack(workspace, 'update shops set turnover = 1')
    const { checks, documents, from } = await since()
    assert.equal([failing(checks), documents, from === undefined], [[], 1, false])
    assert.is((await verifyWorkspace(workspace.engine.services)).documents > 5, true)
  })

  test('finds every target of a source that was written, that a row has left, or was deleted from', async () => {
    await workspace.update('Sale', 'D1', { shop: 'Oslo' })
    await behindTheBack(workspace, `update shops set first_day = '2026-03-01' where name = 'Bodo'`)
    assert.equal(
      (await found())['Shop.first_day']?.map(({ id }) => id),
      ['Bodo'],
    )
    place = await now()
    assert.equal(await found(), {})
    await workspace.remove('Sale', 'D1')
    assert.equal(
      (await found())['Shop.first_day']?.map(({ id }) => id),
      ['Bodo'],
    )
  })

  test('compares the keys of new rows of a ledger, and no others', async () => {
    await workspace.create('Receipt', { name: 'R2', till: 'Back', amount: 5 })
    await workspace.submit('Receipt', 'R2')
    await behindTheBack(workspace, 'update tills set cash = cash + 1')
    const cash = (await found())['Till.cash']
    assert.equal(
      cash?.map(({ id, stored, expected }) => [id, stored, expected]),
      [['Back', 5.0001, 5]],
    )
    await workspace.cancel('Receipt', 'R1')
    assert.equal((await found())['Till.cash']?.map(({ id }) => id).sort(), ['Back', 'Front'])
  })

  test('finds formulas of what was written, and rows without a document that backs them', async () => {
    await workspace.create('Receipt', { name: 'R3', till: 'Back', amount: 5 })
    await workspace.submit('Receipt', 'R3')
    await sell('S3', 'Bergen', 30)
    await behindTheBack(
      workspace,
      'update shops set bonus = 1',
      `update receipts set docstatus = 0 where name in ('R1', 'R3')`,
    )
    const wrong = await found()
    assert.equal(
      wrong['Shop: formulas and status']?.map(({ id }) => id),
      ['Bergen'],
    )
    assert.equal(wrong['Till Entry: vouchers']?.length, 1)
    await behindTheBack(
      workspace,
      `update receipts set docstatus = 2 where name = 'R1'`,
      `update receipts set docstatus = 1 where name = 'R3'`,
    )
  })

  test('misses nothing that was written with the clock put back, and takes a date as well', async () => {
    const date = new Date(workspace.clock.time).toISOString()
    assert.equal([(await since(date)).documents, (await since(date)).from], [0, date])
    workspace.clock.time -= 7 * 24 * 3_600_000
    await workspace.create('Sale', { name: 'S4', shop: 'Oslo', items: [{ qty: 1, rate: 1 }] })
    await behindTheBack(workspace, `update sales set total = 5 where name = 'S4'`)
    assert.ok((await found())['Sale: formulas and status'])
    workspace.clock.time += 7 * 24 * 3_600_000
    await workspace.update('Sale', 'S4', { shop: 'Bergen' })
    await behindTheBack(workspace, `update sales set total = 5 where name = 'S4'`)
    assert.ok((await found(date))['Sale: formulas and status'])
  })

  test('looks at everything where the event log does not reach back so far', async () => {
    await behindTheBack(workspace, 'update shops set turnover = 1', 'delete from svc_events')
    await sell('S5', 'Bodo', 30)
    const report = await since()
    assert.is(report.from, undefined)
    assert.is(foundBy(report.checks)['Shop.turnover']?.length, 3)
  })

  test('keeps its result, and goes on from it as long as it was clean and of these definitions', async () => {
    const { services } = workspace.engine
    const { read } = services.database
    const proven = async () => {
      const { from } = await proveBooks(services, { goesOn: true })
      return { ...(await lastProof(read))!, isWhole: from === undefined }
    }
    const first = await proven()
    assert.equal(
      [first.isWhole, first.differences, first.whole],
      [true, 0, { at: first.at, documents: first.documents }],
    )
    workspace.clock.time += 60_000
    await workspace.create('Shop', { name: 'Alta' })
    const second = await proven()
    assert.equal([second.isWhole, second.documents > 0, second.whole], [false, true, first.whole])
    assert.ok(second.documents < first.documents, `${second.documents} of ${first.documents}`)
    assert.match(
      proofSentence({ ...second, documents: 120_412, differences: 4 }),
      /^books proven at 2026-\d\d-\d\d \d\d:\d\d, 120,412 documents \(those written since; all \d+ at .+\), 4 differences$/,
    )
    await workspace.update('Shop', 'Alta', { chain: null })
    await behindTheBack(workspace, `update shops set turnover = 1 where name = 'Alta'`)
    await sell('S6', 'Alta', 3)
    assert.equal([(await proven()).differences > 0, (await proven()).isWhole], [true, true])
    await verifyWorkspace(services, { repair: true })
    await proveBooks(services)
    await behindTheBack(workspace, 'update svc_definitions set generation = generation + 1')
    assert.is((await proven()).isWhole, true)
    await behindTheBack(workspace, 'update svc_definitions set generation = generation - 1')
  })

  test('makes the checks that were asked for alone', async () => {
    const { services } = workspace.engine
    const only = { kinds: ['rollup'], doctypes: ['Shop', 'Till'] } as const
    const { checks, documents } = await verifyWorkspace(services, { only })
    assert.equal(checks.map(({ name }) => name).sort(), [
      'Shop.best',
      'Shop.first_day',
      'Shop.sales',
      'Shop.turnover',
      'Till.cash',
    ])
    assert.is(documents, 0)
  })
})
