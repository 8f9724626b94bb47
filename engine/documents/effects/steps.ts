import type { FieldValues } from '../../expression/tree/types.ts'
import type { Value } from '../../fields/field-type.ts'
import type { StepRule } from '../../rules/base/compiled-rule.ts'
import type { CreatePlan, PostPlan, RowsPlan, StepPlan } from '../../rules/steps/step-plans.ts'
import type { Row } from '../../storage/database/document.ts'
import { namingRefused } from '../record/name-refused.ts'
import { docFromInput, leftEmpty } from '../record/record-input.ts'
import type { Touched } from '../work/touched.ts'
import type { Work, Written } from '../work/work.ts'
import type { CreatedRecord } from './created-record.ts'
import { duplicateRecord } from './duplicate-step.ts'
import { eachOf } from './each-source.ts'
import { changedRows, filledRows } from './fill-step.ts'
import { madeTables } from './made-tables.ts'
import { postRows } from './posting.ts'
import { checkedValues, wireOf } from './step-input.ts'
import {
  assignments,
  type RowRecords,
  resultOfRule,
  type StepScope,
  settled,
} from './step-values.ts'
import { type UpdatedRecord, updateRecords } from './update-step.ts'
import { submitWithin } from './within.ts'

/** Result of steps beside posting: what they set, and the records they made and changed, in order. */
export interface StepResult {
  readonly sets: ReadonlyMap<string, Value>
  /** Fields that get a number, by the pattern of its series. */
  readonly numbers: ReadonlyMap<string, string>
  /** Tables of the document that have other rows now. */
  readonly tables: ReadonlyMap<string, readonly Row[]>
  readonly done: readonly (CreatedRecord | UpdatedRecord)[]
}

/**
 * Runs compiled steps in order, for a submit or an action. `set` and `fill` only collect values: the caller
 * writes them. Throws what creating, changing, submitting and posting throw.
 */
export async function runSteps(
  work: Work,
  entry: Touched,
  steps: readonly StepPlan[],
  records: Readonly<Record<string, FieldValues>>,
  writes: Written[],
): Promise<StepResult> {
  const scope: StepScope = { work, entry, records: { ...records } }
  const sets = new Map<string, Value>()
  const numbers = new Map<string, string>()
  const tables = new Map<string, readonly Row[]>()
  const done: (CreatedRecord | UpdatedRecord)[] = []
  for (const step of steps) {
    const isDone = await isWanted(scope, step.if)
    if (step.kind === 'post' && step.before.length > 0)
      await postTogether(scope, step, isDone, writes)
    else if (!isDone) continue
    else if (step.kind === 'post') await postRows(scope, step, writes)
    else if (step.kind === 'create') await createRecords(scope, step, done)
    else if (step.kind === 'duplicate') done.push(await duplicateRecord(scope, step))
    else if (step.kind === 'update') done.push(...(await updateRecords(scope, step)))
    else if (step.kind === 'fill') {
      const { name } = step.table
      tables.set(name, await filledRows(scope, step, tables.get(name)))
    } else if (step.kind === 'change') {
      const { name } = step.table
      tables.set(name, await changedRows(scope, step, tables.get(name)))
    } else if (step.kind === 'number') {
      const { field, pattern } = step
      const said = pattern && (await settled(scope, () => resultOfRule(scope, pattern)))
      if (typeof said === 'string' && said !== '') numbers.set(field.name, said)
    } else if (step.kind === 'submit') await submitCreated(scope, done, step.name)
    else {
      const values = await settled(scope, () => assignments(scope, step.set, {}, entry.current!))
      for (const [name, value] of checkedValues(entry.parts, values)) sets.set(name, value)
    }
  }
  return { sets, numbers, tables, done }
}

async function isWanted(scope: StepScope, condition: StepRule | undefined): Promise<boolean> {
  if (!condition) return true
  return (await settled(scope, () => resultOfRule(scope, condition))) === true
}

/** Posts the rows of postings that are made together; those of the last one only where it is wanted itself. */
async function postTogether(
  scope: StepScope,
  plan: PostPlan,
  isDone: boolean,
  writes: Written[],
): Promise<void> {
  const rows: RowsPlan[] = []
  for (const one of plan.before) if (await isWanted(scope, one.if)) rows.push(...one.rows)
  await postRows(scope, { ...plan, rows: isDone ? [...rows, ...plan.rows] : rows }, writes)
}

/**
 * Creates one record, or one for each loop source: these are found before the first record is made, but the `if` of
 * the loop is asked again before each further one, since those before may have changed what it speaks of.
 */
async function createRecords(
  scope: StepScope,
  plan: CreatePlan,
  done: (CreatedRecord | UpdatedRecord)[],
): Promise<void> {
  const { each, doctype } = plan
  const condition = each?.if
  for (const [index, rows] of (await eachOf(scope, each)).entries()) {
    const isLeftOut =
      condition &&
      index > 0 &&
      (await settled(scope, () => resultOfRule(scope, condition, rows))) !== true
    if (isLeftOut) continue
    const create = (): Promise<CreatedRecord> => createRecord(scope, plan, rows)
    done.push(await (each ? namingRefused(doctype, rows[each.as], create) : create()))
  }
}

async function createRecord(
  scope: StepScope,
  plan: CreatePlan,
  rows: RowRecords,
): Promise<CreatedRecord> {
  const { work, records } = scope
  const parts = work.context.services.partsOf(plan.doctype)
  const { set, tables } = plan
  const own = await settled(scope, () => wireOf(assignments(scope, set, rows), set))
  const body = { ...own, ...(await madeTables(scope, tables, rows)) }
  const input = parts.validator.read('engine', body)
  const made = await work.apply(work, {
    parts,
    after: docFromInput(parts.store.empty(), plan.doctype, input),
    kind: 'created',
    empty: leftEmpty(plan.doctype, input.values),
  })
  if (plan.submit) await submitWithin(work, parts, made.name)
  if (plan.as !== undefined) records[plan.as] = made.current!
  return { kind: 'created', as: plan.as, parts, name: made.name }
}

async function submitCreated(
  scope: StepScope,
  done: StepResult['done'],
  name: string,
): Promise<void> {
  const made = done.find((one) => one.kind === 'created' && one.as === name)
  // The step that creates it may have been left out by its `if`.
  if (!made) return
  const entry = await submitWithin(scope.work, made.parts, made.name)
  scope.records[name] = entry.current!
}
