import * as assert from 'uvu/assert'
import { AppError } from '../../engine/base/errors.ts'
import { onDatabase } from '../helpers/databases.ts'
import { isDeepRun, type Random, randomOf, rounds } from '../helpers/random.ts'
import { tell } from '../helpers/tell.ts'
import { EMPTY, type Method, type Paper, type PaperDoc, stockOnPaper } from './stock-paper.ts'
import { openStory, type Shown, type Story } from './story.ts'

/** A deep run goes five times round. */
const STEPS = isDeepRun() ? rounds(4000) : 90
/** Items by how they are valued; a batch is at its average. */
const METHODS: Readonly<Record<string, Method>> = {
  A: 'Moving Average',
  F: 'FIFO',
  L: 'LIFO',
  B: 'Moving Average',
}
const ITEMS = Object.keys(METHODS)
const BATCHES = ['B1', 'B2', 'B3']

/** A company, its warehouses, and the currencies that its suppliers and customers pay in at 1.25, beside its own. */
interface Owner {
  readonly company: string
  readonly currency: string
  readonly others: readonly string[]
  readonly warehouses: readonly [string, string]
  readonly freight: string
}

const ACME: Owner = {
  company: 'Acme Inc',
  currency: 'USD',
  others: ['EUR', 'GBP'],
  warehouses: ['Stores', 'Finished Goods'],
  freight: 'Stock Adjustment',
}
const DAY = 86_400_000
/** Days that something is told of late at most. */
const LATE = isDeepRun() ? 5 : 12

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

/** Who acts in a step, and with whom. */
interface Scene {
  readonly random: Random
  readonly owner: Owner
  readonly customer: string
  readonly supplier: string
}

const times = <T>(random: Random, make: () => T): T[] =>
  Array.from({ length: 1 + random.below(3) }, make)

/** An item, with a batch where it is kept by batch. */
function goods(random: Random): { readonly item: string; readonly batch?: string } {
  const item = random.one(ITEMS)
  return item === 'B' ? { item, batch: random.one(BATCHES) } : { item }
}

function shownGoods({ item, batch }: { readonly item: string; readonly batch?: string }): object {
  return { item_code: item, ...(batch === undefined ? {} : { batch_no: batch }) }
}

function receipt({ random, owner }: Scene): Planned {
  const moves = times(random, () => {
    const qty = BigInt(1 + random.below(7))
    const cents = BigInt(random.below(1000))
    return { ...goods(random), to: random.one(owner.warehouses), qty, cents }
  })
  const items = moves.map(({ to, qty, cents, ...what }) => ({
    ...shownGoods(what),
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

/** Goods that are bought, some in another currency: what they cost is rounded to whole cents of the company's. */
function purchase({ random, owner, supplier }: Scene): Planned {
  const currency = random.one([owner.currency, ...owner.others])
  const percent = currency === owner.currency ? 100n : 125n
  const moves = times(random, () => {
    const qty = BigInt(1 + random.below(7))
    const cents = BigInt(random.below(1000))
    return { ...goods(random), to: random.one(owner.warehouses), qty, cents }
  })
  const items = moves.map(({ to, qty, cents, ...what }) => ({
    ...shownGoods(what),
    warehouse: to,
    qty: Number(qty),
    rate: Number(cents) / 100,
  }))
  return {
    doctype: 'Purchase Receipt',
    body: { supplier, currency, conversion_rate: Number(percent) / 100, items },
    doc: {
      moves: moves.map(({ cents, ...move }) => ({
        ...move,
        worth: (move.qty * cents * percent + 50n) / 100n,
      })),
    },
  }
}

function taking({ random, owner, customer }: Scene): Planned {
  const isMove = random.chance(0.4)
  const moves = times(random, () => {
    const from = random.one(owner.warehouses)
    const to = isMove ? { to: owner.warehouses.find((one) => one !== from)! } : {}
    return { ...goods(random), from, ...to, qty: BigInt(1 + random.below(3)) }
  })
  const items = moves.map((move) => {
    const { from, qty } = move
    return isMove
      ? {
          ...shownGoods(move),
          s_warehouse: from,
          t_warehouse: owner.warehouses.find((one) => one !== from)!,
          qty: Number(qty),
        }
      : { ...shownGoods(move), warehouse: from, qty: Number(qty), rate: 1 }
  })
  const currency = random.one([owner.currency, ...owner.others])
  const conversion_rate = currency === owner.currency ? 1 : 1.25
  return {
    doctype: isMove ? 'Stock Entry' : 'Delivery Note',
    body: isMove
      ? { stock_entry_type: 'Material Transfer', items }
      : { customer, currency, conversion_rate, items },
    doc: { moves },
  }
}

/** A product of one or two materials, which may be of the same kind as one of them. */
function making({ random, owner }: Scene): Planned {
  const materials = Array.from({ length: 1 + random.below(2) }, () => ({
    ...goods(random),
    from: random.one(owner.warehouses),
    qty: BigInt(1 + random.below(3)),
  }))
  const product = {
    ...goods(random),
    to: random.one(owner.warehouses),
    qty: BigInt(1 + random.below(3)),
  }
  const items = [
    ...materials.map((one) => ({
      ...shownGoods(one),
      s_warehouse: one.from,
      qty: Number(one.qty),
    })),
    {
      ...shownGoods(product),
      t_warehouse: product.to,
      qty: Number(product.qty),
      is_finished_item: true,
    },
  ]
  return {
    doctype: 'Stock Entry',
    body: { stock_entry_type: 'Manufacture', items },
    doc: { moves: [...materials, { ...product, isMade: true }] },
  }
}

function count({ random, owner }: Scene): Planned {
  const warehouse = random.one(owner.warehouses)
  const what = goods(random)
  const isCounted = what.batch !== undefined || random.chance(0.8)
  const qty = isCounted ? { qty: BigInt(random.below(12)) } : {}
  const cents = random.chance(0.5) || !('qty' in qty) ? { cents: BigInt(random.below(1000)) } : {}
  const row = {
    ...shownGoods(what),
    warehouse,
    ...('qty' in qty ? { qty: Number(qty.qty) } : {}),
    ...('cents' in cents ? { valuation_rate: Number(cents.cents) / 100 } : {}),
  }
  return {
    doctype: 'Stock Reconciliation',
    body: { items: [row] },
    doc: { moves: [], count: { ...what, warehouse, ...qty, ...cents } },
  }
}

function charge({ random, owner }: Scene): Planned {
  const warehouse = random.one(owner.warehouses)
  const what = goods(random)
  const [qty, cents] = [1 + random.below(9), 1 + random.below(2000)]
  return {
    doctype: 'Landed Cost Voucher',
    body: {
      distribute_charges_based_on: 'Qty',
      items: [{ ...shownGoods(what), warehouse, qty }],
      taxes: [{ description: 'Freight', expense_account: owner.freight, amount: cents / 100 }],
    },
    doc: { moves: [], charge: { ...what, warehouse, qty: BigInt(qty), cents: BigInt(cents) } },
  }
}

/** Random days on which things are told late, cancelled and amended: the stock is the one on paper after each step. */
export function walkThroughStock(kind: 'sqlite' | 'postgres', seed: number): void {
  onDatabase(kind, `the stock of random days, told late (seed ${seed})`, ({ test, fresh }) => {
    let story: Story
    let customer: string
    let supplier: string
    let owners: readonly Owner[]

    test.before(async () => {
      story = await openStory(await fresh())
      customer = (await story.create('Customer', { customer_name: 'Blue Whale' })).id
      supplier = (await story.create('Supplier', { supplier_name: 'Iron Works' })).id
      const company = 'Blau GmbH'
      const { stock_adjustment_account: freight } = await story.create('Company', {
        company_name: company,
        abbr: 'BG',
        default_currency: 'EUR',
        country: 'Germany',
        chart_of_accounts: 'Germany SKR04',
      })
      const warehouses = ['Stores - BG', 'Finished Goods - BG'] as const
      owners = [ACME, { company, currency: 'EUR', others: ['USD', 'GBP'], warehouses, freight }]
      for (const item_code of ITEMS)
        await story.create('Item', {
          item_code,
          item_name: item_code,
          valuation_method: METHODS[item_code],
          has_batch_no: item_code === 'B',
        })
      for (const batch_id of BATCHES) await story.create('Batch', { batch_id, item: 'B' })
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

    /** The bins, and the balances of batches, are those on paper. */
    const compare = async (bins: Paper['bins'], label: string): Promise<void> => {
      const read = async (doctype: string, quantity: string) =>
        new Map((await story.all(doctype)).map((one) => [one.id, [one[quantity], one.stock_value]]))
      const kept = await read('Bin', 'actual_qty')
      const pieces = await read('Serial and Batch Balance', 'qty')
      const sums = new Map<string, [bigint, bigint]>()
      for (const [key, { qty, cents }] of bins) {
        const [item, warehouse, batch] = key.split('::')
        const sum = sums.get(`${item}::${warehouse}`) ?? [0n, 0n]
        sums.set(`${item}::${warehouse}`, [sum[0] + qty, sum[1] + cents])
        if (batch === undefined) continue
        const piece = pieces.get(`${batch}::::${warehouse}`) ?? [0, 0]
        assert.equal(piece, [Number(qty), Number(cents) / 100], `${label}: ${key}`)
      }
      for (const [bin, [qty, cents]] of sums)
        assert.equal(
          kept.get(bin) ?? [0, 0],
          [Number(qty), Number(cents) / 100],
          `${label}: ${bin}`,
        )
    }

    test(`is the one on paper after each of ${STEPS} steps`, async () => {
      const random = randomOf(seed)
      let posted: Posted[] = []
      let start = EMPTY
      let order = 0
      const seen = { refused: 0, late: 0, cancelled: 0, amended: 0, back: 0, sent: 0, made: 0 }
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
        if (random.chance(isDeepRun() ? 0.0125 : 0.2)) story.clock.time += DAY
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
          const gone = posted.filter(
            ({ doctype, source, doc }) =>
              (doctype === 'Delivery Note' || doctype === 'Purchase Receipt') &&
              !source &&
              doc.moment <= moment,
          )
          const owner = random.one(owners)
          const scene: Scene = { random, owner, customer, supplier }
          const planned =
            gone.length > 0 && random.chance(0.12)
              ? undefined
              : random.one([
                  receipt,
                  purchase,
                  purchase,
                  taking,
                  taking,
                  taking,
                  making,
                  count,
                  charge,
                ])(scene)
          order += 1
          if (planned) {
            const body = { company: owner.company, ...planned.body, posting_date, ...time }
            const { id } = await story.create(planned.doctype, body)
            const doc = { ...planned.doc, moment, order }
            if (doc.moves.some(({ isMade }) => isMade)) seen.made += 1
            await post({ doctype: planned.doctype, id, doc }, `${label}: ${JSON.stringify(body)}`)
          } else {
            const source = random.one(gone)
            if (posted.some((one) => one.source === source)) continue
            const { doctype } = source
            const { id, items } = await story.draftOf(doctype, source.id, 'make_return')
            await story.update(doctype, id, {
              posting_date,
              ...time,
              items: items.map(({ row_id }: Shown) => ({ row_id, qty: -1 })),
            })
            const moves = source.doc.moves.map(({ item, batch, from, to }, row) => ({
              item,
              batch,
              ...(from === undefined ? { from: to! } : { to: from }),
              qty: 1n,
              back: { doc: source.doc, row },
            }))
            seen[doctype === 'Delivery Note' ? 'back' : 'sent'] += 1
            const draft = { doctype, id, doc: { moment, order, moves }, source }
            await post(draft, `${label}: return of ${source.id}`)
          }
          if (day > 0) seen.late += 1
        }
        if (step % 1000 === 0) tell(`stock on ${kind}, seed ${seed}: ${step} of ${STEPS} steps`)
        if (isDeepRun() && step % 10 !== 0 && step < STEPS - 1) continue
        await compare(paperOf(posted)!.bins, label)
      }
      assert.ok(
        Object.values(seen).every((times) => times > 0),
        JSON.stringify(seen),
      )
      assert.equal(await story.differences(), [], `seed ${seed}`)
    })
  })
}
