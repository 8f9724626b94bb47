import { type Detail, validationError } from '../../engine/base/errors.ts'
import {
  type Cursors,
  listFingerprint,
  type Position,
} from '../../engine/storage/records/cursor.ts'
import { sendJson } from '../http/answer.ts'
import { PAGING_PARAMETERS, type Paging, readPaging } from '../http/paging.ts'
import { cameTwice, unknownParameter } from '../http/query-parameters.ts'
import type { Parameters } from '../http/query-string.ts'
import type { ApiResponse } from '../http/request-state.ts'

/** Reader of a parameter of such a list; throws Error that completes "expected …" when it is no value of it. */
export type ReadParameter = (text: string) => string

/** Characters of a name that a row is looked for by. */
const MAX_NAME = 200

/** Reads an id or a name. */
export const readName: ReadParameter = (text) => {
  if (text.length <= MAX_NAME) return text
  throw new Error(`expected at most ${MAX_NAME} characters, got ${text.length}`)
}

/** A list of the server's own rows (keys, events, webhooks, deliveries), as a caller asked for it. */
export interface SystemList {
  readonly paging: Paging
  /** Parameters beside those of paging, by name; empty ones are left out. */
  readonly given: ReadonlyMap<string, string>
  /** Position of the cursor; undefined at the start. */
  readonly position: Position | undefined
  /** Names the list and its filters to its cursors. */
  readonly fingerprint: string
}

/**
 * Reads the parameters of a list called `name`. A cursor belongs to the list and its parameters. Throws 422
 * with all problems: an unknown parameter, a wrong value, a cursor of another list.
 */
export function readSystemList(
  cursors: Cursors,
  name: string,
  parameters: Parameters,
  known: Readonly<Record<string, ReadParameter>> = {},
): SystemList {
  const details: Detail[] = []
  const pagingParameters = new Map<string, string>()
  const given = new Map<string, string>()
  const seen = new Set<string>()
  const names = [...PAGING_PARAMETERS, ...Object.keys(known)]
  for (const [field, text] of parameters) {
    if (seen.has(field)) details.push(cameTwice(field))
    else if (PAGING_PARAMETERS.some((one) => one === field)) pagingParameters.set(field, text)
    else if (Object.hasOwn(known, field)) readInto(given, field, text, known[field]!, details)
    else details.push({ field, message: unknownParameter(field, names), code: 'unknown_field' })
    seen.add(field)
  }
  const paging = readPaging(pagingParameters, details)
  const fingerprint = listFingerprint([name, [...given].sort(([a], [b]) => (a < b ? -1 : 1))])
  const position = paging.cursor ? cursors.read(fingerprint, paging.cursor) : undefined
  if (paging.cursor && !position)
    details.push({
      field: 'cursor',
      message: 'expected a next_cursor of this very list, with the same parameters',
      code: 'wrong_type',
    })
  if (details.length > 0) throw validationError(details)
  return { paging, given, position, fingerprint }
}

function readInto(
  given: Map<string, string>,
  field: string,
  text: string,
  read: ReadParameter,
  details: Detail[],
): void {
  try {
    if (text === '') throw new Error('expected a value, got nothing')
    given.set(field, read(text))
  } catch (problem) {
    details.push({ field, message: (problem as Error).message, code: 'wrong_type' })
  }
}

/** A page of rows whose ids sort by their age, newest first: what a store needs to find it. */
export function pageOfIds({ paging, position }: SystemList): {
  readonly limit: number
  readonly offset?: number
  readonly before?: string
} {
  const { limit, offset } = paging
  return {
    // One more than the page has tells whether another follows.
    limit: limit + 1,
    ...(offset === undefined ? {} : { offset }),
    ...(position ? { before: String(position.value) } : {}),
  }
}

export interface SystemPage<Row> {
  /** One more than the page shows, where another page follows. */
  readonly rows: readonly Row[]
  /** Offset paging only. */
  readonly total: number | undefined
  /** JSON text of a row. */
  readonly show: (row: Row) => string
  /** Value that the cursor behind a row remembers of it. */
  readonly position: (row: Row) => Position['value']
}

/** Answers a page in the list shapes of spec §2. */
export function sendSystemList<Row>(
  response: ApiResponse,
  cursors: Cursors,
  { paging, fingerprint }: SystemList,
  { rows, total, show, position }: SystemPage<Row>,
): void {
  const { limit, offset } = paging
  const page = rows.slice(0, limit)
  const last = rows.length > page.length ? page.at(-1) : undefined
  const rest = {
    meta: total === undefined ? undefined : { total, limit, offset },
    next_cursor: last && cursors.write(fingerprint, { value: position(last), rid: 0 }),
  }
  const tail = JSON.stringify(rest).slice(1)
  const json = `{"data":[${page.map(show).join(',')}]${tail === '}' ? '' : ','}${tail}`
  sendJson(response, 200, json)
}
