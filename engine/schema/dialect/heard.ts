import type { Detail } from '../../base/errors.ts'
import { isObject } from '../../base/json-text.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Field } from '../../fields/field.ts'
import { fieldType } from '../../fields/index.ts'
import { type HasFields, publicFields } from '../../fields/public-fields.ts'
import { isWritable } from '../shapes/json-schema.ts'
import type { Dialect, Taken, Words } from './dialect.ts'
import { numberSent, rowsSent, sameSent, saysSomething } from './said.ts'
import type { Stated } from './stated.ts'

type Body = Readonly<Record<string, unknown>>

/** What a client has sent, in the names of the DocType. */
export interface Heard {
  readonly body: Body
  /** Names that mean nothing here and would change the result, and what cannot be taken. */
  readonly problems: readonly Detail[]
  /** Amounts that it states of what the workspace computes: they must come out (`contradictions`). */
  readonly stated: readonly Stated[]
}

interface Hearing {
  readonly dialect: Dialect
  readonly problems: Detail[]
  readonly stated: Stated[]
}

/** Place in a body: empty for the document, the table and number of a row. */
interface Place {
  readonly table?: string
  readonly index?: number
}

/**
 * A body as clients of the dialect send it, in the names that the DocType has. `current` is the document as they were
 * shown it: what comes back as it was says nothing. Whatever is not known here stays as it is, for `looseInput`.
 */
export function heard(
  dialect: Dialect,
  definition: DocTypeDefinition,
  body: Body,
  current?: Body,
): Heard {
  const hearing: Hearing = { dialect, problems: [], stated: [] }
  const words = dialect.of(definition.doctype)
  const own = inOwnNames(hearing, { owner: definition, words, place: {} }, body, current)
  for (const field of publicFields(definition)) {
    const rows = field.child && rowsSent(own[field.name])
    if (rows) own[field.name] = rowsInOwnNames(hearing, field, rows, current?.[field.name])
  }
  return { body: own, problems: hearing.problems, stated: hearing.stated }
}

function rowsInOwnNames(
  hearing: Hearing,
  { name: table, child }: Field,
  rows: readonly unknown[],
  current: unknown,
): readonly unknown[] {
  const known = new Map(
    (Array.isArray(current) ? current : []).map((row: Body) => [row.name, row] as const),
  )
  const words = hearing.dialect.of(child!.name)
  return rows.map((row, index) => {
    if (!isObject(row)) return row
    const was = known.get(row.name ?? row.row_id)
    return inOwnNames(hearing, { owner: child!, words, place: { table, index } }, row, was)
  })
}

interface Spot {
  readonly owner: HasFields
  readonly words: Words | undefined
  readonly place: Place
}

function inOwnNames(
  hearing: Hearing,
  { owner, words, place }: Spot,
  body: Body,
  current: Body | undefined,
): Record<string, unknown> {
  const own = { ...body }
  const isNews = (name: string): boolean =>
    Object.hasOwn(body, name) && !(current && sameSent(body[name], current[name]))
  for (const name of words?.refuses ?? [])
    if (isNews(name) && saysSomething(body[name])) hearing.problems.push(meansNothing(place, name))
  state(hearing, { owner, words, place }, body, isNews)
  // What clients read here is another field's: sent back as it was read it says nothing of the field of that name.
  for (const name of words?.shows.keys() ?? []) if (current && !isNews(name)) delete own[name]
  for (const taken of words?.takes ?? []) {
    if (!isNews(taken.from) || !isMeant(taken, body)) continue
    const value = valueTaken(hearing, taken, place, body)
    // Its own name goes before, unless clients mean another field by it.
    const isSaid = isNews(taken.field) && saysSomething(body[taken.field])
    const isAnothers = words?.shows.has(taken.field) === true && saysSomething(value)
    if (value !== undefined && (!isSaid || isAnothers)) own[taken.field] = value
  }
  // A row would be looked for by what is a number of a row there.
  for (const { from, only } of words?.takes ?? []) {
    const rows = only && rowsSent(own[from])
    if (rows) own[from] = rows.filter((row) => !isOnly(only, row))
    else if (!hasField(owner, from)) delete own[from]
  }
  return own
}

/** Keeps the amounts that the body states of what callers do not set. */
function state(
  { stated }: Hearing,
  { owner, words, place }: Spot,
  body: Body,
  isNews: (name: string) => boolean,
): void {
  const shown = words?.shows
  for (const field of publicFields(owner)) {
    const isOwn = !shown?.has(field.name)
    const isMoney = fieldType(field.type).kind === 'money'
    if (isMoney && isOwn && !isWritable(field, 'create') && !field.closedTo)
      if (isNews(field.name) && saysSomething(body[field.name]))
        stated.push({ ...place, name: field.name, field: field.name, value: body[field.name] })
  }
  for (const [name, { field, words: steps }] of shown ?? [])
    if (!steps && isNews(name) && saysSomething(body[name]))
      stated.push({ ...place, name, field, value: body[name] })
}

/** Whether what is sent beside it makes the name mean the field. */
function isMeant({ when = {} }: Taken, body: Body): boolean {
  return Object.entries(when).every(([name, values]) => values.includes(String(body[name] ?? '')))
}

function valueTaken({ problems }: Hearing, taken: Taken, place: Place, body: Body): unknown {
  const { from, unsigned, less } = taken
  const sent = body[from]
  if (taken.column !== undefined) {
    const { value, problem } = ofRows(taken.column, taken, rowsSent(sent) ?? [])
    if (problem !== undefined)
      problems.push({ field: pathOf(place, from), message: problem, code: 'out_of_range' })
    return value
  }
  const number = numberSent(sent)
  if (less !== undefined && saysSomething(sent)) {
    const whole = numberSent(body[less])
    if (number !== undefined && whole !== undefined) return Number((whole - number).toFixed(6))
    problems.push({
      field: pathOf(place, from),
      message: `is taken off ${less}: send that too, or ${taken.field} itself`,
      code: 'unknown_field',
    })
    return undefined
  }
  if (less !== undefined) return undefined
  return unsigned && number !== undefined ? Math.abs(number) : sent
}

/** The value of a column that rows agree on, or of the row that counts. */
function ofRows(
  column: string,
  { mark, only, alike }: Taken,
  sent: readonly unknown[],
): { readonly value?: unknown; readonly problem?: string } {
  const all = sent.filter(isObject)
  const rows = all.filter((row) =>
    only ? isOnly(only, row) : !alike || saysSomething(row[column]),
  )
  const first = rows.find((row) => mark !== undefined && saysSomething(row[mark])) ?? rows[0]
  const value = first?.[column]
  if (alike && rows.some((row) => row[column] !== value))
    return { value, problem: `${column}: the document has one for all rows; send rows that agree` }
  return rows.length > 1 && mark === undefined && !alike
    ? {
        value,
        problem: `one row at most is kept here, got ${rows.length}; send the one that counts`,
      }
    : { value }
}

function isOnly(only: NonNullable<Taken['only']>, row: unknown): boolean {
  return isObject(row) && isMeant({ field: '', from: '', when: only }, row)
}

function hasField(owner: HasFields, name: string): boolean {
  return publicFields(owner).some((field) => field.name === name)
}

function meansNothing(place: Place, name: string): Detail {
  return {
    field: pathOf(place, name),
    message: 'means nothing here and would change the result; leave it out',
    code: 'unknown_field',
  }
}

function pathOf({ table, index }: Place, name: string): string {
  return table === undefined ? name : `${table}[${index}].${name}`
}
