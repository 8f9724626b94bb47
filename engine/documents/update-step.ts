import { recordNotFound } from '../base/errors.ts'
import type { Value } from '../fields/field-type.ts'
import { UPDATED, type UpdatePlan } from '../rules/step-plans.ts'
import { cloneDoc, type Doc, valueIn } from '../storage/document.ts'
import type { DocTypeParts } from './context.ts'
import { eachOf } from './each-source.ts'
import { checkedValues } from './step-input.ts'
import { assignments, resultOfRule, type StepScope, settled } from './step-values.ts'
import { take, type Work } from './work.ts'

/** A record of which a step has set fields, and their values before and after. */
export interface UpdatedRecord {
  readonly kind: 'updated'
  readonly parts: DocTypeParts
  readonly name: string
  readonly values: readonly {
    readonly field: string
    readonly before: Value
    readonly after: Value
  }[]
}

/**
 * Sets fields of other records, with all that follows from it (rules.md §4.2). They are locked in the order of
 * their names before the first is written. Throws NOT_FOUND for one that is not there, VALIDATION_ERROR for
 * what does not hold.
 */
export async function updateRecords(
  scope: StepScope,
  plan: UpdatePlan,
): Promise<readonly UpdatedRecord[]> {
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
    const before = (await take(work, parts, name))!.current!
    const known = { ...rows, [UPDATED]: before }
    const values = await settled(scope, () => assignments(scope, plan.set, known))
    updated.push(await updateOne(work, parts, before, new Map(checkedValues(parts, values))))
  }
  return updated.filter((one) => one.values.length > 0)
}

/** Locks records in the order of their keys. Throws NOT_FOUND for one that is not there. */
async function takeAll(
  work: Work,
  records: readonly { readonly parts: DocTypeParts; readonly name: string }[],
): Promise<void> {
  const byName = new Map(records.map((record) => [record.name, record]))
  for (const [name, { parts }] of [...byName].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (!(await take(work, parts, name))) throw recordNotFound(parts.definition.label, name)
  }
}

async function updateOne(
  work: Work,
  parts: DocTypeParts,
  before: Doc,
  wanted: ReadonlyMap<string, Value>,
): Promise<UpdatedRecord> {
  const values = [...wanted].flatMap(([field, after]) => {
    const was = valueIn(before, field)
    return was === after ? [] : [{ field, before: was, after }]
  })
  await setValues(work, parts, before, new Map(values.map(({ field, after }) => [field, after])))
  return { kind: 'updated', parts, name: before.name, values }
}

/** Writes these fields of a record that is locked; the state of a chosen status may be any of them. */
export async function setValues(
  work: Work,
  parts: DocTypeParts,
  before: Doc,
  values: ReadonlyMap<string, Value>,
): Promise<void> {
  if (values.size === 0) return
  const after = { ...cloneDoc(before), ...Object.fromEntries(values) }
  await work.apply(work, { parts, before, after, kind: 'updated', moves: true })
}
