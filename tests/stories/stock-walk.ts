import * as assert from 'uvu/assert'
import { AppError } from '../../engine/base/errors.ts'
import { onDatabase } from '../helpers/databases.ts'
import { isDeepRun, type Random, randomOf, rounds } from '../helpers/random.ts'
import { EMPTY, type Method, type PaperDoc, stockOnPaper } from './stock-paper.ts'
import { openStory, type Shown, type Story } from './story.ts'

/** A deep run goes five times round. */
const STEPS = isDeepRun() ? rounds(1000) : 90
const METHODS: Readonly<Record<string, Method>> = { A: 'Moving Average', F: 'FIFO', L: 'LIFO' }
const ITEMS = Object.keys(METHODS)
const WAREHOUSES = ['Stores', 'Finished Goods']
const DAY = 86_400_000
/** Days that something is told of late at most. */
const LATE = 12

/** A document of the walk, as the engine knows it and on paper. */
interface Posted {
  readonly doctype: string
  readonly id: string
  readonly doc: PaperDoc
  /** What takes a part of it back. */
  readonly source?: Posted
}

/** A document to make. */
interface Planned {
  readonly doctype: string
  readonly body: object
  readonly doc: Omit<PaperDoc, 'moment' | 'order'>
  readonly source?: Posted
}

const times = <T>(random: Random, make: () => T): T[] =>
  Array.from({ length: 1 + random.below(3) }, make)

function receipt(random: Random): Planned {
  const moves = times(random, () => {
    const qty = BigInt(1 + random.below(7))
    return {
      item: random.one(ITEMS),
      to: random.one(WAREHOUSES),
      qty,
      cents: BigInt(random.below(1000)),
    }
  })
  const items = moves.map(({ item, to, qty, cents }) => ({
    item_code: item,
    t_warehouse: to,
    qty: Number(qty),
    basic_rate: Number(cents) / 100,
  }))
  return {
    doctype: 'Stock Entry',
    body: { stock_entry_type: 'Material Receipt', items },
    doc: { moves: moves.map(({ cents, ...move }) => ({ ...move, worth: move.qty * cents })) },
  }
}

function taking(random: Random, customer: string): Planned {
  const isMove = random.chance(0.4)
  const moves = times(random, () => {
    const from = random.one(WAREHOUSES)
    const to = isMove ? { to: WAREHOUSES.find((one) => one !== from)! } : {}
    return { item: random.one(ITEMS), from, ...to, qty: BigInt(1 + random.below(3)) }
  })
  const items = moves.map(({ item, from, qty, ...rest }) =>
    isMove
      ? {
          item_code: item,
          s_warehouse: from,
          t_warehouse: Object.values(rest)[0],
          qty: Number(qty),
        }
      : { item_code: item, warehouse: from, qty: Number(qty), rate: 1 },
  )
  return {
    doctype: isMove ? 'Stock Entry' : 'Delivery Note',
    body: isMove ? { stock_entry_type: 'Material Transfer', items } : { customer, items },
    doc: { moves },
  }
}

function count(random: Random): Planned {
  const [item, warehouse] = [random.one(ITEMS), random.one(WAREHOUSES)]
  const qty = random.chance(0.8) ? { qty: BigInt(random.below(12)) } : {}
  const cents = random.chance(0.5) || !('qty' in qty) ? { cents: BigInt(random.below(1000)) } : {}
  const row = {
    item_code: item,
    warehouse,
    ...('qty' in qty ? { qty: Number(qty.qty) } : {}),
    ...('cents' in cents ? { valuation_rate: Number(cents.cents) / 100 } : {}),
  }
  return {
    doctype: 'Stock Reconciliation',
    body: { items: [row] },
    doc: { moves: [], count: { item, warehouse, ...qty, ...cents } },
  }
}

function charge(random: Random): Planned {
  const [item, warehouse] = [random.one(ITEMS), random.one(WAREHOUSES)]
  const [qty, cents] = [1 + random.below(9), 1 + random.below(2000)]
  return {
    doctype: 'Landed Cost Voucher',
    body: {
      distribute_charges_based_on: 'Qty',
      items: [{ item_code: item, warehouse, qty }],
      taxes: [{ description: 'Freight', expense_account: 'Stock Adjustment', amount: cents / 100 }],
    },
    doc: { moves: [], charge: { item, warehouse, qty: BigInt(qty), cents: BigInt(cents) } },
  }
}

/** Random days on which things are told late, cancelled and amended: the stock is the one on paper after each step. */
export function walkThroughStock(kind: 'sqlite' | 'postgres', seed: number): void {
  onDatabase(kind, `the stock of random days, told late (seed ${seed})`, ({ test, fresh }) => {
    let story: Story
    let customer: string

    test.before(async () => {
      story = await openStory(await fresh())
      customer = (await story.create('Customer', { customer_name: 'Blue Whale' })).id
      for (const item_code of ITEMS)
        await story.create('Item', {
          item_code,
          item_name: item_code,
          valuation_method: METHODS[item_code],
        })
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

    test(`is the one on paper after each of ${STEPS} steps`, async () => {
      const random = randomOf(seed)
      let posted: Posted[] = []
      let start = EMPTY
      let order = 0
      const seen = { refused: 0, late: 0, cancelled: 0, amended: 0, back: 0 }
      const paperOf = (list: readonly Posted[], own?: PaperDoc) =>
        stockOnPaper(
          start,
          list.map(({ doc }) => doc),
          (item) => METHODS[item]!,
          own,
        )

      /** Submits a draft if the paper takes it; else it has to be refused. */
      const post = async (draft: Posted, label: string): Promise<void> => {
        const paper = paperOf([...posted, draft], draft.doc)
        const refused = await isRefused(story.submit(draft.doctype, draft.id))
        assert.is(refused, paper === undefined, label)
        if (refused) seen.refused += 1
        else posted.push(draft)
      }

      for (let step = 0; step < STEPS; step += 1) {
        const label = `step ${step}, seed ${seed}`
        if (random.chance(isDeepRun() ? 0.05 : 0.2)) story.clock.time += DAY
        // What is older than anything that is still to come is written down for good.
        const old = new Date(story.clock.time - 3 * LATE * DAY).toISOString()
        if (posted.length > 300 && step % 20 === 0) {
          start = paperOf(posted.filter(({ doc }) => doc.moment < old))!
          posted = posted.filter(({ doc }) => doc.moment >= old)
        }
        const today = new Date(story.clock.time)
        const day = random.chance(0.5) ? 0 : random.below(LATE)
        const posting_date = new Date(today.getTime() - day * DAY).toISOString().slice(0, 10)
        const time = random.chance(0.6) ? {} : { posting_time: `1${random.below(9)}:00:00` }
        const moment = `${posting_date}${'posting_time' in time ? `T${time.posting_time}` : 'Z'}`
        const young = posted.filter(
          (one) =>
            one.doc.moment > new Date(today.getTime() - 2 * LATE * DAY).toISOString() &&
            !posted.some(({ source }) => source === one),
        )
        if (young.length > 0 && random.chance(0.25)) {
          const one = random.one(young)
          const rest = posted.filter((other) => other !== one)
          const refused = await isRefused(story.cancel(one.doctype, one.id))
          assert.is(refused, paperOf(rest) === undefined, `${label}: cancel ${one.id}`)
          if (!refused) {
            posted = rest
            seen.cancelled += 1
            if (random.chance(0.4) && !one.source) {
              const { id } = await story.amend(one.doctype, one.id)
              order += 1
              await post({ ...one, id, doc: { ...one.doc, order } }, `${label}: amend ${id}`)
              seen.amended += 1
            }
          }
        } else {
          const sold = posted.filter(
            ({ doctype, source, doc }) =>
              doctype === 'Delivery Note' && !source && doc.moment <= moment,
          )
          const planned =
            sold.length > 0 && random.chance(0.1)
              ? undefined
              : random.one([receipt, receipt, taking, taking, taking, count, charge])(
                  random,
                  customer,
                )
          order += 1
          if (planned) {
            const body = { ...planned.body, posting_date, ...time }
            const { id } = await story.create(planned.doctype, body)
            const doc = { ...planned.doc, moment, order }
            await post({ doctype: planned.doctype, id, doc }, `${label}: ${JSON.stringify(body)}`)
          } else {
            const source = random.one(sold)
            if (posted.some((one) => one.source === source)) continue
            const { id, items } = await story.draftOf('Delivery Note', source.id, 'make_return')
            await story.update('Delivery Note', id, {
              posting_date,
              ...time,
              items: items.map(({ row_id }: Shown) => ({ row_id, qty: -1 })),
            })
            const moves = source.doc.moves.map(({ item, from }, row) => ({
              item,
              to: from!,
              qty: 1n,
              back: { doc: source.doc, row },
            }))
            seen.back += 1
            const draft = { doctype: 'Delivery Note', id, doc: { moment, order, moves }, source }
            await post(draft, `${label}: return of ${source.id}`)
          }
          if (day > 0) seen.late += 1
        }
        if (isDeepRun() && step % 10 !== 0 && step < STEPS - 1) continue
        const kept = new Map((await story.all('Bin')).map((bin) => [bin.id, bin]))
        for (const [bin, { qty, cents }] of paperOf(posted)!.bins) {
          const { actual_qty, stock_value } = kept.get(bin) ?? { actual_qty: 0, stock_value: 0 }
          assert.equal(
            [actual_qty, stock_value],
            [Number(qty), Number(cents) / 100],
            `${label}: ${bin}`,
          )
        }
      }
      assert.ok(
        Object.values(seen).every((times) => times > 0),
        JSON.stringify(seen),
      )
      assert.equal(await story.differences(), [], `seed ${seed}`)
    })
  })
}
