import type { Detail } from '../../engine/base/errors.ts'
import { findUnsafeJson, isObject } from '../../engine/base/json-text.ts'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import { isStandardField } from '../../engine/definition/model/standard-fields.ts'
import type { Field } from '../../engine/fields/field.ts'
import { refusal } from '../../engine/fields/problem.ts'
import { publicFields } from '../../engine/fields/public-fields.ts'
import { isWritable } from '../../engine/schema/shapes/json-schema.ts'
import { NOTE_COLUMNS } from './columns.ts'
import { differingNames, type Incoming } from './incoming.ts'
import type { JsonText } from './json-values.ts'

/**
 * Records of JSON objects as bodies of the API, and as exports write them. What the workspace sets itself is
 * left out and named to `onLeftOut`, each time it is met.
 */
export async function* jsonRecords(
  definition: DocTypeDefinition,
  texts: AsyncIterable<JsonText>,
  onLeftOut: (field: string) => void,
): AsyncGenerator<Incoming> {
  for await (const { line, end, text } of texts) {
    const { value, problems } = parsed(text)
    const source = { line, end, lineOf: () => line, original: text }
    if (problems.length > 0 || !isObject(value)) yield { ...source, body: {}, problems }
    else
      yield {
        ...source,
        body: bodyOf(definition, value, onLeftOut),
        problems: nameProblems(value),
      }
  }
}

function parsed(text: string): { readonly value: unknown; readonly problems: readonly Detail[] } {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    const message = `is no JSON: ${(error as Error).message}`
    return { value, problems: [{ field: '', message, code: 'wrong_type' }] }
  }
  if (!isObject(value)) {
    const { message, code } = refusal('an object of fields, {…}', value)
    return { value, problems: [{ field: '', message, code }] }
  }
  const unsafe = findUnsafeJson(value)
  if (!unsafe) return { value, problems: [] }
  const { path, message, code } = unsafe
  return { value, problems: [{ field: path, message, code }] }
}

/** Problems of the name of a record, which `--upsert` would take for that of another one. */
function nameProblems({ id, name }: JsonObject): readonly Detail[] {
  for (const [field, value] of Object.entries({ id, name })) {
    if (!['string', 'number', 'undefined'].includes(typeof value) && value !== null)
      return [{ field, message: refusal('a text', value).message, code: 'wrong_type' }]
  }
  return differingNames(id, name)
}

type JsonObject = Readonly<Record<string, unknown>>

function bodyOf(
  definition: DocTypeDefinition,
  value: JsonObject,
  onLeftOut: (field: string) => void,
): Record<string, unknown> {
  const fields = publicFields(definition)
  const body = writable(fields, value, '', onLeftOut)
  for (const note of NOTE_COLUMNS) delete body[note]
  const name = value.name ?? value.id
  if (name !== undefined && name !== null) body.name = name
  for (const { name: table, child } of fields) {
    const rows = body[table]
    if (!child || !Array.isArray(rows)) continue
    body[table] = rows.map((row: unknown) => {
      if (!isObject(row)) return row
      const kept = writable(publicFields(child), row, `${table}.`, onLeftOut)
      return row.row_id === undefined ? kept : { row_id: row.row_id, ...kept }
    })
  }
  return body
}

/** Unknown keys stay: they are refused as in a body of the API. */
function writable(
  fields: readonly Field[],
  value: JsonObject,
  path: string,
  onLeftOut: (field: string) => void,
): Record<string, unknown> {
  const known = new Map(fields.map((field) => [field.name, field]))
  const kept: [string, unknown][] = []
  for (const [key, one] of Object.entries(value)) {
    const field = known.get(key)
    const isSet = field ? !isWritable(field, 'create') : isStandardField(key) || key === 'row_id'
    if (!isSet) kept.push([key, one])
    else if (key !== 'id' && key !== 'name' && key !== 'row_id') onLeftOut(path + key)
  }
  // Not set one by one: `__proto__` would not become a key, which is refused, but vanish.
  return Object.fromEntries(kept)
}
