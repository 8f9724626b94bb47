import { useMemo } from 'react'
import { type Formats, formatValue, isMoney, isNumber } from '../data/format.ts'
import type { FieldInfo, Row } from '../data/types.ts'
import { sentenceCase } from '../words/sentence-case.ts'

/** Pixels of a letter on average, and of what stands around a text. */
const LETTER = 7.3
const AROUND = 24

/** Rows whose texts are measured: the others are much like them. */
const MEASURED = 20

/** Narrowest and widest that a column gets by its texts, in pixels. */
const FIRST = { least: 180, most: 240 }
const TEXTS = { least: 84, most: 150 }
const NUMBERS = { least: 76, most: 140 }
const MONEY = { least: 98, most: 140 }

/**
 * Least widths of the columns in pixels, by what stands in them; what is left of the room is shared in proportion. They are found
 * anew when there are other columns, not at each letter.
 */
export function useWidths(
  columns: readonly FieldInfo[],
  rows: readonly Row[],
  formats: Formats,
): readonly number[] {
  const hasRows = rows.length > 0
  return useMemo(
    () => columns.map((field, at) => widthOf(field, at, rows.slice(0, MEASURED), formats)),
    [columns, hasRows, formats],
  )
}

function widthOf(field: FieldInfo, at: number, rows: readonly Row[], formats: Formats): number {
  const letters = [
    sentenceCase(field.label).length + (field.required ? 2 : 0),
    ...rows.map((row) => formatValue(field, row, formats).length),
  ]
  const wanted = Math.max(...letters) * LETTER + AROUND
  const numbers = isMoney(field) ? MONEY : NUMBERS
  const { least, most } = at === 0 ? FIRST : isNumber(field) ? numbers : TEXTS
  return Math.round(Math.min(most, Math.max(least, wanted)))
}
