import { setPriority } from 'node:os'
import { Worker } from 'node:worker_threads'
import type BetterSqlite3 from 'better-sqlite3'
import { ExpressionError } from '../../expression/tree/problem.ts'
import type { Failed, FromReader, Page, ToReader } from '../deep/messages.ts'
import { CHECKPOINT } from './checkpoints.ts'
import { keptPlan } from './kept-plan.ts'
import { connectSqlite } from './sqlite-connection.ts'
import { unpackLibraryInto } from './sqlite-library.ts'

/** A page ends after so many cells, or so many characters of text: the serving thread reads one at a time. */
const PAGE_CELLS = 2_000
const PAGE_CHARACTERS = 32_768

/** Most bytes of the file that it maps: what it reads once it need not copy. */
const MAPPED = 256 * 1024 * 1024

/** Below the server, so that the machine answers others first. */
const NICENESS = 5

/**
 * Makes this process a reader of a server's SQLite file: it runs one statement at a time, and gives its rows page by
 * page as they are asked for (engine/storage/deep/messages.ts). It ends when the server does, however that ends.
 */
export function startReader(): void {
  if (!process.send) throw new Error('a reader is started by a server, and by nobody else')
  const answer = (message: FromReader): void => void process.send!(message)
  let connection: BetterSqlite3.Database | undefined
  let pages: Iterator<Page> | undefined

  function next(before: NodeJS.CpuUsage): void {
    const page = pages?.next()
    if (!page || page.done) return
    if (page.value.done) pages = undefined
    answer({ ...page.value, ms: workSince(before) })
  }

  function obey(message: ToReader): void {
    const before = process.cpuUsage()
    try {
      if (message.do === 'open') {
        unpackLibraryInto(message.libraryFolders)
        connection = connectSqlite(message.file, { spills: true, mapped: MAPPED })
        connection.pragma('query_only = on')
        answer({ is: 'ready' })
      } else if (message.do === 'forget') {
        pages?.return?.()
        pages = undefined
      } else {
        if (message.do === 'run') pages = pagesOf(connection!, message.text, message.parameters)
        next(before)
      }
    } catch (error) {
      pages = undefined
      answer(failure(error, workSince(before)))
    }
  }

  process.title = 'svc reader'
  // Who ends the server lets it finish its answers, for which it needs its readers.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined)
  process.on('message', obey)
  process.on('disconnect', () => process.exit(0))
  endWithServer()
  stepBack()
}

/** Work of this process since then, in ms: not what it waited for its turn on the processor. */
function workSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

function* pagesOf(
  connection: BetterSqlite3.Database,
  text: string,
  parameters: readonly unknown[],
): Generator<Page> {
  const statement = connection.prepare(keptPlan(text))
  if (text !== CHECKPOINT && !(statement.reader && statement.readonly))
    throw new Error('expected a statement that reads; writes go by write()')
  statement.safeIntegers(true).raw(true)
  let columns: readonly string[] | undefined = statement.columns().map(({ name }) => name)
  let rows: unknown[][] = []
  let cells = 0
  let characters = 0
  for (const row of statement.iterate(parameters) as IterableIterator<unknown[]>) {
    if (cells >= PAGE_CELLS || characters >= PAGE_CHARACTERS) {
      yield { is: 'page', columns, rows, done: false, ms: 0 }
      columns = undefined
      rows = []
      cells = 0
      characters = 0
    }
    rows.push(row)
    cells += row.length
    for (const value of row) if (typeof value === 'string') characters += value.length
  }
  yield { is: 'page', columns, rows, done: true, ms: 0 }
}

function failure(error: unknown, ms: number): Failed {
  const { message, code } = error as Error & { code?: unknown }
  return {
    is: 'failed',
    message,
    code: typeof code === 'string' ? code : undefined,
    isExpression: error instanceof ExpressionError,
    ms,
  }
}

/**
 * The end of a server that is killed closes the channel, which a process in the middle of a statement does not hear of:
 * so a thread beside it looks each second whose child it is.
 */
function endWithServer(): void {
  if (process.platform === 'win32') return
  const code = `
    const { workerData } = require('node:worker_threads')
    setInterval(() => { if (process.ppid !== workerData) process.kill(process.pid, 'SIGKILL') }, 1000)`
  new Worker(code, {
    eval: true,
    workerData: process.ppid,
    resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 2 },
    execArgv: [],
  }).unref()
}

function stepBack(): void {
  try {
    setPriority(NICENESS)
  } catch {
    // A system that does not let us: then it takes its share like anybody.
    return
  }
}
