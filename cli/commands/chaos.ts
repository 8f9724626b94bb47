import { statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { createInterface } from 'node:readline/promises'
import { type Command, InvalidArgumentError } from 'commander'
import type { Account } from '../chaos/account.ts'
import { type ChaosCopy, copyWorkspace } from '../chaos/copy.ts'
import { faultsNamed } from '../chaos/faults/all.ts'
import { FAULT_NAMES, type Fault } from '../chaos/faults/fault.ts'
import { printAccount } from '../chaos/print.ts'
import { runChaos } from '../chaos/run-chaos.ts'
import { Failure, UsageError } from '../failure.ts'
import { printJson, printTable } from '../terminal/output.ts'
import {
  addWorkspaceOptions,
  assertExists,
  locateWorkspace,
  type Workspace,
  type WorkspaceFlags,
} from '../workspace.ts'

interface ChaosFlags extends WorkspaceFlags {
  readonly faults?: readonly Fault[]
  readonly minutes: number
  readonly seed: number
  readonly keep?: boolean
  readonly yes?: boolean
  readonly dryRun?: boolean
  readonly json?: boolean
}

const MINUTES = 3
const MOST_MINUTES = 24 * 60
const MB = 1024 * 1024

/** `svc chaos`: hurts a copy of the workspace while clients write to it, and tells what was lost. */
export function register(program: Command): void {
  addWorkspaceOptions(program.command('chaos'))
    .description('hurt a copy of the workspace while it is written to, and tell what was lost')
    .option('--faults <names>', `only these, with commas: ${FAULT_NAMES.join(', ')}`, faultsOf)
    .option('--minutes <number>', 'time that all faults share', minutesOf, MINUTES)
    .option('--seed <number>', 'another number makes other choices', seedOf, 1)
    .option('--keep', 'leave the copy there, to look at it')
    .option('--yes', 'begin without asking')
    .option('--dry-run', 'say what would be done, and do nothing')
    .option('--json', 'print {verdict, faults, verify, …} as JSON')
    .action(run)
}

async function run(flags: ChaosFlags): Promise<void> {
  const { faults = faultsNamed(), minutes, seed, keep = false, json = false } = flags
  const workspace = locateWorkspace(flags)
  assertExists(workspace)
  if (flags.dryRun) {
    printPlan(workspace, faults, flags)
    return
  }
  await confirm(workspace, faults, flags)
  const tell = (line: string): void => console.error(`svc: ${line}`)
  tell('copying the workspace')
  const copy = await copyWorkspace(workspace)
  const undo = removeAtSignal(copy, keep)
  let account: Account
  try {
    const done = await runChaos({ copy, faults, seed, minutes, tell })
    const scratch = copy.scratch?.name ?? null
    account = { ...done, kept: keep ? { folder: copy.folder, scratch } : null }
  } finally {
    undo()
    if (!keep) await copy.remove()
  }
  if (json) printJson(account)
  else printAccount(account)
  if (account.verdict !== 'held') throw new Failure('see the account for what did not hold')
}

/** Somebody who presses Ctrl-C leaves no copy behind. Returns what ends that. */
function removeAtSignal(copy: ChaosCopy, keep: boolean): () => void {
  const stop = (): void => {
    const ended = keep ? Promise.resolve() : copy.remove()
    void ended.finally(() => process.exit(1))
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop)
  return () => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stop)
  }
}

/** Asks somebody at a terminal; a script has to say that it means it. Throws for a no. */
async function confirm(
  workspace: Workspace,
  faults: readonly Fault[],
  { yes = false, minutes }: ChaosFlags,
): Promise<void> {
  if (yes) return
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new UsageError('svc chaos asks before it begins: add --yes where nobody can answer')
  console.error(
    `This copies the workspace ${placeOf(workspace)} and hurts the copy for about ${minutes} min with ${faults.map(({ name }) => name).join(', ')}.`,
  )
  console.error('The workspace itself is only read. The machine will be busy.')
  const prompt = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await prompt.question('Begin? [y/N] ')
    if (!/^y(es)?$/i.test(answer.trim())) throw new Failure('nothing was done')
  } finally {
    prompt.close()
  }
}

function printPlan(
  workspace: Workspace,
  faults: readonly Fault[],
  { minutes, json = false }: ChaosFlags,
): void {
  const { kind } = workspace.database
  const plan = faults.map((fault) => ({
    fault: fault.name,
    what: fault.what,
    missing: fault.missing(kind) ?? null,
  }))
  const copy = kind === 'sqlite' ? tmpdir() : 'a database or schema svc_chaos_… on the same server'
  if (json) {
    printJson({ workspace: placeOf(workspace), copy, minutes, faults: plan })
    return
  }
  console.log(`would copy the workspace ${placeOf(workspace)} into ${copy}; it is only read itself`)
  console.log(`would hurt the copy for about ${minutes} min while clients write to it:\n`)
  printTable(
    ['FAULT', 'WHAT'],
    plan.map(({ fault, what, missing }) => [
      fault,
      missing === null ? what : `not done: ${missing}`,
    ]),
    'nothing',
  )
  console.log('\nwould end with `svc verify` of the copy, and remove it')
}

/** Place of a workspace without its password. */
function placeOf({ database, dataFolder }: Workspace): string {
  if (database.kind === 'sqlite') {
    const size = statSync(database.file).size / MB
    return `${dataFolder} (${size.toFixed(0)} MB)`
  }
  const { host, pathname } = new URL(database.url)
  return `${host}${pathname}`
}

function faultsOf(text: string): readonly Fault[] {
  const names = text.split(',').map((name) => name.trim())
  const wrong = names.filter((name) => !FAULT_NAMES.some((known) => known === name))
  if (wrong.length > 0)
    throw new InvalidArgumentError(
      `expected some of ${FAULT_NAMES.join(', ')}, got ${wrong.join(', ')}`,
    )
  return faultsNamed(names)
}

function minutesOf(text: string): number {
  const minutes = Number(text)
  if (minutes > 0 && minutes <= MOST_MINUTES) return minutes
  throw new InvalidArgumentError(`expected minutes above 0, at most ${MOST_MINUTES}`)
}

function seedOf(text: string): number {
  const seed = Number(text)
  if (/^\d+$/.test(text) && seed < 2 ** 31) return seed
  throw new InvalidArgumentError('expected a whole number from 0')
}
