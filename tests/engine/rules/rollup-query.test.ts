import * as assert from 'uvu/assert'
import { divideRounded } from '../../../engine/base/money.ts'
import { createDocument } from '../../../engine/documents/operations/create.ts'
import type { ColumnValue, Value } from '../../../engine/fields/field-type.ts'
import { fieldType } from '../../../engine/fields/index.ts'
import { runFragment } from '../../../engine/rules/base/sql-parts.ts'
import { contributionsOf } from '../../../engine/rules/rollups/rollup-delta.ts'
import type { RollupPlan } from '../../../engine/rules/rollups/rollup-plan.ts'
import { rollupQueries } from '../../../engine/rules/rollups/rollup-query.ts'
import { type Doc, docMaker, type Row } from '../../../engine/storage/database/document.ts'
import { forEachDatabase } from '../../helpers/databases.ts'
import { type Random, randomOf, seedsOf } from '../../helpers/random.ts'
import { openWorkspace, type Workspace } from '../documents/workspace.ts'

const SEEDS = seedsOf(import.meta.filename, [1])

const DOCTYPES = `
doctype: Target
module: setup
tier: free
naming: prompt
fields:
  worth: {type: currency, rollup: {from: Source, match: target, sum: qty * rate, where: is_kept}}
  pieces: {type: int, rollup: {from: Source, match: target, sum: qty}}
  share: {type: percent, rollup: {from: Source, match: target, sum: rate, where: docstatus == 1 && rate > 0}}
  lowest: {type: currency, rollup: {from: Source, match: target, min: rate - 5}}
  highest: {type: float, rollup: {from: Source, match: target, max: qty * 2}}
  first: {type: date, rollup: {from: Source, match: target, min: day}}
  last: {type: date, rollup: {from: Source, match: target, max: day, where: is_kept}}
  word: {type: data, rollup: {from: Source, match: target, max: note}}
  joined: {type: int, rollup: {from: Source, match: 'target + note', count: true}}
  lines: {type: int, rollup: {from: Source.rows, match: parent.target, count: true, where: parent.docstatus == 1}}
  drawn: {type: float, rollup: {from: Source.rows, match: parent.target, sum: qty * parent.qty, where: qty != 0 || parent.is_kept}}
  slots:
    type: table
    fields:
      used: {type: float, rollup: {from: Source.rows, match: slot, sum: -qty}}
      top: {type: currency, rollup: {from: Source.rows, match: slot, max: amount, where: idx > 1}}
---
doctype: Source
module: setup
tier: free
naming: prompt
submittable: true
fields:
  target: {type: data}
  is_kept: {type: check}
  qty: {type: float}
  rate: {type: currency}
  day: {type: date}
  note: {type: data}
  rows:
    type: table
    fields: {slot: {type: data}, qty: {type: float}, amount: {type: currency}}
`

for (const seed of SEEDS)
  forEachDatabase(`rollups in SQL (seed ${seed})`, ({ test, create, kind }) => {
    let workspace: Workspace
    let sources: readonly Doc[] = []

    test.before(async () => {
      workspace = await openWorkspace(await create(), DOCTYPES)
      for (const name of ['A', 'B', 'Nothing'])
        await createDocument(workspace.context(), workspace.definition('Target'), {
          name,
          slots: [{}, {}],
        })
      sources = await insertSources(workspace, randomOf(seed))
    })
    test.after(() => workspace.close())

    function plans(): RollupPlan[] {
      const { program } = workspace.engine.services
      return program.partsOf(workspace.definition('Target')).rollups.map(({ compiled }) => {
        const { plan, problems } = compiled()
        assert.equal(problems, [])
        return plan!
      })
    }

    async function grouped(plan: RollupPlan): Promise<ReadonlyMap<string, Value>> {
      const { read } = workspace.engine.services.database
      const rows = await runFragment<{ key: string; value: ColumnValue }>(
        read,
        kind,
        rollupQueries(plan, kind).grouped,
      )
      const type = fieldType(plan.field.type)
      return new Map(
        rows.map(({ key, value }) => [
          key,
          value === null ? null : type.fromColumn(value, plan.field),
        ]),
      )
    }

    test('add up what the deltas add up, for every key', async () => {
      for (const plan of plans()) {
        const expected = folded(plan, sources)
        const found = await grouped(plan)
        const { name } = plan.field
        for (const [key, value] of found)
          assert.is(value, expected.get(key) ?? null, `${name}, key ${key}`)
        for (const key of expected.keys()) assert.ok(found.has(key), `${name}, key ${key}`)
        assert.ok(expected.size > 1, `${name}: no keys to compare`)
      }
    })

    test('round each row to the scale of the target before they add', async () => {
      const [worth] = plans().filter(({ field }) => field.name === 'worth')
      const found = await grouped(worth!)
      for (const key of ['A', 'B']) {
        let sum = 0n
        for (const { target, is_kept, qty, rate } of sources)
          if (target === key && is_kept === true)
            sum += divideRounded(((qty ?? 0n) as bigint) * ((rate ?? 0n) as bigint), 10n ** 6n)
        assert.is(found.get(key), sum, key)
      }
    })

    test('rebuild every target with its own statement: what differs is written, and only that', async () => {
      const { database } = workspace.engine.services
      const differing = async (plan: RollupPlan): Promise<number> => {
        const { differences } = rollupQueries(plan, kind)
        return (await runFragment(database.read, kind, differences(1000))).length
      }
      for (const plan of plans()) {
        const { rebuild } = rollupQueries(plan, kind)
        const wrong = await differing(plan)
        const written = await database.write((tx) => runFragment(tx, kind, rebuild))
        assert.is(written.length, wrong, plan.field.name)
        assert.is(await differing(plan), 0, plan.field.name)
      }
      const { worth, pieces, lines, lowest, first, word } = (
        await workspace.get('Target', 'Nothing')
      ).record
      assert.equal([worth, pieces, lines], [0, 0, 0])
      assert.equal([lowest, first, word], [null, null, null])
    })
  })

/** What `contributionsOf` says of all sources, added up here. */
function folded(plan: RollupPlan, sources: readonly Doc[]): ReadonlyMap<string, Value> {
  const values = new Map<string, Value>()
  for (const source of sources) {
    for (const { key, value } of contributionsOf(plan, source)) {
      const kept = values.get(key) ?? null
      values.set(key, kept === null ? value : combined(plan, kept, value))
    }
  }
  return values
}

function combined({ operation }: RollupPlan, kept: Value, value: Value): Value {
  if (typeof kept === 'string' || typeof value === 'string')
    return (operation === 'min') === isBefore(String(value), String(kept)) ? value : kept
  if (operation === 'min') return value! < kept! ? value : kept
  if (operation === 'max') return value! > kept! ? value : kept
  return typeof kept === 'bigint' ? kept + BigInt(value!) : Number(kept) + Number(value)
}

/** By code point, as both databases order texts. */
function isBefore(a: string, b: string): boolean {
  return Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0
}

const NOTES = ['', 'a', 'B', 'é', 'zz', 'ß', '\u{1f4a1}', '\uff5e', "it's", null]

async function insertSources(workspace: Workspace, random: Random): Promise<readonly Doc[]> {
  const { services } = workspace.engine
  const { store, definition } = services.partsOf(workspace.definition('Source'))
  const target = workspace.definition('Target')
  const slots = await services.database.read
    .selectFrom(`${target.table}__slots`)
    .select('row_id')
    .execute()
  const keys = [...slots.map(({ row_id }) => String(row_id)), 'no-such-row', '', null]
  const docs = Array.from({ length: 400 }, (_, index): Doc => {
    const rows = Array.from(
      { length: random.below(4) },
      (_, at): Row => ({
        row_id: `${index}-${at}`,
        idx: at + 1,
        slot: random.one(keys),
        qty: scaled(random, 6),
        amount: scaled(random, 4),
      }),
    )
    return {
      ...docMaker(definition)(),
      name: `S${index}`,
      docstatus: random.below(3),
      target: random.one(['A', 'B', 'Aa', '', null, 'gone']),
      is_kept: random.one([true, false, null]),
      qty: scaled(random, 6),
      rate: scaled(random, 4),
      day: random.one([null, '2026-01-05', '2025-12-31', '2026-02-28', '0001-01-01']),
      note: random.one(NOTES),
      rows,
    }
  })
  await services.database.write(async (tx) => {
    for (const doc of docs) await store.insert(tx, doc)
  })
  return docs
}

/** An amount of up to nine digits, often unset, often with all its decimals. */
function scaled(random: Random, scale: number): bigint | null {
  if (random.chance(0.15)) return null
  const digits = BigInt(random.below(2_000_000_000)) - 1_000_000_000n
  return random.chance(0.5) ? digits : (digits / 10n ** 5n) * 10n ** BigInt(scale)
}
