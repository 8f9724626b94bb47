import type { Ajv, ErrorObject, ValidateFunction } from 'ajv'
import { IS_REQUIRED } from '../../base/detail-kinds.ts'
import { type Detail, validationError } from '../../base/errors.ts'
import { isObject } from '../../base/json-text.ts'
import { ajvLibrary } from '../../base/lazy-libraries.ts'
import { suggest } from '../../base/suggest.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { isStandardField } from '../../definition/model/standard-fields.ts'
import type { Field } from '../../fields/field.ts'
import { FieldProblem, type Value } from '../../fields/field-type.ts'
import { fieldType } from '../../fields/index.ts'
import { type InputMode, inputSchema, isWritable } from './json-schema.ts'

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
}

export interface Validator {
  /** Body → input. Throws VALIDATION_ERROR with every problem of the body at once. */
  read(mode: InputMode, body: unknown): DocumentInput
}

/**
 * The validator of one DocType. Its ajv functions are compiled at their first use: a start with a hundred
 * DocTypes pays for none of them.
 */
export function createValidator(ajvOf: () => Ajv, definition: DocTypeDefinition): Validator {
  const compiled = new Map<InputMode, ValidateFunction>()
  const fields = fieldMap(definition.fields)
  const rowFields = new Map(
    definition.fields
      .filter((field) => field.child)
      .map((field) => [field.name, fieldMap(field.child!.fields)]),
  )

  function compile(mode: InputMode): ValidateFunction {
    const known = compiled.get(mode)
    if (known) return known
    const made = ajvOf().compile(inputSchema(definition, mode))
    compiled.set(mode, made)
    return made
  }

  function read(mode: InputMode, body: unknown): DocumentInput {
    if (!isObject(body)) {
      throw validationError([
        { field: '', message: `expected an object of fields, got ${kindOf(body)}` },
      ])
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
      for (const error of validate.errors ?? []) addSchemaProblem(error, body, problems)
    const values = readFields(body, fields, mode, '', problems)
    const tables: Record<string, readonly RowInput[]> = {}
    for (const [table, columns] of rowFields) {
      const rows = body[table]
      if (!Array.isArray(rows)) continue
      tables[table] = rows.map((row: unknown, index) =>
        readRow(row, columns, mode, `${table}[${index}].`, problems),
      )
    }
    problems.throwIfAny()
    return { ...(takesName ? { name: body.name as string } : {}), values, tables }
  }

  return { read }
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

class Problems {
  readonly #details: Detail[] = []
  readonly #fields = new Set<string>()

  add(field: string, message: string): void {
    if (this.#fields.has(field)) return
    this.#fields.add(field)
    this.#details.push({ field, message })
  }

  has(field: string): boolean {
    return this.#fields.has(field)
  }

  throwIfAny(): void {
    if (this.#details.length > 0) throw validationError(this.#details)
  }
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
): string {
  if (field?.readOnly) return 'is read-only: the workspace computes it, leave it out'
  if (field) return 'can only be set when the record is created'
  if (isStandardField(key)) return 'is a standard field: the workspace sets it, leave it out'
  const near = suggest(key, fields.keys())
  return `unknown field${near === undefined ? '' : `; did you mean ${near}?`}`
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
      problems.add(prefix + key, error.message)
    }
  }
  return values
}

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
    problems.add(path === '' ? missingProperty : `${path}.${missingProperty}`, IS_REQUIRED)
    return
  }
  problems.add(path, schemaMessage(error, valueAt(body, error.instancePath)))
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

function schemaMessage({ keyword, params, message }: ErrorObject, value: unknown): string {
  const expected = EXPECTED[keyword]?.(params) ?? message ?? `does not satisfy ${keyword}`
  return `${expected}, got ${shown(value, keyword)}`
}

const MAX_SHOWN = 60

function shown(value: unknown, keyword: string): string {
  if (keyword === 'type') return kindOf(value)
  if (Array.isArray(value)) return String(value.length)
  if (typeof value === 'string' && keyword.endsWith('Length')) return String([...value].length)
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > MAX_SHOWN ? `${cut(text)}…` : text
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object'
    ? 'an object'
    : typeof value === 'undefined'
      ? 'nothing'
      : `${typeof value} ${cut(JSON.stringify(value) ?? '')}`
}

/** The beginning of a text; a cut may not leave half of a surrogate pair. */
function cut(text: string): string {
  return text.slice(0, MAX_SHOWN).toWellFormed()
}
