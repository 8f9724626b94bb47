import { openFiller } from './fill.ts'
import { median } from './load.ts'
import { measureRest } from './rest.ts'
import { startSvc } from './server-process.ts'
import { printTable, type Verdict } from './verdict.ts'
import { SEEDED_ROWS } from './workloads.ts'
import { createWorkspace, inFolder } from './workspace.ts'

const STARTS = 7
const MOST_CPU_MS = 500
const MOST_MEMORY_MB = 150

interface Start {
  readonly cpuMs: number
  readonly wallMs: number
  readonly memoryMb: number
}

/** From `svc serve` on an existing database to its first answer, then its memory at rest and under lists. The first start is not counted: it compiles. */
export function measureStart(): Promise<Verdict[]> {
  return inFolder(async (parent) => {
    const { folder, databaseFile, key } = createWorkspace(parent)
    const filler = openFiller(databaseFile)
    filler.fillTo(SEEDED_ROWS)
    filler.close()
    await startOnce(folder, key)
    const starts: Start[] = []
    for (let n = 0; n < STARTS; n += 1) starts.push(await startOnce(folder, key))
    return [...report(starts), ...(await measureRest(folder, key))]
  })
}

async function startOnce(folder: string, key: string): Promise<Start> {
  const began = performance.now()
  const server = await startSvc(folder, 'full')
  const response = await fetch(`http://127.0.0.1:${server.port}/v1/items?limit=1`, {
    headers: { authorization: `Bearer ${key}` },
  })
  if (response.status !== 200) throw new Error(`expected 200, got ${await response.text()}`)
  await response.text()
  const wallMs = performance.now() - began
  const { cpuMicroseconds, rssBytes } = await server.usage()
  await server.stop()
  return { cpuMs: cpuMicroseconds / 1000, wallMs, memoryMb: rssBytes / 1e6 }
}

function report(starts: readonly Start[]): Verdict[] {
  const middle = (key: keyof Start): number => median(starts.map((start) => start[key]))
  const range = (key: keyof Start): string => {
    const values = starts.map((start) => start[key])
    return `${Math.min(...values).toFixed(0)} to ${Math.max(...values).toFixed(0)}`
  }
  console.log(`\nStart on an existing database to the first answer, ${STARTS} starts`)
  printTable(
    ['', 'median', 'range'],
    [
      ['CPU ms', middle('cpuMs').toFixed(0), range('cpuMs')],
      ['wall ms', middle('wallMs').toFixed(0), range('wallMs')],
      ['memory MB', middle('memoryMb').toFixed(0), range('memoryMb')],
    ],
  )
  return [
    {
      part: 'start',
      what: 'to first answer',
      measured: `${middle('cpuMs').toFixed(0)} ms CPU`,
      wanted: `below ${MOST_CPU_MS} ms CPU`,
      passed: middle('cpuMs') < MOST_CPU_MS,
    },
    {
      part: 'start',
      what: 'memory after it',
      measured: `${middle('memoryMb').toFixed(0)} MB`,
      wanted: `below ${MOST_MEMORY_MB} MB`,
      passed: middle('memoryMb') < MOST_MEMORY_MB,
    },
  ]
}
