import { AppError } from '../base/errors.ts'
import type { FillPlan } from '../rules/step-plans.ts'
import { type Row, rowsOf } from '../storage/document.ts'
import { eachOf } from './each-source.ts'
import { docFromInput } from './record-input.ts'
import { wireOf } from './step-input.ts'
import { assignments, type StepScope, settled } from './step-values.ts'

/**
 * The rows that a `fill` leaves its table with. Throws CONFLICT on a document that is no draft, unless callers
 * can never write the table or may do so after submit too, and VALIDATION_ERROR for a row that cannot be.
 */
export async function filledRows(scope: StepScope, plan: FillPlan): Promise<readonly Row[]> {
  const { table, set, keep } = plan
  const { parts, name, current } = scope.entry
  const doc = current!
  if (doc.docstatus !== 0 && !table.readOnly && !table.allowOnSubmit) {
    throw new AppError(
      'CONFLICT',
      `cannot fill ${table.name} of ${parts.definition.label} ${JSON.stringify(name)}: it is no draft any more`,
      { details: [{ field: 'docstatus', message: `expected 0, got ${doc.docstatus}` }] },
    )
  }
  const sources = await eachOf(scope, plan.each)
  const body = await settled(scope, () => ({
    [table.name]: sources.map((row) => wireOf(assignments(scope, set, row), set)),
  }))
  const input = parts.validator.read('engine', body)
  const made = rowsOf(docFromInput(parts.store.empty(), parts.definition, input), table.name)
  return keep ? [...rowsOf(doc, table.name), ...made] : made
}
