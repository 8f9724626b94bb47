import type { Field } from '../../fields/field.ts'
import type { Path } from '../yaml/parse.ts'
import { type FieldContext, normaliseFields } from './normalise-field.ts'

/** Input of an action with `parts` that says which rows it is about, and how much of each. */
export const PART_ROWS = 'rows'

/** Most rows that callers may name. */
const MOST_ROWS = 150

/**
 * Input field of an action that may be done for a part of the rows of a table:
 *
 *     {"rows": [{"row_id": "7f3a", "qty": 4}]}
 */
export function partRows(path: Path, context: FieldContext): readonly Field[] {
  const fields = {
    row: { type: 'data', required: true, description: 'The row_id of a row of the document.' },
    qty: { type: 'float', required: true, min: 0, description: 'How much of it.' },
  }
  const rows = {
    type: 'table',
    max: MOST_ROWS,
    description: 'Rows it is done for, and how much of each; without them all that is left.',
    fields,
  }
  const [field] = normaliseFields({ [PART_ROWS]: rows }, path, { ...context, inRows: false })
  const [row, qty] = field!.child!.fields
  // No field may be called so: of a row of a document it is what the workspace calls it.
  const named = { ...row!, name: 'row_id' }
  return [{ ...field!, child: { ...field!.child!, fields: [named, qty!] } }]
}
