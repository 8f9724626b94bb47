import { validationError } from '../../base/errors.ts'
import { isObject } from '../../base/json-text.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Field } from '../../fields/field.ts'
import { fieldType } from '../../fields/index.ts'
import { publicFields } from '../../fields/public-fields.ts'
import { isWritable } from './json-schema.ts'

type Body = Readonly<Record<string, unknown>>

export interface LooseOptions {
  readonly mode: 'create' | 'update'
  /** The record as it is (GET's shape): what comes back as it was is left out, also where it may not be changed. */
  readonly current?: Body
}

/**
 * The body of a create or update as clients of Frappe send it → the strict body `Validator.read` takes
 * (contract §4): texts become values of the fields' types, `""` becomes unset, the `name` of a row becomes its
 * `row_id`. Standard, computed and unknown keys are left out, so that a document may come back whole as it
 * was read. What means nothing is left to the validator, which refuses it with all else. Throws 422 for a body that is
 * no object.
 */
export function looseInput(
  definition: DocTypeDefinition,
  body: unknown,
  options: LooseOptions,
): Record<string, unknown> {
  if (!isObject(body))
    throw validationError([
      { field: '', message: 'expected an object of fields', code: 'wrong_type' },
    ])
  const strict = looseFields(options, publicFields(definition), body)
  const name = options.mode === 'create' ? givenName(definition, body) : undefined
  return name === undefined ? strict : { name, ...strict }
}

/** Name a caller wants for a new record: Frappe's forms send it as `__newname`. */
function givenName({ naming }: DocTypeDefinition, body: Body): unknown {
  if (naming.kind !== 'prompt') return undefined
  const name = body.__newname ?? body.name
  return typeof name === 'number' ? String(name) : name === '' ? undefined : name
}

function looseFields(
  options: LooseOptions,
  fields: readonly Field[],
  body: Body,
): Record<string, unknown> {
  const strict: Record<string, unknown> = {}
  for (const field of fields) {
    const { name } = field
    if (!Object.hasOwn(body, name) || !(isWritable(field, 'create') || field.closedTo)) continue
    const value = field.child
      ? looseRows(options, publicFields(field.child), body[name], options.current?.[name])
      : looseValue(field, body[name])
    if (value === undefined || isAsItWas(field, value, options.current)) continue
    if (field.closedTo && isUntouched(value, options.current?.[name])) continue
    strict[name] = value
  }
  return strict
}

function looseValue({ type }: Field, input: unknown): unknown {
  return input === null || input === undefined ? input : fieldType(type).frappe.loosen(input)
}

/** Rows of a table; forms send it as JSON text. */
function looseRows(
  options: LooseOptions,
  fields: readonly Field[],
  input: unknown,
  current: unknown,
): unknown {
  if (input === undefined) return undefined
  const rows = typeof input === 'string' ? parsedRows(input) : (input ?? [])
  if (!Array.isArray(rows)) return rows
  const known = new Map(
    (Array.isArray(current) ? current : []).map((row: Body) => [row.row_id, row]),
  )
  return rows.map((row: unknown) => {
    if (!isObject(row)) return row
    const rowId = options.mode === 'update' ? rowIdOf(row) : undefined
    const was = known.get(rowId)
    const { current: _, ...rest } = options
    const ofRow = was === undefined ? rest : { ...rest, current: was }
    const strict = looseFields(ofRow, fields, row)
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

/**
 * Whether what was sent sets nothing, of a field that others may set: a form sends all it shows. The validator refuses
 * what does.
 */
function isUntouched(value: unknown, was: unknown): boolean {
  if (!Array.isArray(value)) return value === null && (was ?? null) === null
  const before = Array.isArray(was) ? was : []
  return (
    value.length === before.length &&
    value.every((row, index) => {
      const keys = isObject(row) ? Object.keys(row) : []
      return keys.join() === 'row_id' && row.row_id === (before[index] as Body).row_id
    })
  )
}

/** Whether a value is the current one, or what a client was shown for it: an unset checkbox comes back as 0. */
function isAsItWas(field: Field, value: unknown, current: Body | undefined): boolean {
  if (!current || field.child) return false
  const { show, loosen } = fieldType(field.type).frappe
  const was = current[field.name] ?? null
  const sent = JSON.stringify(value)
  return sent === JSON.stringify(was) || sent === JSON.stringify(loosen(show(was)))
}
