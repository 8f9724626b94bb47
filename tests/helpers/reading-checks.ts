import * as assert from 'uvu/assert'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import { standardFields } from '../../engine/definition/model/standard-fields.ts'
import { listDocuments } from '../../engine/documents/lists/list.ts'
import type { Context } from '../../engine/documents/work/context.ts'
import type { DocumentResult } from '../../engine/documents/work/present.ts'
import type { Field } from '../../engine/fields/field.ts'
import type { Operator } from '../../engine/fields/field-type.ts'
import { fieldType } from '../../engine/fields/index.ts'
import { isPublic, publicFields } from '../../engine/fields/public-fields.ts'
import { isWritable } from '../../engine/schema/shapes/json-schema.ts'
import { readListQuery } from '../../server/http/list-params.ts'
import type { Body } from './generate.ts'

/** What was sent is shown, except where a secret is kept. */
export function assertShows(fields: readonly Field[], record: Readonly<Body>, sent: Body): void {
  for (const field of fields) {
    assert.is(field.name in record, isPublic(field), field.name)
    const value = sent[field.name]
    if (value === undefined || !isWritable(field, 'create')) continue
    const shown = record[field.name]
    if (!field.child) assert.equal(shown, fieldType(field.type).secret ? null : value, field.name)
    else {
      const rows = shown as readonly Body[]
      const { length } = value as readonly Body[]
      // Behind those that were sent may stand what the table adds, one row for each of them at most.
      const most = field.adds ? 2 * length : length
      assert.ok(rows.length >= length && rows.length <= most, `${field.name}: ${rows.length} rows`)
      for (const [index, row] of (value as readonly Body[]).entries())
        assertShows(field.child.fields, rows[index]!, row)
    }
  }
}

/** It is the newest, found by its name with all its fields and the titles of what it links to. */
export async function assertListed(
  context: Context,
  definition: DocTypeDefinition,
  { id, record }: DocumentResult,
): Promise<void> {
  const all = [...publicFields(definition), ...standardFields(definition)].map(({ name }) => name)
  const newest = await list(context, definition, [['limit', '1']])
  assert.is(newest.data[0]?.id, id, 'the newest comes first')
  const full = await list(context, definition, [
    ['name', id],
    ['fields', all.join(',')],
    ['_titles', '1'],
  ])
  assert.is(full.total, 1)
  const found = full.data[0]!
  assert.equal(withoutTitles(found), record)
  for (const [field, title] of Object.entries(found._titles as Body)) {
    assert.type(title, 'string', `title of ${field}`)
  }
  const byCursor = await list(context, definition, [
    ['name', id],
    ['cursor', ''],
  ])
  assert.equal([byCursor.data.length, byCursor.total], [1, undefined])
}

/** The record without titles, of its own links and of those in its rows. */
function withoutTitles(record: Body): Body {
  return JSON.parse(JSON.stringify(record, (key, value) => (key === '_titles' ? undefined : value)))
}

/** Whether a record is among those its own value finds, by each operator. */
const FINDS_ITSELF: Readonly<Record<Operator, boolean>> = {
  eq: true,
  ne: false,
  gt: false,
  gte: true,
  lt: false,
  lte: true,
  between: true,
  like: true,
  in: true,
}

/** Each filter on its own values finds it or leaves it out. */
export async function assertFiltered(
  context: Context,
  definition: DocTypeDefinition,
  { id, record }: DocumentResult,
): Promise<void> {
  const fields = [...standardFields(definition), ...publicFields(definition)]
  for (const field of fields.filter(({ filterable }) => filterable)) {
    const value = record[field.name] ?? null
    for (const operator of fieldType(field.type).operators) {
      if (value === null && operator !== 'eq' && operator !== 'ne') continue
      const name = operator === 'eq' ? field.name : `${field.name}__${operator}`
      const text = value === null ? '' : String(value)
      const one = ['in', 'between'].includes(operator) ? text.replace(/[\\,]/g, '\\$&') : text
      const escaped = operator === 'between' ? `${one},${one}` : one
      const { total } = await list(context, definition, [
        [name, escaped],
        [field.name === 'id' ? 'name' : 'id', id],
      ])
      assert.is(total, FINDS_ITSELF[operator] ? 1 : 0, `${name}=${escaped}`)
    }
  }
}

/** Characters and words that `q` may have. */
const LONGEST_SEARCH = 60
const MOST_WORDS = 8

/** `q` finds it by each text of its search fields, or by the beginning of a long one. */
export async function assertFound(
  context: Context,
  definition: DocTypeDefinition,
  { id, record }: DocumentResult,
): Promise<void> {
  for (const field of definition.searchFields) {
    const text = record[field]
    if (typeof text !== 'string') continue
    const { data } = await list(context, definition, [
      ['q', searchable(text)],
      ['limit', '100'],
    ])
    assert.ok(
      data.some((found) => found.id === id),
      `q=${text} finds ${field}`,
    )
  }
}

/** What is looked for of a text: its first words, in capitals. */
function searchable(text: string): string {
  const words = text.toUpperCase().slice(0, LONGEST_SEARCH).split(/\s+/u)
  return words.filter(Boolean).slice(0, MOST_WORDS).join(' ')
}

/** A list as a client asks for it. */
export function list(
  context: Context,
  definition: DocTypeDefinition,
  parameters: readonly (readonly [string, string])[],
): ReturnType<typeof listDocuments> {
  const query = readListQuery(context.services, definition, parameters)
  return listDocuments(context, definition, query)
}
