import type { Detail } from '../../engine/base/errors.ts'
import { BrokenSource, type Incoming } from './incoming.ts'
import type { ResolvedLinks, ResolveLinks } from './links.ts'
import { findExisting, keyOf } from './upsert.ts'
import { furtherProblems, refusalOf, type Writing, type Written, writeRecord } from './write.ts'

/** Records taken together: as many as SQLite's write queue commits at once. */
export const AT_ONCE = 256

/** What the run tells while it goes on. */
export interface Listener {
  written(incoming: Incoming, written: Written): void
  refused(incoming: Incoming, details: readonly Detail[]): void
  /** After each batch, with the line of its last record. */
  batchDone(line: number): void
}

export interface RunOptions extends Writing {
  readonly records: AsyncIterable<Incoming>
  readonly resolveLinks: ResolveLinks
  readonly listener: Listener
  /** Asked between batches. */
  readonly isStopped: () => boolean
}

/**
 * Takes the records in the order of the file, a batch in memory at a time: links are looked up and records
 * found for the whole batch, then each is written by an operation of its own. Resolves when all are in,
 * with what broke the file off, if something did. Throws what is neither the fault of a record nor of the file.
 */
export async function runImport(options: RunOptions): Promise<BrokenSource | undefined> {
  const records = options.records[Symbol.asyncIterator]()
  let waiting: Incoming[] = []
  let broken: BrokenSource | undefined
  let isDone = false
  while (!options.isStopped()) {
    while (!isDone && waiting.length < AT_ONCE) {
      try {
        const next = await records.next()
        if (next.done) isDone = true
        else waiting.push(next.value)
      } catch (error) {
        if (!(error instanceof BrokenSource)) throw error
        broken = error
        isDone = true
      }
    }
    if (waiting.length === 0) break
    const taken = await writeBatch(options, waiting)
    options.listener.batchDone(waiting[taken - 1]!.line)
    waiting = waiting.slice(taken)
  }
  return broken
}

/** Writes the records that can be written together and returns how many these are. */
async function writeBatch(options: RunOptions, waiting: readonly Incoming[]): Promise<number> {
  const links = await options.resolveLinks(waiting)
  const keys = waiting.map((incoming) => {
    const key = options.key && keyOf(options.key, incoming)
    return key === null || key === undefined ? undefined : key
  })
  const taken = ready(
    links,
    keys.map((key) => (key === undefined ? undefined : String(key))),
  )
  const { services } = options.context
  const existing = options.key
    ? await findExisting(services, options.definition, options.key, [
        ...new Set(keys.slice(0, taken).filter((key) => key !== undefined)),
      ])
    : new Map()
  const isOneByOne = services.database.kind === 'postgres'
  const jobs: Promise<void>[] = []
  for (let at = 0; at < taken; at += 1) {
    const incoming = waiting[at]!
    const found = keys[at] === undefined ? [] : (existing.get(String(keys[at])) ?? [])
    const known = [...incoming.problems, ...links[at]!.problems, ...keyProblem(options, keys[at])]
    if (known.length > 0) {
      const further = furtherProblems(options, incoming, known, found[0])
      options.listener.refused(incoming, [...known, ...further])
      continue
    }
    const job = writeRecord(options, incoming, found).then(
      (written) => options.listener.written(incoming, written),
      (error: unknown) => options.listener.refused(incoming, refusalOf(error)),
    )
    // Transactions of PostgreSQL run beside each other: series would not follow the order of the file.
    if (isOneByOne) await job
    jobs.push(job)
  }
  const failed = (await Promise.allSettled(jobs)).find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
  return taken
}

/** How many of the first records neither wait for one before them nor are the same record as one before. */
function ready(links: readonly ResolvedLinks[], keys: readonly (string | undefined)[]): number {
  const seen = new Set<string>()
  for (const [at, key] of keys.entries()) {
    const isSame = key !== undefined && seen.has(key)
    if (at > 0 && (isSame || links[at]!.mayFollow)) return at
    if (key !== undefined) seen.add(key)
  }
  return keys.length
}

function keyProblem({ key }: RunOptions, value: unknown): readonly Detail[] {
  if (!key?.field || value !== undefined) return []
  return [{ field: key.field.name, message: 'is needed to find the record' }]
}
