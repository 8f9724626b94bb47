import { setTimeout as sleep } from 'node:timers/promises'
import { diceOf } from '../../engine/base/dice.ts'
import {
  type Account,
  type FaultAccount,
  type VerifyAccount,
  verdictOf,
  verdictOfAll,
} from './account.ts'
import type { ChaosCopy } from './copy.ts'
import type { Deed, Fault } from './faults/fault.ts'
import { runCommand } from './processes.ts'
import { openScene, type Scene } from './scene.ts'
import { noneSeen, seenSince } from './seen.ts'
import { tally } from './tally.ts'

export interface ChaosOptions {
  readonly copy: ChaosCopy
  readonly faults: readonly Fault[]
  readonly seed: number
  /** Time that all faults share, in minutes. */
  readonly minutes: number
  /** Is told what is going on. */
  readonly tell: (line: string) => void
}

/** Time in ms that clients write in quiet before and after a fault. */
const QUIET_MS = 500
const MOST_SENTENCES = 10

/**
 * Hurts a copy with one fault after another while clients write to it, looks for all they were told after each, and ends
 * with `svc verify`. Throws where the copy cannot be served or verified at all.
 */
export async function runChaos(options: ChaosOptions): Promise<Omit<Account, 'kept'>> {
  const { copy, faults, seed, tell } = options
  tell('verifying the copy')
  const before = await verify(copy, copy.workspace.dataFolder)
  tell('finding out what may be written')
  const scene = await openScene(copy, seed)
  try {
    tell(`writing ${scene.recipes.map(({ slug }) => slug).join(', ')}`)
    const accounts: FaultAccount[] = []
    for (const fault of faults) {
      tell(`${fault.name}: ${fault.what}`)
      const account = await hurt(scene, fault, options)
      tell(`${fault.name}: ${account.verdict}`)
      accounts.push(account)
    }
    await scene.stopServers()
    tell('verifying the copy again')
    const verified = compare(before, await verify(copy, scene.place()))
    return {
      seed,
      kind: copy.workspace.database.kind,
      resources: scene.recipes.map(({ slug }) => slug),
      faults: accounts,
      verify: verified,
      verdict: verdictOfAll(accounts, verified),
    }
  } finally {
    await scene.end()
  }
}

async function hurt(scene: Scene, fault: Fault, options: ChaosOptions): Promise<FaultAccount> {
  const { copy, seed, minutes, faults } = options
  const why = fault.missing(copy.workspace.database.kind, copy.scratch)
  if (why !== undefined) return notDone(fault, why)
  const { load, send } = scene
  const [seen, problems] = [load.seen(), load.problems().length]
  load.start()
  await sleep(QUIET_MS)
  const share = {
    dice: diceOf(`${seed}/${fault.name}`),
    until: performance.now() + (minutes * 60_000) / faults.length,
  }
  const deed = await attempt(() => fault.make(scene, share))
  await sleep(QUIET_MS)
  await load.stop()
  const open = await load.settle()
  const saw = seenSince(load.seen(), seen)
  const { known, found, lost, twice } = await tally(load, send)
  const sentences = [
    ...deed.problems,
    ...load.problems().slice(problems),
    ...lost,
    ...twice,
    ...(saw.acknowledged === 0 ? ['no change was answered, so nothing is shown'] : []),
    ...(open > 0 ? [`the outcome of ${open} requests could not be learnt any more`] : []),
  ]
  const counts = { known, found, lost: lost.length, twice: twice.length }
  return {
    fault: fault.name,
    verdict: verdictOf({ ...counts, problems: sentences }, saw),
    did: deed.did,
    saw,
    ...counts,
    recovered_ms: deed.recoveredMs,
    problems: sentences.slice(0, MOST_SENTENCES),
  }
}

/** A fault that breaks off is a failure of its own; the copy is served again for the next one. */
async function attempt(make: () => Promise<Deed>): Promise<Deed> {
  try {
    return await make()
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { did: 'broke off', recoveredMs: null, problems: [message] }
  }
}

function notDone({ name }: Fault, why: string): FaultAccount {
  return {
    fault: name,
    verdict: 'not done',
    did: why,
    saw: noneSeen(),
    known: 0,
    found: 0,
    lost: 0,
    twice: 0,
    recovered_ms: null,
    problems: [],
  }
}

/** Differences by check. Throws Error where `svc verify` has nothing to say. */
async function verify(
  { env }: ChaosCopy,
  dataFolder: string,
): Promise<ReadonlyMap<string, number>> {
  const { stdout, stderr } = await runCommand({ env, dataFolder }, ['verify', '--json'])
  let report: { readonly checks: readonly { name: string; differences: number }[] }
  try {
    report = JSON.parse(stdout)
  } catch (cause) {
    throw new Error(`the copy cannot be verified: ${stderr.trim()}`, { cause })
  }
  return new Map(report.checks.map(({ name, differences }) => [name, differences]))
}

function compare(
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
): VerifyAccount {
  const sum = (counts: ReadonlyMap<string, number>): number =>
    [...counts.values()].reduce((total, count) => total + count, 0)
  const worse = [...after].filter(([name, count]) => count > (before.get(name) ?? 0))
  return {
    before: sum(before),
    after: sum(after),
    worse: worse.map(
      ([name, count]) => `${name}: ${count} differences, ${before.get(name) ?? 0} before`,
    ),
  }
}
