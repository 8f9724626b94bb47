import { sql } from 'kysely'
import * as assert from 'uvu/assert'
import { AppError } from '../../engine/base/errors.ts'
import { runTick } from '../../engine/documents/schedule/tick.ts'
import { verifyWorkspace } from '../../engine/documents/verify/verify.ts'
import { isWritable } from '../../engine/schema/shapes/json-schema.ts'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { assertEventsAsDescribed } from '../helpers/event-checks.ts'
import { type Random, randomOf, rounds, seedsOf } from '../helpers/random.ts'
import { tell } from '../helpers/tell.ts'
import { openStory, type Story } from '../stories/story.ts'
import {
  type Owner,
  type Pool,
  prepareTrade,
  TRADE,
  type TradeDoctype,
  type TradeDocument,
} from './trade.ts'

const SEEDS = seedsOf(import.meta.filename, [1])
/** With those of all other modules (every-doctype.ts) twenty thousand, however often a deep run goes round. */
const STEPS = Math.min(12_000, rounds(12_000))
/** Steps under way at the same time. */
const AT_ONCE = 4
/** A day passes after so many steps, so that invoices fall due and postings get later. */
const STEPS_PER_DAY = 60
/** Steps after which it is told how far it is. */
const TOLD = 500
const DAY = 86_400_000

/** Refusals are part of business; anything else is a defect. */
const REFUSALS = new Set(['VALIDATION_ERROR', 'CONFLICT', 'NOT_FOUND'])

for (const seed of SEEDS)
  forEachDatabaseWhenDeep(`random business (seed ${seed})`, ({ test, fresh, kind }) => {
    let story: Story
    let owners: readonly Owner[]
    test.before(async () => {
      story = await openStory(await fresh())
      owners = await prepareTrade(story)
    })
    test.after(() => story.close())

    test('leaves true books', async () => {
      const random = randomOf(seed)
      const done = new Map<string, number>()
      const why = new Map<string, string>()
      for (let step = 0; step < STEPS; step += AT_ONCE) {
        const batch = Array.from({ length: AT_ONCE }, () =>
          // What one draws does not depend on which of them is answered first.
          chosen(story, randomOf(random.below(2 ** 31)), random.one(owners)),
        )
        await Promise.all(batch.map((one) => attempt(one, done, why)))
        if (step % STEPS_PER_DAY < AT_ONCE) await nextDay(story)
        if (step > 0 && step % TOLD < AT_ONCE)
          tell(`${kind}, seed ${seed}: ${step} of ${STEPS} steps`)
      }
      const summary = [...done].toSorted().map(([what, times]) => `${what} ${times}`)
      console.log(`  ${kind}: ${summary.join(', ')}`)
      // In a short walk some of what only others make may not have come.
      const wanted = STEPS < 10_000 ? CREATED : Object.keys(TRADE)
      const never = wanted.filter((doctype) => !isDone(done, doctype))
      assert.equal(
        never.map((doctype) => `${doctype}: ${why.get(doctype)}`),
        [],
      )
      for (const what of ['submit', 'cancel', 'amend', 'act'])
        assert.ok((done.get(`${what} done`) ?? 0) > STEPS / 300, `too few: ${summary.join(', ')}`)

      await nextDay(story)
      const report = await verifyWorkspace(story.engine.services, {})
      const wrong = report.checks.filter(({ differences }) => differences > 0)
      assert.equal(wrong, [], JSON.stringify(wrong, null, 1))
      await assertCancelledNetToZero(story)
    })

    test('tells of what it did in events as the catalogue describes them', async () => {
      // By chance alone none of the random invoices may have been paid in full, or an order cancelled.
      await sellAndCancel(story)
      const seen = await assertEventsAsDescribed(story.engine)
      for (const event of [
        'sales-invoices.paid',
        'payment-entries.submitted',
        'sales-orders.cancelled',
      ])
        assert.ok(seen.has(event), event)
    })
  })

async function sellAndCancel(story: Story): Promise<void> {
  const [customer] = await story.all('Customer')
  const goods = { customer: customer!.id, items: [{ item_code: 'WORK', qty: 1 }] }
  const invoice = await story.make('Sales Invoice', goods)
  const payment = await story.draftOf('Sales Invoice', invoice.id, 'make_payment')
  await story.submit('Payment Entry', payment.id)
  await story.cancel('Sales Order', (await story.make('Sales Order', goods)).id)
}

interface Step {
  readonly what: string
  readonly doctype: TradeDoctype
  run(): Promise<void>
}

/** Whether some of the documents of a kind were created and submitted, by themselves or by an action of another. */
function isDone(done: ReadonlyMap<string, number>, doctype: string): boolean {
  return ['create', 'submit', 'change', 'act', 'cancel'].some((verb) =>
    done.has(`${doctype} ${verb} done`),
  )
}

async function attempt(
  step: Step,
  done: Map<string, number>,
  why: Map<string, string>,
): Promise<void> {
  const count = (outcome: string): void => {
    for (const what of [`${step.what} ${outcome}`, `${step.doctype} ${step.what} ${outcome}`])
      done.set(what, (done.get(what) ?? 0) + 1)
  }
  try {
    await step.run()
    count('done')
  } catch (error) {
    const code = error instanceof AppError ? error.code : ''
    if (!REFUSALS.has(code))
      throw new Error(`${step.what} of ${step.doctype}: ${String(error)}`, { cause: error })
    why.set(step.doctype, `${step.what}: ${JSON.stringify((error as AppError).details ?? code)}`)
    count('refused')
  }
}

/** One step on a document or a new one. Mostly what its state allows; what it does not is tried too. */
function chosen(story: Story, random: Random, owner: Owner): Step {
  const { pool } = owner
  const known = [...pool.entries()].filter(([, ids]) => ids.length > 0)
  if (known.length === 0 || random.chance(0.3)) return creation(story, random, owner)
  const [doctype, ids] = random.one(known)
  // Fresh documents are of more interest than old ones.
  const id = random.one(random.chance(0.7) ? ids.slice(-12) : ids)
  const verb = story.get(doctype, id).then(({ docstatus }) => verbFor(docstatus, random))
  const what = { name: '' }
  return {
    doctype,
    get what() {
      return what.name
    },
    async run() {
      what.name = await verb
      if (what.name === 'change') await change(story, random, doctype, id)
      else if (what.name === 'submit') await story.submit(doctype, id)
      else if (what.name === 'cancel') await story.cancel(doctype, id)
      else if (what.name === 'amend') keep(pool, doctype, (await story.amend(doctype, id)).id)
      else await press(story, random, owner, doctype, id)
    },
  }
}

const BY_STATE = [
  ['submit', 'submit', 'submit', 'submit', 'cancel', 'act'],
  ['act', 'act', 'act', 'cancel', 'amend', 'submit'],
  ['amend', 'amend', 'cancel', 'act'],
] as const

function verbFor(docstatus: number | undefined, random: Random): string {
  if (docstatus === undefined) return random.one(['change', 'act'])
  return random.one(BY_STATE[docstatus as 0 | 1 | 2])
}

async function change(
  story: Story,
  random: Random,
  doctype: TradeDoctype,
  id: string,
): Promise<void> {
  const { change: body }: TradeDocument = TRADE[doctype]
  if (body) await story.update(doctype, id, body(random))
}

async function press(
  story: Story,
  random: Random,
  owner: Owner,
  doctype: TradeDoctype,
  id: string,
): Promise<void> {
  const { actions, input }: TradeDocument = TRADE[doctype]
  if (actions.length === 0) return
  const action = random.one(actions)
  const declared = story.engine.services.registry.byDoctype(doctype)!.behaviour.actions?.[action]
  const isDated = declared?.input?.some(({ name }) => name === 'posting_date')
  const record = await story.act(doctype, id, action, {
    ...input?.(random, owner, action),
    ...(isDated && random.chance(0.4) && { posting_date: earlier(story, random) }),
  })
  for (const made of (record._created ?? []) as { doctype: string; id: string }[]) {
    if (!(made.doctype in TRADE)) continue
    keep(owner.pool, made.doctype as TradeDoctype, made.id)
    // Or hardly any would come as far as what is made of it.
    if (random.chance(0.5)) await story.submit(made.doctype, made.id)
  }
}

/** What is created by itself. */
const CREATED = (Object.keys(TRADE) as TradeDoctype[]).filter((doctype) => TRADE[doctype].body)

function creation(story: Story, random: Random, owner: Owner): Step {
  const doctype = random.one(CREATED)
  const isSubmitted = random.chance(0.6)
  const body = TRADE[doctype].body!(random, owner, story)
  const late = toldLate(story, random, doctype)
  return {
    what: 'create',
    doctype,
    async run() {
      const { id } = await story.create(doctype, {
        ...(isOwned(story, doctype) && { company: owner.company }),
        ...(await body),
        ...late,
      })
      keep(owner.pool, doctype, id)
      if (isSubmitted && TRADE[doctype].change === undefined) await story.submit(doctype, id)
    },
  }
}

/** Whether a caller says which company a document is of. */
function isOwned({ engine: { services } }: Story, doctype: string): boolean {
  const field = services.registry.byDoctype(doctype)!.fields.find(({ name }) => name === 'company')
  return field !== undefined && isWritable(field, 'create')
}

/** Documents with a day of their own, which may be told of some days late. */
const DATED: ReadonlySet<TradeDoctype> = new Set<TradeDoctype>([
  'Delivery Note',
  'Sales Invoice',
  'Payment Entry',
  'Purchase Receipt',
  'Purchase Invoice',
  'Journal Entry',
  'Stock Entry',
  'Stock Reconciliation',
  'Landed Cost Voucher',
  'Opening Invoice',
  'Opening Bill',
])
/** Days that something is told of late at most; the first of them may be before anything was there. */
const LATE = 20

function toldLate(story: Story, random: Random, doctype: TradeDoctype): object {
  if (!DATED.has(doctype) || random.chance(0.5)) return {}
  return { posting_date: earlier(story, random) }
}

function earlier(story: Story, random: Random): string {
  return new Date(story.clock.time - random.below(LATE) * DAY).toISOString().slice(0, 10)
}

function keep(pool: Pool, doctype: TradeDoctype, id: string): void {
  const ids = pool.get(doctype)
  if (ids) ids.push(id)
  else pool.set(doctype, [id])
}

async function nextDay(story: Story): Promise<void> {
  story.clock.time += DAY
  const { failed } = await runTick(story.engine.services)
  assert.is(failed, 0)
}

/** Fields of the ledgers whose sums are looked at. */
const KEYS = [
  'account',
  'item_code',
  'warehouse',
  'batch_no',
  'serial_no',
  'employee',
  'leave_type',
  'customer',
  'loyalty_program',
]

/** What a cancelled document posted and its mirror rows, by what the ledger is about: nothing is left. */
async function assertCancelledNetToZero(story: Story): Promise<void> {
  const { registry, database } = story.engine.services
  for (const ledger of registry.all.filter(({ behaviour }) => behaviour.ledger)) {
    const { balance = [], negate = [] } = ledger.behaviour.ledger!
    const columns = balance.length === 2 ? [`${balance[0]} - ${balance[1]}`] : negate
    const key = KEYS.filter((name) => ledger.fields.some((field) => field.name === name))
    for (const { doctype, table, submittable } of registry.all) {
      if (!submittable) continue
      for (const column of columns) {
        const { rows } = await sql
          .raw(
            `select l.voucher_no from ${ledger.table} l join ${table} v on v.name = l.voucher_no
             where l.voucher_type = '${doctype}' and v.docstatus = 2
             group by ${['voucher_no', ...key].map((name) => `l.${name}`).join(', ')}
             having sum(${column.replace(/\b(\w+)\b/g, 'l.$1')}) <> 0`,
          )
          .execute(database.read)
        assert.equal(rows, [], `${ledger.doctype} of cancelled ${doctype}`)
      }
    }
  }
}
