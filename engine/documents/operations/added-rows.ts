import { newRowId } from '../../base/ids.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Adds, Field } from '../../fields/field.ts'
import type { Value } from '../../fields/field-type.ts'
import { type Doc, type Row, rowsOf } from '../../storage/database/document.ts'

/**
 * The image of a draft with the rows that its tables add to themselves (`adds`), as its computed rows say; undefined where it has them
 * already. A row that was added before stays the row it is.
 */
export function withAddedRows(
  { fields }: DocTypeDefinition,
  after: Doc,
  computed: Doc,
): Doc | undefined {
  if (after.docstatus !== 0) return undefined
  let changed: Doc | undefined
  for (const field of fields) {
    const rows = field.adds && addedTo(field, field.adds, rowsOf(after, field.name), computed)
    if (rows) changed = { ...(changed ?? after), [field.name]: rows }
  }
  return changed
}

/** The rows of one table, those that are added behind the others; undefined where nothing changes. */
function addedTo(
  { name, child }: Field,
  { mark, when, set }: Adds,
  rows: readonly Row[],
  computed: Doc,
): Row[] | undefined {
  const isAdded = (row: Row): boolean => (row[mark] ?? null) !== null && row[mark] !== ''
  const wanted = rowsOf(computed, name)
    .filter((row) => !isAdded(row) && isGiven(row[when]))
    .map(
      (row): Record<string, Value> => ({
        [mark]: row.row_id,
        ...Object.fromEntries(
          Object.entries(set).map(([column, from]) => [column, row[from] ?? null]),
        ),
      }),
    )
  const there = new Map(rows.filter(isAdded).map((row) => [row[mark], row]))
  const isSame =
    there.size === wanted.length &&
    rows.filter(isAdded).length === wanted.length &&
    wanted.every((values) => {
      const row = there.get(values[mark]!)
      return row && Object.entries(values).every(([column, value]) => isAlike(row[column], value))
    })
  if (isSame) return undefined
  const empty = Object.fromEntries(child!.fields.map((column) => [column.name, null]))
  return [
    ...rows.filter((row) => !isAdded(row)),
    ...wanted.map(
      (values): Row => ({
        row_id: newRowId(),
        ...empty,
        ...there.get(values[mark]!),
        ...values,
      }),
    ),
  ]
}

/** Whole numbers may be stored as either kind of number. */
function isAlike(a: Value | undefined, b: Value): boolean {
  return String(a ?? '') === String(b ?? '')
}

function isGiven(value: Value | undefined): boolean {
  return typeof value === 'number' || typeof value === 'bigint' ? value > 0 : value === true
}
