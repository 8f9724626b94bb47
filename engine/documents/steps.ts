import { validationError } from '../base/errors.ts'
import { assignValue } from '../expression/assign.ts'
import { ExpressionError } from '../expression/problem.ts'
import type { Environment, Doc as RecordDoc } from '../expression/types.ts'
import type { Value } from '../fields/field-type.ts'
import { fieldType } from '../fields/index.ts'
import type { Assignment, CreatePlan, RowsPlan, StepPlan, StepRule } from '../rules/effects.ts'
import { assigned } from '../rules/fill.ts'
import { linkRecords } from '../rules/reads.ts'
import { type Doc, rowsOf } from '../storage/document.ts'
import type { DocTypeParts } from './context.ts'
import { postRows } from './posting.ts'
import { docFromInput } from './record-input.ts'
import { submitWithin } from './within.ts'
import type { Touched, Work, Written } from './work.ts'

/** What steps did beside posting: the fields they set, and the records they made. */
export interface StepResult {
  readonly sets: ReadonlyMap<string, Value>
  readonly created: readonly CreatedRecord[]
}

export interface CreatedRecord {
  readonly as: string | undefined
  readonly parts: DocTypeParts
  readonly name: string
}

/** The row variable of `each`, by its name. */
export type RowRecords = Readonly<Record<string, RecordDoc>>

/** Where the expressions of steps are evaluated: one document, what the caller sent, what was created so far. */
export interface StepScope {
  readonly work: Work
  readonly entry: Touched
  readonly records: Record<string, RecordDoc>
}

/**
 * Runs compiled steps in order, for a submit or an action. `set` only collects values: the caller writes
 * them. Throws what creating, submitting and posting throw.
 */
export async function runSteps(
  work: Work,
  entry: Touched,
  steps: readonly StepPlan[],
  records: Readonly<Record<string, RecordDoc>>,
  writes: Written[],
): Promise<StepResult> {
  const scope: StepScope = { work, entry, records: { ...records } }
  const sets = new Map<string, Value>()
  const created: CreatedRecord[] = []
  for (const step of steps) {
    const condition = step.if
    if (condition && (await settled(scope, () => resultOfRule(scope, condition))) !== true) continue
    if (step.kind === 'post') await postRows(scope, step, writes)
    else if (step.kind === 'create') created.push(await createRecord(scope, step))
    else if (step.kind === 'submit') await submitCreated(scope, created, step.name)
    else {
      const values = await settled(scope, () => assignments(scope, step.set, {}, entry.current!))
      for (const [name, value] of checkedValues(entry.parts, values)) sets.set(name, value)
    }
  }
  return { sets, created }
}

/** Runs what reads of other records until nothing it asked for is missing. */
export async function settled<T>({ work }: StepScope, run: () => T): Promise<T> {
  for (;;) {
    const result = run()
    if (!(await work.reads.fill())) return result
  }
}

/** The value of an expression. */
export function resultOfRule(
  { work, entry, records }: StepScope,
  rule: StepRule,
  rows: RowRecords = {},
): ReturnType<ReturnType<StepRule['evaluate']>> {
  const doc = entry.current!
  const { today, now, user } = work.environment
  const environment: Environment = {
    today,
    now,
    records: {
      old: entry.start,
      user,
      ...linkRecords(rule.paths, doc, work.reads),
      ...records,
      ...rows,
    },
  }
  try {
    return rule.evaluate()(doc, environment)
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    throw validationError([{ field: '', message: `${rule.expression.source}: ${error.message}` }])
  }
}

/**
 * Values for the fields of a target. Amounts of the document itself (`own`) are rounded to its currency as a
 * formula is; for another record they come from fields that were.
 */
export function assignments(
  scope: StepScope,
  set: readonly Assignment[],
  rows: RowRecords = {},
  own?: Doc,
): ReadonlyMap<string, Value> {
  const values = new Map<string, Value>()
  for (const { field, type, rule } of set) {
    const result = resultOfRule(scope, rule, rows)
    try {
      const value = own
        ? assigned(rule, field, type, own, own, result)
        : assignValue(result, rule.expression, type)
      values.set(field.name, value)
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error
      throw validationError([{ field: field.name, message: error.message }])
    }
  }
  return values
}

/** The rows of the table a plan goes through (one without) for which its condition holds, by their variable. */
export function rowsOfPlan(scope: StepScope, plan: RowsPlan): readonly RowRecords[] {
  const sources: readonly RowRecords[] =
    plan.each === undefined
      ? [{}]
      : rowsOf(scope.entry.current!, plan.each).map((row) => ({ [plan.as]: row }))
  return sources.filter((rows) => !plan.if || resultOfRule(scope, plan.if, rows) === true)
}

async function createRecord(scope: StepScope, plan: CreatePlan): Promise<CreatedRecord> {
  const { work, records } = scope
  const { services } = work.context
  const parts = services.partsOf(plan.doctype)
  const body = await settled(scope, () => bodyOf(scope, plan))
  const input = parts.validator.read('engine', body)
  const made = await work.apply(work, {
    parts,
    after: docFromInput(plan.doctype, input),
    kind: 'created',
  })
  if (plan.submit) await submitWithin(work, parts, made.name)
  if (plan.as !== undefined) records[plan.as] = made.current!
  return { as: plan.as, parts, name: made.name }
}

function bodyOf(scope: StepScope, { set, tables }: CreatePlan): Record<string, unknown> {
  const body: Record<string, unknown> = wireOf(assignments(scope, set), set)
  for (const { field, rows } of tables) {
    body[field.name] = rows.flatMap((plan) =>
      rowsOfPlan(scope, plan).map((row) => wireOf(assignments(scope, plan.set, row), plan.set)),
    )
  }
  return body
}

/** What is set goes through the same door as what callers send, so that it cannot be worse. */
function wireOf(
  values: ReadonlyMap<string, Value>,
  set: readonly Assignment[],
): Record<string, unknown> {
  return Object.fromEntries(
    set.map(({ field }) => {
      const value = values.get(field.name) ?? null
      return [field.name, value === null ? null : fieldType(field.type).toWire(value, field)]
    }),
  )
}

function checkedValues(
  { definition, validator }: DocTypeParts,
  values: ReadonlyMap<string, Value>,
): Iterable<readonly [string, Value]> {
  const body: Record<string, unknown> = {}
  for (const [name, value] of values) {
    const field = definition.fields.find((candidate) => candidate.name === name)!
    body[name] = value === null ? null : fieldType(field.type).toWire(value, field)
  }
  return Object.entries(validator.read('engine', body).values)
}

async function submitCreated(
  scope: StepScope,
  created: readonly CreatedRecord[],
  name: string,
): Promise<void> {
  const made = created.find(({ as }) => as === name)
  // The step that creates it may have been left out by its `if`.
  if (!made) return
  const entry = await submitWithin(scope.work, made.parts, made.name)
  scope.records[name] = entry.current!
}
