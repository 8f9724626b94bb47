import * as assert from 'uvu/assert'
import { AppError } from '../../engine/base/errors.ts'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { type Random, randomOf, rounds, seedsOf } from '../helpers/random.ts'
import { openStory, type Shown, type Story } from './story.ts'

const SEEDS = seedsOf(import.meta.filename, [1])
const STEPS = rounds(60)
const ITEMS = ['A', 'B']
const WAREHOUSES = ['Stores', 'Finished Goods']

/** Whole units, and their value in cents. */
interface Held {
  qty: bigint
  value: bigint
}

/** A posting of the model: what each bin gains. */
type Gains = Map<string, Held>

/**
 * The stock as a bookkeeper would keep it on paper: written again here, in whole cents, so that what the YAML
 * says can be held against it.
 */
class Paper {
  readonly bins = new Map<string, Held>()

  of(bin: string): Held {
    return this.bins.get(bin) ?? { qty: 0n, value: 0n }
  }

  /** What the bin is worth once `qty` units have left it. */
  left(bin: string, qty: bigint): bigint {
    const held = this.of(bin)
    return held.qty === 0n ? 0n : rounded(held.value * (held.qty - qty), held.qty)
  }

  /** Posts, unless a bin would hold less than nothing or a value without stock; false then. */
  post(gains: Gains, factor: bigint): boolean {
    const next = new Map<string, Held>()
    for (const [bin, { qty, value }] of gains) {
      const held = this.of(bin)
      const after = { qty: held.qty + factor * qty, value: held.value + factor * value }
      if (after.qty < 0n || after.value < 0n || (after.qty === 0n && after.value !== 0n))
        return false
      next.set(bin, after)
    }
    for (const [bin, after] of next) this.bins.set(bin, after)
    return true
  }
}

/** Half away from zero; both are above 0. */
function rounded(numerator: bigint, denominator: bigint): bigint {
  return (numerator * 2n + denominator) / (denominator * 2n)
}

function gain(gains: Gains, bin: string, qty: bigint, value: bigint): void {
  const known = gains.get(bin) ?? { qty: 0n, value: 0n }
  gains.set(bin, { qty: known.qty + qty, value: known.value + value })
}

/** A step: the document to make, and what it does on paper; undefined = it must be refused. */
interface Planned {
  readonly doctype: string
  readonly body: object
  readonly gains: Gains | undefined
}

const binOf = (item: string, warehouse: string): string => `${item}::${warehouse}`

function receipt(random: Random): Planned {
  const gains: Gains = new Map()
  const items = Array.from({ length: 1 + random.below(3) }, () => {
    const [item_code, t_warehouse] = [random.one(ITEMS), random.one(WAREHOUSES)]
    const [qty, cents] = [1 + random.below(7), random.below(1000)]
    gain(gains, binOf(item_code, t_warehouse), BigInt(qty), BigInt(qty * cents))
    return { item_code, t_warehouse, qty, basic_rate: cents / 100 }
  })
  const body = { stock_entry_type: 'Material Receipt', items }
  return { doctype: 'Stock Entry', body, gains }
}

/** Rows that take from bins one after the other, to nowhere or to another warehouse. */
function taking(random: Random, paper: Paper, customer: string): Planned {
  const isTransfer = random.chance(0.4)
  const gains: Gains = new Map()
  const taken = new Map<string, bigint>()
  let isEnough = true
  const items = Array.from({ length: 1 + random.below(3) }, () => {
    const [item_code, from] = [random.one(ITEMS), random.one(WAREHOUSES)]
    const to = WAREHOUSES.find((one) => one !== from)!
    const qty = BigInt(1 + random.below(4))
    const bin = binOf(item_code, from)
    const before = taken.get(bin) ?? 0n
    taken.set(bin, before + qty)
    if (before + qty > paper.of(bin).qty) isEnough = false
    else {
      const value = paper.left(bin, before) - paper.left(bin, before + qty)
      gain(gains, bin, -qty, -value)
      if (isTransfer) gain(gains, binOf(item_code, to), qty, value)
    }
    return isTransfer
      ? { item_code, s_warehouse: from, t_warehouse: to, qty: Number(qty) }
      : { item_code, warehouse: from, qty: Number(qty), rate: 1 }
  })
  return {
    doctype: isTransfer ? 'Stock Entry' : 'Delivery Note',
    body: isTransfer ? { stock_entry_type: 'Material Transfer', items } : { customer, items },
    gains: isEnough ? gains : undefined,
  }
}

function count(random: Random, paper: Paper): Planned {
  const [item_code, warehouse] = [random.one(ITEMS), random.one(WAREHOUSES)]
  const bin = binOf(item_code, warehouse)
  const held = paper.of(bin)
  const [qty, cents] = [random.below(12), random.below(1000)]
  const gains: Gains = new Map()
  gain(gains, bin, BigInt(qty) - held.qty, BigInt(qty * cents) - held.value)
  const items = [{ item_code, warehouse, qty, valuation_rate: cents / 100 }]
  return { doctype: 'Stock Reconciliation', body: { items }, gains }
}

for (const seed of SEEDS)
  forEachDatabaseWhenDeep(`the stock of random days (seed ${seed})`, ({ test, fresh }) => {
    let story: Story
    let customer: string

    test.before(async () => {
      story = await openStory(await fresh())
      customer = (await story.create('Customer', { customer_name: 'Blue Whale' })).id
      for (const item_code of ITEMS) await story.create('Item', { item_code, item_name: item_code })
    })
    test.after(() => story.close())

    const isRefused = async (attempt: Promise<Shown>): Promise<boolean> => {
      try {
        await attempt
        return false
      } catch (error) {
        if (error instanceof AppError && error.code === 'VALIDATION_ERROR') return true
        throw error
      }
    }

    /** Every bin as it is, in units and cents. */
    const bins = async (): Promise<ReadonlyMap<string, Held>> =>
      new Map(
        (await story.all('Bin')).map(({ id, actual_qty, stock_value }) => [
          id,
          { qty: BigInt(actual_qty), value: BigInt(Math.round(stock_value * 100)) },
        ]),
      )

    test(`is the one on paper after each of ${STEPS} steps`, async () => {
      const random = randomOf(seed)
      const paper = new Paper()
      const posted: { readonly doctype: string; readonly id: string; readonly gains: Gains }[] = []
      let refusals = 0
      let cancels = 0
      for (let step = 0; step < STEPS; step += 1) {
        const label = `step ${step}, seed ${seed}`
        if (posted.length > 0 && random.chance(0.2)) {
          const [one] = posted.splice(random.below(posted.length), 1)
          const { doctype, id, gains } = one!
          const may = paper.post(gains, -1n)
          assert.is(await isRefused(story.cancel(doctype, id)), !may, `${label}: cancel ${id}`)
          if (may) cancels += 1
        } else {
          const { doctype, body, gains } = random.one([receipt, taking, taking, count])(
            random,
            paper,
            customer,
          )
          const { id } = await story.create(doctype, body)
          const shown = `${label}: ${doctype} ${JSON.stringify(body)}`
          assert.is(await isRefused(story.submit(doctype, id)), gains === undefined, shown)
          if (gains) {
            assert.ok(paper.post(gains, 1n), shown)
            posted.push({ doctype, id, gains })
          } else refusals += 1
        }
        const kept = await bins()
        for (const [bin, held] of paper.bins)
          assert.equal(kept.get(bin) ?? { qty: 0n, value: 0n }, held, `${label}: ${bin}`)
      }
      assert.ok(refusals > 0 && cancels > 0, `${refusals} refusals, ${cancels} cancels`)
      assert.equal(await story.differences(), [], `seed ${seed}`)
    })
  })
