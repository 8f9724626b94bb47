import { decimalToNumber } from '../../base/money.ts'
import type { EventKind } from '../../events/log.ts'
import { kindOfTrigger } from '../../events/names.ts'
import { ExpressionError } from '../../expression/tree/problem.ts'
import type { Environment, EvalValue } from '../../expression/tree/types.ts'
import type { Value } from '../../fields/field-type.ts'
import type { StepRule } from '../../rules/base/compiled-rule.ts'
import { linkRecords } from '../../rules/base/reads.ts'
import { assigned } from '../../rules/cells/fill.ts'
import type { EventPlan } from '../../rules/program/events.ts'
import { cloneDoc, type Doc, valueIn } from '../../storage/database/document.ts'
import { takeTurn } from '../../storage/database/statements.ts'
import { cascade } from './cascade.ts'
import type { EventLine } from './context.ts'
import { logEvents } from './log-events.ts'
import type { DocumentResult } from './present.ts'
import { presentResult } from './present.ts'
import { rightsChanged } from './rights-changed.ts'
import type { Touched } from './touched.ts'
import type { Work } from './work.ts'

/** Rounds of fields set by events before they are taken to set each other for ever. */
const MAX_ROUNDS = 10

/**
 * Ends a transaction: which declared events happened, what they set, and the log (rules.md §4.2, 7). Events are edges
 * between a record's image at the start and the one now, so a state that was only passed through tells nothing.
 * Records come in the order they were touched, the one asked for first.
 */
export async function finishWork(work: Work): Promise<void> {
  for (let round = 0; await setByEvents(work); round += 1)
    if (round >= MAX_ROUNDS) throw new Error('events go on setting fields that cause events')
  const lines: EventLine[] = []
  for (const entry of [...work.touched.values()]) {
    await takeTurn(work.tx)
    lines.push(...(await linesOf(work, entry)))
    const ofRights = rightsChanged(entry, work.context.actor)
    if (ofRights) lines.push(ofRights)
  }
  await logEvents(work.tx, work.context, work.now, lines, work.logged)
}

/** The record of the operation as clients see it who may read all its fields: as the event log keeps it. */
export function resultOf(entry: Touched): DocumentResult {
  const doc = (entry.current ?? entry.start)!
  if (entry.shown?.of !== doc)
    entry.shown = { of: doc, result: presentResult(entry.parts.presenter, doc) }
  return entry.shown.result
}

/**
 * Sets the fields that events set on the rising edge and clear on the falling one, and computes what follows from
 * them. True when something was set.
 */
async function setByEvents(work: Work): Promise<boolean> {
  let changed = false
  for (const entry of [...work.touched.values()]) {
    const before = entry.current
    if (!before || entry.kinds.length === 0) continue
    const plans = entry.parts.behaviour.events.filter(({ set }) => set.length > 0)
    if (plans.length === 0) continue
    const values = new Map<string, Value>()
    for (const plan of plans) {
      const edge = await edgeOf(work, entry, plan)
      if (edge === 'rises') await collectSet(work, entry, plan, values)
      if (edge === 'falls') for (const { field } of plan.set) values.set(field.name, null)
    }
    const differing = [...values].filter(([name, value]) => valueIn(before, name) !== value)
    if (differing.length === 0) continue
    const after = cloneDoc(before, Object.fromEntries(differing))
    entry.parts.behaviour.rules.recompute(after, before, work.environment)
    await entry.parts.store.update(work.tx, before, after)
    entry.current = after
    await cascade(work, [{ parts: entry.parts, before, after }])
    changed = true
  }
  return changed
}

async function collectSet(
  work: Work,
  entry: Touched,
  plan: EventPlan,
  values: Map<string, Value>,
): Promise<void> {
  const doc = entry.current!
  for (const { field, type, rule } of plan.set) {
    const value = await evaluated(work, rule, doc, entry.start)
    values.set(field.name, assigned(rule, field, type, doc, doc, value))
  }
}

type Edge = 'rises' | 'falls' | 'none'

/** Edge of an event in this transaction; it can also fall again. */
async function edgeOf(work: Work, entry: Touched, plan: EventPlan): Promise<Edge> {
  const { start, current, kinds } = entry
  if (plan.trigger === 'change') {
    const [was, is] = [start, current].map((doc) => doc && valueIn(doc, plan.field!))
    if (!start || !current || was === is) return 'none'
    return (await holds(work, plan.when, current, start)) ? 'rises' : 'none'
  }
  if (plan.trigger !== undefined) {
    if (!kinds.includes(kindOfTrigger(plan.trigger))) return 'none'
    const doc = (current ?? start)!
    return (await holds(work, plan.when, doc, start)) ? 'rises' : 'none'
  }
  const was = start ? await holds(work, plan.when, start, undefined) : false
  const is = current ? await holds(work, plan.when, current, start) : false
  if (was === is) return 'none'
  return is ? 'rises' : 'falls'
}

async function holds(
  work: Work,
  when: StepRule | undefined,
  doc: Doc,
  old: Doc | undefined,
): Promise<boolean> {
  return !when || (await evaluated(work, when, doc, old)) === true
}

async function evaluated(
  { environment, reads }: Work,
  rule: StepRule,
  doc: Doc,
  old: Doc | undefined,
): Promise<EvalValue> {
  for (;;) {
    const records: Environment['records'] = {
      old,
      user: environment.user,
      ...linkRecords(rule.paths, doc, reads),
    }
    const value = safely(rule, doc, { ...environment, records })
    if (!(await reads.fill())) return value
  }
}

/** Value of an event's expression; one that cannot be computed is empty: it must not undo the change. */
function safely(rule: StepRule, doc: Doc, environment: Environment): EvalValue {
  try {
    return rule.evaluate()(doc, environment)
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    return ''
  }
}

async function linesOf(work: Work, entry: Touched): Promise<EventLine[]> {
  const { parts, name, kinds } = entry
  if (kinds.length === 0) return []
  const { definition, behaviour } = parts
  const happened = new Map<EventKind, Record<string, unknown>>()
  // What only the engine writes is told of by the events of the documents behind it.
  const isKept = definition.behaviour.upsertFrom !== undefined
  if (!isKept) for (const kind of kinds) happened.set(kind, {})
  for (const plan of behaviour.events) {
    if ((await edgeOf(work, entry, plan)) !== 'rises') continue
    const extra = happened.get(plan.name) ?? {}
    for (const { key, rule } of plan.values)
      extra[key] = wireOf(
        rule,
        await evaluated(work, rule, (entry.current ?? entry.start)!, entry.start),
      )
    happened.set(plan.name, extra)
  }
  if (happened.size === 0) return []
  const { record, json } = resultOf(entry)
  return [...happened].map(([kind, extra]) => ({
    resource: definition.slug,
    kind,
    record_id: name,
    data: Object.keys(extra).length === 0 ? json : JSON.stringify({ ...record, ...extra }),
  }))
}

/** Wire form of an expression's value: scaled numbers as decimals, an empty text as unset. */
function wireOf({ expression: { scale } }: StepRule, value: EvalValue): unknown {
  if (typeof value === 'bigint') return decimalToNumber(value, scale)
  return value === '' ? null : value
}
