import * as assert from 'uvu/assert'
import { AppError } from '../../engine/base/errors.ts'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import { getDocument } from '../../engine/documents/operations/get.ts'
import { previewOperation } from '../../engine/documents/operations/rehearse.ts'
import { submitDocument } from '../../engine/documents/operations/submit.ts'
import { updateDocument } from '../../engine/documents/operations/update.ts'
import type { Context } from '../../engine/documents/work/context.ts'
import type { DocumentResult } from '../../engine/documents/work/present.ts'
import type { Field } from '../../engine/fields/field.ts'
import { fieldType } from '../../engine/fields/index.ts'
import { isWritable } from '../../engine/schema/shapes/json-schema.ts'
import type { Body, Generator } from './generate.ts'

/** Values of a field that are tried before another field is. */
const TRIES = 10

/**
 * Changes the first field that takes another value with which the record can still be submitted, and sends every table back as it
 * came.
 */
export async function patch(
  context: Context,
  definition: DocTypeDefinition,
  made: Generator,
  created: DocumentResult,
): Promise<DocumentResult> {
  const tables: Body = {}
  for (const field of definition.fields) {
    const { name, child } = field
    if (child && isWritable(field, 'update'))
      tables[name] = (created.record[name] as readonly Body[]).map((row) =>
        sendable(child.fields, row),
      )
  }
  const rank = (field: Field): number =>
    made.leaveOut.has(field.name) ? 2 : isRemark(field) ? 0 : 1
  const changeable = definition.fields
    .filter((field) => !field.child && isWritable(field, 'update') && !fieldType(field.type).secret)
    .toSorted((a, b) => rank(a) - rank(b))
  const often = changeable.flatMap((field) => Array.from({ length: TRIES }, () => field))
  for (const [turn, field] of often.entries()) {
    const isLastTry = turn % TRIES === TRIES - 1
    const value = isLastTry
      ? lessOf(created.record[field.name])
      : await differentValue(made, field, created.record)
    if (value === undefined) continue
    const changed = await unlessRefused(() =>
      updateDocument(context, definition, created.id, { ...tables, [field.name]: value }),
    )
    if (!changed) continue
    if (!(await canBeSubmitted(context, definition, created.id))) {
      const before = { ...tables, [field.name]: created.record[field.name] }
      await updateDocument(context, definition, created.id, before)
      continue
    }
    assert.equal(changed.record[field.name], value, field.name)
    assert.is.not(changed.etag, created.etag)
    assert.is(changed.record.created, created.record.created)
    assert.ok(String(changed.record.modified) > String(created.record.modified))
    for (const table of Object.keys(tables))
      assert.equal(rowIds(changed.record[table]), rowIds(created.record[table]), table)
    assert.equal((await getDocument(context, definition, created.id)).json, changed.json)
    return changed
  }
  assert.equal(
    changeable.map(({ name }) => name),
    [],
    'no field took another value',
  )
  return created
}

async function canBeSubmitted(
  context: Context,
  definition: DocTypeDefinition,
  id: string,
): Promise<boolean> {
  if (!definition.submittable) return true
  const run = (tried: Context): Promise<DocumentResult> => submitDocument(tried, definition, id)
  const { problems } = await previewOperation(context, { definition, id, run })
  return problems.length === 0
}

/** A text that no rule is likely to read, so that the document can still be submitted. */
function isRemark({ type, options, link, linkFrom, unique }: Field): boolean {
  return fieldType(type).kind === 'str' && !options && !link && !linkFrom && !unique
}

/** Half of a number, which is taken where most others are too large. */
function lessOf(value: unknown): number | undefined {
  return typeof value === 'number' && value > 0 ? value / 2 : undefined
}

async function differentValue(made: Generator, field: Field, record: Body): Promise<unknown> {
  for (let tries = 0; tries < 20; tries += 1) {
    const value = await made.value(field, record)
    if (value !== record[field.name]) return value
  }
  return undefined
}

function sendable(fields: readonly Field[], row: Body): Body {
  const names = fields.filter((field) => isWritable(field, 'update')).map(({ name }) => name)
  return Object.fromEntries(['row_id', ...names].map((name) => [name, row[name]]))
}

function rowIds(rows: unknown): unknown[] {
  return (rows as readonly Body[]).map(({ row_id }) => row_id)
}

async function unlessRefused<T>(run: () => Promise<T>): Promise<T | undefined> {
  try {
    return await run()
  } catch (error) {
    const isRefusal = error instanceof AppError && /^(VALIDATION_ERROR|CONFLICT)$/.test(error.code)
    if (isRefusal) return undefined
    throw error
  }
}
