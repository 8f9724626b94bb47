import * as assert from 'uvu/assert'
import { forEachDatabase } from '../helpers/databases.ts'
import {
  openStory,
  refusalOf,
  refusedAsConflict,
  refusedFor,
  type Shown,
  type Story,
} from './story.ts'

/** Papers are numbered by company, kind and branch; where a series says so, by their submit and without a gap. */
forEachDatabase('number series', ({ test, fresh }) => {
  let story: Story
  let customer: string
  let supplier: string

  test.before(async () => {
    story = await openStory(await fresh())
    await story.create('Item', { item_code: 'HOUR', item_name: 'Hour', is_stock_item: false })
    await story.create('Cost Center', { cost_center_name: 'Graz' })
    customer = (await story.create('Customer', { customer_name: 'Blue Whale' })).id
    supplier = (await story.create('Supplier', { supplier_name: 'Paper Ltd' })).id
  })
  test.after(() => story.close())

  const items = [{ item_code: 'HOUR', qty: 1, rate: 100 }]
  const draft = (more: object = {}): Promise<Shown> =>
    story.create('Sales Invoice', { customer, items, ...more })
  const series = (pattern: string, more: object = {}): Promise<Shown> =>
    story.create('Number Series', { document_type: 'Sales Invoice', pattern, ...more })
  const stop = (...ids: readonly string[]): Promise<unknown> =>
    Promise.all(ids.map((id) => story.update('Number Series', id, { disabled: true })))

  test('credit notes, branches and orders have their own', async () => {
    const made = [
      await series('RE-{YYYY}-{###}'),
      await series('GS-{YYYY}-{###}', { for_returns: 'Yes' }),
      await series('GRZ-{YYYY}-{###}', { cost_center: 'Graz' }),
      await series('AB-GRZ-{###}', { document_type: 'Sales Order', cost_center: 'Graz' }),
      await series('ER-{YY}-{####}', { document_type: 'Purchase Invoice', for_returns: 'Alike' }),
    ]
    const first = await story.submit('Sales Invoice', (await draft()).id)
    const branch = await story.submit('Sales Invoice', (await draft({ cost_center: 'Graz' })).id)
    const back = await story.draftOf('Sales Invoice', branch.id, 'make_return')
    assert.equal([first.id, branch.id, back.id], ['RE-2026-001', 'GRZ-2026-001', 'GS-2026-001'])
    const order = await story.make('Sales Order', { customer, items, cost_center: 'Graz' })
    const billed = await story.draftOf('Sales Order', order.id, 'make_invoice')
    assert.equal([order.id, billed.id, billed.cost_center], ['AB-GRZ-001', 'GRZ-2026-002', 'Graz'])
    assert.match((await story.create('Sales Order', { customer, items })).id, /^SO-2026-/)
    const bill = await story.make('Purchase Invoice', { supplier, items })
    const debit = await story.draftOf('Purchase Invoice', bill.id, 'make_return')
    assert.equal([bill.id, debit.id], ['ER-26-0001', 'ER-26-0002'])
    await refusedFor(
      'document_type',
      'the company numbers these documents by',
      series('X-{#}', { for_returns: 'Yes' }),
    )
    await refusedFor(
      'document_type',
      'the company numbers these documents by',
      series('X-{#}', { for_returns: 'Alike' }),
    )
    await stop(...made.map(({ id }) => id))
  })

  test('a document may ask for one by name, and gets no other', async () => {
    const usual = await series('RE/{####}')
    const web = await series('WEB/{####}', { on_request: true, naming_series: 'WEB-.####' })
    const names = []
    for (const naming_series of ['WEB-.####', null, 'RE/{####}', 'ACC-SINV-.YYYY.-'])
      names.push((await draft({ naming_series })).id)
    assert.equal(names, ['WEB/0001', 'RE/0001', 'RE/0002', 'RE/0003'])
    await refusedFor(
      'naming_series',
      'SHOP- is no number series in use of Acme Inc for these documents',
      draft({ naming_series: 'SHOP-' }),
    )
    await stop(usual.id, web.id)
    await refusedFor('naming_series', 'no number series', draft({ naming_series: 'WEB-.####' }))
    assert.match((await draft({ naming_series: 'ACC-SINV-.YYYY.-' })).id, /^SINV-2026-/)
  })

  test('without gaps: what is refused, deleted, cancelled or previewed uses up no number', async () => {
    const { id: gapless } = await series('R-{YYYY}-{###}', {
      at_submit: true,
      for_returns: 'Alike',
    })
    const [one, two, three, four] = [await draft(), await draft(), await draft(), await draft()]
    assert.equal([one.document_no, one.id.startsWith('SINV-2026-')], [null, true])
    const numberOf = async (id: string): Promise<unknown> =>
      (await story.submit('Sales Invoice', id)).document_no
    assert.is(await numberOf(two.id), 'R-2026-001')
    await story.remove('Sales Invoice', four.id)
    // Refused in the middle of its submit: the account takes no postings.
    await story.update('Account', 'Sales', { disabled: true })
    await refusalOf(story.submit('Sales Invoice', three.id))
    await story.update('Account', 'Sales', { disabled: false })
    assert.is(await numberOf(three.id), 'R-2026-002')
    await story.cancel('Sales Invoice', three.id)
    assert.is((await story.get('Sales Invoice', three.id)).document_no, 'R-2026-002', 'it stays')
    const amended = await story.amend('Sales Invoice', three.id)
    assert.is(amended.document_no, null)
    assert.is(await numberOf(amended.id), 'R-2026-003')
    const note = await story.draftOf('Sales Invoice', amended.id, 'make_return')
    assert.is(await numberOf(note.id), 'R-2026-004')
    await stop(gapless)
    assert.is(await numberOf(one.id), null)
  })

  test('without gaps for many who submit at once', async () => {
    const { id: gapless } = await series('Q-{###}', { at_submit: true })
    const drafts: Shown[] = []
    for (let count = 0; count < 6; count += 1)
      drafts.push(await draft(count % 3 === 2 ? { posting_date: '1990-01-01' } : {}))
    const outcomes = await Promise.allSettled(
      drafts.map(({ id }) => story.submit('Sales Invoice', id)),
    )
    const numbers = outcomes.flatMap((one) =>
      one.status === 'fulfilled' ? [one.value.document_no] : [],
    )
    // Two lie in no fiscal year.
    assert.equal(numbers.sort(), ['Q-001', 'Q-002', 'Q-003', 'Q-004'])
    const next = await story.submit('Sales Invoice', (await draft()).id)
    assert.is(next.document_no, 'Q-005')
    await stop(gapless)
  })

  test('a number that was given is never deleted, and says where it is from', async () => {
    const { id: gapless } = await series('Z-{##}', { at_submit: true })
    const { id } = await story.submit('Sales Invoice', (await draft()).id)
    await story.cancel('Sales Invoice', id)
    const told = await story.explain('Sales Invoice', id, 'document_no')
    assert.equal([told.how, told.value], ['series', 'Z-01'])
    const error = await refusedAsConflict(story.remove('Sales Invoice', id))
    assert.match(error.message, 'has the number Z-01, which would leave a gap')
    await stop(gapless)
    assert.equal(await story.differences(), [])
  })
})
