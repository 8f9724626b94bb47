import { createInterface } from 'node:readline/promises'
import type { Command } from 'commander'
import { lastProof, proofSentence, proveBooks } from '../../engine/documents/verify/proof.ts'
import { verifyWorkspace } from '../../engine/documents/verify/verify.ts'
import type { Check, Difference, Report } from '../../engine/documents/verify/verify-report.ts'
import type { Engine } from '../../engine/index.ts'
import { trimMemory } from '../../server/observe/trim-memory.ts'
import { Failure } from '../failure.ts'
import { counted, printJson, printTable } from '../terminal/output.ts'
import { onlyOf, sinceOf } from '../verify/options.ts'
import { verifyProgress } from '../verify/progress.ts'
import { addWorkspaceOptions, collect, type WorkspaceFlags, withFrugal } from '../workspace.ts'

interface VerifyFlags extends WorkspaceFlags {
  readonly repair?: boolean
  readonly yes?: boolean
  readonly all?: boolean
  readonly json?: boolean
  readonly since?: string
  readonly only?: readonly string[]
}

/** Memory from which on what nothing needs any more is given back, in bytes: V8 would let it grow to a gigabyte. */
const MUCH_MEMORY = 288 * 1024 * 1024
/** Least documents between two times. */
const TRIM_EVERY = 2_000

/** `svc verify`: recomputes balances, rollups and invariants, and names every difference (contract §2). */
export function register(program: Command): void {
  addWorkspaceOptions(program.command('verify'))
    .description('recompute balances, rollups and invariants and name every difference')
    .option('--repair', 'rebuild rollups, and the formulas and statuses that follow from them')
    .option('--yes', 'repair without asking')
    .option('--all', 'list every check, not only those that found something')
    .option(
      '--since <point>',
      'only what was written since: last (the last result), a date, or a place of the event log',
    )
    .option(
      '--only <what>',
      'only checks of this DocType, or this kind (rollup, ledger, invariant, computed, validation); may be repeated',
      collect,
    )
    .option('--json', 'print {checks, stale, warnings, earlier, repaired, documents, from} as JSON')
    .action(run)
}

async function run(flags: VerifyFlags): Promise<void> {
  const { repair = false, json = false } = flags
  const since = sinceOf(flags)
  if (repair) await confirm(flags)
  const { report, proof } = await withFrugal(flags, (engine) => verified(engine, flags, since))
  if (json) printJson(report)
  else {
    printReport(report, flags.all === true)
    if (proof !== undefined) console.log(proof)
  }
  const differences = total(report.checks)
  if (differences > 0)
    throw new Failure(`${counted(differences, 'difference')}, see ${json ? 'the JSON' : 'above'}`)
}

/** Verifies; what looked at everything, or went on from what did, is kept, and said in a sentence. */
async function verified(
  { services }: Engine,
  flags: VerifyFlags,
  since: ReturnType<typeof sinceOf>,
): Promise<{ readonly report: Report; readonly proof?: string }> {
  const waiting = services.unfilled.now.columns.size
  if (waiting > 0)
    console.error(
      `svc: ${counted(waiting, 'column')} still wait for their values, which a server or \`svc migrate\` gives them; what differs in them is told too`,
    )
  const only = onlyOf(services.registry, flags.only)
  const options = { repair: flags.repair === true, ...progressOf(flags) }
  if (only || (since !== undefined && since !== 'last'))
    return { report: await verifyWorkspace(services, { ...options, only, since: pointOf(since) }) }
  const report = await proveBooks(services, { ...options, goesOn: since === 'last' })
  const proof = await lastProof(services.database.read)
  return proof ? { report, proof: proofSentence(proof) } : { report }
}

function pointOf(since: ReturnType<typeof sinceOf>): bigint | string | undefined {
  return since === 'last' ? undefined : since
}

function progressOf({ json = false }: VerifyFlags) {
  const progress = verifyProgress({ isTerminal: process.stderr.isTTY && !json })
  let untrimmed = 0
  return {
    onProgress: progress.step,
    async onDocuments(count: number): Promise<void> {
      progress.documents(count)
      untrimmed += count
      if (untrimmed < TRIM_EVERY || process.memoryUsage.rss() < MUCH_MEMORY) return
      untrimmed = 0
      await trimMemory()
    },
  }
}

/** Asks somebody at a terminal first; a script has decided. Throws Failure for a no. */
async function confirm({ yes = false }: VerifyFlags): Promise<void> {
  if (yes || !process.stdin.isTTY || !process.stderr.isTTY) return
  const prompt = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await prompt.question('Rebuild what differs in this workspace? [y/N] ')
    if (!/^y(es)?$/i.test(answer.trim())) throw new Failure('nothing was changed')
  } finally {
    prompt.close()
  }
}

function printReport({ checks, stale, warnings, earlier, repaired }: Report, all: boolean): void {
  if (repaired) {
    const { rollups, records, made } = repaired
    console.log(
      `repaired ${counted(rollups, 'rollup value')} and ${counted(records, 'record')}, made ${counted(made, 'record')}`,
    )
  }
  const kinds = [
    { checks, kind: (check: Check) => check.kind, noun: 'difference' },
    { checks: stale, kind: () => 'stale', noun: 'value' },
    { checks: warnings, kind: () => 'warning', noun: 'document' },
    { checks: earlier, kind: () => 'earlier', noun: 'value' },
  ]
  const rows = kinds.flatMap(({ checks, kind, noun }) =>
    checks
      .filter(({ differences }) => all || differences > 0)
      .map((check) => [kind(check), check.name, result(check, noun)]),
  )
  if (rows.length > 0) printTable(['CHECK', 'OF', 'RESULT'], rows, '')
  printFound('differences', checks)
  printFound('not yet brought to today', stale)
  printFound('submitted before this was asked of them', warnings)
  printFound('made under an earlier definition', earlier)
  console.log(summary(checks))
}

/** `307 checks, all ok`; what is stale or warned of is no mistake. */
function summary(checks: readonly Check[]): string {
  if (checks.length === 0) return 'there is nothing to check'
  const wrong = checks.filter(({ differences }) => differences > 0).length
  return `${counted(checks.length, 'check')}, ${wrong === 0 ? 'all ok' : `${wrong} not ok`}`
}

function result({ differences }: Check, what: string): string {
  return differences === 0 ? 'ok' : counted(differences, what)
}

function printFound(title: string, checks: readonly Check[]): void {
  const failing = checks.filter(({ differences }) => differences > 0)
  if (failing.length === 0) return
  console.log(`\n${title}:`)
  for (const { name, differences, found } of failing) {
    for (const one of found) console.log(`  ${sentence(one, name)}`)
    // A record may have several differences, so there can be more lines than were counted.
    if (differences > found.length) console.log(`  ${name}: ${differences - found.length} more`)
  }
}

function sentence(one: Difference, check: string): string {
  const { doctype, id, field, stored, expected, message } = one
  const what = [doctype, id, field].filter((part) => part !== '').join(' ')
  const about = what === '' || field === '' ? `${check}${id === '' ? '' : ` for ${id}`}` : what
  if (expected === undefined) return `${about}: ${message}`
  const values = `${about}: is ${text(stored)}, expected ${text(expected)}`
  return message === undefined ? values : `${values} (${message})`
}

function text(value: unknown): string {
  return value === null ? 'unset' : JSON.stringify(value)
}

function total(checks: readonly Check[]): number {
  return checks.reduce((sum, { differences }) => sum + differences, 0)
}
