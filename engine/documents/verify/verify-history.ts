import { allSeries, sumsOfFlows } from '../../storage/finding/ledger-series.ts'
import {
  type History,
  type LiveRow,
  NOTHING,
  readSeries,
  type Valued,
  valuesOf,
} from '../history/series.ts'
import type { Services } from '../work/context.ts'
import { type Check, findings, shown } from './verify-report.ts'

/**
 * Check that each row of a ledger which looks back has the quantity and value, with its difference rows, that follow
 * from all rows before it. What a row takes from others is read as it stands: that those are right is said by their own
 * series, and nothing takes from what stands behind it.
 */
export async function checkHistory(
  { database }: Services,
  history: History,
  name: string,
  limit: number,
): Promise<Check> {
  const { definition, declared } = history
  const { doctype, fields } = definition
  const { read } = database
  const found = findings(limit)
  for (const values of await allSeries(read, history)) {
    const { rows } = await readSeries(read, history, values, undefined)
    const taken = await takenBy(read, history, rows)
    const wanted = valuesOf(history, rows, { quantity: 0n, value: 0n }, taken)
    for (const [at, { quantity, value }] of wanted.entries()) {
      const row = rows[at]!
      for (const [word, stored, expected] of [
        [declared.quantity, row.quantity, quantity],
        [declared.value, row.value, value],
      ] as const) {
        const field = fields.find((candidate) => candidate.name === word)!
        if (stored !== expected)
          found.add({
            doctype,
            id: row.name,
            field: word,
            stored: shown(field, stored),
            expected: shown(field, expected),
            message: `with its difference rows it is not what follows from the rows before it in ${values.join(' in ')}`,
          })
      }
    }
  }
  return found.check('ledger', name)
}

async function takenBy(
  db: Services['database']['read'],
  history: History,
  rows: readonly LiveRow[],
): Promise<(row: LiveRow) => Valued> {
  const { takes } = history.declared
  if (takes === undefined) return () => NOTHING
  const names = [...new Set(rows.map(({ row }) => String(row[takes] ?? '')))].filter(Boolean)
  const flows = new Map<string, Valued>()
  for (let at = 0; at < names.length; at += 500)
    for (const [flow, sum] of await sumsOfFlows(db, history, names.slice(at, at + 500)))
      flows.set(flow, { quantity: -sum.quantity, value: -sum.value })
  return ({ row }) => flows.get(String(row[takes] ?? '')) ?? NOTHING
}
