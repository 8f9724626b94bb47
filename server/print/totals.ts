import type { PrintTotal, PrintTotalRows } from '../../engine/definition/model/print.ts'
import { labelOf, textIn } from './card.ts'
import type { Formats } from './formats.ts'
import { isTold, rowsIn } from './grid.ts'
import type { Printed } from './printed.ts'
import type { Sheet } from './sheet.ts'

type Total = Sheet['totals'][number]

/** The sums below the tables. */
export function totalsOf(formats: Formats, printed: Printed): readonly Total[] {
  return (printed.print.totals ?? []).flatMap((total) => {
    if (typeof total === 'string') return sumOf(formats, printed, { field: total })
    return 'rows' in total ? rowSums(formats, printed, total) : sumOf(formats, printed, total)
  })
}

function sumOf(formats: Formats, printed: Printed, total: PrintTotal): readonly Total[] {
  const { definition, record, print } = printed
  const isTaken = total.field.startsWith('-')
  const name = isTaken ? total.field.slice(1) : total.field
  const field = definition.fields.find((one) => one.name === name)
  const value = record[name]
  const isStrong = name === print.strong
  if (!field || typeof value !== 'number' || (value === 0 && !isStrong)) return []
  const condition = definition.fields.find((one) => one.name === total.if)
  if (condition && !isTold(record, condition)) return []
  const currency = textIn(record[field.currencyField ?? ''])
  return [
    {
      label: labelOf(formats, printed, field),
      value: formats.value(field, isTaken ? -value : value, currency),
      isStrong,
    },
  ]
}

function rowSums(
  formats: Formats,
  { definition, record }: Printed,
  total: PrintTotalRows,
): readonly Total[] {
  const columns = definition.fields.find(({ name }) => name === total.rows)?.child?.fields
  const field = columns?.find(({ name }) => name === total.value)
  if (!field) return []
  const rows = rowsIn(record, total.rows)
  // What nothing is taken of needs no line.
  const isIdle = (row: (typeof rows)[number]): boolean =>
    total.of !== undefined && !row[total.of] && !row[total.value]
  return rows.flatMap((row) => {
    if (isIdle(row)) return []
    const told = formats.label(String(row[total.label] ?? field.label))
    const rate = row[total.percent ?? '']
    const isRateTold = typeof rate !== 'number' || rate === 0 || told.includes('%')
    const currency =
      textIn(row[field.currencyField ?? '']) ?? textIn(record[field.currencyField ?? ''])
    const rated = isRateTold ? told : `${told} ${formats.percent(rate)}`
    const of = columns?.find(({ name }) => name === total.of)
    const base = of && row[of.name]
    const label = formats.label('of')
    return {
      label: base ? `${rated} ${label} ${formats.value(of, base, currency)}` : rated,
      value: formats.value(field, row[total.value], currency),
      isStrong: false,
    }
  })
}
