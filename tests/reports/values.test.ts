import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import * as assert from 'uvu/assert'
import { SHIPPED_DOCTYPES } from '../../cli/package.ts'
import { SYSTEM_ACTOR } from '../../engine/access/actor.ts'
import { createDocument } from '../../engine/documents/operations/create.ts'
import type { Engine } from '../../engine/index.ts'
import { forEachDatabase } from '../helpers/databases.ts'
import { openPrepared } from '../helpers/prepared.ts'
import { temporaryRoot } from '../helpers/temporary.ts'
import { reportsOf } from './report-of.ts'

const FILES = {
  'gauge.yaml': `
doctype: Gauge
module: stock
tier: free
naming: prompt
fields:
  amount: {type: currency}
  rate: {type: float}
  day: {type: date}
  is_open: {type: check}
`,
  'reports/open-gauges.yaml': `
report: Open Gauges
module: stock
description: Those that are open, or not.
params:
  is_open: {type: check}
from: Gauge
filter: [is_open]
columns:
  gauge: {value: name, type: data}
order: [gauge]
`,
  'reports/steep-gauges.yaml': `
report: Steep Gauges
module: stock
description: A number that leaves 64 bits, and what is computed of it.
from: Gauge
columns:
  gauge: {value: name, type: data}
  steep: {value: amount + amount, type: currency, hidden: true}
  share: {formula: 'steep / 7', type: currency}
order: [gauge]
`,
  'reports/gauges-of-two.yaml': `
report: Gauges of Two
module: stock
description: Two sources, each with groups the other lacks.
params:
  kind: {type: data, default: '"all"'}
columns:
  kind: {type: data}
  day: {type: date}
  gauges: {count: true}
  amount: {sum: true, type: currency}
  first: {min: true, type: data}
  most: {max: true, type: float}
sources:
  - {from: Gauge, where: is_open, set: {kind: param.kind, day: day, amount: amount, first: name, most: rate}}
  - {from: Gauge, set: {kind: param.kind, day: day, amount: -amount, most: rate}}
order: [day]
totals: [gauges, amount]
`,
}

forEachDatabase('values in reports', ({ test, fresh }) => {
  let engine: Engine
  const folder = mkdtempSync(join(temporaryRoot(), 'svc-values-'))
  test.before(async () => {
    mkdirSync(join(folder, 'reports'))
    for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text)
    engine = await openPrepared({
      database: await fresh(),
      doctypes: [SHIPPED_DOCTYPES, folder],
      secretKey: Buffer.alloc(32, 7),
    })
    await make({ name: 'a', is_open: true, amount: 12.5, rate: 2, day: '2026-01-02' })
    await make({ name: 'b', is_open: false, amount: 7.5, rate: 3, day: '2026-01-02' })
    await make({ name: 'c', amount: 1, rate: -4 })
    const { database } = engine.services
    await database.write((tx) => sql`update gauges set is_open = null where name = 'c'`.execute(tx))
  })
  test.after(async () => {
    await engine.close()
    rmSync(folder, { recursive: true })
  })

  async function make(body: object): Promise<void> {
    const context = engine.context(SYSTEM_ACTOR, 'business')
    await createDocument(context, engine.services.registry.byDoctype('Gauge')!, body)
  }

  test('a check nobody has set is a false one', async () => {
    const of = async (params: Record<string, string>): Promise<unknown[]> =>
      (await reportsOf({ engine })('open-gauges', params)).data.map(({ gauge }) => gauge)
    assert.equal(await of({}), ['a', 'b', 'c'])
    assert.equal(await of({ is_open: 'true' }), ['a'])
    assert.equal(await of({ is_open: 'false' }), ['b', 'c'])
  })

  test('several sources add up each and together', async () => {
    const { data, totals } = await reportsOf({ engine })('gauges-of-two')
    assert.equal(data, [
      { kind: 'all', day: null, gauges: 1, amount: -1, first: null, most: -4 },
      { kind: 'all', day: '2026-01-02', gauges: 3, amount: -7.5, first: 'a', most: 3 },
    ])
    assert.equal(totals, { gauges: 4, amount: -8.5 })
  })

  test('beyond 64 bits are refused where another column needs them', async () => {
    const { database } = engine.services
    await database.write((tx) =>
      sql`update gauges set amount = 9000000000000000000 where name = 'b'`.execute(tx),
    )
    try {
      await reportsOf({ engine })('steep-gauges')
      assert.unreachable()
    } catch (error) {
      assert.is((error as { code?: string }).code, 'VALIDATION_ERROR', String(error))
      assert.match(JSON.stringify(error) + String(error), /the number is too large/)
    }
  })
})
