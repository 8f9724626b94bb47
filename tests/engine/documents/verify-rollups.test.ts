import * as assert from 'uvu/assert'
import { verifyWorkspace } from '../../../engine/documents/verify/verify.ts'
import type { Report } from '../../../engine/documents/verify/verify-report.ts'
import { forEachDatabase } from '../../helpers/databases.ts'
import { behindTheBack, failing, foundBy, put, SHOPS } from './verify-shops.ts'
import { openWorkspace, type Workspace } from './workspace.ts'

const sale = (name: string, shop: string | null, day: string | null, total: bigint, more = {}) => ({
  name,
  shop,
  day,
  docstatus: 1,
  items: [{ row_id: `${name}-1`, qty: 1_000_000n, rate: total, plan_line: null }],
  ...more,
})

forEachDatabase('svc verify of rollups', ({ test, create }) => {
  let workspace: Workspace
  const verify = (options = {}): Promise<Report> =>
    verifyWorkspace(workspace.engine.services, options)
  const shown = async (doctype: string, id: string) => (await workspace.get(doctype, id)).record

  test.before.each(async () => {
    workspace = await openWorkspace(await create(), SHOPS)
    await put(workspace, 'Chain', { name: 'North' }, { name: 'South' })
    await put(
      workspace,
      'Shop',
      { name: 'Oslo', chain: 'North' },
      { name: 'Bergen', chain: 'North' },
      { name: 'Empty', chain: null },
    )
    await put(
      workspace,
      'Sale',
      sale('S1', 'Oslo', '2026-03-02', 1_000_100n),
      sale('S2', 'Oslo', null, -500_000n),
      sale('S3', 'Bergen', '2026-03-01', 333_300n),
      sale('S4', 'Oslo', '2026-02-01', 990_000n, { docstatus: 0 }),
      sale('S5', null, '2026-01-01', 70_000n),
    )
  })
  test.after.each(() => workspace.close())

  test('names every record that does not hold what its rows add up to, amounts as decimals', async () => {
    const { checks } = await verify()
    assert.equal(foundBy(checks), {
      'Shop.turnover': [
        { doctype: 'Shop', id: 'Oslo', field: 'turnover', stored: 0, expected: 50.01 },
        { doctype: 'Shop', id: 'Bergen', field: 'turnover', stored: 0, expected: 33.33 },
      ],
      'Shop.sales': [
        { doctype: 'Shop', id: 'Oslo', field: 'sales', stored: 0, expected: 2 },
        { doctype: 'Shop', id: 'Bergen', field: 'sales', stored: 0, expected: 1 },
      ],
      'Shop.best': [
        { doctype: 'Shop', id: 'Oslo', field: 'best', stored: null, expected: 100.01 },
        { doctype: 'Shop', id: 'Bergen', field: 'best', stored: null, expected: 33.33 },
      ],
      'Shop.first_day': [
        { doctype: 'Shop', id: 'Oslo', field: 'first_day', stored: null, expected: '2026-02-01' },
        { doctype: 'Shop', id: 'Bergen', field: 'first_day', stored: null, expected: '2026-03-01' },
      ],
    })
  })

  test('repairs rollups, the formulas over them and the rollups over those, in one go', async () => {
    const before = await workspace.get('Shop', 'Oslo')
    const { checks, repaired } = await verify({ repair: true })
    assert.equal(failing(checks), [])
    assert.equal(repaired, { rollups: 9, records: 3, made: 0 })
    const { turnover, sales, best, first_day, bonus, size } = await shown('Shop', 'Oslo')
    assert.equal([turnover, sales, best], [50.01, 2, 100.01])
    assert.equal([first_day, bonus, size], ['2026-02-01', 16.67, 'Small'])
    assert.equal((await shown('Chain', 'North')).bonuses, 27.78)
    assert.is.not((await workspace.get('Shop', 'Oslo')).etag, before.etag)
    const found = await workspace.list('Chain', { q: 'pays' })
    assert.equal(
      found.data.map(({ summary }) => summary),
      ['pays nothing', 'pays'],
    )
  })

  test('changes nothing where nothing differs', async () => {
    await verify({ repair: true })
    const before = await workspace.get('Shop', 'Oslo')
    const { repaired } = await verify({ repair: true })
    assert.equal(repaired, { rollups: 0, records: 0, made: 0 })
    assert.is((await workspace.get('Shop', 'Oslo')).etag, before.etag)
  })

  test('finds one damaged value among right ones, also where the rows add up to nothing', async () => {
    await verify({ repair: true })
    await behindTheBack(
      workspace,
      `update shops set turnover = null, best = 10 where name = 'Empty'`,
      `update shops set first_day = '2026-02-02' where name = 'Oslo'`,
    )
    const { checks } = await verify()
    assert.equal(foundBy(checks), {
      'Shop.turnover': [
        { doctype: 'Shop', id: 'Empty', field: 'turnover', stored: null, expected: 0 },
      ],
      'Shop.best': [{ doctype: 'Shop', id: 'Empty', field: 'best', stored: 0.001, expected: null }],
      'Shop.first_day': [
        {
          doctype: 'Shop',
          id: 'Oslo',
          field: 'first_day',
          stored: '2026-02-02',
          expected: '2026-02-01',
        },
      ],
    })
    await verify({ repair: true })
    const { turnover, best } = await shown('Shop', 'Empty')
    assert.equal([turnover, best], [0, null])
  })

  test('keeps columns of child rows, fed by rows of other documents', async () => {
    await put(workspace, 'Plan', {
      name: 'P',
      lines: [
        { row_id: 'line-1', wanted: 5_000_000n },
        { row_id: 'line-2', wanted: 1_000_000n },
      ],
    })
    const item = (row_id: string, qty: bigint, plan_line: string | null) => ({
      row_id,
      qty,
      rate: 10_000n,
      plan_line,
    })
    const sold = [item('a', 2_500_000n, 'line-1'), item('b', -500_000n, 'line-1')]
    await put(
      workspace,
      'Sale',
      { name: 'S6', docstatus: 1, items: [...sold, item('c', 7_000_000n, null)] },
      { name: 'S7', docstatus: 0, items: [item('d', 3_000_000n, 'line-2')] },
    )
    const { checks } = await verify()
    assert.equal(foundBy(checks)['Plan.lines.sold'], [
      { doctype: 'Plan', id: 'P', field: 'lines[0].sold', stored: 0, expected: 2 },
    ])
    await verify({ repair: true })
    const { lines, left_over } = await shown('Plan', 'P')
    assert.equal(
      (lines as { sold: number; left_over: number }[]).map((line) => [line.sold, line.left_over]),
      [
        [2, 3],
        [0, 1],
      ],
    )
    assert.is(left_over, 4)
  })

  test('counts all differences and names the first', async () => {
    const { checks } = await verify({ limit: 1 })
    const turnover = checks.find(({ name }) => name === 'Shop.turnover')!
    assert.equal([turnover.differences, turnover.found.length], [2, 1])
    assert.is(turnover.found[0]!.id, 'Oslo')
  })

  test('tells what it does, check by check and repair by repair', async () => {
    const lines: string[] = []
    await verify({ repair: true, onProgress: (line: string) => lines.push(line) })
    assert.ok(lines.includes('rebuilt Shop.turnover: 2 differed'), lines.join('\n'))
    assert.ok(lines.includes('Shop: formulas and status'), lines.join('\n'))
  })

  test('beside writers neither reports their work half done nor loses it in a repair', async () => {
    await verify({ repair: true })
    let isWriting = true
    const writing = Promise.all(
      ['Oslo', 'Oslo', 'Bergen', 'Bergen', 'Empty', 'Empty'].map(async (shop, writer) => {
        for (let n = 0; n < 12; n += 1) {
          const name = `${shop}-${writer}-${n}`
          await workspace.create('Sale', { name, shop, items: [{ qty: 1, rate: n + writer }] })
          for (const qty of [2, 3, 4])
            await workspace.update('Sale', name, { items: [{ qty, rate: n + writer }] })
          await workspace.submit('Sale', name)
          if (n % 3 === 0) await workspace.cancel('Sale', name)
        }
      }),
    ).finally(() => {
      isWriting = false
    })
    const watching = (async () => {
      for (let round = 0; isWriting || round === 0; round += 1) {
        const repair = round % 2 === 1
        if (repair) await behindTheBack(workspace, 'update shops set turnover = turnover + 10000')
        const { checks } = await verify({ repair })
        assert.equal(failing(checks), [])
      }
    })()
    for (const outcome of await Promise.allSettled([writing, watching]))
      if (outcome.status === 'rejected') throw outcome.reason
    assert.equal(failing((await verify()).checks), [])
    assert.is((await shown('Shop', 'Empty')).sales, 16)
  })
})

const RATIOS = `
doctype: Total
module: setup
tier: free
naming: prompt
fields:
  ratios: {type: float, rollup: {from: Ratio, match: total, sum: a / b}}
  rows: {type: int, rollup: {from: Ratio, match: total, count: true}}
---
doctype: Ratio
module: setup
tier: free
naming: prompt
fields:
  total: {type: data}
  a: {type: float}
  b: {type: float}
`

forEachDatabase('svc verify of what cannot be computed', ({ test, create }) => {
  test('says so and goes on with the other checks', async () => {
    const workspace = await openWorkspace(await create(), RATIOS)
    await put(workspace, 'Total', { name: 'T' })
    await put(workspace, 'Ratio', { name: 'R', total: 'T', a: 1_000_000n, b: 0n })
    const { checks } = await verifyWorkspace(workspace.engine.services)
    const found = foundBy(checks)
    assert.match(found['Total.ratios']![0]!.message ?? '', /^cannot be checked: division by zero/)
    assert.is(found['Total.rows']![0]!.expected, 1)
    await workspace.close()
  })
})
