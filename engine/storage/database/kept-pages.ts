import type BetterSqlite3 from 'better-sqlite3'

/** Most bytes of the file that one which reads maps. */
const MAPPED = 256 * 1024 * 1024

/** Commits after which it is worth it. */
const COMMITS = 100

/** Pages of the file that connections keep in memory. */
export interface KeptPages {
  /** Counts a commit. */
  committed(): void
  /** Gives all of them back. */
  rest(): void
}

/**
 * Pages of one that reads beside a writer. Each commit of the writer makes it forget the pages it has; mapped ones are there
 * again without a copy, which makes a list an eighth faster while somebody writes. But they count as memory of the process, some
 * 12 MB for a handful of reads, so they are mapped where there are commits, and not in a server that has nothing to do.
 */
export function keptPages(
  reader: BetterSqlite3.Database,
  writer: BetterSqlite3.Database,
  mostMapped = MAPPED,
): KeptPages {
  let commits = 0
  let isMapped = false
  return {
    committed() {
      commits += 1
      if (isMapped || commits < COMMITS) return
      isMapped = unlessBusy(() => reader.pragma(`mmap_size = ${mostMapped}`))
    },
    rest() {
      if (isMapped) isMapped = !unlessBusy(() => reader.pragma('mmap_size = 0'))
      commits = 0
      for (const one of [reader, writer]) unlessBusy(() => one.pragma('shrink_memory'))
    },
  }
}

/** Whether it was done: nothing can be told to a connection from which somebody reads row by row just now. */
function unlessBusy(work: () => void): boolean {
  try {
    work()
    return true
  } catch (error) {
    if (error instanceof TypeError && error.message.includes('busy')) return false
    throw error
  }
}
