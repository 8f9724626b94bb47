import * as assert from 'uvu/assert'
import { AppError } from '../../../engine/base/errors.ts'
import { verifyWorkspace } from '../../../engine/documents/verify/verify.ts'
import type { TestDatabase } from '../../helpers/databases.ts'
import { type Random, randomOf } from '../../helpers/random.ts'
import { drawPair, type Pair, twinDocTypes, twinOverlays } from './twin-doctypes.ts'
import { eventsOf, openWorkspace, type Workspace } from './workspace.ts'

type Row = Readonly<Record<string, unknown>>

const ARTICLES = ['BOLT', 'HELP', 'NUT']
const PARTIES = ['Ann', 'Bob']
const GROUPS = ['Gold', 'Dust']
const REGIONS = ['North', 'South']
const STORES = ['Main', 'Side']

/** What is done to both of a pair, chosen by the same draws. */
const ACTS = [
  'create',
  'create',
  'update',
  'update',
  'update',
  'submit',
  'submit',
  'cancel',
  'amend',
  'act',
] as const

/** Names of the documents of a pair by now, those of the twin with the words. */
interface Going {
  readonly workspace: Workspace
  readonly random: Random
  readonly names: ReadonlyMap<Pair, string[]>
  /** Number of days so far: no two documents have the same, or ids would decide which is later. */
  days: number
}

/**
 * Opens a workspace with as many pairs as are wanted, drawn from the seed, does `steps` random things to both of each and to
 * what they link to, and asserts that nobody can tell them apart.
 */
export async function assertTwins(
  database: TestDatabase,
  seed: number,
  { pairs: count, steps }: { readonly pairs: number; readonly steps: number },
): Promise<void> {
  const random = randomOf(seed)
  const pairs = Array.from({ length: count }, (_, index) =>
    drawPair(random, String.fromCharCode(65 + index)),
  )
  const over = twinOverlays(pairs)
  const workspace = await openWorkspace(database, twinDocTypes(pairs), { over })
  try {
    await makeMasters(workspace)
    const names = new Map(pairs.map((pair): [Pair, string[]] => [pair, []]))
    const going: Going = { workspace, random, names, days: 0 }
    for (let step = 0; step < steps; step += 1)
      if (random.chance(0.25)) await changeMaster(going)
      else await changeTwins(going, random.one(pairs))
    await assertKept(workspace, pairs)
  } finally {
    await workspace.close()
  }
}

async function makeMasters(workspace: Workspace): Promise<void> {
  for (const title of REGIONS)
    await workspace.create('Region', { title, rate: 12, open: title === 'North' })
  for (const title of GROUPS)
    await workspace.create('Group', {
      title,
      discount: 5,
      region: title === 'Gold' ? 'North' : null,
    })
  for (const title of PARTIES)
    await workspace.create('Party', { title, ceiling: 40, group: title === 'Ann' ? 'Gold' : null })
  for (const code of ARTICLES)
    await workspace.create('Article', { code, weight: 3, stocked: code !== 'HELP', family: 'Dust' })
  for (const store of STORES)
    await workspace.create('Shelf', { article: 'BOLT', store, qty: 5, keeper: 'Bob' })
  for (const article of ARTICLES)
    await workspace.create('Tariff', { article, since: '2026-01-01', rate: 9 })
}

async function changeMaster({ workspace, random }: Going): Promise<void> {
  const group = random.one([...GROUPS, null])
  await random.one([
    () =>
      workspace.update('Region', random.one(REGIONS), {
        rate: random.below(60),
        open: random.chance(0.5),
      }),
    () =>
      workspace.update('Group', random.one(GROUPS), {
        discount: random.below(60),
        region: random.one([...REGIONS, null]),
      }),
    () =>
      workspace.update('Party', random.one(PARTIES), {
        group,
        ceiling: random.below(90),
        trusted: random.chance(0.5),
      }),
    () =>
      workspace.update('Article', random.one(ARTICLES), {
        weight: random.below(40),
        stocked: random.chance(0.5),
        family: group,
      }),
    () =>
      workspace.update('Shelf', `BOLT::${random.one(STORES)}`, {
        qty: random.below(12),
        keeper: random.one([...PARTIES, null]),
      }),
    () =>
      workspace.create('Tariff', {
        article: random.one(ARTICLES),
        since: dayOf(random.below(300)),
        rate: random.below(40),
      }),
  ])()
}

const dayOf = (number: number): string =>
  new Date(Date.UTC(2026, 0, 1 + number)).toISOString().slice(0, 10)

const rowOf = (random: Random): Row => ({
  item: random.one([...ARTICLES, null]),
  qty: random.below(12),
  store: random.one([...STORES, null]),
  ...(random.chance(0.2) ? { price: random.below(50) } : {}),
})

/** One thing done to both of a pair. */
async function changeTwins(going: Going, pair: Pair): Promise<void> {
  const { workspace, random, names } = going
  const known = names.get(pair)!
  const act = known.length === 0 ? 'create' : random.one(ACTS)
  const name = known.length === 0 ? '' : random.one(known)
  going.days += 1
  const body = {
    party: random.one([...PARTIES, null]),
    day: dayOf(going.days),
    extra: random.below(30),
    items: [rowOf(random), rowOf(random)].slice(random.below(2)),
  }
  const isKept = random.chance(0.6)
  const done: unknown[] = []
  for (const [at, doctype] of [pair.words, pair.flat].entries()) {
    const id = at === 0 ? name : name.replace(pair.series[0], pair.series[1])
    const { outcome, made } = await outcomeOf(() =>
      doOne(workspace, doctype, id, act, body, isKept),
    )
    if (at === 0 && made !== undefined && made !== name) known.push(made)
    const shown = made === undefined ? id : made
    done.push(
      asWords(pair, {
        outcome,
        ...(shown === '' ? {} : await besides(workspace, shown)),
      }),
    )
  }
  assert.equal(done[1], done[0], `${act} ${name} ${JSON.stringify(body)}`)
}

function doOne(
  workspace: Workspace,
  doctype: string,
  id: string,
  act: (typeof ACTS)[number],
  body: Row & { readonly items: readonly Row[] },
  isKept: boolean,
): Promise<{ readonly id: string; readonly record: Row }> {
  if (act === 'create') return workspace.create(doctype, body)
  if (act === 'act') return workspace.act(doctype, id, 'stamp')
  if (act !== 'update') return workspace[act](doctype, id)
  return workspace.get(doctype, id).then(({ record }) => {
    const rows = record.items as readonly Row[]
    const items = isKept
      ? rows.map(({ row_id }, at) => ({ row_id, ...body.items[at % body.items.length] }))
      : body.items
    return workspace.update(doctype, id, isKept ? { items } : { ...body, items })
  })
}

/** What a call comes to for its caller: the record, without what differs between any two, or the refusal. */
async function outcomeOf(
  call: () => Promise<{ readonly id: string; readonly record: Row }>,
): Promise<{ readonly outcome: unknown; readonly made?: string }> {
  try {
    const { id, record } = await call()
    const { created: _, modified: __, doctype: ___, items, ...rest } = record
    const rows = (items as readonly Row[]).map(({ row_id: _, ...row }) => row)
    return { outcome: { ...rest, items: rows }, made: id }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    // Problems come in the order of the fields, which is another where each column is written out.
    const details = (error.details ?? []).map((one) => JSON.stringify(one)).sort()
    const told = details.length > 1 ? [] : [error.message]
    return { outcome: [error.code, ...told, details] }
  }
}

/** What else there is of a document: the rows of the ledger, and what subscribers were told. */
async function besides(workspace: Workspace, id: string): Promise<object> {
  const { data } = await workspace.list('Move', {
    voucher_no: id,
    limit: '100',
    sort: 'created',
    order: 'asc',
  })
  const ledger = data.map(({ what, worth, posting_date }) => [posting_date, what, worth])
  return { ledger, events: await eventsOf(workspace, id) }
}

const asWords = ({ words, flat, series }: Pair, value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value).replaceAll(`${series[1]}-`, `${series[0]}-`).replaceAll(flat, words),
  )

/** The rollups of both agree, and all that is stored is what follows from it. */
async function assertKept(workspace: Workspace, pairs: readonly Pair[]): Promise<void> {
  for (const title of PARTIES) {
    const { record } = await workspace.get('Party', title)
    for (const {
      rollups: [words, flat],
    } of pairs)
      assert.is(record[words], record[flat], words)
  }
  const { checks } = await verifyWorkspace(workspace.engine.services)
  assert.equal(
    checks.filter(({ differences }) => differences > 0),
    [],
  )
}
