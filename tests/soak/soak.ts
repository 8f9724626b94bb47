import { dispatcherRun } from '../faults/dispatcher-run.ts'
import { interruptedStarts } from '../faults/interrupted-start.ts'
import { killRounds } from '../faults/kill-rounds.ts'
import type { FaultRun } from '../faults/scene.ts'
import { stopRounds } from '../faults/stop-rounds.ts'
import type { SoakOptions } from './options.ts'
import { runTestFiles } from './test-files.ts'

interface Plan {
  readonly name: string
  readonly run: (run: FaultRun) => Promise<void>
  /** Whether several processes serve, which SQLite refuses. */
  readonly isShared?: boolean
}

const PLANS: readonly Plan[] = [
  { name: 'kill -9', run: killRounds },
  { name: 'SIGTERM under load', run: stopRounds },
  { name: 'SIGTERM while it starts', run: interruptedStarts },
  { name: 'two processes that dispatch', run: dispatcherRun, isShared: true },
]

/** Plans whose rounds are test files, run again with another seed each time. */
const FILES: readonly { readonly title: string; readonly files: readonly string[] }[] = [
  {
    title: 'receivers that misbehave',
    files: ['webhooks/receivers', 'webhooks/hostile-targets'],
  },
  { title: 'clocks that leap', files: ['webhooks/clock', 'webhooks/fan-out', 'webhooks/prune'] },
]

/** A round that takes longer hangs: nothing in it waits longer than some seconds. */
const ROUND_LIMIT_MS = 60_000

/** Runs each plan on both databases, once, or again and again until the time is over; says how each went. */
export async function soak(
  { minutes, rounds, only }: SoakOptions,
  seed: number,
): Promise<{ readonly passed: number; readonly failed: number }> {
  const end = performance.now() + minutes * 60_000
  const faults = PLANS.flatMap(({ name, run, isShared }) =>
    (isShared ? (['postgres'] as const) : (['sqlite', 'postgres'] as const)).map((kind) => ({
      title: `${name} on ${kind}`,
      run: (own: number) =>
        run({ kind, seed: own, rounds, tell: (line) => console.log(`      ${line}`) }),
    })),
  )
  const files = FILES.map(({ title, files: names }) => ({
    title,
    run: (own: number) => runTestFiles(names, own),
  }))
  const chosen = [...faults, ...files].filter(({ title }) => title.includes(only))
  let passed = 0
  let failed = 0
  let turn = 0
  do {
    for (const { title, run } of chosen) {
      const started = performance.now()
      const own = (seed + turn) % 2 ** 31
      console.log(`run   ${title}  SVC_TEST_SEED=${own}`)
      try {
        await inTime(run(own), (rounds + 5) * ROUND_LIMIT_MS)
        passed += 1
        console.log(`ok    ${title}  ${seconds(started)} s`)
      } catch (error) {
        failed += 1
        console.log(`FAIL  ${title}  SVC_TEST_SEED=${own}  ${seconds(started)} s`)
        console.log(error)
      }
      if (turn > 0 && performance.now() >= end) break
    }
    turn += 1
  } while (chosen.length > 0 && performance.now() < end)
  return { passed, failed }
}

/** A run that waits for what never comes fails; what it has started ends with us. */
async function inTime(run: Promise<void>, limitMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done after ${limitMs / 1000} s`)), limitMs)
  })
  try {
    await Promise.race([run, limit])
  } finally {
    clearTimeout(timer)
  }
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(1)
}
