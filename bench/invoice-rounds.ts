import type { InvoiceStore } from './hand-written/invoice.ts'
import { invoiceBody } from './invoice-sides.ts'
import { median } from './load.ts'
import { printTable } from './verdict.ts'

/** Documents under way at once: what comes in meanwhile shares a commit, on both sides. */
export const TOGETHER = 8

/** A side of the comparison and what it did in each round. */
export interface Contestant {
  readonly name: string
  readonly store: InvoiceStore
  readonly rounds: Round[]
}

/** Documents per second of time, and per second of this process's processor time. */
interface Round {
  readonly perSecond: number
  readonly perCpuSecond: number
}

/** Creates and submits invoices `from` to `from + count`, some at once. */
export async function writeInvoices(
  { create, submit }: InvoiceStore,
  customers: readonly string[],
  from: number,
  count: number,
): Promise<Round> {
  let next = from
  const worker = async (): Promise<void> => {
    while (next < from + count) {
      const body = invoiceBody(next, customers)
      next += 1
      await submit(await create(body))
    }
  }
  const [began, before] = [performance.now(), process.cpuUsage()]
  await Promise.all(Array.from({ length: TOGETHER }, worker))
  const { user, system } = process.cpuUsage(before)
  const seconds = (performance.now() - began) / 1000
  return { perSecond: count / seconds, perCpuSecond: (count / (user + system)) * 1e6 }
}

/** Prints medians over the rounds. */
export function printRounds(contestants: readonly Contestant[]): void {
  const middle = ({ rounds }: Contestant, key: keyof Round): string =>
    median(rounds.map((round) => round[key])).toFixed(0)
  const [first, second] = contestants as [Contestant, Contestant]
  printTable(
    ['', 'documents/s', 'ratio', 'documents per CPU s', 'ratio'],
    contestants.map((each) => [
      each.name,
      middle(each, 'perSecond'),
      each === first ? ratio(first, second, 'perSecond').toFixed(2) : '',
      middle(each, 'perCpuSecond'),
      each === first ? ratio(first, second, 'perCpuSecond').toFixed(2) : '',
    ]),
  )
}

/** Median over the rounds of one side's figure as a share of the other's. */
export function ratio(one: Contestant, other: Contestant, key: keyof Round): number {
  return median(one.rounds.map((round, index) => round[key] / other.rounds[index]![key]))
}
