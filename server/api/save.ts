import { validationError } from '../../engine/base/errors.ts'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import { cancelDocument } from '../../engine/documents/operations/cancel.ts'
import { getDocument } from '../../engine/documents/operations/get.ts'
import { reviseDocument } from '../../engine/documents/operations/revise.ts'
import {
  createTogether,
  type NewRecord,
  updateAndSubmit,
} from '../../engine/documents/operations/save.ts'
import { submitDocument } from '../../engine/documents/operations/submit.ts'
import { updateDocument } from '../../engine/documents/operations/update.ts'
import { assertMay } from '../../engine/documents/rights/door.ts'
import type { BeforeCommit, Context } from '../../engine/documents/work/context.ts'
import type { DocumentResult } from '../../engine/documents/work/present.ts'
import type { Field } from '../../engine/fields/field.ts'
import { publicFields } from '../../engine/fields/public-fields.ts'
import { heard } from '../../engine/schema/dialect/heard.ts'
import { contradictions } from '../../engine/schema/dialect/stated.ts'
import { looseInput } from '../../engine/schema/shapes/loose-input.ts'
import { FrappeError } from './frappe-error.ts'
import { shownFor } from './shown-record.ts'

type Body = Readonly<Record<string, unknown>>

const STATES = ['Draft', 'Submitted', 'Cancelled'] as const

/**
 * Creates a document as Frappe's clients send it; `docstatus: 1` submits it in the same transaction
 * (erp-semantics.md §0.11).
 */
export async function insertDocument(
  context: Context,
  definition: DocTypeDefinition,
  body: Body,
): Promise<DocumentResult> {
  const [result] = await createTogether(context, [newRecord(context, definition, body)])
  return result!
}

/** New record that a sent document asks for. Throws 417 for a docstatus no new document can have. */
export function newRecord(context: Context, definition: DocTypeDefinition, body: Body): NewRecord {
  const docstatus = docstatusOf(body) ?? 0
  if (docstatus === 2) throw wrongTransition(0, 2)
  const said = understood(context, definition, 'create', body)
  return {
    definition,
    body: looseInput(definition, said.body, { mode: 'create' }),
    submit: docstatus === 1,
    accept: said.accept,
  }
}

/** A body in the names of the DocType, and what looks at the record that came of it. */
interface Understood {
  readonly body: Body
  readonly accept: (record: Body) => void
}

/** Throws 403, and 417 for names that mean nothing here and would change the result. */
function understood(
  context: Context,
  definition: DocTypeDefinition,
  action: 'create' | 'update',
  sent: Body,
  current?: Body,
): Understood {
  const dialect = context.services.dialect()
  const { body, problems, stated } = heard(dialect, definition, sent, current)
  if (problems.length > 0) {
    assertMay(context, definition, action)
    throw validationError(problems)
  }
  return {
    body,
    accept(record) {
      const wrong = contradictions(stated, record)
      if (wrong.length > 0) throw validationError(wrong)
    },
  }
}

/**
 * Changes a document as Frappe's clients do: the sent fields, and where `docstatus` is sent, its state; both in
 * one transaction. A document may be sent back whole. `modified` locks: when it is not that of the record,
 * somebody else was faster. Throws 403, 404 and Frappe's 417s.
 */
export async function saveDocument(
  context: Context,
  definition: DocTypeDefinition,
  id: string,
  body: Body,
): Promise<DocumentResult> {
  const current = await getDocument(context, definition, id)
  const docstatus = Number(current.record.docstatus ?? 0)
  const wanted = docstatusOf(body) ?? docstatus
  const shown = shownFor(context, definition, current.record)
  const checked = { ...context, beforeCommit: acceptedBy((record) => said.accept(record)) }
  const locked = isLocking(definition, shown, body)
    ? { ...checked, ifMatch: [current.etag] }
    : checked
  const said = understood(context, definition, 'update', body, shown)
  const input = looseInput(definition, said.body, { mode: 'update', current: current.record })
  if (docstatus === 2) throw new FrappeError('ValidationError', 'Cannot edit cancelled document')
  if (docstatus === 1) return changeSubmitted(locked, definition, current, input, wanted)
  if (wanted === 2) throw wrongTransition(0, 2)
  if (wanted === 0) return updateDocument(locked, definition, id, input)
  return Object.keys(input).length === 0
    ? submitDocument(locked, definition, id)
    : updateAndSubmit(locked, definition, id, input)
}

/** Looks at a changed record before the commit. */
function acceptedBy(accept: (record: Body) => void): BeforeCommit {
  return async (_tx, result) => {
    if (result) accept(result.record)
  }
}

/**
 * A submitted document leaves its state, or changes in fields with `allow_on_submit`; sent back as it is, it stays
 * as it is.
 */
async function changeSubmitted(
  context: Context,
  definition: DocTypeDefinition,
  current: DocumentResult,
  input: Body,
  wanted: number,
): Promise<DocumentResult> {
  if (wanted === 0) throw wrongTransition(1, 0)
  const changed = publicFields(definition).filter(
    ({ name }) => Object.hasOwn(input, name) && differs(input[name], current.record[name]),
  )
  const closed = changed.find(
    (field) => wanted === 2 || !isOpenChange(field, input[field.name], current.record[field.name]),
  )
  if (closed) throw changedAfterSubmit(closed, current, input)
  if (wanted === 2) return cancelDocument(context, definition, current.id)
  if (changed.length === 0) return current
  const open = Object.fromEntries(changed.map(({ name }) => [name, input[name]]))
  return reviseDocument(context, definition, current.id, open)
}

/** Whether what differs may change after submit: the field, or columns of rows that are all still there. */
function isOpenChange({ allowOnSubmit, child }: Field, sent: unknown, stored: unknown): boolean {
  if (allowOnSubmit) return true
  if (!child || !Array.isArray(sent) || !Array.isArray(stored) || sent.length !== stored.length)
    return false
  return sent.every((row: Body, index) => {
    const was = stored[index] as Body
    return Object.entries(row).every(
      ([name, value]) =>
        !differs(value, was[name]) ||
        child.fields.some((column) => column.name === name && column.allowOnSubmit),
    )
  })
}

/** Rows are compared by the fields that were sent. */
function differs(sent: unknown, stored: unknown): boolean {
  if (!Array.isArray(sent)) return JSON.stringify(sent) !== JSON.stringify(stored ?? null)
  if (!Array.isArray(stored) || sent.length !== stored.length) return true
  return sent.some((row: Body, index) => {
    const was = stored[index] as Body
    return Object.entries(row).some(([name, value]) => differs(value, was[name]))
  })
}

function changedAfterSubmit(
  { name, label, child }: Field,
  { record }: DocumentResult,
  input: Body,
): FrappeError {
  const values = child
    ? ''
    : ` from ${JSON.stringify(record[name] ?? null)} to ${JSON.stringify(input[name]) ?? 'what is no JSON'}`
  return new FrappeError(
    'UpdateAfterSubmitError',
    `Not allowed to change ${label} after submission${values}; cancel and amend the document`,
    { details: [{ field: name, message: 'cannot change after submission', code: 'wrong_state' }] },
  )
}

function wrongTransition(from: 0 | 1, to: 0 | 2): FrappeError {
  return new FrappeError(
    'DocstatusTransitionError',
    `Cannot change docstatus from ${from} (${STATES[from]}) to ${to} (${STATES[to]})`,
  )
}

/** The state a sent document wants; undefined when it says none. */
function docstatusOf({ docstatus }: Body): 0 | 1 | 2 | undefined {
  if (docstatus === undefined || docstatus === null || docstatus === '') return undefined
  const number = typeof docstatus === 'object' ? Number.NaN : Number(docstatus)
  if (number === 0 || number === 1 || number === 2) return number
  throw new FrappeError('ValidationError', 'expected docstatus to be 0, 1 or 2')
}

/** True when the client says which state of the record it has seen. Throws 417 when that is not the last one. */
function isLocking(definition: DocTypeDefinition, shown: Body, { modified }: Body): boolean {
  if (typeof modified !== 'string' || modified === '') return false
  if (momentOf(modified) === momentOf(String(shown.modified))) return true
  throw timestampMismatch(definition, String(shown.name))
}

/** Moment of a text in ms, in UTC: clients cut digits of the second, or write ISO. */
function momentOf(text: string): number {
  return Date.parse(`${text.replace(' ', 'T').replace(/Z$/, '').slice(0, 23)}Z`)
}

function timestampMismatch({ doctype }: DocTypeDefinition, id: string): FrappeError {
  return new FrappeError(
    'TimestampMismatchError',
    `Error: ${id} (${doctype}) has been modified after you have opened it. Please read it again`,
  )
}
