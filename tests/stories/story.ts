import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { createMasters, USUAL } from '../../cli/setup/masters.ts'
import { SYSTEM_ACTOR } from '../../engine/access/actor.ts'
import { AppError } from '../../engine/base/errors.ts'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import { standardFields } from '../../engine/definition/model/standard-fields.ts'
import { explainField } from '../../engine/documents/explain/explain.ts'
import type { Explanation } from '../../engine/documents/explain/explanation.ts'
import { listDocuments } from '../../engine/documents/lists/list.ts'
import { runAction } from '../../engine/documents/operations/act.ts'
import { amendDocument } from '../../engine/documents/operations/amend.ts'
import { cancelDocument } from '../../engine/documents/operations/cancel.ts'
import { createDocument } from '../../engine/documents/operations/create.ts'
import { getDocument } from '../../engine/documents/operations/get.ts'
import { removeDocument } from '../../engine/documents/operations/remove.ts'
import { reviseDocument } from '../../engine/documents/operations/revise.ts'
import { submitDocument } from '../../engine/documents/operations/submit.ts'
import { updateDocument } from '../../engine/documents/operations/update.ts'
import { bringToToday } from '../../engine/documents/schedule/scheduled.ts'
import type { TickOptions } from '../../engine/documents/schedule/tick.ts'
import { verifyWorkspace } from '../../engine/documents/verify/verify.ts'
import type { Difference } from '../../engine/documents/verify/verify-report.ts'
import type { DocumentResult } from '../../engine/documents/work/present.ts'
import { publicFields } from '../../engine/fields/public-fields.ts'
import type { Engine } from '../../engine/index.ts'
import { readListQuery } from '../../server/http/list-params.ts'
import { readExplainQuery } from '../../server/v1/explain-params.ts'
import { assertReportsAgree } from '../helpers/books-agree.ts'
import type { TestDatabase } from '../helpers/databases.ts'
import { type Furniture, openPrepared } from '../helpers/prepared.ts'
import { provenAtClose } from './proven.ts'

const FOLDER = join(import.meta.dirname, '../../doctypes')

/** A record as a client sees it. Stories read what they know to be there, so values are not typed. */
// biome-ignore lint/suspicious/noExplicitAny: what a field holds is for the story to say
export type Shown = Readonly<Record<string, any>> & { readonly id: string }

/** A workspace with the shipped DocTypes as `svc setup` makes it: masters, and a company that keeps US dollars. */
export interface Story {
  readonly engine: Engine
  /** Stands still at noon of 9 March 2026 (UTC) until a story moves it; milliseconds. */
  readonly clock: { time: number; now(): number }
  create(doctype: string, body: object): Promise<Shown>
  /** Creates and submits. */
  make(doctype: string, body: object): Promise<Shown>
  get(doctype: string, id: string): Promise<Shown>
  update(doctype: string, id: string, body: object): Promise<Shown>
  /** Changes what may change of a submitted document. */
  revise(doctype: string, id: string, body: object): Promise<Shown>
  submit(doctype: string, id: string): Promise<Shown>
  cancel(doctype: string, id: string): Promise<Shown>
  amend(doctype: string, id: string): Promise<Shown>
  remove(doctype: string, id: string): Promise<void>
  /** Runs an action; the record as it is afterwards. */
  act(doctype: string, id: string, action: string, input?: object): Promise<Shown>
  /** Runs an action that creates one record and gives that one, e.g. the draft invoice of an order. */
  draftOf(doctype: string, id: string, action: string, input?: object): Promise<Shown>
  /** Records with these values, oldest first; `fields` beside the usual ones. */
  all(doctype: string, where?: Readonly<Record<string, string>>): Promise<readonly Shown[]>
  /** What the vouchers left in the general ledger: account → debit less credit, accounts at 0 left out. */
  books(...vouchers: readonly string[]): Promise<Readonly<Record<string, number>>>
  /** Why a field of a record has its value; `query` has the parameters. */
  explain(
    doctype: string,
    id: string,
    field: string,
    query?: Readonly<Record<string, string>>,
  ): Promise<Explanation>
  /** Kinds of the events of a record, in their order. */
  events(id: string): Promise<readonly string[]>
  /** What `svc tick` does: statuses that depend on the day, and what is scheduled. Nothing may fail. */
  tick(): Promise<void>
  /** What `svc verify` finds wrong: rollups, ledgers, invariants, formulas, statuses. */
  differences(): Promise<readonly Difference[]>
  close(): Promise<void>
}

/** Masters and the company, as `openStory` wants them. */
export const FURNITURE: Furniture = {
  name: 'masters and Acme Inc on 9 March 2026',
  async put(engine) {
    const context = engine.context(SYSTEM_ACTOR, 'business')
    await createMasters(context, [FOLDER], {
      ...USUAL,
      company: {
        company_name: 'Acme Inc',
        abbr: 'AI',
        default_currency: 'USD',
        country: 'United States',
      },
    })
  },
}

/** Opens an empty database as a workspace that is set up. */
export async function openStory(database: TestDatabase): Promise<Story> {
  const options = optionsOf(database)
  return storyOf(await openPrepared(options, FURNITURE), options.clock)
}

/** Opens what `openStory` has set up. */
export async function openAgain(database: TestDatabase): Promise<Story> {
  const options = optionsOf(database)
  return storyOf(await openPrepared(options), options.clock)
}

function optionsOf(database: TestDatabase) {
  const clock = {
    time: Date.parse('2026-03-09T12:00:00.000Z'),
    now() {
      return this.time
    },
  }
  return { database, doctypes: [FOLDER], secretKey: Buffer.alloc(32, 7), clock }
}

function storyOf(engine: Engine, clock: Story['clock']): Story {
  const context = engine.context(SYSTEM_ACTOR, 'business')
  const { registry, database } = engine.services

  function definitionOf(doctype: string): DocTypeDefinition {
    const found = registry.byDoctype(doctype)
    assert.ok(found, `no DocType ${doctype}`)
    return found
  }

  async function create(doctype: string, body: object): Promise<Shown> {
    return shown(await createDocument(context, definitionOf(doctype), body))
  }

  async function get(doctype: string, id: string): Promise<Shown> {
    return shown(await getDocument(context, definitionOf(doctype), id))
  }

  async function submit(doctype: string, id: string): Promise<Shown> {
    return shown(await submitDocument(context, definitionOf(doctype), id))
  }

  async function act(
    doctype: string,
    id: string,
    action: string,
    input: object = {},
  ): Promise<Shown> {
    return shown(await runAction(context, definitionOf(doctype), id, action, input))
  }

  async function all(
    doctype: string,
    where: Readonly<Record<string, string>> = {},
  ): Promise<readonly Shown[]> {
    const definition = definitionOf(doctype)
    const fields = [...standardFields(definition), ...publicFields(definition)]
      .filter(({ child }) => !child)
      .map(({ name }) => name)
    const found: Shown[] = []
    for (;;) {
      const query = readListQuery(engine.services, definition, [
        ...Object.entries(where),
        ['fields', fields.join(',')],
        ['sort', 'created'],
        ['order', 'asc'],
        ['limit', '100'],
        ['offset', String(found.length)],
      ])
      const { data } = await listDocuments(context, definition, query)
      found.push(...(data as readonly Shown[]))
      if (data.length < 100) return found
    }
  }

  return provenAtClose({
    engine,
    clock,
    create,
    get,
    submit,
    act,
    all,
    async make(doctype, body) {
      return submit(doctype, (await create(doctype, body)).id)
    },
    async update(doctype, id, body) {
      return shown(await updateDocument(context, definitionOf(doctype), id, body))
    },
    async revise(doctype, id, body) {
      return shown(await reviseDocument(context, definitionOf(doctype), id, body))
    },
    async cancel(doctype, id) {
      return shown(await cancelDocument(context, definitionOf(doctype), id))
    },
    async amend(doctype, id) {
      return shown(await amendDocument(context, definitionOf(doctype), id))
    },
    async remove(doctype, id) {
      await removeDocument(context, definitionOf(doctype), id)
    },
    async draftOf(doctype, id, action, input) {
      const { _created } = await act(doctype, id, action, input)
      assert.is(_created.length, 1, `${action} creates one record`)
      return get(_created[0].doctype, _created[0].id)
    },
    books: (...vouchers) => booksOf(all, vouchers),
    explain: (doctype, id, field, query = {}) =>
      explainField(
        context,
        definitionOf(doctype),
        id,
        field,
        readExplainQuery(Object.entries(query)),
      ),
    async events(id) {
      const rows = await database.read
        .selectFrom('svc_events')
        .select('kind')
        .where('record_id', '=', id)
        .orderBy('seq')
        .execute()
      return rows.map(({ kind }) => String(kind))
    },
    tick: () => tickOf(engine),
    differences: () => differencesOf(engine),
    async close() {
      try {
        await assertReportsAgree(engine)
      } finally {
        await engine.close()
      }
    },
  })
}

/** Account → debit less credit of what the vouchers posted, accounts at 0 left out. */
export async function booksOf(
  all: Story['all'],
  vouchers: readonly string[],
): Promise<Readonly<Record<string, number>>> {
  const balances: Record<string, number> = {}
  for (const voucher of vouchers) {
    for (const { account, debit, credit } of await all('GL Entry', { voucher_no: voucher }))
      balances[account] = cents((balances[account] ?? 0) + debit - credit)
  }
  return Object.fromEntries(Object.entries(balances).filter(([, amount]) => amount !== 0))
}

export async function tickOf(engine: Engine): Promise<void> {
  const options: TickOptions = {
    onFailure(doctype, name, error) {
      throw new Error(`${doctype} ${name ?? ''} could not be ticked`, { cause: error })
    },
  }
  await bringToToday(engine.services, options)
}

export async function differencesOf(engine: Engine): Promise<readonly Difference[]> {
  const { checks } = await verifyWorkspace(engine.services)
  return checks.flatMap(({ found }) => found)
}

function shown({ record }: DocumentResult): Shown {
  return record as Shown
}

/** Sums of JSON numbers without the noise of binary fractions; 4 places are the most that money has. */
function cents(amount: number): number {
  return Math.round(amount * 10_000) / 10_000
}

/** The promise is refused with 422 and a detail for this field, whose message contains `words`. */
export async function refusedFor(
  field: string,
  words: string,
  promise: Promise<unknown>,
): Promise<void> {
  const error = await refusalOf(promise)
  assert.is(error.code, 'VALIDATION_ERROR', error.message)
  const found = (error.details ?? []).find(
    (detail) => detail.field === field && detail.message.includes(words),
  )
  assert.ok(found, `${field}: … ${words} … is not in ${JSON.stringify(error.details)}`)
}

/** The promise is refused with 409. */
export async function refusedAsConflict(promise: Promise<unknown>): Promise<AppError> {
  const error = await refusalOf(promise)
  assert.is(error.code, 'CONFLICT', error.message)
  return error
}

export async function refusalOf(promise: Promise<unknown>): Promise<AppError> {
  const reason = await promise.then(
    (value) => new Error(`expected a refusal, got ${JSON.stringify(value)}`),
    (error: unknown) => error,
  )
  if (reason instanceof AppError) return reason
  throw reason
}
