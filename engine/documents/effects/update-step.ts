import { recordNotFound, validationError } from '../../base/errors.ts'
import type { Value } from '../../fields/field-type.ts'
import { type TablesPlan, UPDATED, type UpdatePlan } from '../../rules/steps/step-plans.ts'
import { cloneDoc, type Doc, type Row, rowsOf, valueIn } from '../../storage/database/document.ts'
import { namingRefused } from '../record/name-refused.ts'
import { docFromInput } from '../record/record-input.ts'
import type { DocTypeParts } from '../work/context.ts'
import { lockRecord, type Work } from '../work/work.ts'
import { eachOf } from './each-source.ts'
import { assertRowsMayChange } from './fill-step.ts'
import { madeTables } from './made-tables.ts'
import { checkedValues } from './step-input.ts'
import {
  assignments,
  type RowRecords,
  resultOfRule,
  type StepScope,
  settled,
} from './step-values.ts'
import { submitWithin } from './within.ts'

/** Rounds of `repeat` after which a chain is taken for a circle. */
const MOST_ROUNDS = 200

/** A record of which a step has set fields, and their values before and after; or that it has submitted. */
export interface UpdatedRecord {
  readonly kind: 'updated'
  readonly parts: DocTypeParts
  readonly name: string
  readonly values: readonly {
    readonly field: string
    readonly before: Value
    readonly after: Value
  }[]
  readonly submitted: boolean
}

/**
 * Sets fields of other records, with all that follows from it (rules.md §4.2), and submits them where the step
 * says so. They are locked in the order of their names before the first is written. With `repeat` it is done again
 * until nothing changes any more. Throws NOT_FOUND for one that is not there, VALIDATION_ERROR for what does not hold
 * and for a repetition without end, CONFLICT for a submit of what is no draft.
 */
export async function updateRecords(
  scope: StepScope,
  plan: UpdatePlan,
): Promise<readonly UpdatedRecord[]> {
  const updated = [...(await updateOnce(scope, plan))]
  if (!plan.repeat || updated.length === 0) return updated
  for (let round = 1; round < MOST_ROUNDS; round += 1) {
    const more = await updateOnce(scope, plan)
    if (more.length === 0) return updated
    updated.push(...more)
  }
  const { labelPlural } = plan.doctype
  const message = `${labelPlural} that follow each other in a circle change each other without end`
  throw validationError([{ field: '', message, code: 'rule' }])
}

async function updateOnce(scope: StepScope, plan: UpdatePlan): Promise<readonly UpdatedRecord[]> {
  const { work } = scope
  const parts = work.context.services.partsOf(plan.doctype)
  const sources = await eachOf(scope, plan.each)
  const wanted = await settled(scope, () =>
    sources.flatMap((rows) => {
      const name = resultOfRule(scope, plan.record, rows)
      return typeof name === 'string' && name !== '' ? [{ name, rows }] : []
    }),
  )
  await takeAll(
    work,
    wanted.map(({ name }) => ({ parts, name })),
  )
  const updated: UpdatedRecord[] = []
  for (const { name, rows } of wanted) {
    const before = (await lockRecord(work, parts, name))!.current!
    const known = { ...rows, [UPDATED]: before }
    const values = await settled(scope, () => assignments(scope, plan.set, known))
    for (const { field } of plan.tables) assertRowsMayChange(parts, before, field)
    const more = await addedRows(scope, parts, plan.tables, known)
    const change = async (): Promise<UpdatedRecord['values']> => {
      const set = new Map(checkedValues(parts, values))
      const changes = await updateOne(work, parts, before, set, more)
      if (plan.submit) await submitWithin(work, parts, name)
      return changes
    }
    const changes = await (plan.each ? namingRefused(plan.doctype, before, change) : change())
    updated.push({ kind: 'updated', parts, name, values: changes, submitted: plan.submit })
  }
  return updated.filter(({ values, submitted }) => values.length > 0 || submitted)
}

/** Locks records in the order of their keys. Throws NOT_FOUND for one that is not there. */
async function takeAll(
  work: Work,
  records: readonly { readonly parts: DocTypeParts; readonly name: string }[],
): Promise<void> {
  const byName = new Map(records.map((record) => [record.name, record]))
  for (const [name, { parts }] of [...byName].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (!(await lockRecord(work, parts, name))) throw recordNotFound(parts.definition.label, name)
  }
}

/** Table → the rows it is given besides. Throws VALIDATION_ERROR for a row that cannot be. */
async function addedRows(
  scope: StepScope,
  { definition, store, validator }: DocTypeParts,
  tables: TablesPlan,
  known: RowRecords,
): Promise<ReadonlyMap<string, readonly Row[]>> {
  if (tables.length === 0) return new Map()
  const body = await madeTables(scope, tables, known)
  const made = docFromInput(store.empty(), definition, validator.read('engine', body))
  return new Map(tables.map(({ field: { name } }) => [name, rowsOf(made, name)]))
}

async function updateOne(
  work: Work,
  parts: DocTypeParts,
  before: Doc,
  wanted: ReadonlyMap<string, Value>,
  more: ReadonlyMap<string, readonly Row[]>,
): Promise<UpdatedRecord['values']> {
  const values = [...wanted].flatMap(([field, after]) => {
    const was = valueIn(before, field)
    return was === after ? [] : [{ field, before: was, after }]
  })
  const set = new Map(values.map(({ field, after }) => [field, after]))
  await setValues(work, parts, before, set, more)
  return values
}

/** Writes these fields of a record that is locked, and adds rows; the state of a chosen status may be any of them. */
export async function setValues(
  work: Work,
  parts: DocTypeParts,
  before: Doc,
  values: ReadonlyMap<string, Value>,
  more: ReadonlyMap<string, readonly Row[]> = new Map(),
): Promise<void> {
  const added = [...more].filter(([, rows]) => rows.length > 0)
  if (values.size === 0 && added.length === 0) return
  const after: Doc = cloneDoc(before, Object.fromEntries(values))
  for (const [name, rows] of added) after[name] = [...rowsOf(after, name), ...rows]
  await work.apply(work, { parts, before, after, kind: 'updated', moves: true })
}
