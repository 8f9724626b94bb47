import { type ApiAnswer, unknownOutcome } from './api-client.ts'
import { CallFailure, type FailureCode } from './call-failure.ts'
import type { ApiRequest, ArgumentError, ArgumentProblem } from './request.ts'
import { retryAfter } from './retry.ts'
import { type ToolServerSettings, variable } from './settings.ts'

/** Answer of a tool (CallToolResult of the protocol). */
export interface ToolResult {
  /** The first text is the body of the API as it came; a second one, if any, is advice of ours. */
  readonly content: readonly { readonly type: 'text'; readonly text: string }[]
  /** The body, parsed. */
  readonly structuredContent: Readonly<Record<string, unknown>>
  readonly isError?: true
}

/** The result for an answer of the API. Throws CallFailure for an answer that is none of the API. */
export function resultOf(
  settings: ToolServerSettings,
  request: ApiRequest,
  answer: ApiAnswer,
): ToolResult {
  const { status, text } = answer
  if (status === 204) return { content: texts(''), structuredContent: {} }
  const body = parsedObject(text)
  const isError = status >= 400
  if (body === undefined || status < 200 || (status >= 300 && !isError)) {
    throw unexpected(settings, request, answer)
  }
  if (!isError) return { content: texts(text, moreToCome(body)), structuredContent: body }
  const { error } = body
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : ''
  const advice = adviceFor(settings, String(code), answer)
  return { content: texts(text, advice), structuredContent: body, isError: true }
}

/** The result for a call without an answer of the API; the same shape of error, without a status. */
export function failureResult(error: CallFailure | ArgumentError): ToolResult {
  if (error instanceof CallFailure) return failure(error.code, error.message)
  const [first, ...others] = error.problems
  const more = others.length === 0 ? '' : ` (and ${others.length} more, see details)`
  const message = first === undefined ? error.message : `${first.field}: ${first.message}${more}`
  return failure('INVALID_ARGUMENTS', message, error.problems)
}

function failure(
  code: FailureCode,
  message: string,
  details?: readonly ArgumentProblem[],
): ToolResult {
  const body = { error: { code, message, ...(details === undefined ? {} : { details }) } }
  return { content: texts(JSON.stringify(body)), structuredContent: body, isError: true }
}

function texts(body: string, note?: string): ToolResult['content'] {
  return [body, note].filter((text) => text !== undefined).map((text) => ({ type: 'text', text }))
}

function parsedObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Record<string, unknown>) : undefined
  } catch (_noJson) {
    return undefined
  }
}

function moreToCome({ data, next_cursor: cursor }: Record<string, unknown>): string | undefined {
  if (typeof cursor !== 'string' || cursor === '' || !Array.isArray(data)) return undefined
  return `There is more: call again with the same arguments and cursor ${JSON.stringify(cursor)} (without offset) for what follows.`
}

/** Advice about an error of the API, for who has these tools; docs/errors.md says it for programs. */
const ADVICE: Readonly<Record<string, string>> = {
  BAD_REQUEST: 'Correct the arguments as the message says.',
  FORBIDDEN:
    'Trying again does not help. Either the key has a scope, a role or a list of addresses that does not allow this, or the tier of the workspace does not have it (list_tiers): tell the person you work for what the message says is needed.',
  NOT_FOUND:
    'list_resources has the slugs of resources, list_records the ids of records; upper and lower case matter.',
  CONFLICT:
    'Something else stands in the way: get_record shows the state the record is in, error.linked the records that link to it. A submitted document can only be cancelled, by a person; no tool does that.',
  PAYLOAD_TOO_LARGE: 'Send less at once.',
  VALIDATION_ERROR:
    'details names each field or argument to correct; suggestions there are records that a link may have meant. get_record with resource "resources" and the slug as id describes all fields of a resource.',
  INTERNAL_ERROR:
    'It was tried several times. Tell the person you work for, and quote the request id',
  UNAVAILABLE: 'It was tried several times. Try again in a minute.',
}

/** The same where there are all tools. */
const FULL_ADVICE: typeof ADVICE = {
  ...ADVICE,
  NOT_FOUND:
    'search and list_records have the ids of records, list_resources the slugs of resources, describe the actions of one, run_report without report the reports; upper and lower case matter.',
  CONFLICT:
    'Something else stands in the way: get_record shows the state the record is in, error.linked the records that link to it. A submitted document can only be cancelled (cancel_record), which the person you work for has to want.',
  VALIDATION_ERROR:
    'details names each field or argument to correct; suggestions there are records that a link may have meant. describe tells what a resource takes.',
}

function adviceFor(
  settings: ToolServerSettings,
  code: string,
  answer: ApiAnswer,
): string | undefined {
  if (code === 'UNAUTHORIZED') {
    return `Trying again does not help: the person you work for has to put a valid API key of this workspace into ${variable(settings, 'API_KEY')} and start the tool server again. A key of another workspace, or a test key on a live one, is not valid.`
  }
  if (code === 'RATE_LIMITED') {
    const seconds = (retryAfter(answer.headers) ?? 60_000) / 1000
    return `Wait ${seconds} seconds, then go on. Fetch more per call (limit 100) and only the fields you need.`
  }
  const known = settings.isFull ? FULL_ADVICE : ADVICE
  const advice = Object.hasOwn(known, code) ? known[code] : undefined
  const id = code === 'INTERNAL_ERROR' ? answer.headers.get('x-request-id') : null
  return id === null ? advice : `${advice} ${id.slice(0, 100)}.`
}

/** A page of a proxy, a redirect, or something that is no workspace at all. */
function unexpected(
  settings: ToolServerSettings,
  request: ApiRequest,
  { status, headers }: ApiAnswer,
): CallFailure {
  const base = variable(settings, 'API_BASE')
  const target = headers.get('location')
  const isRedirect = status >= 300 && status < 400 && target !== null
  const got = isRedirect
    ? `a redirect to ${JSON.stringify(target.slice(0, 200))}, which is not followed because the API key would go along`
    : `status ${status} with ${JSON.stringify((headers.get('content-type') ?? 'no content type').slice(0, 80))}`
  return new CallFailure(
    'UNEXPECTED_ANSWER',
    `expected JSON of a workspace from ${settings.apiBase}, got ${got}; check that ${base} is the address of the workspace itself${status >= 500 ? unknownOutcome(request) : ''}`,
  )
}
