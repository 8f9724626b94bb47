import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { SYSTEM_ACTOR } from '../engine/access/actor.ts'
import { AppError } from '../engine/base/errors.ts'
import type { DocTypeDefinition, Field } from '../engine/definition/definition.ts'
import { isKeptByEngine } from '../engine/definition/kept.ts'
import { loadDefinitions } from '../engine/definition/load.ts'
import { amendDocument } from '../engine/documents/amend.ts'
import { cancelDocument } from '../engine/documents/cancel.ts'
import type { Context, DocumentResult } from '../engine/documents/context.ts'
import { createDocument } from '../engine/documents/create.ts'
import { getDocument } from '../engine/documents/get.ts'
import { removeDocument } from '../engine/documents/remove.ts'
import { submitDocument } from '../engine/documents/submit.ts'
import { updateDocument } from '../engine/documents/update.ts'
import { verifyWorkspace } from '../engine/documents/verify.ts'
import { fieldType } from '../engine/fields/index.ts'
import type { Engine } from '../engine/index.ts'
import { isWritable } from '../engine/schema/json-schema.ts'
import { forEachDatabase } from './helpers/databases.ts'
import { assertEventsAsDescribed } from './helpers/event-checks.ts'
import type { Body, Generator } from './helpers/generate.ts'
import { furnish, shippedGenerator } from './helpers/generate-workspace.ts'
import { isHeld } from './helpers/held-documents.ts'
import { openPrepared } from './helpers/prepared.ts'
import { printedSeed, randomOf, rounds } from './helpers/random.ts'
import {
  assertFiltered,
  assertFound,
  assertListed,
  assertShows,
  list,
} from './helpers/reading-checks.ts'
import { assertWalked, walk } from './helpers/walk.ts'

const FOLDER = join(import.meta.dirname, '../doctypes')
const SEED = printedSeed('every-doctype.test.ts')
const shipped = loadDefinitions([FOLDER]).registry.all
const written = shipped.filter((definition) => !isKeptByEngine(definition))

forEachDatabase('every shipped DocType', ({ test, create }) => {
  let engine: Engine
  let context: Context
  let made: Generator
  const sent = { fields: 0, possible: 0 }
  const bodies = new Map<DocTypeDefinition, Body>()
  let now = Date.parse('2026-03-01T12:00:00.000Z')

  test.before(async () => {
    engine = await openPrepared({
      database: await create(),
      doctypes: [FOLDER],
      secretKey: Buffer.alloc(32, 7),
      clock: {
        now: () => {
          now += 1
          return now
        },
      },
    })
    context = engine.context(SYSTEM_ACTOR, await engine.tier())
    await furnish(context)
    made = shippedGenerator(context, randomOf(SEED))
  })
  test.after(() => engine.close())

  for (const { doctype, submittable } of written) {
    const states = submittable ? 'submit, cancel, amend, ' : ''
    test(`${doctype}: create, get, list, filter, q, patch, ${states}delete`, async () => {
      const definition = engine.services.registry.byDoctype(doctype)!
      const body = await made.body(definition)
      bodies.set(definition, body)
      sent.fields += Object.keys(body).length
      sent.possible += definition.fields.filter((field) => isWritable(field, 'create')).length
      const created = await createDocument(context, definition, body)
      assertShows(definition.fields, created.record, body)
      assert.equal((await getDocument(context, definition, created.id)).json, created.json)
      await assertListed(context, definition, created)
      await assertFiltered(context, definition, created)
      await assertFound(context, definition, created)

      const patched = await patch(context, definition, made, created)
      const amended = submittable ? await replaced(context, definition, patched) : undefined
      if (amended !== undefined) await removed(context, definition, amended)
      const isKept = submittable && (await isHeld(context, definition, created.id))
      if (isKept)
        await rejectsWith('CONFLICT', () => removeDocument(context, definition, created.id))
      else await removed(context, definition, created.id)
      assert.equal(await kindsOfEvents(engine, definition, created.id), [
        'created',
        ...(patched === created ? [] : ['updated']),
        ...(submittable ? ['submitted', 'cancelled'] : []),
        ...(isKept ? [] : ['deleted']),
      ])
    })
  }

  test('the bodies of all hold most of what callers can set', () => {
    assert.ok(sent.fields > sent.possible * 0.6, `${sent.fields} of ${sent.possible} fields`)
  })

  for (const { doctype } of shipped.filter(isKeptByEngine)) {
    test(`${doctype}: get, list, filter, and no write`, async () => {
      const definition = engine.services.registry.byDoctype(doctype)!
      const { data } = await list(context, definition, [['limit', '1']])
      assert.is(data.length, 1, 'something that the documents before have posted')
      const shown = await getDocument(context, definition, String(data[0]!.id))
      await assertFiltered(context, definition, shown)
      await assertFound(context, definition, shown)
      const body = { [definition.fields[0]!.name]: shown.record[definition.fields[0]!.name] }
      for (const write of [
        () => createDocument(context, definition, body),
        () => updateDocument(context, definition, shown.id, body),
        () => removeDocument(context, definition, shown.id),
      ])
        await rejectsWith('FORBIDDEN', write)
      assert.is((await getDocument(context, definition, shown.id)).json, shown.json)
      assert.equal(await kindsOfEvents(engine, definition, shown.id), [])
    })
  }

  test(`all of them, submitted, cancelled, amended and acted on at random, leave true books (SVC_TEST_SEED=${SEED})`, async () => {
    const nextDay = (): void => {
      now += 86_400_000
    }
    const random = randomOf(SEED)
    const deeds = await walk({ context, made, random, bodies, nextDay }, rounds(400))
    assertWalked(deeds, bodies.keys())
    const { checks } = await verifyWorkspace(engine.services, {})
    const wrong = checks.filter(({ differences }) => differences > 0)
    assert.equal(wrong, [], JSON.stringify(wrong, null, 1))
  })

  test('the data of every event was as the catalogue describes it', async () => {
    const seen = await assertEventsAsDescribed(engine)
    for (const { slug, submittable } of written) {
      const kinds = ['created', 'deleted', ...(submittable ? ['submitted', 'cancelled'] : [])]
      for (const kind of kinds) assert.ok(seen.has(`${slug}.${kind}`), `${slug}.${kind}`)
    }
  })
})

async function removed(context: Context, definition: DocTypeDefinition, id: string): Promise<void> {
  await removeDocument(context, definition, id)
  await rejectsWith('NOT_FOUND', () => getDocument(context, definition, id))
  await rejectsWith('NOT_FOUND', () => removeDocument(context, definition, id))
}

/** Values of a field that are tried before another field is. */
const TRIES = 10

/** Changes the first field that takes another value, and sends every table back as it came. */
async function patch(
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
  const changeable = definition.fields
    .filter((field) => !field.child && isWritable(field, 'update') && !fieldType(field.type).secret)
    .toSorted((a, b) => Number(isRemark(b)) - Number(isRemark(a)))
  const often = changeable.flatMap((field) => Array.from({ length: TRIES }, () => field))
  for (const field of often) {
    const value = await differentValue(made, field, created.record)
    if (value === undefined) continue
    const changed = await unlessRefused(() =>
      updateDocument(context, definition, created.id, { ...tables, [field.name]: value }),
    )
    if (!changed) continue
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

/** A text that no rule is likely to read, so that the document can still be submitted. */
function isRemark({ type, options, link, linkFrom, unique }: Field): boolean {
  return fieldType(type).kind === 'str' && !options && !link && !linkFrom && !unique
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

/** Submits, cancels and amends; returns the amendment's id. */
async function replaced(
  context: Context,
  definition: DocTypeDefinition,
  { id }: DocumentResult,
): Promise<string> {
  const submitted = await submitDocument(context, definition, id)
  assert.is(submitted.record.docstatus, 1)
  await rejectsWith('CONFLICT', () => submitDocument(context, definition, id))
  await rejectsWith('CONFLICT', () => updateDocument(context, definition, id, {}))
  await rejectsWith('CONFLICT', () => removeDocument(context, definition, id))
  const cancelled = await cancelDocument(context, definition, id)
  assert.is(cancelled.record.docstatus, 2)
  const amended = await amendDocument(context, definition, id)
  assert.equal(
    [amended.id, amended.record.docstatus, amended.record.amended_from],
    [`${id}-1`, 0, id],
  )
  assert.equal((await getDocument(context, definition, amended.id)).json, amended.json)
  return amended.id
}

async function kindsOfEvents(
  { services }: Engine,
  { slug, submittable }: DocTypeDefinition,
  id: string,
): Promise<string[]> {
  const kinds = [
    'created',
    'updated',
    'deleted',
    ...(submittable ? ['submitted', 'cancelled'] : []),
  ]
  const rows = await services.database.read
    .selectFrom('svc_events')
    .select('kind')
    .where('resource', '=', slug)
    .where('record_id', '=', id)
    .orderBy('seq')
    .execute()
  // Not those that the DocType declares beside those of every record.
  const found = rows.map(({ kind }) => String(kind)).filter((kind) => kinds.includes(kind))
  // A record that was there before may have had the same name.
  return found.slice(Math.max(found.lastIndexOf('created'), 0))
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

async function rejectsWith(code: string, run: () => Promise<unknown>): Promise<void> {
  const error = await run().then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof AppError)) throw error ?? new Error(`expected ${code}, got no error`)
  assert.is(error.code, code, error.message)
}
