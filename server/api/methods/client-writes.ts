import { AppError } from '../../../engine/base/errors.ts'
import { isObject } from '../../../engine/base/json-text.ts'
import type { DocTypeDefinition } from '../../../engine/definition/model/definition.ts'
import { getDocument } from '../../../engine/documents/operations/get.ts'
import { removeDocument } from '../../../engine/documents/operations/remove.ts'
import { createTogether } from '../../../engine/documents/operations/save.ts'
import type { Context } from '../../../engine/documents/work/context.ts'
import { runDocumentMethod } from '../act.ts'
import { recordDoctype, recordName, rowsNamed } from '../call.ts'
import { appendRow, changeRow } from '../child-rows.ts'
import { failureOf } from '../failure.ts'
import { FrappeError } from '../frappe-error.ts'
import { objectParameter, parsedParameter } from '../json-text.ts'
import { insertDocument, newRecord, saveDocument } from '../save.ts'
import { shownFor } from '../shown-record.ts'
import type { Method, MethodCall, Methods } from './method.ts'

type Body = Readonly<Record<string, unknown>>

/** `frappe.client.*` that change something (erp-semantics.md §1.2): never by GET. */
export const CLIENT_WRITES: Methods = {
  'frappe.client.set_value': write(setValue),
  'frappe.client.insert': write(insert),
  'frappe.client.insert_many': write(insertMany),
  'frappe.client.save': write(save),
  'frappe.client.bulk_update': write(bulkUpdate),
  'frappe.client.submit': write(submit),
  'frappe.client.cancel': write(cancel),
  'frappe.client.delete': write(remove),
  'frappe.client.rename_doc': write(rename),
  'frappe.rename_doc': write(rename),
}

/** Documents one call may create (Frappe's own limit), and rows of all of them: others' writes wait for them. */
const MAX_DOCS = 200
const MAX_ROWS = 1_000

/** The same of documents that are submitted at once: with all that follows, each takes four times as long. */
const MAX_SUBMITTED = 30
const MAX_SUBMITTED_ROWS = 500

function write(run: Method['run']): Method {
  return { verbs: ['POST'], access: 'user', run }
}

/** Fields no caller sets one by one; a state is changed by submit and cancel. */
const STANDARD = new Set(
  'name owner creation modified modified_by docstatus idx doctype parent parentfield parenttype'.split(
    ' ',
  ),
)

/** One field, or several as an object; also of a row, by the row's name. */
async function setValue({ context, response, args }: MethodCall): Promise<unknown> {
  const values = valuesOf(args.fieldname, args.value)
  if (Object.keys(values).some((name) => STANDARD.has(name)))
    throw new FrappeError('ValidationError', 'Cannot edit standard fields')
  const rows = rowsNamed(context, args.doctype)
  if (rows) return changeRow(context, rows, args.name, values)
  const definition = recordDoctype(context, response, args.doctype)
  return saved(context, definition, args.name, values)
}

function valuesOf(fieldname: unknown, value: unknown): Body {
  const isJson = typeof fieldname === 'string' && fieldname.trimStart().startsWith('{')
  if (isJson || isObject(fieldname)) return objectParameter(fieldname, 'fieldname')
  if (typeof fieldname === 'string' && fieldname !== '') return { [fieldname]: value ?? null }
  throw new FrappeError(
    'ValidationError',
    'expected fieldname to be a field or an object of fields',
  )
}

async function insert({ context, response, args }: MethodCall): Promise<unknown> {
  const doc = objectParameter(args.doc, 'doc')
  const rows = rowsNamed(context, doc.doctype)
  if (rows) return appendRow(context, response, rows, doc)
  const definition = recordDoctype(context, response, doc.doctype)
  const { record } = await insertDocument(context, definition, doc)
  return shownFor(context, definition, record)
}

/** Creates all documents in one transaction, or none: a caller need not find out how far it came. */
async function insertMany({ context, response, args }: MethodCall): Promise<unknown> {
  const docs = docsOf(args.docs)
  assertAtMost(MAX_ROWS, rowsOf(docs), 'rows of tables')
  const records = docs.map((doc) =>
    newRecord(context, recordDoctype(context, response, doc.doctype), doc),
  )
  const submitted = docs.filter((_, at) => records[at]!.submit)
  assertAtMost(MAX_SUBMITTED, submitted.length, 'documents that are submitted')
  assertAtMost(MAX_SUBMITTED_ROWS, rowsOf(submitted), 'rows of documents that are submitted')
  const results = await createTogether(context, records)
  return results.map(({ id }) => id)
}

function rowsOf(docs: readonly Body[]): number {
  const tables = docs.flatMap((doc) => Object.values(doc).filter(Array.isArray))
  return tables.reduce((rows, { length }) => rows + length, 0)
}

function assertAtMost(most: number, got: number, what: string): void {
  if (got <= most) return
  throw new FrappeError(
    'ValidationError',
    `Only ${most} ${what} allowed in one request, got ${got}: send fewer documents at a time`,
  )
}

function docsOf(sent: unknown): readonly Body[] {
  const docs = parsedParameter(sent, 'docs')
  if (!Array.isArray(docs) || !docs.every(isObject))
    throw new FrappeError('ValidationError', 'expected docs to be a list of documents')
  if (docs.length > MAX_DOCS)
    throw new FrappeError('ValidationError', `Only ${MAX_DOCS} inserts allowed in one request`)
  return docs
}

/** Saves a whole document: the one of its name, or a new one where it says that it is new. */
async function save({ context, response, args }: MethodCall): Promise<unknown> {
  const doc = objectParameter(args.doc, 'doc')
  const definition = recordDoctype(context, response, doc.doctype)
  if (doc.__islocal || doc.name === undefined || doc.name === null) {
    const { record } = await insertDocument(context, definition, doc)
    return shownFor(context, definition, record)
  }
  return saved(context, definition, doc.name, doc)
}

/** Changes each document on its own; those that fail are named, with why. */
async function bulkUpdate({ context, response, args }: MethodCall): Promise<unknown> {
  const failed_docs: unknown[] = []
  for (const doc of docsOf(args.docs)) {
    try {
      const definition = recordDoctype(context, response, doc.doctype)
      const { docname, doctype: _, ...values } = doc
      await saved(context, definition, docname, values)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const { type, exception } = failureOf(error)
      failed_docs.push({ doc, exc: `frappe.exceptions.${type}: ${exception}` })
    }
  }
  return { failed_docs }
}

/**
 * Submits a document. Frappe takes it as it is sent and blanks what is not; here what is sent is merged into
 * the stored one, so that `{doctype, name}` is enough.
 */
async function submit({ context, response, args }: MethodCall): Promise<unknown> {
  // Older clients for Python call it so.
  const doc = objectParameter(args.doc ?? args.doclist, 'doc')
  const definition = recordDoctype(context, response, doc.doctype)
  if (doc.name === undefined || doc.__islocal) {
    const { record } = await insertDocument(context, definition, { ...doc, docstatus: 1 })
    return shownFor(context, definition, record)
  }
  return saved(context, definition, doc.name, { ...doc, docstatus: 1 })
}

async function cancel({ context, response, args }: MethodCall): Promise<unknown> {
  const definition = recordDoctype(context, response, args.doctype)
  const id = recordName(definition, args.name)
  const { record } = await runDocumentMethod(context, definition, id, 'cancel')
  return shownFor(context, definition, record)
}

async function remove({ context, response, args }: MethodCall): Promise<null> {
  const definition = recordDoctype(context, response, args.doctype)
  await removeDocument(context, definition, recordName(definition, args.name))
  return null
}

/** Records keep their names for ever here: other systems hold them. */
async function rename({ context, response, args }: MethodCall): Promise<never> {
  const definition = recordDoctype(context, response, args.doctype)
  const id = recordName(definition, args.old_name ?? args.old)
  await getDocument(context, definition, id)
  throw new FrappeError(
    'ValidationError',
    `${definition.doctype} ${id} cannot be renamed: names of records never change here; create another and delete this one`,
  )
}

async function saved(
  context: Context,
  definition: DocTypeDefinition,
  name: unknown,
  body: Body,
): Promise<unknown> {
  const id = recordName(definition, name)
  const { record } = await saveDocument(context, definition, id, body)
  return shownFor(context, definition, record)
}
