import { AppError } from '../../base/errors.ts'
import type { Value } from '../../fields/field-type.ts'
import { cloneDoc, type Doc, valueIn } from '../../storage/database/document.ts'
import { type JournalEntry, readJournal, writeJournal } from '../../storage/records/journal.ts'
import type { LockStrength } from '../../storage/records/record-statements.ts'
import { recompute } from '../work/cascade.ts'
import type { DocTypeParts } from '../work/context.ts'
import { numberOf } from '../work/naming.ts'
import type { Touched } from '../work/touched.ts'
import { lockRecord, nested, type Work, type Written } from '../work/work.ts'
import { reverseRows } from './reversal.ts'
import { runSteps, type StepResult } from './steps.ts'
import { setValues } from './update-step.ts'
import { cancelWithin, removeWithin } from './within.ts'

/** Runs the declared effects of a submit, in order. What they posted and set is added to `writes`. */
export async function runEffects(work: Work, entry: Touched, writes: Written[]): Promise<void> {
  const { parts, name } = entry
  const { effects } = parts.behaviour
  if (effects.length === 0) return
  const result = await nested(work, () => runSteps(work, entry, effects, {}, writes))
  const before = entry.current!
  const journal = journalOf(parts, before, result)
  const numbers = await takeNumbers(work, parts, before, result.numbers)
  if (result.sets.size > 0 || numbers.size > 0) {
    const after = cloneDoc(before, Object.fromEntries([...result.sets, ...numbers]))
    await recompute(work, entry, before, after)
    writes.push({ parts, before, after: entry.current })
  }
  await writeJournal(work.tx, { doctype: parts.definition.doctype, name }, journal)
}

/** Numbers that the submit gives, taken when all else is done; no journal has them, so a cancel leaves them. */
async function takeNumbers(
  { tx, context }: Work,
  { definition }: DocTypeParts,
  doc: Doc,
  patterns: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, Value>> {
  const numbers = new Map<string, Value>()
  for (const [field, pattern] of patterns)
    numbers.set(field, await numberOf(tx, context.services, definition, doc, { field, pattern }))
  return numbers
}

function journalOf(parts: DocTypeParts, before: Doc, { sets, done }: StepResult): JournalEntry[] {
  const { doctype } = parts.definition
  const entries = done.flatMap((one): JournalEntry[] => {
    const target = { target_doctype: one.parts.definition.doctype, target_name: one.name }
    const nothing = { field: null, old_value: null, new_value: null }
    if (one.kind === 'created') return [{ kind: 'created', ...target, ...nothing }]
    const sets = one.values.map(({ field, before: was, after }) =>
      setEntry(target, field, was, after),
    )
    return one.submitted ? [...sets, { kind: 'submitted', ...target, ...nothing }] : sets
  })
  const own = { target_doctype: doctype, target_name: before.name }
  const set = [...sets].map(([field, value]) => setEntry(own, field, valueIn(before, field), value))
  return [...entries, ...set]
}

type Target = Pick<JournalEntry, 'target_doctype' | 'target_name'>

function setEntry(target: Target, field: string, was: Value, is: Value): JournalEntry {
  return { kind: 'set', ...target, field, old_value: jsonOf(was), new_value: jsonOf(is) }
}

/**
 * Takes back what the submit of a document did: mirror rows in the ledgers, and the journal backwards. Throws
 * CONFLICT when a value it set has been changed since, or a document it created is held by others.
 */
export async function undoEffects(work: Work, entry: Touched, writes: Written[]): Promise<void> {
  const { parts, name } = entry
  await reverseRows(work, entry, writes)
  const { doctype } = parts.definition
  const journal = await readJournal(work.tx, { doctype, name })
  await takeTargets(work, journal)
  for (const steps of runsOf(journal)) {
    const [{ kind, target_doctype, target_name }] = steps
    const isOwn = target_doctype === doctype && target_name === name
    if (kind !== 'set') await nested(work, () => undoMade(work, steps[0]))
    else if (isOwn) for (const step of steps) await undoSet(work, entry, step, writes)
    else await nested(work, () => undoUpdate(work, entry, steps))
  }
}

type Run = readonly [JournalEntry, ...JournalEntry[]]

/** Runs of entries that go back together: the values that were set in one record, whose checks see no half of them. */
function runsOf(journal: readonly JournalEntry[]): readonly Run[] {
  const runs: [JournalEntry, ...JournalEntry[]][] = []
  for (const entry of journal) {
    const last = runs.at(-1)
    const isMore =
      last?.[0].kind === 'set' &&
      entry.kind === 'set' &&
      last[0].target_doctype === entry.target_doctype &&
      last[0].target_name === entry.target_name &&
      !last.some(({ field }) => field === entry.field)
    if (isMore) last.push(entry)
    else runs.push([entry])
  }
  return runs
}

/** Locks the targets of a journal in the order of their keys, as everybody does who changes several records. */
async function takeTargets(work: Work, journal: readonly JournalEntry[]): Promise<void> {
  const targets = new Map(
    journal.map((entry) => [`${entry.target_doctype}\0${entry.target_name}`, entry]),
  )
  for (const [, entry] of [...targets].sort(([a], [b]) => (a < b ? -1 : 1)))
    await targetOf(work, entry, entry.kind === 'set' ? 'change' : 'end')
}

async function targetOf(
  work: Work,
  { target_doctype, target_name }: Target,
  strength: LockStrength,
): Promise<Touched | undefined> {
  const { services } = work.context
  const definition = services.registry.byDoctype(target_doctype)
  return definition && lockRecord(work, services.partsOf(definition), target_name, strength)
}

/** Undoes the record of an entry: cancels a submitted one, removes a draft that was created. */
async function undoMade(work: Work, entry: JournalEntry): Promise<void> {
  const target = await targetOf(work, entry, 'end')
  // Somebody has deleted or cancelled it meanwhile: nothing is left to undo.
  if (!target?.current || target.current.docstatus === 2) return
  const { parts, name } = target
  if (target.current.docstatus === 0) {
    if (entry.kind === 'created') await removeWithin(work, parts, name)
  } else await cancelWithin(work, parts, name)
}

async function undoUpdate(work: Work, entry: Touched, steps: Run): Promise<void> {
  const target = await targetOf(work, steps[0], 'change')
  // It is gone, or has come to its end with what it was set to.
  if (!target?.current || target.current.docstatus === 2) return
  const before = target.current
  const values = new Map<string, Value>()
  for (const { field, old_value, new_value } of steps) {
    if (field === null || !(field in before)) continue
    if (jsonOf(valueIn(before, field)) !== new_value) {
      const of = `${target.parts.definition.label} ${JSON.stringify(target.name)}`
      throw changedSince(entry, `${field} of ${of}`, field, new_value)
    }
    values.set(field, storedValue(old_value))
  }
  await setValues(work, target.parts, before, values)
}

async function undoSet(
  work: Work,
  entry: Touched,
  { field, old_value, new_value }: JournalEntry,
  writes: Written[],
): Promise<void> {
  const before = entry.current!
  if (field === null || !(field in before)) return
  if (jsonOf(before[field] ?? null) !== new_value)
    throw changedSince(entry, field, field, new_value)
  const after = cloneDoc(before, { [field]: storedValue(old_value) })
  await recompute(work, entry, before, after)
  writes.push({ parts: entry.parts, before, after: entry.current })
}

function changedSince(
  { parts, name }: Touched,
  what: string,
  field: string,
  value: string | null,
): AppError {
  return new AppError(
    'CONFLICT',
    `cannot cancel ${parts.definition.label} ${JSON.stringify(name)}: its submit set ${what}, which has been changed since`,
    {
      details: [
        { field, message: `expected ${value}, it is another value now`, code: 'wrong_state' },
      ],
    },
  )
}

/** JSON of a value; scaled numbers are text with a mark, since JSON has no whole numbers of 64 bits. */
function jsonOf(value: unknown): string {
  return JSON.stringify(typeof value === 'bigint' ? { scaled: String(value) } : value)
}

function storedValue(json: string | null): Value {
  const value: unknown = json === null ? null : JSON.parse(json)
  return typeof value === 'object' && value !== null && 'scaled' in value
    ? BigInt(String(value.scaled))
    : (value as Value)
}
