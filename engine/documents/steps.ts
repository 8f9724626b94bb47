import type { Doc as RecordDoc } from '../expression/types.ts'
import type { Value } from '../fields/field-type.ts'
import { fieldType } from '../fields/index.ts'
import type { Assignment, CreatePlan, StepPlan } from '../rules/effects.ts'
import type { DocTypeParts } from './context.ts'
import { postRows } from './posting.ts'
import { docFromInput } from './record-input.ts'
import { assignments, resultOfRule, rowsOfPlan, type StepScope, settled } from './step-values.ts'
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

async function createRecord(scope: StepScope, plan: CreatePlan): Promise<CreatedRecord> {
  const { work, records } = scope
  const { services } = work.context
  const parts = services.partsOf(plan.doctype)
  const body = await settled(scope, () => bodyOf(scope, plan))
  const input = parts.validator.read('engine', body)
  const made = await work.apply(work, {
    parts,
    after: docFromInput(parts.store.empty(), plan.doctype, input),
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
