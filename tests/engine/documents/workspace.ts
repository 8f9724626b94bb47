import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { type Actor, SYSTEM_ACTOR } from '../../../engine/access/actor.ts'
import { SYSTEM_MANAGER } from '../../../engine/access/roles.ts'
import { AppError } from '../../../engine/base/errors.ts'
import type { DocTypeDefinition } from '../../../engine/definition/model/definition.ts'
import { listDocuments } from '../../../engine/documents/lists/list.ts'
import type { ListResult } from '../../../engine/documents/lists/list-query.ts'
import { runAction } from '../../../engine/documents/operations/act.ts'
import { amendDocument } from '../../../engine/documents/operations/amend.ts'
import { cancelDocument } from '../../../engine/documents/operations/cancel.ts'
import { createDocument } from '../../../engine/documents/operations/create.ts'
import { getDocument } from '../../../engine/documents/operations/get.ts'
import { removeDocument } from '../../../engine/documents/operations/remove.ts'
import { reviseDocument } from '../../../engine/documents/operations/revise.ts'
import { submitDocument } from '../../../engine/documents/operations/submit.ts'
import { updateDocument } from '../../../engine/documents/operations/update.ts'
import type { Context } from '../../../engine/documents/work/context.ts'
import type { DocumentResult } from '../../../engine/documents/work/present.ts'
import { type Engine, type EngineOptions, openEngine } from '../../../engine/index.ts'
import { hooks } from '../../../hooks/index.ts'
import { readListQuery } from '../../../server/http/list-params.ts'
import type { TestDatabase } from '../../helpers/databases.ts'

/** The shipped plans, as text. */
export const PLANS = readFileSync(join(import.meta.dirname, '../../../doctypes/plans.yaml'), 'utf8')

/** A clock that stands still until a test moves it. */
export interface TestClock {
  time: number
  now(): number
}

/** An open engine over DocTypes of the test's own, spoken to by the DocTypes' names. */
export interface Workspace {
  readonly engine: Engine
  readonly clock: TestClock
  context(more?: Partial<Context>): Context
  definition(doctype: string): DocTypeDefinition
  create(doctype: string, body: unknown, more?: Partial<Context>): Promise<DocumentResult>
  get(doctype: string, id: string, more?: Partial<Context>): Promise<DocumentResult>
  update(
    doctype: string,
    id: string,
    body: unknown,
    more?: Partial<Context>,
  ): Promise<DocumentResult>
  /** Changes what may change of a submitted document. */
  revise(doctype: string, id: string, body: unknown): Promise<DocumentResult>
  submit(doctype: string, id: string, more?: Partial<Context>): Promise<DocumentResult>
  cancel(doctype: string, id: string, more?: Partial<Context>): Promise<DocumentResult>
  amend(doctype: string, id: string, more?: Partial<Context>): Promise<DocumentResult>
  act(
    doctype: string,
    id: string,
    action: string,
    input?: unknown,
    more?: Partial<Context>,
  ): Promise<DocumentResult>
  remove(doctype: string, id: string, more?: Partial<Context>): Promise<DocumentResult>
  list(
    doctype: string,
    parameters?: Readonly<Record<string, string>>,
    more?: Partial<Context>,
  ): Promise<ListResult>
  close(): Promise<void>
}

type Opening = Partial<Pick<EngineOptions, 'sinks' | 'migration'>> & {
  /** Whether fields that wait get their values by who works on jobs, as of a server; by default it opens when they have them. */
  readonly fillsBeside?: boolean
  /** A text like that of the DocTypes, of a folder that comes after theirs. */
  readonly over?: string
}

/** Opens the DocTypes of one YAML text, set apart by lines of `---`. */
export async function openWorkspace(
  database: TestDatabase,
  doctypes: string,
  { sinks = [], migration = {}, fillsBeside = false, over }: Opening = {},
): Promise<Workspace> {
  const folders = [doctypes, ...(over === undefined ? [] : [over])].map(writeDoctypes)
  const clock: TestClock = {
    time: Date.parse('2026-03-09T12:00:00.000Z'),
    now() {
      return this.time
    },
  }
  const engine = await openEngine({
    hooks,
    database,
    doctypes: folders,
    secretKey: Buffer.alloc(32, 7),
    clock,
    sinks,
    migration,
  })
  const waits = engine.services.unfilled.now.columns.size > 0
  if (waits && !fillsBeside && migration.when !== 'never') {
    const { fillThrough } = await import('../../../server/jobs/fill-through.ts')
    await fillThrough(engine, migration.onProgress)
  }
  const context = (more: Partial<Context> = {}): Context => ({
    ...engine.context(SYSTEM_ACTOR, 'free'),
    ...more,
  })
  const definition = (doctype: string): DocTypeDefinition => {
    const found = engine.services.registry.byDoctype(doctype)
    assert.ok(found, doctype)
    return found
  }
  return {
    engine,
    clock,
    context,
    definition,
    create: (doctype, body, more) => createDocument(context(more), definition(doctype), body),
    get: (doctype, id, more) => getDocument(context(more), definition(doctype), id),
    update: (doctype, id, body, more) =>
      updateDocument(context(more), definition(doctype), id, body),
    revise: (doctype, id, body) => reviseDocument(context(), definition(doctype), id, body),
    submit: (doctype, id, more) => submitDocument(context(more), definition(doctype), id),
    cancel: (doctype, id, more) => cancelDocument(context(more), definition(doctype), id),
    amend: (doctype, id, more) => amendDocument(context(more), definition(doctype), id),
    act: (doctype, id, action, input, more) =>
      runAction(context(more), definition(doctype), id, action, input),
    remove: (doctype, id, more) => removeDocument(context(more), definition(doctype), id),
    async list(doctype, parameters = {}, more) {
      const target = definition(doctype)
      const query = readListQuery(engine.services, target, Object.entries(parameters))
      return listDocuments(context(more), target, query)
    },
    async close() {
      await engine.close()
      for (const folder of folders) rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A folder with a file for each DocType or block (`# blocks/x.yaml`) of the text, and the shipped plans. The caller removes it. */
export function writeDoctypes(doctypes: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-doctypes-'))
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'plans.yaml'), PLANS)
  for (const [index, part] of doctypes.split(/^---$/m).entries()) {
    const text = part.trim()
    const [, block] = /^# (blocks\/[\w-]+\.yaml)\n/.exec(text) ?? []
    if (block !== undefined) mkdirSync(join(folder, 'blocks'), { recursive: true })
    writeFileSync(join(folder, block ?? `doctype-${index}.yaml`), `${text}\n`)
  }
  return folder
}

/** A caller with this scope only. */
export function actorOf(kind: Actor['kind'], scope: Actor['scope']): Actor {
  return { kind, id: `key_${scope}`, name: `${scope} key`, scope, roles: [SYSTEM_MANAGER] }
}

/** The AppError a promise is refused with. Anything else it is refused with is thrown on. */
export async function refusal(promise: Promise<unknown>): Promise<AppError> {
  const outcome = await promise.then(
    (value) => ({ value }),
    (reason: unknown) => ({ reason }),
  )
  if ('value' in outcome)
    throw new Error(`expected a refusal, got ${JSON.stringify(outcome.value)}`)
  if (outcome.reason instanceof AppError) return outcome.reason
  throw outcome.reason
}

/** The promise is refused with this code. */
export async function refused(code: string, promise: Promise<unknown>): Promise<AppError> {
  const error = await refusal(promise)
  assert.is(error.code, code, error.message)
  return error
}

/** The promise is refused with 422 and a detail for each of these fields, in any order. */
export async function invalid(
  fields: readonly string[],
  promise: Promise<unknown>,
): Promise<AppError> {
  const error = await refused('VALIDATION_ERROR', promise)
  const named = (error.details ?? []).map(({ field }) => field)
  assert.equal(named.toSorted(), [...fields].toSorted(), error.message)
  return error
}

/** Kinds of the events of one record, in their order. */
export async function eventsOf({ engine }: Workspace, id: string): Promise<string[]> {
  const rows = await engine.services.database.read
    .selectFrom('svc_events')
    .select('kind')
    .where('record_id', '=', id)
    .orderBy('seq')
    .execute()
  return rows.map(({ kind }) => String(kind))
}
