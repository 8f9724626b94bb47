import { sql } from 'kysely'
import * as assert from 'uvu/assert'
import { AppError, isRefusal } from '../../engine/base/errors.ts'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import { isKeptByEngine } from '../../engine/definition/model/kept.ts'
import { getDocument } from '../../engine/documents/operations/get.ts'
import { previewOperation, type Tried } from '../../engine/documents/operations/rehearse.ts'
import type { Context } from '../../engine/documents/work/context.ts'
import type { DocumentResult, Preview } from '../../engine/documents/work/present.ts'
import type { Database } from '../../engine/storage/database/database.ts'
import { type DocTable, docTable } from '../../engine/storage/records/tables.ts'

type Row = Readonly<Record<string, unknown>>

/** What a preview and the operation after it have each their own: ids that are drawn, of rows and records. */
const DRAWN = /\b[0-9a-f]{20}\b|[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f-]{21}|(evt|job|dlv)_\w+/g

/** JSON without what is drawn by chance. */
export function undrawn(value: unknown): string {
  return JSON.stringify(value).replace(DRAWN, '"-"')
}

/** Records of each DocType by name, as the database has them. */
type Contents = ReadonlyMap<DocTypeDefinition, ReadonlyMap<string, Row>>

/**
 * Tries an operation, does it, and compares what was told with what came of it: the record, problems, what was made, changed and
 * deleted (no more and no less), rows of ledgers and events. The clock has to stand still meanwhile. Answers and throws what the
 * operation does; a difference is thrown, or told.
 */
export async function triedAndDone(
  context: Context,
  tried: Tried,
  known: KnownTables,
  onDifference: (error: assert.Assertion) => void = (error) => {
    throw error
  },
): Promise<DocumentResult> {
  const about = `${tried.definition.doctype} ${tried.id ?? ''} ${JSON.stringify(tried.body ?? '')}`
  const before = await contentsOf(context, known)
  const lines = await logged(context)
  const told = await previewed(context, tried)
  assert.is(await logged(context), lines, `${about}: the preview has left events`)
  const was = typeof told === 'string' ? [] : await recordsOf(context, told.changed)
  let result: DocumentResult
  try {
    result = await tried.run(context)
  } catch (error) {
    if (!(error instanceof AppError) || !isRefusal(error)) throw error
    try {
      if (typeof told === 'string') assert.is(told, error.code, `${about}: ${error.message}`)
      else assert.equal(told.problems, error.details ?? [], `${about}: ${error.message}`)
    } catch (difference) {
      onDifference(difference as assert.Assertion)
    }
    throw error
  }
  try {
    assert.ok(typeof told !== 'string', `${about}: previewed as ${told}, was done`)
    assert.equal(told.problems, [], about)
    assert.is(undrawn(told.record), undrawn(result.record), about)
    assert.equal(told.events, (await eventsAfter(context, lines)) as string[], about)
    await assertSame(context, { told, was, before, tried, result, about, known })
  } catch (error) {
    if (!(error instanceof assert.Assertion)) throw error
    onDifference(error)
  }
  return result
}

async function previewed(context: Context, tried: Tried): Promise<Preview | string> {
  try {
    return await previewOperation(context, tried)
  } catch (error) {
    if (error instanceof AppError) return error.code
    throw error
  }
}

interface Compared {
  readonly told: Preview
  /** Records that the preview says change, before they did. */
  readonly was: readonly Row[]
  readonly before: Contents
  readonly tried: Tried
  readonly result: DocumentResult
  readonly about: string
  readonly known: KnownTables
}

/** What was made, changed, deleted and posted is what was told. */
async function assertSame(
  context: Context,
  { told, was, before, tried, result, about, known }: Compared,
): Promise<void> {
  const { registry } = context.services
  const after = await contentsOf(context, known)
  const own = new Set([
    `${tried.definition.slug} ${result.id}`,
    `${tried.definition.slug} ${tried.id}`,
  ])
  const is = new Map<'created' | 'changed' | 'deleted' | 'posted', string[]>(
    (['created', 'changed', 'deleted', 'posted'] as const).map((kind) => [kind, []]),
  )
  const silent = new Set(told.changed.map(({ resource, id }) => `${resource} ${id}`))
  for (const [definition, rows] of after) {
    const old = before.get(definition)!
    for (const name of old.keys())
      if (!rows.has(name)) is.get('deleted')!.push(`${definition.slug} ${name}`)
    for (const [name, row] of rows) {
      const place = `${definition.slug} ${name}`
      const known = old.get(name)
      if (!known) is.get(isLedger(definition) ? 'posted' : 'created')!.push(place)
      else if (silent.has(place) || hasPublicChange(definition, known, row))
        is.get('changed')!.push(place)
    }
  }
  const others = (kind: 'created' | 'changed' | 'deleted'): string[] =>
    is
      .get(kind)!
      .filter((place) => !own.has(place))
      .sort()
  const places = (list: readonly { readonly resource: string; readonly id: string }[]): string[] =>
    list.map(({ resource, id }) => `${resource} ${id}`).sort()
  const made = told.created.map(({ resource, record }) => ({ resource, id: String(record.id) }))
  const [ofLedgers, ofOthers] = [true, false].map((isOf) =>
    made.filter(({ resource }) => isLedger(registry.bySlug(resource)!) === isOf),
  )
  assert.is(undrawn(places(ofOthers!)), undrawn(others('created')), `${about}: created`)
  assert.equal(places(told.changed), others('changed'), `${about}: changed`)
  assert.equal(places(told.deleted), others('deleted'), `${about}: deleted`)
  for (const { resource, record } of told.created) {
    const [real] = await recordsOf(context, [{ resource, id: String(record.id) }])
    if (real) assert.is(undrawn(record), undrawn(real), `${about}: ${resource} ${record.id}`)
  }
  const now = await recordsOf(context, told.changed)
  for (const [at, { resource, id, fields }] of told.changed.entries())
    for (const [name, [first, last]] of Object.entries(fields)) {
      const place = `${about}: ${resource} ${id} ${name}`
      assert.is(undrawn(first), undrawn(was[at]![name]), `${place} before`)
      assert.is(undrawn(last), undrawn(now[at]![name]), place)
    }
  const posted = is.get('posted')!
  const rows = Object.entries(told.ledgers).flatMap(([slug, list]) =>
    list.map((record) => [slug, record] as const),
  )
  assert.is(rows.length + ofLedgers!.length, posted.length, `${about}: posted`)
  const real = []
  for (const place of posted) {
    const [resource = '', id = ''] = split(place)
    real.push(...(await recordsOf(context, [{ resource, id }])).map((one) => undrawn(one)))
  }
  for (const [, record] of rows)
    assert.ok(
      real.includes(undrawn(record)),
      `${about}: posted ${undrawn(record)}; expected one of ${real.slice(0, 3).join('\n')}`,
    )
}

function split(place: string): readonly [resource: string, id: string] {
  const at = place.indexOf(' ')
  return [place.slice(0, at), place.slice(at + 1)]
}

function isLedger(definition: DocTypeDefinition): boolean {
  return definition.behaviour.ledger !== undefined && isKeptByEngine(definition)
}

async function recordsOf(
  context: Context,
  list: readonly { readonly resource: string; readonly id: string }[],
): Promise<readonly Row[]> {
  const { registry } = context.services
  const records = []
  for (const { resource, id } of list) {
    try {
      records.push((await getDocument(context, registry.bySlug(resource)!, id)).record)
    } catch (error) {
      // Its name was drawn.
      if (!(error instanceof AppError) || error.code !== 'NOT_FOUND') throw error
    }
  }
  return records
}

const ALWAYS = new Set(['modified', 'modified_by', 'version'])

/** Whether a field that callers know has another value, one of its rows among them. */
function hasPublicChange({ fields }: DocTypeDefinition, before: Row, after: Row): boolean {
  return Object.keys(after).some((name) => {
    if (ALWAYS.has(name) || before[name] === after[name]) return false
    const field = fields.find((one) => one.name === name)
    return field === undefined ? name === 'docstatus' : !field.internal
  })
}

/** Rows of tables as they were read last, with what tells whether they are so still. */
export type KnownTables = Map<
  DocTypeDefinition,
  { readonly mark: string; readonly rows: ReadonlyMap<string, Row> }
>

async function contentsOf({ services }: Context, known: KnownTables): Promise<Contents> {
  const { registry, database } = services
  const marks = await marksOf(database, registry.all)
  for (const definition of registry.all) {
    const mark = marks.get(definition.table)!
    if (known.get(definition)?.mark === mark) continue
    known.set(definition, { mark, rows: await rowsOf(database, docTable(definition)) })
  }
  return new Map([...known].map(([definition, { rows }]) => [definition, rows]))
}

/** How many records each table has, and what their versions add up to: each change of a record makes another of it. */
async function marksOf(
  { read }: Database,
  definitions: readonly DocTypeDefinition[],
): Promise<ReadonlyMap<string, string>> {
  const parts = definitions.map(
    ({ table }) =>
      sql`SELECT ${sql.lit(table)} AS name, count(*) AS records, sum(version) AS versions, max(rid) AS last FROM ${sql.table(table)}`,
  )
  const { rows } = await sql<Row>`${sql.join(parts, sql` UNION ALL `)}`.execute(read)
  return new Map(
    rows.map(({ name, records, versions, last }) => [
      String(name),
      `${records} ${versions} ${last}`,
    ]),
  )
}

/** Rows of a table by name, with what is public of their rows as text. */
async function rowsOf(
  { read }: Database,
  { table, children }: DocTable,
): Promise<ReadonlyMap<string, Row>> {
  const rows = await read.selectFrom(table).selectAll().execute()
  const byRid = new Map(rows.map((row) => [String(row.rid), { ...row }]))
  for (const child of children) {
    const shown = child.columns.filter(({ field }) => !field.internal).map(({ name }) => name)
    if (shown.length === 0) continue
    const own = await read
      .selectFrom(child.table)
      .selectAll()
      .orderBy('parent')
      .orderBy('idx')
      .execute()
    for (const [parent, list] of Map.groupBy(own, (row) => String(row.parent))) {
      const row = byRid.get(parent)
      if (row)
        row[child.field] = JSON.stringify(
          list.map((one) => [one.row_id, ...shown.map((name) => String(one[name]))]),
        )
    }
  }
  return new Map([...byRid.values()].map((row) => [String(row.name), row]))
}

/** Number of the last line of the log. */
async function logged({ services }: Context): Promise<number> {
  const line = await services.database.read
    .selectFrom('svc_events')
    .select('seq')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return Number(line?.seq ?? 0)
}

async function eventsAfter({ services }: Context, line: number): Promise<unknown[]> {
  const rows = await services.database.read
    .selectFrom('svc_events')
    .select('event')
    .where('seq', '>', line)
    .orderBy('seq')
    .execute()
  return rows.map(({ event }) => event)
}
