import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SYSTEM_ACTOR } from '../engine/access/actor.ts'
import { listDocuments } from '../engine/documents/lists/list.ts'
import type { ListQuery } from '../engine/documents/lists/list-query.ts'
import { createDocument } from '../engine/documents/operations/create.ts'
import type { Context } from '../engine/documents/work/context.ts'
import { openEngine } from '../engine/index.ts'
import { listFingerprint } from '../engine/storage/records/cursor.ts'
import { hooks } from '../hooks/index.ts'
import { openFiller } from './fill.ts'
import type { Options } from './options.ts'
import { GROUP_OF_NEW, GROUPS, markedName, type SampleItem, sampleItem } from './sample-items.ts'
import { printTable, type Verdict } from './verdict.ts'
import { type BenchWorkspace, createWorkspace, inFolder } from './workspace.ts'

const SIZES = [10_000, 100_000, 1_000_000]
/** Items of a group, and with a word, of their own: as many at every size. */
const HITS = 200
const MARKER = 'zanzibar'
const MOST_GROWTH = 2
const MOST_SEARCH_MS = 20
const REPEATS = 300

const LIST: ListQuery = {
  filters: [],
  sort: 'modified',
  order: 'desc',
  limit: 20,
  titles: false,
}

/** One operation of the growth table; `n` differs from call to call. */
interface Operation {
  readonly name: string
  readonly run: (context: Context, rows: number, n: number) => Promise<unknown>
}

const rare = { field: 'item_group', operator: 'eq', values: [GROUP_OF_NEW] } as const

/** A condition on one of the usual groups that differs from call to call. */
function frequent(n: number) {
  const values = [GROUPS[0]!, `no group ${n}`]
  return { field: 'item_group', operator: 'in', values } as const
}

const OPERATIONS: readonly Operation[] = [
  { name: 'first page, total of all', run: (context) => list(context, { offset: 0 }) },
  {
    name: 'cursor page in the middle',
    run: (context, rows) => list(context, { cursor: middleCursor(context, rows) }),
  },
  {
    name: `filtered list, ${HITS} hits`,
    run: (context) => list(context, { filters: [rare], offset: 0 }),
  },
  {
    // Each asked for once, so that no total is remembered.
    name: `filtered list, 1 of ${GROUPS.length} rows`,
    run: (context, _rows, n) => list(context, { filters: [frequent(n)], offset: 0 }),
  },
  { name: `q, ${HITS} hits`, run: (context) => list(context, { q: MARKER, offset: 0 }) },
  {
    name: 'create',
    run: (context, rows, n) =>
      createDocument(context, items(context), {
        item_code: `NEW-${rows}-${n}`,
        item_name: `steel bolt ${n}`,
        item_group: GROUPS[Math.abs(n) % GROUPS.length],
        stock_uom: 'Nos',
        standard_rate: 8.13,
      }),
  },
]

/** CPU time of the operations on tables of 10 k, 100 k and 1 M rows, straight on the engine. */
export function measureGrowth({ rows }: Options): Promise<Verdict[]> {
  return inFolder(async (parent) => {
    const workspace = createWorkspace(parent)
    const filler = openFiller(workspace.databaseFile)
    const sizes = SIZES.filter((size) => size <= rows)
    const measured: number[][] = []
    for (const size of sizes) {
      process.stderr.write(`filling to ${size} rows …\n`)
      filler.fillTo(size, marked)
      filler.checkpoint()
      measured.push(await measureAt(workspace, size))
    }
    filler.close()
    return report(sizes, measured)
  })
}

function marked(n: number, item: SampleItem): SampleItem {
  const every = SIZES[0]! / HITS
  if (n >= SIZES[0]! || n % every !== 0) return item
  return { ...item, group: GROUP_OF_NEW, name: markedName(item, MARKER) }
}

async function measureAt(
  { folder, databaseFile }: BenchWorkspace,
  rows: number,
): Promise<number[]> {
  const engine = await openEngine({
    hooks,
    database: { kind: 'sqlite', file: databaseFile, durability: 'normal' },
    doctypes: [join(import.meta.dirname, '..', 'doctypes'), join(folder, 'doctypes')],
    secretKey: Buffer.from(readFileSync(join(folder, 'secret.key'), 'utf8'), 'base64'),
  })
  try {
    const context = engine.context(SYSTEM_ACTOR, 'business')
    const times: number[] = []
    for (const { run } of OPERATIONS) {
      for (let n = 0; n < REPEATS; n += 1) await run(context, rows, -1 - n)
      const began = process.cpuUsage()
      for (let n = 0; n < REPEATS; n += 1) await run(context, rows, n)
      const { user, system } = process.cpuUsage(began)
      times.push((user + system) / REPEATS)
    }
    return times
  } finally {
    await engine.close()
  }
}

function items({ services }: Context): NonNullable<ReturnType<typeof services.registry.bySlug>> {
  const definition = services.registry.bySlug('items')
  if (!definition) throw new Error('expected the resource items')
  return definition
}

async function list(context: Context, query: Partial<ListQuery>): Promise<void> {
  const { data } = await listDocuments(context, items(context), { ...LIST, ...query })
  if (data.length !== LIST.limit) throw new Error(`expected ${LIST.limit} rows, got ${data.length}`)
}

function middleCursor({ services }: Context, rows: number): string {
  const { sort, order } = LIST
  const middle = Math.floor(rows / 2)
  const position = { value: sampleItem(middle).modified, rid: middle + 1 }
  return services.cursors.write(listFingerprint(['items', sort, order, undefined, []]), position)
}

function report(sizes: readonly number[], measured: readonly (readonly number[])[]): Verdict[] {
  console.log('\nGrowth on SQLite, CPU µs per operation')
  printTable(
    ['', ...sizes.map((size) => `${size} rows`)],
    OPERATIONS.map(({ name }, at) => [name, ...measured.map((times) => times[at]!.toFixed(0))]),
  )
  const ratio = (at: number): number => measured.at(-1)![at]! / measured[0]![at]!
  const largest = sizes.at(-1)
  const grows = (at: number): Verdict => ({
    part: 'growth',
    what: `${OPERATIONS[at]!.name} at ${largest} rows`,
    measured: `${ratio(at).toFixed(2)}×`,
    wanted: `within ${MOST_GROWTH}× of ${sizes[0]} rows`,
    passed: ratio(at) <= MOST_GROWTH,
  })
  const searchMs = measured.at(-1)![3]! / 1000
  return [
    grows(1),
    grows(2),
    {
      part: 'growth',
      what: `${OPERATIONS[3]!.name} at ${largest} rows`,
      measured: `${searchMs.toFixed(2)} ms CPU`,
      wanted: `below ${MOST_SEARCH_MS} ms CPU`,
      passed: searchMs < MOST_SEARCH_MS,
    },
  ]
}
