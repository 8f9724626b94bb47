import { validationError } from '../../base/errors.ts'
import { uuidV7 } from '../../base/ids.ts'
import type { DocTypeDefinition, Naming } from '../../definition/model/definition.ts'
import {
  NamingProblem,
  type NamingToken,
  parseNamingPattern,
} from '../../definition/model/naming-pattern.ts'
import { fieldType } from '../../fields/index.ts'
import type { Db } from '../../storage/database/database.ts'
import { type Doc, valueIn } from '../../storage/database/document.ts'
import type { Services } from './context.ts'

/** Longest name of a record, in characters. */
export const MAX_NAME_LENGTH = 140

/**
 * The name of a new record by its DocType's `naming` (rules.md §4.1). Runs last before the insert, inside
 * the transaction, so that a number is held as shortly as can be. Throws 422 where a field it needs is unset.
 */
export async function nameFor(
  tx: Db,
  services: Services,
  definition: DocTypeDefinition,
  doc: Doc,
  given: string | undefined,
): Promise<string> {
  const { naming } = definition
  if (naming.kind === 'prompt') return checkedName('name', given ?? '')
  if (naming.kind === 'field')
    return checkedName(naming.field, textOf(definition, doc, naming.field))
  if (naming.kind === 'uuid') return uuidV7(services.clock.now())
  if (naming.kind === 'autoincrement')
    return String(await services.series.next(tx, `${definition.table}#`))
  const instead = naming.kind === 'series' ? naming.instead : undefined
  if (instead && valueIn(doc, instead.when))
    return checkedName(instead.field, textOf(definition, doc, instead.field))
  return byPattern(tx, services, definition, doc, patternOf(naming, doc))
}

/** Next number of the series of a pattern that a record has in a field. Throws 422 where it has no counter. */
export async function numberOf(
  tx: Db,
  services: Services,
  definition: DocTypeDefinition,
  doc: Doc,
  { field, pattern }: { readonly field: string; readonly pattern: string },
): Promise<string> {
  return byPattern(tx, services, definition, doc, withCounter(field, pattern))
}

async function byPattern(
  tx: Db,
  services: Services,
  definition: DocTypeDefinition,
  doc: Doc,
  pattern: string,
): Promise<string> {
  const now = services.clock.now()
  const tokens = parseNamingPattern(pattern)
  const counter = tokens.findIndex((token) => token.kind === 'counter')
  const text = (part: readonly NamingToken[]): string =>
    part.map((token) => tokenText(token, definition, doc, now)).join('')
  if (counter < 0) return checkedName('name', text(tokens))
  const { digits } = tokens[counter] as Extract<NamingToken, { kind: 'counter' }>
  const prefix = text(tokens.slice(0, counter))
  const suffix = text(tokens.slice(counter + 1))
  const number = await services.series.next(tx, prefix + (suffix === '' ? '' : `#${suffix}`))
  return checkedName('name', prefix + String(number).padStart(digits, '0') + suffix)
}

/** The pattern of a record: what a field of it says, where the naming has one, else that of its DocType. */
function patternOf(naming: Extract<Naming, { pattern: string }>, doc: Doc): string {
  const field = naming.kind === 'series' ? naming.patternField : undefined
  const said = field === undefined ? null : valueIn(doc, field)
  if (field === undefined || typeof said !== 'string' || said === '') return naming.pattern
  return withCounter(field, said)
}

/** The pattern that a field says, which has a counter. Throws 422 where it is none. */
function withCounter(field: string, said: string): string {
  try {
    if (parseNamingPattern(said).some(({ kind }) => kind === 'counter')) return said
  } catch (error) {
    if (!(error instanceof NamingProblem)) throw error
  }
  const message = `expected a pattern with a counter such as "SO-{YYYY}-{####}", got ${JSON.stringify(said)}`
  throw validationError([{ field, message, code: 'rule' }])
}

function tokenText(
  token: NamingToken,
  definition: DocTypeDefinition,
  doc: Doc,
  now: number,
): string {
  if (token.kind === 'text') return token.text
  if (token.kind === 'field') return textOf(definition, doc, token.field)
  if (token.kind === 'date') return dateText(token.token, now)
  return ''
}

const DATE_TEXT: Readonly<Record<string, (date: Date) => string>> = {
  YYYY: (date) => String(date.getUTCFullYear()),
  YY: (date) => String(date.getUTCFullYear()).slice(2),
  MM: (date) => String(date.getUTCMonth() + 1).padStart(2, '0'),
  DD: (date) => String(date.getUTCDate()).padStart(2, '0'),
  WW: (date) => String(isoWeek(date)).padStart(2, '0'),
}

function dateText(token: string, now: number): string {
  return DATE_TEXT[token]?.(new Date(now)) ?? ''
}

/** Week of the year, ISO 8601: week 1 has the year's first Thursday. */
function isoWeek(date: Date): number {
  const thursday = new Date(date)
  thursday.setUTCDate(date.getUTCDate() + 4 - (date.getUTCDay() || 7))
  const yearStart = Date.UTC(thursday.getUTCFullYear(), 0, 1)
  return Math.ceil((thursday.getTime() - yearStart + 86_400_000) / (7 * 86_400_000))
}

function textOf(definition: DocTypeDefinition, doc: Doc, name: string): string {
  const field = definition.fields.find((candidate) => candidate.name === name)
  const value = valueIn(doc, name)
  if (!field || value === null) {
    const message = `is needed to name the ${definition.label}`
    throw validationError([{ field: name, message, code: 'required' }])
  }
  return String(fieldType(field.type).toWire(value, field)).trim()
}

function checkedName(field: string, name: string): string {
  if (name.trim() !== name || name === '') {
    throw validationError([
      {
        field,
        message: 'expected a name: some text without spaces around it',
        code: 'wrong_type',
      },
    ])
  }
  if ([...name].length > MAX_NAME_LENGTH) {
    throw validationError([
      {
        field,
        message: `expected a name of at most ${MAX_NAME_LENGTH} characters`,
        code: 'out_of_range',
      },
    ])
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
  if (/[\x00-\x1f\x7f]/.test(name)) {
    throw validationError([
      {
        field,
        message: 'a name may not contain control characters or line breaks',
        code: 'wrong_type',
      },
    ])
  }
  if (!name.isWellFormed())
    throw validationError([
      { field, message: 'expected a name of well-formed Unicode', code: 'wrong_type' },
    ])
  return name
}
