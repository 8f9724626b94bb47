import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { SYSTEM_ACTOR } from '../../engine/access/actor.ts'
import { AppError } from '../../engine/base/errors.ts'
import { loadDefinitions } from '../../engine/definition/load/load.ts'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import { isKeptByEngine } from '../../engine/definition/model/kept.ts'
import { amendDocument } from '../../engine/documents/operations/amend.ts'
import { cancelDocument } from '../../engine/documents/operations/cancel.ts'
import { createDocument } from '../../engine/documents/operations/create.ts'
import { getDocument } from '../../engine/documents/operations/get.ts'
import { removeDocument } from '../../engine/documents/operations/remove.ts'
import { submitDocument } from '../../engine/documents/operations/submit.ts'
import { updateDocument } from '../../engine/documents/operations/update.ts'
import { verifyWorkspace } from '../../engine/documents/verify/verify.ts'
import type { Context } from '../../engine/documents/work/context.ts'
import type { DocumentResult } from '../../engine/documents/work/present.ts'
import { publicFields } from '../../engine/fields/public-fields.ts'
import type { Engine } from '../../engine/index.ts'
import { runReport } from '../../engine/reports/run/run.ts'
import { isWritable } from '../../engine/schema/shapes/json-schema.ts'
import { hooks } from '../../hooks/index.ts'
import { assertReportsAgree } from './books-agree.ts'
import { type DatabaseSuite, onDatabase, type TestDatabaseKind } from './databases.ts'
import { assertEventsAsDescribed } from './event-checks.ts'
import { patch } from './every-doctype-patch.ts'
import { assertExplained } from './explain-checks.ts'
import type { Body, Generator } from './generate.ts'
import { furnish, shippedGenerator } from './generate-workspace.ts'
import { isHeld } from './held-documents.ts'
import { OTHER_COMPANY, otherCompany } from './other-company.ts'
import { openPrepared } from './prepared.ts'
import { isDeepRun, randomOf, rounds } from './random.ts'
import { assertFiltered, assertFound, assertListed, assertShows, list } from './reading-checks.ts'
import { type AssertTyped, assertAllTyped, recordChecker } from './record-checks.ts'
import { assertNothingInternal } from './surface-checks.ts'
import { assertWalked, walk } from './walk.ts'

const SECRET_KEY = Buffer.alloc(32, 7)
const FOLDER = join(import.meta.dirname, '../../doctypes')
const shipped = loadDefinitions([FOLDER], hooks).registry.all
const written = shipped.filter((definition) => !isKeptByEngine(definition))

/**
 * Takes every shipped DocType through its life by bodies made from its definition alone, then all of them through a
 * random walk, and looks at the books and the events. Calls `run()` itself. Each database has a file of its own, which
 * the runner can run at the same time.
 */
export function everyDoctype(kind: TestDatabaseKind, seeds: readonly number[]): void {
  for (const seed of seeds)
    onDatabase(kind, `every shipped DocType (seed ${seed})`, (suite) =>
      define(suite, seed, EFFORT[kind]),
    )
}

interface Effort {
  /** Steps of the walk at random; none is made without them. */
  readonly steps?: number
  /** How likely a field is sent that need not be. */
  readonly chance: number
  /** Share of the fields that bodies have to hold. */
  readonly share: number
  /** Whether all surfaces are asked in the end: what they show does not depend on the database. */
  readonly hasSurfaces?: boolean
}

/** With those of random business (tests/fuzz) twenty thousand. */
const DEEP = Math.min(8_000, rounds(8_000))

/** PostgreSQL takes several times as long for each try, and is walked by random business (tests/fuzz) in every run. */
const EFFORT: Readonly<Record<TestDatabaseKind, Effort>> = {
  sqlite: { steps: isDeepRun() ? DEEP : 48, chance: 1, share: 0.6, hasSurfaces: true },
  postgres: { ...(isDeepRun() ? { steps: DEEP } : {}), chance: 0.4, share: 0.35 },
}

function define({ test, create }: DatabaseSuite, seed: number, effort: Effort): void {
  const { steps, chance, share, hasSurfaces } = effort
  let engine: Engine
  let context: Context
  let made: Generator
  let assertTyped: AssertTyped
  const sent = { fields: 0, possible: 0 }
  const bodies = new Map<DocTypeDefinition, Body>()
  let now = Date.parse('2026-03-01T12:00:00.000Z')
  const nextDay = (): void => {
    now += 86_400_000
  }

  test.before(async () => {
    engine = await openPrepared({
      database: await create(),
      doctypes: [FOLDER],
      secretKey: SECRET_KEY,
      clock: {
        now: () => {
          now += 1
          return now
        },
      },
    })
    context = engine.context(SYSTEM_ACTOR, await engine.tier())
    await furnish(context)
    made = shippedGenerator(context, randomOf(seed), { chance })
    assertTyped = recordChecker(engine.services.registry)
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
      assertTyped(definition, created.record)
      assert.equal((await getDocument(context, definition, created.id)).json, created.json)
      await assertListed(context, definition, created)
      await assertFiltered(context, definition, created)
      await assertFound(context, definition, created)

      const patched = await patch(context, definition, made, created)
      assertTyped(definition, patched.record)
      const amended = submittable
        ? await replaced(context, definition, patched, assertTyped)
        : undefined
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
    assert.ok(sent.fields > sent.possible * share, `${sent.fields} of ${sent.possible} fields`)
  })

  for (const { doctype } of shipped.filter(isKeptByEngine)) {
    test(`${doctype}: get, list, filter, and no write`, async () => {
      const definition = engine.services.registry.byDoctype(doctype)!
      const { data } = await list(context, definition, [['limit', '1']])
      assert.is(data.length, 1, 'something that the documents before have posted')
      const shown = await getDocument(context, definition, String(data[0]!.id))
      await assertFiltered(context, definition, shown)
      await assertFound(context, definition, shown)
      const [first] = publicFields(definition)
      const body = { [first!.name]: shown.record[first!.name] }
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

  test('all of them, submitted, cancelled, amended and acted on, leave true books', async () => {
    if (steps !== undefined) {
      const random = randomOf(seed)
      const late = isDeepRun()
        ? { elsewhere: await otherCompany(context), today: (): number => now }
        : {}
      const deeds = await walk({ context, made, random, bodies, nextDay, ...late }, steps)
      assertWalked(deeds, bodies.keys())
      if (isDeepRun()) {
        const ledger = engine.services.registry.byDoctype('GL Entry')!
        const { total } = await list(context, ledger, [['company', OTHER_COMPANY]])
        assert.ok((total ?? 0) > steps / 800, `${total} postings of the other company`)
      }
    }
    const { checks } = await verifyWorkspace(engine.services, {})
    const wrong = checks.filter(({ differences }) => differences > 0)
    assert.equal(wrong, [], JSON.stringify(wrong, null, 1))
    await assertReportsAgree(engine)
  })

  test('every report can be asked for, and most have something to say', async () => {
    const { all } = engine.reports()
    const silent: string[] = []
    for (const report of all) {
      const given = new Map(
        report.params.flatMap(({ field }) =>
          [...WIDE, ...(field.required ? NEEDED : [])].filter(([name]) => name === field.name),
        ),
      )
      const { total } = await runReport(context, report, { given, limit: 20, offset: 0 })
      if (total === 0) silent.push(report.slug)
    }
    assert.ok(silent.length < all.length / 3, silent.join(', '))
  })

  test('every computed value there is explains itself', async () => {
    const explained = await assertExplained(context, definitionsOf(engine), EXPLAINED)
    assert.ok(explained > 1000, `${explained} values`)
  })

  test('every record there is fits its generated type', async () => {
    assert.ok((await assertAllTyped(context, assertTyped)) > written.length)
  })

  if (hasSurfaces)
    test('no surface shows the name of an internal field', async () => {
      const clock = { now: () => now, advance: nextDay }
      const { shown, told } = await assertNothingInternal(engine, { secretKey: SECRET_KEY, clock })
      assert.ok(shown.size > shipped.length * 0.9, `${shown.size} of ${shipped.length} shown`)
      for (const { slug } of written) assert.ok(told.has(slug), `a webhook told of ${slug}`)
    })

  test('the data of every event was as the catalogue describes it', async () => {
    const seen = await assertEventsAsDescribed(engine)
    for (const { slug, submittable } of written) {
      const kinds = ['created', 'deleted', ...(submittable ? ['submitted', 'cancelled'] : [])]
      for (const kind of kinds) assert.ok(seen.has(`${slug}.${kind}`), `${slug}.${kind}`)
    }
  })
}

/** Records of each DocType whose values are explained. */
const EXPLAINED = rounds(1)

function definitionsOf({ services }: Engine): readonly DocTypeDefinition[] {
  return services.registry.all
}

/** Parameters that leave nothing out, where a report has them. */
const WIDE = [
  ['from_date', '2026-03-01'],
  ['to_date', '2026-04-30'],
  ['report_date', '2099-12-31'],
] as const

/** What a report is about, where it has to be told. */
const NEEDED = [['party', 'CUST-00001']] as const

async function removed(context: Context, definition: DocTypeDefinition, id: string): Promise<void> {
  await removeDocument(context, definition, id)
  await rejectsWith('NOT_FOUND', () => getDocument(context, definition, id))
  await rejectsWith('NOT_FOUND', () => removeDocument(context, definition, id))
}

/** Submits, cancels and amends; returns the amendment's id. */
async function replaced(
  context: Context,
  definition: DocTypeDefinition,
  { id }: DocumentResult,
  assertTyped: AssertTyped,
): Promise<string> {
  const submitted = await submitDocument(context, definition, id)
  assert.is(submitted.record.docstatus, 1)
  await rejectsWith('CONFLICT', () => submitDocument(context, definition, id))
  await rejectsWith('CONFLICT', () => updateDocument(context, definition, id, {}))
  await rejectsWith('CONFLICT', () => removeDocument(context, definition, id))
  const cancelled = await cancelDocument(context, definition, id)
  assert.is(cancelled.record.docstatus, 2)
  for (const { record } of [submitted, cancelled]) assertTyped(definition, record)
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
  const own = found.slice(Math.max(found.lastIndexOf('created'), 0))
  // What cannot be submitted with one value is updated again with another.
  return own.filter((kind, at) => kind !== 'updated' || own[at - 1] !== kind)
}

async function rejectsWith(code: string, run: () => Promise<unknown>): Promise<void> {
  const error = await run().then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof AppError)) throw error ?? new Error(`expected ${code}, got no error`)
  assert.is(error.code, code, error.message)
}
