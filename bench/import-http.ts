import { openAsBlob } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { importByCommand, type Run } from './import.ts'
import { median } from './load.ts'
import type { Options } from './options.ts'
import { writeCustomers } from './sample-customers.ts'
import { startSvc } from './server-process.ts'
import { printTable, type Verdict } from './verdict.ts'
import { createWorkspace, inFolder } from './workspace.ts'

const CUSTOMERS = 100_000
const HALF = CUSTOMERS / 2
/** Speed that is wanted, of the command's. */
const LEAST_RATIO = 0.8
/** Memory that grew with the file would be twice as much. */
const MOST_GROWTH = 1.15

/**
 * An import over HTTP, from its request to the end of its job, beside `svc import` of the same file, whose start is counted in:
 * both at FULL durability on copies of one workspace. Memory is compared with that of half of it.
 */
export function measureImportOverHttp({ rounds }: Options): Promise<Verdict[]> {
  return inFolder(async (parent) => {
    const { key, copy } = createWorkspace(parent)
    const [all, half] = [join(parent, 'customers.csv'), join(parent, 'half.csv')]
    writeCustomers(all, CUSTOMERS)
    writeCustomers(half, HALF)
    const ofHalf = await importOverHttp(half, copy('half'), key)
    const pairs: { readonly http: Run; readonly command: Run }[] = []
    for (let round = 0; round < rounds; round += 1) {
      process.stderr.write(`import over HTTP, round ${round + 1} of ${rounds} …\n`)
      const command = importByCommand(all, copy(`command-${round}`))
      pairs.push({ http: await importOverHttp(all, copy(`http-${round}`), key), command })
    }
    return report(pairs, ofHalf)
  })
}

async function importOverHttp(csv: string, dataFolder: string, key: string): Promise<Run> {
  const server = await startSvc(dataFolder, 'full')
  const headers = { Authorization: `Bearer ${key}` }
  const origin = `http://127.0.0.1:${server.port}/v1`
  await server.watch()
  const before = await server.usage()
  const began = performance.now()
  const form = new FormData()
  form.set('resource', 'customers')
  form.set('file', await openAsBlob(csv), 'customers.csv')
  const sent = await fetch(`${origin}/imports`, { method: 'POST', headers, body: form })
  if (sent.status !== 202) throw new Error(`the import was refused: ${await sent.text()}`)
  const { job } = (await sent.json()) as { job: { id: string } }
  for (;;) {
    const answer = await fetch(`${origin}/jobs/${job.id}`, { headers })
    const { job: now } = (await answer.json()) as { job: { state: string; result: object } }
    if (now.state === 'done') break
    if (now.state === 'failed') throw new Error(`the import failed: ${JSON.stringify(now.result)}`)
    await sleep(100)
  }
  const seconds = (performance.now() - began) / 1000
  const after = await server.usage()
  await server.stop()
  return {
    seconds,
    cpuSeconds: (after.cpuMicroseconds - before.cpuMicroseconds) / 1e6,
    mostRssBytes: after.mostBytes,
    mostPrivateBytes: after.mostOwnBytes,
  }
}

function report(
  pairs: readonly { readonly http: Run; readonly command: Run }[],
  ofHalf: Run,
): Verdict[] {
  const middle = (of: 'http' | 'command', what: keyof Run): number =>
    median(pairs.map((pair) => pair[of][what]))
  const share = (what: 'seconds' | 'cpuSeconds'): number =>
    median(pairs.map(({ http, command }) => command[what] / http[what]))
  console.log(`\n${CUSTOMERS} customers from CSV, medians of ${pairs.length} rounds`)
  printTable(
    ['', 'customers/s', 'CPU µs each', 'own memory MB'],
    (['http', 'command'] as const).map((of) => [
      of === 'http' ? 'over HTTP' : 'svc import',
      (CUSTOMERS / middle(of, 'seconds')).toFixed(0),
      ((middle(of, 'cpuSeconds') / CUSTOMERS) * 1e6).toFixed(0),
      (middle(of, 'mostPrivateBytes') / 1e6).toFixed(0),
    ]),
  )
  const growth = middle('http', 'mostPrivateBytes') / ofHalf.mostPrivateBytes
  const ratio = (what: string, measured: number): Verdict => ({
    part: 'import over HTTP',
    what,
    measured: measured.toFixed(2),
    wanted: `at least ${LEAST_RATIO} of the command's`,
    passed: measured >= LEAST_RATIO,
  })
  return [
    ratio('customers/s', share('seconds')),
    ratio('customers per CPU s', share('cpuSeconds')),
    {
      part: 'import over HTTP',
      what: `most memory of its own, ${CUSTOMERS} beside ${HALF}`,
      measured: growth.toFixed(2),
      wanted: `at most ${MOST_GROWTH} times as much for twice as many`,
      passed: growth <= MOST_GROWTH,
    },
  ]
}
