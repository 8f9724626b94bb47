import { join } from 'node:path'
import { SYSTEM_ACTOR } from '../engine/access/actor.ts'
import { createDocument } from '../engine/documents/operations/create.ts'
import { submitDocument } from '../engine/documents/operations/submit.ts'
import type { Engine } from '../engine/index.ts'
import { makeCompany, openShipped } from './invoice-sides.ts'
import { median } from './load.ts'
import { insertByHand } from './look-back-by-hand.ts'
import { printTable, type Verdict } from './verdict.ts'
import { inFolder } from './workspace.ts'

/** Rows that stand behind what is told late. */
const BEHIND = [10, 100, 1000]
const ENTRIES = 11
/** Items that are told of late once each: what was brought right before is read again, and is not what is measured. */
const ITEMS = 3
/** Times that another item is told of late before, so that what is measured is compiled. */
const WARM = 8
/** What looking back may cost: so many ordinary entries, and for each row behind so much, in µs of processor time. */
const MOST = { entries: 3, row: 50 }

/** Makes and submits a document; µs of processor time that took. */
type Post = (doctype: string, body: object) => Promise<number>

/**
 * What a receipt costs that is told of late, with so many issues behind it, beside one at the end: `known` costs what all
 * others cost, so that nothing behind it differs; `dearer` makes every issue behind it another.
 */
export function measureLookBack(): Promise<Verdict[]> {
  return inFolder(async (folder) => {
    const file = join(folder, 'stock.db')
    const engine = await openShipped({ kind: 'sqlite', file })
    await makeCompany(engine)
    const post = poster(engine)
    const verdicts: Verdict[] = []
    const table: string[][] = []
    for (const behind of BEHIND) {
      const receive = (item_code: string, day: string, rate: number) =>
        post('Stock Entry', receipt(item_code, day, rate))
      const dearer: number[] = []
      let ordinary = 0
      let known = 0
      for (let at = 0; at <= ITEMS; at += 1) {
        const item_code = `BEHIND-${behind}-${at}`
        await fill(engine, post, item_code, behind)
        if (at > 0) {
          dearer.push(await receive(item_code, '2026-02-01', 1000))
          continue
        }
        ordinary = await medianOf(() => receive(item_code, '2026-06-30', 10))
        known = await medianOf(() => receive(item_code, '2026-02-01', 10))
        for (let n = 1; n <= WARM; n += 1) await receive(item_code, '2026-02-01', 100 * n)
      }
      const byHand = await insertByHand(file, `BEHIND-${behind}-${ITEMS}`)
      const wanted = MOST.entries * ordinary + MOST.row * behind
      table.push([
        `${behind}`,
        ...[ordinary, known, median(dearer), byHand, wanted].map((us) => us.toFixed(0)),
      ])
      for (const [what, us] of Object.entries({ known, dearer: median(dearer) }))
        verdicts.push({
          part: 'look back',
          what: `${behind} rows behind, ${what}`,
          measured: `${us.toFixed(0)} µs, ${((us - ordinary) / behind).toFixed(0)} a row`,
          wanted: `at most ${wanted.toFixed(0)} µs`,
          passed: us <= wanted,
        })
    }
    await engine.close()
    console.log('\nA receipt of one item, create and submit, µs of processor time')
    printTable(['rows behind', 'at the end', 'known', 'dearer', 'rows by hand', 'at most'], table)
    return verdicts
  })
}

function poster(engine: Engine): Post {
  const context = engine.context(SYSTEM_ACTOR, 'business')
  return async (doctype, body) => {
    const definition = engine.services.registry.byDoctype(doctype)!
    const start = process.cpuUsage()
    const { id } = await createDocument(context, definition, body)
    await submitDocument(context, definition, id)
    const { user, system } = process.cpuUsage(start)
    return user + system
  }
}

/** An item with issues on single days of March, each of its own document. */
async function fill(engine: Engine, post: Post, item_code: string, issues: number): Promise<void> {
  const context = engine.context(SYSTEM_ACTOR, 'business')
  const item = engine.services.registry.byDoctype('Item')!
  await createDocument(context, item, { item_code, item_name: item_code })
  await post('Stock Entry', receipt(item_code, '2026-01-10', 10))
  for (let n = 0; n < issues; n += 1)
    await post('Stock Entry', {
      stock_entry_type: 'Material Issue',
      posting_date: `2026-03-${String(1 + (n % 28)).padStart(2, '0')}`,
      items: [{ item_code, qty: 1, s_warehouse: 'Stores' }],
    })
}

function receipt(item_code: string, posting_date: string, basic_rate: number): object {
  const items = [{ item_code, qty: 2000, basic_rate, t_warehouse: 'Stores' }]
  return { stock_entry_type: 'Material Receipt', posting_date, items }
}

async function medianOf(run: () => Promise<number>): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < ENTRIES; n += 1) times.push(await run())
  return median(times)
}
