import * as assert from 'uvu/assert'
import { forEachDatabase } from '../../helpers/databases.ts'
import { openWorkspace, refused, type Workspace } from './workspace.ts'

const DEALS = `
doctype: Offer
module: sales
tier: free
submittable: true
naming: "O-{###}"
fields:
  deal: {type: link, options: Deal}
  ordered: {type: check, allow_on_submit: true}
---
doctype: Deal
module: crm
tier: free
naming: "D-{###}"
fields:
  offers: {type: int, rollup: {from: Offer, match: deal, count: true, where: docstatus == 1}}
  orders: {type: int, rollup: {from: Offer, match: deal, count: true, where: docstatus == 1 && ordered}}
  sure: {type: check}
status:
  field: status
  initial: Open
  flow:
    Open: [Replied, Closed]
    Replied: [Open, Closed]
    Offered: [Closed]
    Closed: [Open]
    Won: []
  moves:
    Won: orders > 0 || sure
    Offered: offers > 0
events:
  won: {when: 'status == "Won"'}
  offered: {when: 'status == "Offered"'}
`

forEachDatabase('a chosen status that also moves by itself', ({ test, create }) => {
  let workspace: Workspace
  test.before(async () => {
    workspace = await openWorkspace(await create(), DEALS)
  })
  test.after(() => workspace.close())

  const start = async (body: object = {}) =>
    String((await workspace.create('Deal', body)).record.id)
  const offer = async (deal: string, ordered = false) => {
    const { record } = await workspace.create('Offer', { deal, ordered })
    return String((await workspace.submit('Offer', String(record.id))).record.id)
  }
  const statusOf = async (deal: string) => (await workspace.get('Deal', deal)).record.status

  test('goes where a condition turns true, and back where it falls', async () => {
    const deal = await start()
    assert.is(await statusOf(deal), 'Open')
    const first = await offer(deal)
    assert.is(await statusOf(deal), 'Offered')
    await workspace.revise('Offer', first, { ordered: true })
    assert.is(await statusOf(deal), 'Won')
    const second = await offer(deal)
    assert.is(await statusOf(deal), 'Won')
    await workspace.revise('Offer', first, { ordered: false })
    assert.is(await statusOf(deal), 'Offered')
    await workspace.cancel('Offer', first)
    assert.is(await statusOf(deal), 'Offered')
    await workspace.cancel('Offer', second)
    assert.is(await statusOf(deal), 'Open')
  })

  test('leaves what somebody chose since, until another condition turns true', async () => {
    const deal = await start()
    const first = await offer(deal)
    await workspace.update('Deal', deal, { status: 'Closed' })
    const second = await offer(deal)
    await workspace.cancel('Offer', second)
    await workspace.update('Deal', deal, {})
    assert.is(await statusOf(deal), 'Closed')
    await workspace.revise('Offer', first, { ordered: true })
    assert.is(await statusOf(deal), 'Won')
  })

  test('needs no arrow for that, which callers do', async () => {
    const deal = await start()
    const { details } = await refused(
      'VALIDATION_ERROR',
      workspace.update('Deal', deal, { status: 'Won' }),
    )
    assert.match(details![0]!.message, /cannot go from Open to Won/)
    await workspace.update('Deal', deal, { sure: true })
    assert.is(await statusOf(deal), 'Won')
    await workspace.update('Deal', deal, { sure: false })
    assert.is(await statusOf(deal), 'Open')
    assert.is(await statusOf(await start({ sure: true })), 'Won')
  })
})
