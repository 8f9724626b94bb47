import { chunks } from '../../engine/base/chunks.ts'
import type { Detail } from '../../engine/base/errors.ts'
import type { ColumnValue } from '../../engine/fields/field-type.ts'
import { MAX_BATCH } from '../../engine/storage/database/write-queue.ts'
import { isUnavailable } from '../http/unavailable.ts'
import { FileRefused } from './file-refused.ts'
import { BrokenSource, type Incoming } from './incoming.ts'
import type { ResolveLinks } from './links.ts'
import { type Existing, findExisting, keyOf, type UpsertKey } from './upsert.ts'
import {
  createRecords,
  furtherProblems,
  refusalOf,
  type Writing,
  type Written,
  writeRecord,
} from './write.ts'

/** Listener to a run while it goes on. */
export interface Listener {
  written(incoming: Incoming, written: Written): void
  refused(incoming: Incoming, details: readonly Detail[]): void
  /** Called after each batch, with its last record; what it throws ends the run. */
  batchDone(last: Incoming): void | Promise<void>
}

export interface RunOptions extends Writing {
  readonly records: AsyncIterable<Incoming>
  readonly resolveLinks: ResolveLinks
  readonly listener: Listener
  /** True when it is to stop; asked between batches. */
  readonly isStopped: () => boolean
  /** Records taken together; else as many as SQLite commits at once. */
  readonly atOnce?: number
}

/**
 * Takes the records in the order of the file, a batch in memory at a time: links are looked up and records
 * found for the whole batch, then each is written by an operation of its own. Resolves when all are in,
 * with what broke the file off, if something did. Throws what is neither the fault of a record nor of the file.
 */
export async function runImport(options: RunOptions): Promise<BrokenSource | undefined> {
  const { atOnce = MAX_BATCH } = options
  const records = options.records[Symbol.asyncIterator]()
  let waiting: Incoming[] = []
  let broken: BrokenSource | undefined
  let isDone = false
  let line = 1
  while (!options.isStopped()) {
    while (!isDone && waiting.length < atOnce) {
      try {
        const next = await records.next()
        if (next.done) isDone = true
        else waiting.push(next.value)
      } catch (error) {
        isDone = true
        // Whoever stops it closes the source.
        if (options.isStopped()) break
        broken = asBroken(error, waiting.at(-1)?.line ?? line)
      }
    }
    if (waiting.length === 0 || options.isStopped()) break
    const taken = await writeBatch(options, waiting)
    const last = waiting[taken - 1]!
    line = last.line
    await options.listener.batchDone(last)
    waiting = waiting.slice(taken)
  }
  return broken
}

/** The error as one that breaks the file off: records before it are in, and are to be told of. Throws any other. */
function asBroken(error: unknown, line: number): BrokenSource {
  if (error instanceof BrokenSource) return error
  if (error instanceof FileRefused) return new BrokenSource(line, error.message)
  throw error
}

type Outcome = { readonly written: Written } | { readonly refused: readonly Detail[] }

/** Writes the records that can be written together and returns how many these are. */
async function writeBatch(options: RunOptions, waiting: readonly Incoming[]): Promise<number> {
  const { key, definition, listener } = options
  const { services } = options.context
  const links = await options.resolveLinks(waiting)
  const keys = key ? waiting.slice(0, links.length).map((incoming) => keyOf(key, incoming)) : []
  const taken = key ? untilRepeated(keys) : links.length
  const wanted = keys.slice(0, taken).filter((one) => one !== null)
  const existing = key ? await findExisting(services, definition, key, wanted) : new Map()
  const tasks = waiting.slice(0, taken).map((incoming, at): Task => {
    const known = [...incoming.problems, ...links[at]!, ...keyProblem(key, keys[at])]
    const found = key && keys[at] !== null ? existing.get(String(keys[at])) : undefined
    return { incoming, known, found: found ?? [] }
  })
  // Also when one failed the others are ended and told of: nothing is in flight any more.
  const ended =
    services.database.kind === 'sqlite'
      ? await Promise.allSettled(tasks.map((task) => outcomeOf(options, task)))
      : await oneAfterOther(options, tasks)
  for (const [at, result] of ended.entries()) {
    if (result.status === 'rejected') continue
    const incoming = waiting[at]!
    if ('written' in result.value) listener.written(incoming, result.value.written)
    else listener.refused(incoming, result.value.refused)
  }
  const failed = ended.find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
  return taken
}

/** A record to be written, with what is wrong with it already, and the records it may be. */
interface Task {
  readonly incoming: Incoming
  readonly known: readonly Detail[]
  readonly found: readonly Existing[]
}

/** New records that share a transaction of PostgreSQL. */
const TOGETHER = 32

/**
 * SQLite's queue commits what is in flight together, in its order. Transactions of PostgreSQL run beside each
 * other, and series would not follow the file: so records go one after the other there, new ones some in one
 * transaction, and each by itself where one of these is refused.
 */
async function oneAfterOther(
  options: RunOptions,
  tasks: readonly Task[],
): Promise<readonly PromiseSettledResult<Outcome>[]> {
  const ended: PromiseSettledResult<Outcome>[] = []
  for (const some of chunks(tasks, TOGETHER)) {
    const areNew = some.every(({ known, found }) => known.length === 0 && found.length === 0)
    const together = areNew ? await createdTogether(options, some) : undefined
    if (together) ended.push(...together)
    else
      for (const task of some) ended.push(...(await Promise.allSettled([outcomeOf(options, task)])))
  }
  return ended
}

/**
 * undefined when none was created, since one cannot be. Where the database went away nobody knows whether they
 * were, and another attempt could make each a second time.
 */
async function createdTogether(
  options: RunOptions,
  tasks: readonly Task[],
): Promise<readonly PromiseSettledResult<Outcome>[] | undefined> {
  try {
    const records = tasks.map(({ incoming }) => incoming)
    const all = await createRecords(options, records)
    return all.map((written) => ({ status: 'fulfilled', value: { written } }))
  } catch (reason) {
    if (isUnavailable(reason)) return tasks.map(() => ({ status: 'rejected', reason }))
    // Each by itself says what it is.
    return undefined
  }
}

async function outcomeOf(options: RunOptions, { incoming, known, found }: Task): Promise<Outcome> {
  if (known.length > 0)
    return { refused: [...known, ...furtherProblems(options, incoming, known, found[0])] }
  try {
    return { written: await writeRecord(options, incoming, found) }
  } catch (error) {
    return { refused: refusalOf(error) }
  }
}

/** Number of keys before one that has been there already: a record is written once at a time. */
function untilRepeated(keys: readonly ColumnValue[]): number {
  const seen = new Set<string>()
  for (const [at, key] of keys.entries()) {
    if (key !== null && seen.has(String(key))) return at
    seen.add(String(key))
  }
  return keys.length
}

/** Problem of a record without the key that finds it; where that is the name, one without it is a new record. */
function keyProblem(key: UpsertKey | undefined, value: ColumnValue | undefined): readonly Detail[] {
  if (!key?.field || value !== null) return []
  return [{ field: key.field.name, message: 'is needed to find the record', code: 'required' }]
}
