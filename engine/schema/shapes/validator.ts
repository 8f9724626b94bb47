import type { Ajv, ErrorObject, ValidateFunction } from 'ajv'
import type { Detail } from '../../base/errors.ts'
import { AppError, validationError } from '../../base/errors.ts'
import { isObject } from '../../base/json-text.ts'
import { ajvLibrary } from '../../base/lazy-libraries.ts'
import type { ProblemCode } from '../../base/problem-codes.ts'
import { shown, TYPE_WORDS } from '../../base/shown.ts'
import { suggest } from '../../base/suggest.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { isStandardField } from '../../definition/model/standard-fields.ts'
import type { Field } from '../../fields/field.ts'
import { FieldProblem, type Value } from '../../fields/field-type.ts'
import { fieldType } from '../../fields/index.ts'
import { type HasFields, publicFields } from '../../fields/public-fields.ts'
import { type InputMode, inputSchema, isWritable, mustBeSent } from './json-schema.ts'
import { listChangedRows } from './row-changes.ts'

/** A row of a table in a body: `row_id` when the client names an existing row. */
export interface RowInput {
  readonly row_id?: string
  readonly values: Readonly<Record<string, Value>>
}

/** Input of a client, converted: only the fields that were in the body. */
export interface DocumentInput {
  /** Given name, where naming is `prompt`. */
  readonly name?: string
  readonly values: Readonly<Record<string, Value>>
  readonly tables: Readonly<Record<string, readonly RowInput[]>>
  /** Tables that were sent as changes of their rows, and the ids of those that go; their rows above are not all. */
  readonly removed: Readonly<Record<string, readonly string[]>>
}

/** A body as far as it could be read. With a problem it is to be refused: what the input lacks was wrong. */
export interface JudgedInput {
  readonly input: DocumentInput
  readonly problems: readonly Detail[]
}

export interface Validator {
  /** Body → input. Throws VALIDATION_ERROR with every problem of the body at once, BAD_REQUEST where there is none. */
  read(mode: InputMode, body: unknown): DocumentInput
  /** The same for who has more to say of a body that is wrong. */
  judge(mode: InputMode, body: unknown): JudgedInput
}

/**
 * The validator of one DocType. Its ajv functions are compiled at their first use: a start with a hundred
 * DocTypes pays for none of them.
 */
export function createValidator(ajvOf: () => Ajv, definition: DocTypeDefinition): Validator {
  const compiled = new Map<InputMode, ValidateFunction>()
  const ofCallers = knownFields(definition, publicFields)
  const ofEngine = knownFields(definition, ({ fields }) => fields)

  function compile(mode: InputMode): ValidateFunction {
    const known = compiled.get(mode)
    if (known) return known
    const made = ajvOf().compile(inputSchema(definition, mode))
    compiled.set(mode, made)
    return made
  }

  function judge(mode: InputMode, given: unknown): JudgedInput {
    const { fields, rowFields } = mode === 'engine' ? ofEngine : ofCallers
    const listed = listChangedRows(mode === 'update' ? fields : NO_FIELDS, given)
    const body = isObject(listed.body) ? withoutFurtherRows(definition, listed.body) : listed.body
    if (body === undefined)
      throw new AppError('BAD_REQUEST', 'expected a JSON object as body, got none')
    if (!isObject(body)) {
      const message = `expected an object of fields, got ${shown(body)}`
      const problems = [{ field: '', message, code: 'wrong_type' as const }]
      return { input: { values: {}, tables: {}, removed: {} }, problems }
    }
    const problems = new Problems()
    const takesName = mode === 'create' && definition.naming.kind === 'prompt'
    checkKeys(body, fields, mode, '', takesName ? 'name' : undefined, problems)
    for (const [table, columns] of rowFields) {
      const rows = body[table]
      if (!Array.isArray(rows)) continue
      for (const [index, row] of rows.entries()) {
        if (isObject(row))
          checkKeys(
            row,
            columns,
            mode,
            `${table}[${index}].`,
            mode === 'update' ? 'row_id' : undefined,
            problems,
          )
      }
    }
    const validate = compile(mode)
    if (!validate(body))
      for (const error of validate.errors ?? [])
        if (!isOfChanged(error, listed.removed)) addSchemaProblem(error, body, problems)
    const values = readFields(body, fields, mode, '', problems)
    const tables: Record<string, readonly RowInput[]> = {}
    for (const [table, columns] of rowFields) {
      const rows = body[table]
      if (!Array.isArray(rows)) continue
      tables[table] = rows.map((row: unknown, index) =>
        readRow(row, columns, mode, `${table}[${index}].`, problems),
      )
    }
    // Of a body that is right the rules say it, after all that stands in the way of the change.
    if (problems.details.length > 0) addUnset(body, fields, '', problems)
    const name = takesName ? { name: body.name as string } : {}
    return {
      input: { ...name, values, tables, removed: listed.removed },
      problems: [
        ...listed.problems,
        ...problems.details.map((one) => ({ ...one, field: listed.sentAs(one.field) })),
      ],
    }
  }

  return {
    judge,
    read(mode, body) {
      const { input, problems } = judge(mode, body)
      if (problems.length > 0) throw validationError(problems)
      return input
    },
  }
}

/** One ajv for all definitions of an engine, made at first use. Formats are the field types' own business (`read`). */
export function sharedAjv(): () => Ajv {
  let ajv: Ajv | undefined
  return () => {
    ajv ??= createAjv()
    return ajv
  }
}

function createAjv(): Ajv {
  const { Ajv } = ajvLibrary()
  return new Ajv({
    allErrors: true,
    strict: false,
    validateFormats: false,
    // The schemas are ours and tried by tests; to check each one would take a third of its compilation.
    validateSchema: false,
    meta: false,
    ownProperties: true,
    inlineRefs: true,
    // It would take a third of the compilation again, and the functions are no faster for it.
    code: { optimize: false },
  })
}

const NO_FIELDS: ReadonlyMap<string, Field> = new Map()

/** Whether ajv misses rows in a table that was sent as changes: how many there are is known once they are made. */
function isOfChanged(
  { keyword, instancePath }: ErrorObject,
  removed: DocumentInput['removed'],
): boolean {
  return keyword === 'minItems' && Object.hasOwn(removed, instancePath.slice(1))
}

/**
 * The body with one row more of each table than that may have, which tells that there are too many: a body can have a
 * row in each of its bytes, and nobody reads what is wrong with each.
 */
function withoutFurtherRows(
  { fields }: HasFields,
  body: Record<string, unknown>,
): Record<string, unknown> {
  let cut = body
  for (const { name, child } of fields) {
    const rows = child && body[name]
    if (!child || !Array.isArray(rows) || rows.length <= child.maxRows) continue
    if (cut === body) cut = { ...body }
    cut[name] = rows.slice(0, child.maxRows + 1)
  }
  return cut
}

class Problems {
  readonly details: Detail[] = []
  readonly #fields = new Set<string>()

  add(field: string, { message, code }: Omit<Detail, 'field'>): void {
    if (this.#fields.has(field)) return
    this.#fields.add(field)
    this.details.push({ field, message, code })
  }

  has(field: string): boolean {
    return this.#fields.has(field)
  }
}

interface KnownFields {
  readonly fields: ReadonlyMap<string, Field>
  /** Table → fields of its rows. */
  readonly rowFields: ReadonlyMap<string, ReadonlyMap<string, Field>>
}

function knownFields(
  definition: DocTypeDefinition,
  fieldsOf: (owner: HasFields) => readonly Field[],
): KnownFields {
  const fields = fieldsOf(definition)
  const tables = fields.flatMap(({ name, child }) =>
    child ? [[name, fieldMap(fieldsOf(child))] as const] : [],
  )
  return { fields: fieldMap(fields), rowFields: new Map(tables) }
}

function fieldMap(fields: readonly Field[]): ReadonlyMap<string, Field> {
  return new Map(fields.map((field) => [field.name, field]))
}

function checkKeys(
  body: Record<string, unknown>,
  fields: ReadonlyMap<string, Field>,
  mode: InputMode,
  prefix: string,
  alsoTaken: string | undefined,
  problems: Problems,
): void {
  for (const key of Object.keys(body)) {
    const field = fields.get(key)
    if (field && isWritable(field, mode)) continue
    if (key !== alsoTaken) problems.add(prefix + key, refusal(key, field, fields))
  }
}

function refusal(
  key: string,
  field: Field | undefined,
  fields: ReadonlyMap<string, Field>,
): Omit<Detail, 'field'> {
  if (field?.closedTo) {
    const message = `may only be set by ${field.closedTo.join(' or ')}; leave it out`
    return { message, code: 'role_needed' }
  }
  if (field?.readOnly) {
    const message = 'is read-only: the workspace computes it, leave it out'
    return { message, code: 'read_only' }
  }
  if (field) return { message: 'can only be set when the record is created', code: 'create_only' }
  if (isStandardField(key)) {
    const message = 'is a standard field: the workspace sets it, leave it out'
    return { message, code: 'read_only' }
  }
  const near = suggest(key, fields.keys())
  const hint = near === undefined ? '' : `; did you mean ${near}?`
  return { message: `unknown field${hint}`, code: 'unknown_field' }
}

function readFields(
  body: Record<string, unknown>,
  fields: ReadonlyMap<string, Field>,
  mode: InputMode,
  prefix: string,
  problems: Problems,
): Record<string, Value> {
  const values: Record<string, Value> = {}
  for (const key of Object.keys(body)) {
    const field = fields.get(key)
    if (!field || field.child || !isWritable(field, mode) || problems.has(prefix + key)) continue
    const input = body[key]
    if (input === null) {
      values[key] = null
      continue
    }
    try {
      values[key] = fieldType(field.type).read(input, field)
    } catch (error) {
      if (!(error instanceof FieldProblem)) throw error
      problems.add(prefix + key, error)
    }
  }
  return values
}

/** Says of what must have a value and was sent as null that it is required, in rows too. */
function addUnset(
  body: Record<string, unknown>,
  fields: ReadonlyMap<string, Field>,
  prefix: string,
  problems: Problems,
): void {
  for (const [name, field] of fields) {
    const value = body[name]
    if (value === null && mustBeSent(field)) problems.add(prefix + name, MISSING)
    if (!field.child || !Array.isArray(value)) continue
    const columns = fieldMap(field.child.fields)
    for (const [index, row] of value.entries())
      if (isObject(row)) addUnset(row, columns, `${name}[${index}].`, problems)
  }
}

const MISSING = { message: 'is required', code: 'required' } as const

function readRow(
  row: unknown,
  fields: ReadonlyMap<string, Field>,
  mode: InputMode,
  prefix: string,
  problems: Problems,
): RowInput {
  if (!isObject(row)) return { values: {} }
  const values = readFields(row, fields, mode, prefix, problems)
  return typeof row.row_id === 'string' ? { row_id: row.row_id, values } : { values }
}

function addSchemaProblem(error: ErrorObject, body: unknown, problems: Problems): void {
  const path = fieldPath(error.instancePath)
  if (error.keyword === 'required') {
    const { missingProperty } = error.params as { missingProperty: string }
    const field = path === '' ? missingProperty : `${path}.${missingProperty}`
    problems.add(field, MISSING)
    return
  }
  const message = schemaMessage(error, valueAt(body, error.instancePath))
  problems.add(path, { message, code: CODES[error.keyword] ?? 'out_of_range' })
}

/** Path of a field from a pointer: `/items/2/qty` → `items[2].qty` (contract §3). */
function fieldPath(pointer: string): string {
  let path = ''
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
    if (/^\d+$/.test(key)) path += `[${key}]`
    else path += path === '' ? key : `.${key}`
  }
  return path
}

function valueAt(body: unknown, pointer: string): unknown {
  let value = body
  for (const part of pointer.split('/').slice(1))
    value = (value as Record<string, unknown>)[part.replaceAll('~1', '/').replaceAll('~0', '~')]
  return value
}

type Params = Record<string, unknown>

/** Keyword of ajv → words for what was expected. */
const EXPECTED: Readonly<Record<string, (params: Params) => string>> = {
  type: ({ type }) =>
    `expected ${[type]
      .flat()
      .filter((name) => name !== 'null')
      .map((name) => TYPE_WORDS[String(name)])
      .join(' or ')}`,
  enum: ({ allowedValues }) =>
    `expected one of ${(allowedValues as unknown[]).filter((value) => value !== null).join(', ')}`,
  minimum: ({ limit }) => `expected at least ${limit}`,
  maximum: ({ limit }) => `expected at most ${limit}`,
  exclusiveMinimum: ({ limit }) => `expected more than ${limit}`,
  exclusiveMaximum: ({ limit }) => `expected less than ${limit}`,
  minLength: ({ limit }) =>
    limit === 1 ? 'expected some text' : `expected at least ${limit} characters`,
  maxLength: ({ limit }) => `expected at most ${limit} characters`,
  minItems: ({ limit }) => `expected at least ${limit} ${limit === 1 ? 'row' : 'rows'}`,
  maxItems: ({ limit }) => `expected at most ${limit} rows`,
  pattern: ({ pattern }) => `expected text that matches ${pattern}`,
}

/** ajv's keyword → code; all others are bounds. */
const CODES: Readonly<Record<string, ProblemCode>> = {
  type: 'wrong_type',
  pattern: 'wrong_type',
  enum: 'not_an_option',
}

function schemaMessage({ keyword, params, message }: ErrorObject, value: unknown): string {
  const expected = EXPECTED[keyword]?.(params) ?? message ?? `does not satisfy ${keyword}`
  return `${expected}, got ${measured(value, keyword)}`
}

/** What came, or of a list or text that is too long or short how long it is. */
function measured(value: unknown, keyword: string): string {
  if (Array.isArray(value) && keyword.endsWith('Items')) return String(value.length)
  if (typeof value === 'string' && keyword.endsWith('Length')) return String([...value].length)
  return shown(value)
}
