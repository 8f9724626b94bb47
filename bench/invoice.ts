import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { openInvoices } from './hand-written/invoice.ts'
import { measurePostgres } from './invoice-postgres.ts'
import { type Contestant, printRounds, ratio, TOGETHER, writeInvoices } from './invoice-rounds.ts'
import { engineInvoices, furnish, openShipped } from './invoice-sides.ts'
import type { Options } from './options.ts'
import { assertSameBooks } from './same-books.ts'
import type { Durability } from './server-process.ts'
import type { Verdict } from './verdict.ts'
import { createWorkspace, inFolder } from './workspace.ts'

const LEAST_RATIO = 0.45
const WARM_UP = 400

/**
 * Create + submit of a sales invoice of five lines with tax: rows, ledger, the customer's totals, events. Our
 * engine beside the same work written by hand in SQL, in turns, both in this process, on copies of one
 * database; in the end both databases must hold the same.
 */
export function measureInvoice(options: Options): Promise<Verdict[]> {
  return inFolder(async (parent) => {
    const { databaseFile } = createWorkspace(parent)
    const engine = await openShipped({ kind: 'sqlite', file: databaseFile, durability: 'normal' })
    const customers = await furnish(engine)
    await engine.close()
    const copy = (name: string): string => {
      const file = join(parent, `${name}.db`)
      cpSync(databaseFile, file)
      return file
    }
    const verdicts: Verdict[] = []
    for (const durability of ['normal', 'full'] as const) {
      const files = [copy(`svc-${durability}`), copy(`hand-${durability}`)] as const
      verdicts.push(await compare(durability, files, customers, options))
    }
    await measurePostgres(options)
    return verdicts
  })
}

async function compare(
  durability: Durability,
  [ourFile, theirFile]: readonly [string, string],
  customers: readonly string[],
  { rounds, seconds }: Options,
): Promise<Verdict> {
  const engine = await openShipped({ kind: 'sqlite', file: ourFile, durability })
  const ours: Contestant = { name: 'svc', store: engineInvoices(engine), rounds: [] }
  const theirs: Contestant = {
    name: 'hand-written',
    store: openInvoices(theirFile, durability === 'full'),
    rounds: [],
  }
  for (const { store } of [ours, theirs]) await writeInvoices(store, customers, 0, WARM_UP)
  let from = WARM_UP
  // As many documents a round on both sides: their tables grow alike.
  const { perSecond } = await writeInvoices(theirs.store, customers, from, WARM_UP)
  await writeInvoices(ours.store, customers, from, WARM_UP)
  from += WARM_UP
  const count = TOGETHER * Math.ceil((perSecond * seconds) / TOGETHER)
  for (let round = 0; round < rounds; round += 1) {
    process.stderr.write(`invoices, ${durability}, round ${round + 1} of ${rounds} …\n`)
    for (const each of round % 2 === 0 ? [ours, theirs] : [theirs, ours])
      each.rounds.push(await writeInvoices(each.store, customers, from, count))
    from += count
  }
  for (const { store } of [ours, theirs]) await store.close()
  assertSameBooks(ourFile, theirFile)
  console.log(
    `\nSales invoices of 5 lines, created and submitted, ${durability.toUpperCase()}, ${TOGETHER} at once`,
  )
  printRounds([ours, theirs])
  const share = ratio(ours, theirs, 'perCpuSecond')
  return {
    part: 'invoice',
    what: `create + submit at ${durability.toUpperCase()}`,
    measured: share.toFixed(2),
    wanted: `at least ${LEAST_RATIO} of the hand-written documents per CPU second`,
    passed: share >= LEAST_RATIO,
  }
}
