import { AppError } from '../../base/errors.ts'
import type { Field } from '../../fields/field.ts'
import type { ChangePlan, FillPlan } from '../../rules/steps/step-plans.ts'
import { type Doc, type Row, rowsOf } from '../../storage/database/document.ts'
import { docFromInput } from '../record/record-input.ts'
import type { DocTypeParts } from '../work/context.ts'
import { eachOf } from './each-source.ts'
import { wireOf } from './step-input.ts'
import { assignments, type StepScope, settled } from './step-values.ts'

/**
 * The rows that a `fill` leaves its table with; `filled` are those that an earlier step did. Throws as `assertRowsMayChange` does, and
 * VALIDATION_ERROR for a row that cannot be.
 */
export async function filledRows(
  scope: StepScope,
  plan: FillPlan,
  filled: readonly Row[] | undefined,
): Promise<readonly Row[]> {
  const { table, set, keep } = plan
  const { parts, current } = scope.entry
  const doc = current!
  assertRowsMayChange(parts, doc, table)
  const sources = await eachOf(scope, plan.each)
  const body = await settled(scope, () => ({
    [table.name]: sources.map((row) => wireOf(assignments(scope, set, row), set)),
  }))
  const input = parts.validator.read('engine', body)
  const made = rowsOf(docFromInput(parts.store.empty(), parts.definition, input), table.name)
  return keep ? [...(filled ?? rowsOf(doc, table.name)), ...made] : made
}

/** The rows that a `change` leaves its table with; throws as `filledRows` does. */
export async function changedRows(
  scope: StepScope,
  { table, set, each }: ChangePlan,
  filled: readonly Row[] | undefined,
): Promise<readonly Row[]> {
  const { parts, current } = scope.entry
  const doc = current!
  assertRowsMayChange(parts, doc, table)
  const sources = await eachOf(scope, each)
  const body = await settled(scope, () => ({
    [table.name]: sources.map((row) => wireOf(assignments(scope, set, row), set)),
  }))
  const made = parts.validator.read('engine', body).tables[table.name] ?? []
  const values = new Map(
    sources.map((source, index) => [(source[each.as] as Row).row_id, made[index]!.values]),
  )
  return (filled ?? rowsOf(doc, table.name)).map((row) => ({ ...row, ...values.get(row.row_id) }))
}

/**
 * Throws CONFLICT where a step may not change the rows of this table: on a document that is no draft, unless
 * callers can never write the table, or may do so after the submit and it is not cancelled.
 */
export function assertRowsMayChange({ definition }: DocTypeParts, doc: Doc, table: Field): void {
  const { docstatus } = doc
  if (docstatus === 0 || table.readOnly || (docstatus === 1 && table.allowOnSubmit)) return
  throw new AppError(
    'CONFLICT',
    `cannot fill ${table.name} of ${definition.label} ${JSON.stringify(doc.name)}: it is no draft any more`,
    {
      details: [
        { field: 'docstatus', message: `expected 0, got ${docstatus}`, code: 'wrong_state' },
      ],
    },
  )
}
