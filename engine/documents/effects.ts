import { AppError } from '../base/errors.ts'
import { cloneDoc, type Doc } from '../storage/document.ts'
import { recompute } from './cascade.ts'
import type { DocTypeParts } from './context.ts'
import { type JournalEntry, readJournal, writeJournal } from './journal.ts'
import { reverseRows } from './ledger.ts'
import { runSteps, type StepResult } from './steps.ts'
import { cancelWithin, removeWithin } from './within.ts'
import { deeper, type Touched, take, type Work, type Written } from './work.ts'

/** What a submit does besides: its declared effects, in order. What posting wrote is added to `writes`. */
export async function runEffects(work: Work, entry: Touched, writes: Written[]): Promise<void> {
  const { parts, name } = entry
  const { effects } = parts.behaviour
  if (effects.length === 0) return
  const result = await deeper(work, () => runSteps(work, entry, effects, {}, writes))
  const before = entry.current!
  const journal = journalOf(parts, before, result)
  if (result.sets.size > 0) {
    const after = { ...cloneDoc(before), ...Object.fromEntries(result.sets) }
    await recompute(work, entry, before, after)
  }
  await writeJournal(work.tx, { doctype: parts.definition.doctype, name }, journal)
}

function journalOf(
  parts: DocTypeParts,
  before: Doc,
  { sets, created }: StepResult,
): JournalEntry[] {
  const { doctype } = parts.definition
  const made = created.map(
    (one): JournalEntry => ({
      kind: 'created',
      target_doctype: one.parts.definition.doctype,
      target_name: one.name,
      field: null,
      old_value: null,
      new_value: null,
    }),
  )
  const set = [...sets].map(
    ([field, value]): JournalEntry => ({
      kind: 'set',
      target_doctype: doctype,
      target_name: before.name,
      field,
      old_value: jsonOf(before[field] ?? null),
      new_value: jsonOf(value),
    }),
  )
  return [...made, ...set]
}

/**
 * Takes back what the submit of a document did: mirror rows in the ledgers, and the journal backwards. Throws
 * CONFLICT when a value it set has been changed since, or a document it created is held by others.
 */
export async function undoEffects(work: Work, entry: Touched, writes: Written[]): Promise<void> {
  const { parts, name } = entry
  await reverseRows(work, entry, writes)
  const journal = await readJournal(work.tx, { doctype: parts.definition.doctype, name })
  for (const step of journal) {
    if (step.kind === 'created') await deeper(work, () => undoCreate(work, step))
    else await undoSet(work, entry, step)
  }
}

async function undoCreate(
  work: Work,
  { target_doctype, target_name }: JournalEntry,
): Promise<void> {
  const { services } = work.context
  const definition = services.registry.byDoctype(target_doctype)
  if (!definition) return
  const parts = services.partsOf(definition)
  const target = await take(work, parts, target_name, 'end')
  // Somebody has deleted or cancelled it meanwhile: nothing is left to undo.
  if (!target?.current || target.current.docstatus === 2) return
  if (target.current.docstatus === 1) await cancelWithin(work, parts, target_name)
  else await removeWithin(work, parts, target_name)
}

async function undoSet(
  work: Work,
  entry: Touched,
  { field, old_value, new_value }: JournalEntry,
): Promise<void> {
  const before = entry.current!
  if (field === null || !(field in before)) return
  if (jsonOf(before[field] ?? null) !== new_value) {
    throw new AppError(
      'CONFLICT',
      `cannot cancel ${entry.parts.definition.label} ${JSON.stringify(entry.name)}: its submit set ${field}, which has been changed since`,
      { details: [{ field, message: `expected ${new_value}, it is another value now` }] },
    )
  }
  const after = { ...cloneDoc(before), [field]: storedValue(old_value) }
  await recompute(work, entry, before, after)
}

/** Scaled numbers are written as text with a mark, since JSON has no whole numbers of 64 bits. */
function jsonOf(value: unknown): string {
  return JSON.stringify(typeof value === 'bigint' ? { scaled: String(value) } : value)
}

function storedValue(json: string | null): Doc[string] {
  const value: unknown = json === null ? null : JSON.parse(json)
  return typeof value === 'object' && value !== null && 'scaled' in value
    ? BigInt(String(value.scaled))
    : (value as Doc[string])
}
