import * as assert from 'uvu/assert'
import { AppError } from '../../engine/base/errors.ts'
import { forEachDatabase } from '../helpers/databases.ts'
import { type Random, randomOf, rounds, seedsOf } from '../helpers/random.ts'
import { openStory, type Story } from '../stories/story.ts'
import { reportsOf } from './report-of.ts'

const SEEDS = seedsOf(import.meta.filename, [1])

const STEPS = rounds(30)
const ITEMS = ['A', 'B']
const WAREHOUSES = ['Stores', 'Finished Goods']
const FIRST = Date.parse('2026-01-02T12:00:00.000Z')
const DAY = 86_400_000

/** What a document moved, and whether it was taken back, on its own day. */
interface Move {
  readonly id: string
  readonly day: string
  readonly bin: string
  readonly qty: number
  isCancelled?: boolean
}

forEachDatabase('reports of stock that moves at random', ({ test, fresh }) => {
  for (const seed of SEEDS)
    test(`agree with a list of the movements, on any day (seed ${seed})`, async () => {
      const random = randomOf(seed)
      const story = await openStory(await fresh())
      const report = reportsOf(story)
      for (const item_code of ITEMS) await story.create('Item', { item_code, item_name: item_code })
      const moves: Move[] = []
      for (let step = 0; step < STEPS; step++) {
        story.clock.time = step === 0 ? FIRST : story.clock.time + random.below(5) * DAY
        await move(story, random, moves)
      }
      const last = today(story)
      const dates = [0, 0, 0].map(() => {
        const days = (Date.parse(last) - FIRST) / DAY
        return new Date(FIRST + random.below(Math.floor(days) + 1) * DAY).toISOString().slice(0, 10)
      })
      for (const to_date of [...dates, last]) {
        const ageing = await report('stock-ageing', { to_date, range1: '10', range2: '30' })
        const shown = ageing.data.map((row) => [
          `${row.item_code}::${row.warehouse}`,
          row.qty,
          row.bucket1,
          row.bucket2,
          Number(row.bucket3) + Number(row.bucket4),
        ])
        assert.equal(shown, agesOn(moves, to_date), `ages on ${to_date}`)
        const from_date = [dates[0]!, to_date].sort()[0]!
        const balance = await report('stock-balance', { from_date, to_date })
        assert.equal(
          balance.data.map((row) => [
            `${row.item_code}::${row.warehouse}`,
            row.opening_qty,
            row.in_qty,
            row.out_qty,
            row.balance_qty,
          ]),
          balancesOf(moves, from_date, to_date),
          `balance from ${from_date} to ${to_date}`,
        )
        const ledger = await report('stock-ledger', { from_date, to_date })
        const closing = new Map<unknown, unknown>()
        for (const row of ledger.data)
          closing.set(`${row.item_code}::${row.warehouse}`, [row.balance_qty, row.balance_value])
        for (const row of balance.data)
          assert.equal(
            closing.get(`${row.item_code}::${row.warehouse}`),
            [row.balance_qty, row.balance_value],
            `last row of the ledger until ${to_date}`,
          )
      }
      await story.close()
    })
})

const today = ({ clock }: Story): string => new Date(clock.time).toISOString().slice(0, 10)

async function move(story: Story, random: Random, moves: Move[]): Promise<void> {
  const day = today(story)
  const standing = moves.filter(({ isCancelled }) => !isCancelled)
  if (standing.length > 0 && random.below(6) === 0) {
    const { id } = random.one(standing)
    try {
      await story.cancel('Stock Entry', id)
    } catch (error) {
      // What is gone already cannot be taken back.
      if (!(error instanceof AppError)) throw error
      return
    }
    for (const one of moves) if (one.id === id) one.isCancelled = true
    return
  }
  const [item_code, here] = [random.one(ITEMS), random.one(WAREHOUSES)]
  const held = rowsUntil(moves, day).reduce(
    (sum, { bin, qty }) => sum + (bin === `${item_code}::${here}` ? qty : 0),
    0,
  )
  const kind = held > 1 ? random.one(['Receipt', 'Issue', 'Transfer'] as const) : 'Receipt'
  const qty = 1 + random.below(kind === 'Receipt' ? 20 : held - 1)
  const there = WAREHOUSES.find((name) => name !== here)!
  const { id } = await story.make('Stock Entry', {
    stock_entry_type: `Material ${kind}`,
    ...(kind === 'Receipt' ? { to_warehouse: here } : { from_warehouse: here }),
    ...(kind === 'Transfer' ? { to_warehouse: there } : {}),
    items: [{ item_code, qty, ...(kind === 'Receipt' ? { basic_rate: 1 + random.below(9) } : {}) }],
  })
  const gain = kind === 'Receipt' ? qty : -qty
  moves.push({ id, day, bin: `${item_code}::${here}`, qty: gain })
  if (kind === 'Transfer') moves.push({ id, day, bin: `${item_code}::${there}`, qty })
}

/** The rows of a ledger until a day, those that take others back as well. */
function rowsUntil(
  moves: readonly Move[],
  day: string,
): { bin: string; day: string; qty: number }[] {
  return moves
    .flatMap(({ bin, day: on, qty, isCancelled }) => [
      { bin, day: on, qty },
      ...(isCancelled ? [{ bin, day: on, qty: -qty }] : []),
    ])
    .filter((row) => row.day <= day)
}

function balancesOf(moves: readonly Move[], from: string, to: string): unknown[][] {
  const sums = new Map<string, [number, number, number, number]>()
  for (const { bin, day, qty } of rowsUntil(moves, to)) {
    const [opening, came, went, left] = sums.get(bin) ?? [0, 0, 0, 0]
    const isBefore = day < from
    sums.set(bin, [
      opening + (isBefore ? qty : 0),
      came + (!isBefore && qty > 0 ? qty : 0),
      went + (!isBefore && qty < 0 ? -qty : 0),
      left + qty,
    ])
  }
  return [...sums]
    .filter(([, [opening, came, went]]) => opening !== 0 || came !== 0 || went !== 0)
    .sort(byName)
    .map(([bin, numbers]) => [bin, ...numbers])
}

/** What is left by its age in days, up to 10, up to 30 and above: what came first goes first. */
function agesOn(moves: readonly Move[], day: string): unknown[][] {
  const bins = new Map<string, Map<string, number>>()
  for (const { bin, day: on, qty, isCancelled } of moves) {
    if (on > day || isCancelled) continue
    const days = bins.get(bin) ?? new Map<string, number>()
    bins.set(bin, days.set(on, (days.get(on) ?? 0) + qty))
  }
  return [...bins].sort(byName).flatMap(([bin, days]) => {
    let gone = [...days.values()].reduce((sum, qty) => sum + Math.max(-qty, 0), 0)
    const ages = [0, 0, 0]
    for (const [on, qty] of [...days].sort(byName)) {
      const taken = Math.min(gone, Math.max(qty, 0))
      gone -= taken
      const age = (Date.parse(day) - Date.parse(on)) / DAY
      ages[age <= 10 ? 0 : age <= 30 ? 1 : 2]! += Math.max(qty, 0) - taken
    }
    const left = ages.reduce((sum, qty) => sum + qty, 0)
    return left > 0 ? [[bin, left, ...ages]] : []
  })
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : a > b ? 1 : 0
}
