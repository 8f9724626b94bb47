import { AppError, validationError } from '../../base/errors.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { PART_ROWS } from '../../definition/normalise/part-rows.ts'
import { assignValue } from '../../expression/syntax/assign.ts'
import type { FieldValues } from '../../expression/tree/types.ts'
import type { Value } from '../../fields/field-type.ts'
import { fieldType } from '../../fields/index.ts'
import { valueType } from '../../rules/base/scopes.ts'
import type { ActionPlan } from '../../rules/steps/actions.ts'
import type { DocumentInput } from '../../schema/shapes/validator.ts'
import { cloneDoc, type Doc, rowsOf } from '../../storage/database/document.ts'
import type { CreatedRecord } from '../effects/created-record.ts'
import { whyImpossible } from '../effects/impossible.ts'
import { lockForChange } from '../effects/locked.ts'
import { resultOfRule, type StepScope, settled } from '../effects/step-values.ts'
import { runSteps, type StepResult } from '../effects/steps.ts'
import { lookBack } from '../history/look-back.ts'
import { noSuchRecord } from '../links/linked.ts'
import { unknownRow } from '../record/record-input.ts'
import { assertMay, assertMayLeave, hiddenTargets } from '../rights/door.ts'
import { cascade } from '../work/cascade.ts'
import type { Context, DocTypeParts } from '../work/context.ts'
import type { DocumentResult } from '../work/present.ts'
import type { Touched } from '../work/touched.ts'
import { keyOf, lockRecord, nested, type Work, type Written } from '../work/work.ts'
import { runOperation, runTogether } from './operation.ts'

type Input = Readonly<Record<string, Value>>
/** What the caller sent: values, and the rows of `parts`. */
type Sent = Pick<DocumentInput, 'values' | 'tables'>

/**
 * Runs a declared action (POST …/actions/{name}, rules.md §4.1): all its steps in one transaction. The
 * answer is the record; what the steps created is named in `_created`. Throws 401/403 (also for a `system`
 * action), 404 for an unknown record or action, 409 when its `when` does not hold, 412, 422.
 */
export async function runAction(
  context: Context,
  definition: DocTypeDefinition,
  id: string,
  name: string,
  body: unknown,
): Promise<DocumentResult> {
  assertMay(context, definition, `action:${name}`)
  const parts = context.services.partsOf(definition)
  const plan = parts.behaviour.actions.get(name)
  if (!plan) throw noSuchAction(definition, name)
  if (plan.declared.system === true && context.actor.kind !== 'system') {
    throw new AppError('FORBIDDEN', `the action ${name} is run by the workspace itself`)
  }
  const sent = parts.inputValidator(name).read('create', body ?? {})
  const created: CreatedRecord[] = []
  return runOperation(
    context,
    (work) => {
      created.length = 0
      return act(work, parts, plan, id, sent, created)
    },
    { toAnswer: (answer) => withCreated(answer, created) },
  )
}

/** 404 that names the actions there are. */
function noSuchAction({ labelPlural, behaviour }: DocTypeDefinition, name: string): AppError {
  const known = Object.entries(behaviour.actions ?? {}).flatMap(([key, { system }]) =>
    system === true ? [] : [key],
  )
  const have = known.length === 0 ? 'they have none' : `they have ${known.join(', ')}`
  return new AppError('NOT_FOUND', `${labelPlural} have no action ${JSON.stringify(name)}; ${have}`)
}

/**
 * Runs an action for the workspace itself if its `when` holds for the record now that it is locked: of several
 * processes that found it, one does it. False when it does not hold or the record is gone. Throws as
 * `runAction` does.
 */
export async function runActionWhere(
  context: Context,
  definition: DocTypeDefinition,
  id: string,
  name: string,
): Promise<boolean> {
  const parts = context.services.partsOf(definition)
  const plan = parts.behaviour.actions.get(name)!
  const sent = parts.inputValidator(name).read('create', {})
  const done = await runTogether(context, async (work) => {
    const entry = await lockRecord(work, parts, id)
    if (!entry) return []
    const scope = await scopeOf(work, plan, entry, sent)
    return (await isPossible(scope, plan)) ? [await perform(scope, plan, [])] : []
  })
  return done.length > 0
}

async function act(
  work: Work,
  parts: DocTypeParts,
  plan: ActionPlan,
  id: string,
  sent: Sent,
  created: CreatedRecord[],
): Promise<Touched> {
  const start = await lockForChange(work, parts, id, `action:${plan.name}`)
  const entry = work.touched.get(keyOf(parts, start.name))!
  const scope = await scopeOf(work, plan, entry, sent)
  await assertPossible(scope, plan, id)
  return perform(scope, plan, created)
}

async function assertPossible(scope: StepScope, plan: ActionPlan, id: string): Promise<void> {
  if (await isPossible(scope, plan)) return
  const { label } = scope.entry.parts.definition
  const why = await whyImpossible(scope, plan)
  const wanted = `cannot ${plan.name.replaceAll('_', ' ')} ${label} ${JSON.stringify(id)}`
  throw new AppError('CONFLICT', `${wanted}: ${why}`)
}

/**
 * Refuses an action that is not possible with a record as it is, which the work has an image of, whatever will be sent.
 * Throws CONFLICT.
 */
export async function assertActionPossible(
  work: Work,
  parts: DocTypeParts,
  plan: ActionPlan,
  id: string,
): Promise<void> {
  const entry = work.touched.get(keyOf(parts, id))!
  const input = Object.fromEntries(plan.input.map(({ name }) => [name, null]))
  await assertPossible({ work, entry, records: { input } }, plan, id)
}

/** Scope of an action's expressions: the record, and the input with its defaults. */
async function scopeOf(
  work: Work,
  plan: ActionPlan,
  entry: Touched,
  { values, tables }: Sent,
): Promise<StepScope> {
  const bare: StepScope = { work, entry, records: { input: {} } }
  const input = await settled(bare, () => withDefaults(bare, plan, values))
  await assertInputShown(work, plan, input)
  const rows = plan.declared.parts === undefined ? {} : partsOf(plan, entry, tables)
  return { work, entry, records: { input: { ...input, ...rows } } }
}

/** The rows that the action is done for. Throws VALIDATION_ERROR for what names no row of the table. */
function partsOf(
  { declared: { parts = '' } }: ActionPlan,
  { parts: { definition }, current }: Touched,
  tables: Sent['tables'],
): FieldValues {
  const rows = (tables[PART_ROWS] ?? []).map(({ values }) => values)
  const left = new Set(rowsOf(current!, parts).map(({ row_id }) => row_id))
  const problems = rows.flatMap(({ row_id }, index) => {
    const id = String(row_id)
    return left.delete(id)
      ? []
      : [unknownRow(`${PART_ROWS}[${index}].row_id`, definition.label, id)]
  })
  if (problems.length > 0) throw validationError(problems)
  return { [PART_ROWS]: rows }
}

async function isPossible(scope: StepScope, { when }: ActionPlan): Promise<boolean> {
  return !when || (await settled(scope, () => resultOfRule(scope, when))) === true
}

async function perform(
  { work, entry, records }: StepScope,
  plan: ActionPlan,
  created: CreatedRecord[],
): Promise<Touched> {
  const writes: Written[] = []
  const done = await nested(work, () => runSteps(work, entry, plan.steps, records, writes))
  if (writes.length > 0) await lookBack(work, writes)
  await cascade(work, writes)
  created.push(...done.done.filter((one) => one.kind === 'created'))
  return write(work, entry.parts, plan, entry, done)
}

/**
 * Refuses input that names a record the caller may not read, in the words for one that is not there: what the
 * steps make of it is the workspace's, and would fetch from that record (reliability.md M3).
 */
async function assertInputShown(work: Work, { input }: ActionPlan, sent: Input): Promise<void> {
  const links = input.flatMap(({ name: field, link, linkFrom, linkTable }) => {
    const doctype = link ?? sent[linkFrom ?? '']
    const name = sent[field]
    const isLink = linkTable === undefined && typeof doctype === 'string'
    return isLink && typeof name === 'string' ? [{ field, doctype, name }] : []
  })
  const hidden = await hiddenTargets(work, links)
  const problems = links
    .filter(({ doctype, name }) => hidden.has(`${doctype}\0${name}`))
    .map(({ field, doctype, name }) => noSuchRecord(field, doctype, name))
  if (problems.length > 0) throw validationError(problems)
}

/** Input of an action, with the defaults of its fields where the caller sent nothing. */
function withDefaults(scope: StepScope, { input, defaults }: ActionPlan, sent: Input): Input {
  const values: Record<string, Value> = {}
  for (const field of input) {
    if (field.child) continue
    const given = sent[field.name] ?? null
    values[field.name] =
      given === null && field.defaultValue !== undefined
        ? fieldType(field.type).read(field.defaultValue, field)
        : given
  }
  for (const { field, rule } of defaults) {
    if (values[field.name] !== null) continue
    values[field.name] = assignValue(resultOfRule(scope, rule), rule.expression, valueType(field))
  }
  const missing = input.filter(({ name, required }) => required && values[name] === null)
  if (missing.length > 0)
    throw validationError(
      missing.map(({ name }) => ({ field: name, message: 'is required', code: 'required' })),
    )
  return values
}

/** The document itself, as the steps leave it; unchanged where they set nothing. */
async function write(
  work: Work,
  parts: DocTypeParts,
  { name, moves }: ActionPlan,
  entry: Touched,
  { sets, tables }: StepResult,
): Promise<Touched> {
  const before = entry.current!
  const after: Doc = cloneDoc(before, Object.fromEntries(sets))
  for (const [table, rows] of tables) after[table] = rows.map((row) => ({ ...row }))
  const status = parts.definition.behaviour.status?.field
  if (moves !== undefined && status !== undefined) after[status] = moves
  assertMayLeave(work.context, parts, `action:${name}`, { before, after })
  const isSame = [...sets.keys(), ...(status === undefined ? [] : [status])].every(
    (field) => after[field] === before[field],
  )
  if (isSame && tables.size === 0) return entry
  return work.apply(work, { parts, before, after, kind: 'updated', moves: moves !== undefined })
}

function withCreated(answer: DocumentResult, created: readonly CreatedRecord[]): DocumentResult {
  if (created.length === 0) return answer
  const _created = created.map(({ as, parts: { definition }, name }) => ({
    ...(as === undefined ? {} : { as }),
    resource: definition.slug,
    doctype: definition.doctype,
    id: name,
  }))
  const record = { ...answer.record, _created }
  return { ...answer, record, json: JSON.stringify(record) }
}
