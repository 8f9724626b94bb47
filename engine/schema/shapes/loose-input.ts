import { type Detail, validationError } from '../../base/errors.ts'
import { isObject } from '../../base/json-text.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Field } from '../../fields/field.ts'
import { FieldProblem } from '../../fields/field-type.ts'
import { fieldType } from '../../fields/index.ts'
import { isWritable } from './json-schema.ts'

type Body = Readonly<Record<string, unknown>>

export interface LooseOptions {
  readonly mode: 'create' | 'update'
  /** The record as it is (GET's shape): what comes back as it was is left out, also where it may not be changed. */
  readonly current?: Body
}

interface Reading extends LooseOptions {
  readonly details: Detail[]
}

/**
 * The body of a create or update as clients of Frappe send it → the strict body `Validator.read` takes
 * (contract §4): texts become values of the fields' types, `""` becomes unset, the `name` of a row becomes its
 * `row_id`. Standard, computed and unknown keys are left out, so that a document may come back whole as it
 * was read. What means nothing stays as it came for the validator to refuse. Throws 422 for a body that is no
 * object and for texts that are no JSON where JSON is kept.
 */
export function looseInput(
  definition: DocTypeDefinition,
  body: unknown,
  { mode, current }: LooseOptions,
): Record<string, unknown> {
  if (!isObject(body))
    throw validationError([
      { field: '', message: 'expected an object of fields', code: 'wrong_type' },
    ])
  const details: Detail[] = []
  const reading = { mode, details, ...(current === undefined ? {} : { current }) }
  const strict = looseFields(reading, definition.fields, body, '')
  const name = mode === 'create' ? givenName(definition, body) : undefined
  if (details.length > 0) throw validationError(details)
  return name === undefined ? strict : { name, ...strict }
}

/** Name a caller wants for a new record: Frappe's forms send it as `__newname`. */
function givenName({ naming }: DocTypeDefinition, body: Body): unknown {
  if (naming.kind !== 'prompt') return undefined
  const name = body.__newname ?? body.name
  return typeof name === 'number' ? String(name) : name === '' ? undefined : name
}

function looseFields(
  reading: Reading,
  fields: readonly Field[],
  body: Body,
  path: string,
): Record<string, unknown> {
  const strict: Record<string, unknown> = {}
  for (const field of fields) {
    const { name } = field
    if (!Object.hasOwn(body, name) || !isWritable(field, 'create')) continue
    const at = path + name
    const value = field.child
      ? looseRows(reading, field.child.fields, body[name], at, reading.current?.[name])
      : looseValue(reading, field, body[name], at)
    if (value === undefined || isAsItWas(field, value, reading.current)) continue
    strict[name] = value
  }
  return strict
}

function looseValue({ details }: Reading, field: Field, input: unknown, at: string): unknown {
  if (input === null || input === undefined) return input
  try {
    return fieldType(field.type).frappe.loosen(input)
  } catch (error) {
    if (!(error instanceof FieldProblem)) throw error
    details.push({ field: at, message: error.message, code: error.code })
    return undefined
  }
}

/** Rows of a table; forms send it as JSON text. */
function looseRows(
  reading: Reading,
  fields: readonly Field[],
  input: unknown,
  at: string,
  current: unknown,
): unknown {
  if (input === undefined) return undefined
  const rows = typeof input === 'string' ? parsedRows(input) : (input ?? [])
  if (!Array.isArray(rows)) return rows
  const known = new Map(
    (Array.isArray(current) ? current : []).map((row: Body) => [row.row_id, row]),
  )
  return rows.map((row: unknown, index) => {
    if (!isObject(row)) return row
    const rowId = reading.mode === 'update' ? rowIdOf(row) : undefined
    const was = known.get(rowId)
    const { current: _, ...rest } = reading
    const ofRow = was === undefined ? rest : { ...rest, current: was }
    const strict = looseFields(ofRow, fields, row, `${at}[${index}].`)
    return rowId === undefined ? strict : { row_id: rowId, ...strict }
  })
}

function parsedRows(text: string): unknown {
  if (text.trim() === '') return []
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Id of a row; rows that Frappe's forms have not saved yet bear a name of their own and `__islocal`. */
function rowIdOf(row: Body): unknown {
  if (row.__islocal) return undefined
  const id = row.name ?? row.row_id
  return id === null || id === '' ? undefined : id
}

/** Whether a value is the current one, or what a client was shown for it: an unset checkbox comes back as 0. */
function isAsItWas(field: Field, value: unknown, current: Body | undefined): boolean {
  if (!current || field.child) return false
  const { show, loosen } = fieldType(field.type).frappe
  const was = current[field.name] ?? null
  const sent = JSON.stringify(value)
  return sent === JSON.stringify(was) || sent === JSON.stringify(loosen(show(was)))
}
