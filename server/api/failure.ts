import type { AppError, Detail, ErrorCode } from '../../engine/base/errors.ts'
import type { ProblemCode } from '../../engine/base/problem-codes.ts'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import type { Field } from '../../engine/fields/field.ts'
import { publicFields } from '../../engine/fields/public-fields.ts'
import { ForgeryError } from '../auth/forgery.ts'
import { FrappeError } from './frappe-error.ts'

/** An error as clients of Frappe know it: its exception class decides the status. */
export interface Failure {
  readonly status: number
  /** `exc_type` */
  readonly type: string
  /** Text of `exception` behind the class. */
  readonly exception: string
  /** Texts for people, one for each problem. */
  readonly messages: readonly string[]
}

/** Frappe's status of everything that is wrong with the data. */
const WRONG_DATA = 417

/** Exception class and status of each code, where nothing more is known (erp-semantics.md §1.5). */
const BY_CODE: Readonly<Record<ErrorCode, readonly [type: string, status: number]>> = {
  BAD_REQUEST: ['ValidationError', 400],
  UNAUTHORIZED: ['AuthenticationError', 401],
  FORBIDDEN: ['PermissionError', 403],
  NOT_FOUND: ['DoesNotExistError', 404],
  METHOD_NOT_ALLOWED: ['PermissionError', 403],
  NOT_ACCEPTABLE: ['ValidationError', WRONG_DATA],
  CONFLICT: ['ValidationError', WRONG_DATA],
  GONE: ['DoesNotExistError', 410],
  PRECONDITION_FAILED: ['TimestampMismatchError', WRONG_DATA],
  PAYLOAD_TOO_LARGE: ['RequestEntityTooLarge', 413],
  UNSUPPORTED_MEDIA_TYPE: ['UnsupportedMediaType', 415],
  VALIDATION_ERROR: ['ValidationError', WRONG_DATA],
  RATE_LIMITED: ['RateLimitExceededError', 429],
  INTERNAL_ERROR: ['InternalServerError', 500],
  UNAVAILABLE: ['ServiceUnavailable', 503],
}

/**
 * Failure that Frappe would have raised in place of an error. `definition` is the DocType the request is about,
 * for the labels of fields. An error that says its exception class itself (`FrappeError`) keeps it.
 */
export function failureOf(error: AppError, definition?: DocTypeDefinition): Failure {
  if (error instanceof FrappeError) return { ...plain(error), type: error.type }
  if (error instanceof ForgeryError) return { ...plain(error), ...FORGERY }
  if (error.code === 'VALIDATION_ERROR') return wrongData(error, definition)
  if (error.code === 'CONFLICT') return conflict(error, definition)
  // Its own words are of ETags, which nobody here has sent.
  if (error.code === 'PRECONDITION_FAILED') return { ...plain(error), ...STALE }
  return plain(error)
}

const STALE = {
  exception: 'Error: the document has been modified after you have opened it',
  messages: [
    'Error: the document has been modified after you have opened it. Please read it again',
  ],
} as const

const FORGERY = { type: 'CSRFTokenError', status: 400 } as const

function plain({ code, message }: AppError): Failure {
  const [type, status] = BY_CODE[code]
  return { status, type, exception: message, messages: [message] }
}

function wrongData(error: AppError, definition: DocTypeDefinition | undefined): Failure {
  const details = error.details ?? []
  if (details.length === 0) return plain(error)
  const messages = details.map((detail) => messageOf(detail, definition))
  if (error.untold > 0) messages.push(`… and ${error.untold} more`)
  const exception = messages.join('\n')
  const failure = (type: string): Failure => ({ status: WRONG_DATA, type, exception, messages })
  const has = (code: ProblemCode): boolean => details.some((detail) => detail.code === code)
  if (details.every(({ code }) => code === 'required')) {
    const fields = details.map(({ field }) => field).join(', ')
    return {
      ...failure('MandatoryError'),
      exception: definition ? `[${definition.doctype}]: ${fields}` : fields,
    }
  }
  if (has('no_such_record')) return failure('LinkValidationError')
  if (has('cancelled_record')) return failure('CancelledLinkError')
  return failure('ValidationError')
}

function conflict(error: AppError, definition: DocTypeDefinition | undefined): Failure {
  const { details, linked, message } = error
  if (linked && linked.length > 0) {
    const links = linked.map(({ doctype, id }) => `${doctype} ${id}`).join(', ')
    const messages = [`Cannot delete or cancel: ${message}. It is linked with ${links}`]
    return { status: WRONG_DATA, type: 'LinkExistsError', exception: messages[0]!, messages }
  }
  const problem = details?.[0]
  const isState =
    problem?.code === 'wrong_state' && problem.field === 'docstatus' && linked === undefined
  if (isState) return { ...plain(error), type: 'DocstatusTransitionError' }
  if (problem?.code !== 'not_unique') return plain(error)
  if (isUniqueField(problem.field, definition))
    return { ...plain(error), type: 'UniqueValidationError', status: WRONG_DATA }
  return { ...plain(error), type: 'DuplicateEntryError', status: 409 }
}

/** Whether a value that is taken is that of a field, and not the name of the record itself. */
function isUniqueField(name: string, definition: DocTypeDefinition | undefined): boolean {
  if (!definition || name === definition.idField) return false
  return named(definition.fields, name) !== undefined
}

const ROW = /^(\w+)\[(\d+)\](?:\.(\w+))?$/

function messageOf(detail: Detail, definition: DocTypeDefinition | undefined): string {
  if (!definition)
    return detail.field === '' ? detail.message : `${detail.field}: ${detail.message}`
  const { doctype } = definition
  const fields = publicFields(definition)
  const [, table, index, column] = ROW.exec(detail.field) ?? []
  const field = named(fields, table ?? detail.field)
  if (table !== undefined) {
    const row = `Row #${Number(index) + 1}`
    const label =
      named(field?.child ? publicFields(field.child) : [], column ?? '')?.label ?? column
    if (label === undefined) return `${row}: ${detail.message}`
    if (detail.code === 'required') return `Error: Value missing for ${doctype}: ${row}: ${label}`
    return `${row}: ${label}: ${detail.message}`
  }
  const label = field?.label ?? detail.field
  if (detail.code === 'required') {
    return field?.child
      ? `Error: Data missing in table ${label}`
      : `Error: Value missing for ${doctype}: ${label}`
  }
  if (detail.code === 'no_such_record') return `Could not find ${label}: ${detail.message}`
  return label === '' ? detail.message : `${label}: ${detail.message}`
}

function named(fields: readonly Field[], name: string): Field | undefined {
  return fields.find((field) => field.name === name)
}
