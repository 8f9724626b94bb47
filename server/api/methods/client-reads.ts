import type { Action } from '../../../engine/access/can.ts'
import { AppError } from '../../../engine/base/errors.ts'
import { isObject } from '../../../engine/base/json-text.ts'
import type { DocTypeDefinition } from '../../../engine/definition/model/definition.ts'
import { getDocument } from '../../../engine/documents/operations/get.ts'
import { may, mayWith } from '../../../engine/documents/rights/door.ts'
import type { Context } from '../../../engine/documents/work/context.ts'
import { sendRows } from '../answer.ts'
import { isGiven } from '../args.ts'
import { doctypeNamed, listedNamed, recordDoctype, recordName } from '../call.ts'
import { isMetaDoctype, RIGHTS } from '../doctype-meta.ts'
import { countDoctypes, describeDoctype, listDoctypes } from '../doctypes.ts'
import { FrappeError } from '../frappe-error.ts'
import { parsedParameter } from '../json-text.ts'
import type { Listed } from '../lists/list.ts'
import { countRecords, eachListed, listRecords } from '../lists/list.ts'
import { flagParameter, textOf } from '../lists/list-parameter.ts'
import { shownFor } from '../shown-record.ts'
import { ANSWERED, type Method, type MethodCall, type Methods } from './method.ts'

type Shown = Readonly<Record<string, unknown>>

/** `frappe.client.*` that read (erp-semantics.md §1.2); they keep unset fields as null. */
export const CLIENT_READS: Methods = {
  'frappe.client.get_list': read(getList),
  'frappe.client.get_count': read(getCount),
  'frappe.client.get': read(get),
  'frappe.client.get_value': read(getValue),
  'frappe.client.get_single_value': read(getSingleValue),
  'frappe.client.has_permission': read(hasPermission),
  'frappe.client.get_doc_permissions': read(getDocPermissions),
  'frappe.client.validate_link': read(validateLink),
  'frappe.client.is_document_amended': read(isDocumentAmended),
}

function read(run: Method['run']): Method {
  return { verbs: ['GET', 'POST'], access: 'user', run }
}

async function getList(call: MethodCall): Promise<unknown> {
  const { context, response, args } = call
  if (isMeta(call)) return listDoctypes(context, args)
  const listed = listedOf(call)
  await sendRows(response, 'message', (take, begin) =>
    eachListed(context, listed, args, take, begin),
  )
  return ANSWERED
}

async function getCount(call: MethodCall): Promise<number> {
  const { context, args } = call
  if (isMeta(call)) return countDoctypes(context, args)
  return countRecords(context, listedOf(call), args)
}

/** One document, by its name or as the first that meets `filters`. */
async function get(call: MethodCall): Promise<unknown> {
  const { context, response, args } = call
  if (isMeta(call)) return describeDoctype(context, recordName({ doctype: 'DocType' }, args.name))
  const definition = recordDoctype(context, response, args.doctype)
  const name = isGiven(args.name) ? args.name : await firstName(call, definition)
  const { record } = await getDocument(context, definition, recordName(definition, name))
  return shownFor(context, definition, record)
}

async function firstName(
  { context, args }: MethodCall,
  definition: DocTypeDefinition,
): Promise<unknown> {
  if (!isGiven(args.filters))
    throw new FrappeError('ValidationError', 'expected name or filters to say which document')
  const filters = filtersOrName(args.filters)
  const [row] = await listRecords(context, definition, { ...ONE, filters, fields: ['name'] })
  if (!isObject(row)) throw new AppError('NOT_FOUND', `${definition.doctype} not found`)
  return row.name
}

const ONE = { limit_page_length: 1 } as const

/** Fields of the first record that meets the filters; `filters` may be just a name. */
async function getValue(call: MethodCall): Promise<unknown> {
  const { context, args } = call
  const listed = listedOf(call)
  const fields = fieldNames(args.fieldname)
  const [row] = await listRecords(context, listed, {
    ...ONE,
    fields,
    ...(isGiven(args.filters) ? { filters: filtersOrName(args.filters) } : {}),
    ...(isGiven(args.parent) ? { parent: args.parent } : {}),
  })
  if (!flagParameter(args, 'as_dict')) {
    if (!isObject(row)) return null
    const values = fields.map((name) => row[name] ?? null)
    return values.length === 1 ? values[0] : values
  }
  return row ?? {}
}

/** Single DocTypes, of which there is one record, are none of this workspace's. */
async function getSingleValue({ context, response, args }: MethodCall): Promise<never> {
  const { doctype } = doctypeNamed(context, response, args.doctype)
  throw new FrappeError(
    'ValidationError',
    `${doctype} is not a single DocType: read its records with frappe.client.get_value`,
  )
}

async function hasPermission(call: MethodCall): Promise<unknown> {
  const { context, response, args } = call
  const definition = recordDoctype(context, response, args.doctype)
  const right = isGiven(args.perm_type) ? textOf(args.perm_type) : 'read'
  const action = RIGHTS.get(right)
  if (!action) {
    const known = [...RIGHTS.keys()].join(', ')
    throw new FrappeError('ValidationError', `expected perm_type to be one of ${known}`)
  }
  const id = isGiven(args.docname) ? recordName(definition, args.docname) : undefined
  return { has_permission: await isAllowed(context, definition, action, id) }
}

/** Without an id: with records of the DocType at all. */
async function isAllowed(
  context: Context,
  definition: DocTypeDefinition,
  action: Action,
  id: string | undefined,
): Promise<boolean> {
  return id === undefined
    ? may(context, definition, action)
    : mayWith(context, definition, id, action)
}

async function getDocPermissions(call: MethodCall): Promise<unknown> {
  const { context, response, args } = call
  const definition = recordDoctype(context, response, args.doctype)
  const id = isGiven(args.docname) ? recordName(definition, args.docname) : undefined
  const permissions: Record<string, 0 | 1> = {}
  for (const [right, action] of RIGHTS)
    permissions[right] = (await isAllowed(context, definition, action, id)) ? 1 : 0
  return { permissions }
}

/** `{name, …fields}` of a record that exists, `{}` when it does not. */
async function validateLink(call: MethodCall): Promise<Shown> {
  const { context, response, args } = call
  const definition = recordDoctype(context, response, args.doctype)
  const name = recordName(definition, args.docname)
  const fields = isGiven(args.fields) ? fieldNames(args.fields) : []
  const [row] = await listRecords(context, definition, {
    ...ONE,
    filters: { name },
    fields: [...new Set(['name', ...fields])],
  })
  return isObject(row) ? row : {}
}

async function isDocumentAmended(call: MethodCall): Promise<unknown> {
  const { context, response, args } = call
  const definition = recordDoctype(context, response, args.doctype)
  if (!definition.submittable) return null
  const filters = { amended_from: recordName(definition, args.docname) }
  const [row] = await listRecords(context, definition, { ...ONE, filters, fields: ['name'] })
  return isObject(row) ? row.name : null
}

function listedOf({ context, response, args }: MethodCall): Listed {
  return listedNamed(context, response, args.doctype)
}

function isMeta({ context, args }: MethodCall): boolean {
  return isMetaDoctype(context, args.doctype)
}

/** Filters as lists take them; a bare name stands for the record of that name. */
function filtersOrName(sent: unknown): unknown {
  if (typeof sent === 'number') return { name: String(sent) }
  if (typeof sent !== 'string' || /^\s*[[{]/.test(sent)) return sent
  return { name: sent.startsWith('"') ? parsedParameter(sent, 'filters') : sent }
}

/** `"f"`, `"[\"f\",\"g\"]"` or a list; the name when there is none. */
function fieldNames(sent: unknown): readonly string[] {
  const parsed =
    typeof sent === 'string' && sent.trimStart().startsWith('[')
      ? parsedParameter(sent, 'fieldname')
      : sent
  const names = (Array.isArray(parsed) ? parsed : [parsed]).filter(isGiven).map(textOf)
  return names.length === 0 ? ['name'] : names
}
