import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import BetterSqlite3 from 'better-sqlite3'
import { sql } from 'kysely'
import * as assert from 'uvu/assert'
import { SYSTEM_ACTOR } from '../../engine/access/actor.ts'
import { runAction } from '../../engine/documents/operations/act.ts'
import { amendDocument } from '../../engine/documents/operations/amend.ts'
import { cancelDocument } from '../../engine/documents/operations/cancel.ts'
import { createDocument } from '../../engine/documents/operations/create.ts'
import { previewOperation, type Tried } from '../../engine/documents/operations/rehearse.ts'
import { removeDocument } from '../../engine/documents/operations/remove.ts'
import { reviseDocument } from '../../engine/documents/operations/revise.ts'
import { submitDocument } from '../../engine/documents/operations/submit.ts'
import { updateDocument } from '../../engine/documents/operations/update.ts'
import type { Database } from '../../engine/storage/database/database.ts'
import { everything } from '../engine/storage/table-content.ts'
import type { TestDatabase } from '../helpers/databases.ts'
import { type KnownTables, triedAndDone } from '../helpers/preview-checks.ts'
import type { Shown, Story } from './story.ts'

/** A story whose writes are previewed before they are done. */
export interface TriedStory extends Story {
  /** Previews there were. */
  previews(): number
  /** `DocType verb` of what was previewed and done. */
  readonly kinds: ReadonlySet<string>
}

/** Previews at once. */
const TOGETHER = 5

/**
 * The story, each of whose writes is previewed `times` times first, some at once: the database is then byte for byte as
 * it was, and what is done is what was told.
 */
export function triedStory(story: Story, database: TestDatabase, times: number): TriedStory {
  const { services } = story.engine
  const context = story.engine.context(SYSTEM_ACTOR, 'business')
  const known: KnownTables = new Map()
  const kinds = new Set<string>()
  let previews = 0

  async function done(verb: string, tried: Tried): Promise<Shown> {
    const what = `${tried.definition.doctype} ${verb}`
    const before = await stateOf(services.database, database)
    for (let left = times; left > 0; left -= TOGETHER)
      await Promise.all(
        Array.from({ length: Math.min(TOGETHER, left) }, async () => {
          const { problems } = await previewOperation(context, tried)
          assert.equal(problems, [], what)
          previews += 1
        }),
      )
    assertSameState(await stateOf(services.database, database), before, what)
    const { record } = await triedAndDone(context, tried, known)
    kinds.add(what)
    return record as Shown
  }

  function on(doctype: string) {
    const definition = services.registry.byDoctype(doctype)
    assert.ok(definition, `no DocType ${doctype}`)
    return definition
  }

  async function create(doctype: string, body: object): Promise<Shown> {
    const definition = on(doctype)
    return done('create', { definition, body, run: (as) => createDocument(as, definition, body) })
  }

  async function submit(doctype: string, id: string): Promise<Shown> {
    const definition = on(doctype)
    return done('submit', { definition, id, run: (as) => submitDocument(as, definition, id) })
  }

  async function act(
    doctype: string,
    id: string,
    action: string,
    input: object = {},
  ): Promise<Shown> {
    const definition = on(doctype)
    const run: Tried['run'] = (as) => runAction(as, definition, id, action, input)
    return done(action, { definition, id, run })
  }

  return {
    ...story,
    kinds,
    previews: () => previews,
    create,
    submit,
    act,
    make: async (doctype, body) => submit(doctype, (await create(doctype, body)).id),
    async update(doctype, id, body) {
      const definition = on(doctype)
      const run: Tried['run'] = (as) => updateDocument(as, definition, id, body)
      return done('update', { definition, id, body, run })
    },
    async revise(doctype, id, body) {
      const definition = on(doctype)
      const run: Tried['run'] = (as) => reviseDocument(as, definition, id, body)
      return done('revise', { definition, id, body, run })
    },
    async cancel(doctype, id) {
      const definition = on(doctype)
      return done('cancel', { definition, id, run: (as) => cancelDocument(as, definition, id) })
    },
    async amend(doctype, id) {
      const definition = on(doctype)
      return done('amend', { definition, id, run: (as) => amendDocument(as, definition, id) })
    },
    async remove(doctype, id) {
      const definition = on(doctype)
      await done('delete', { definition, id, run: (as) => removeDocument(as, definition, id) })
    },
    async draftOf(doctype, id, action, input) {
      const { _created } = await act(doctype, id, action, input)
      assert.is(_created.length, 1, `${action} creates one record`)
      return story.get(_created[0].doctype, _created[0].id)
    },
  }
}

/** What a preview must leave as it is, by what it is. */
type State = Readonly<Record<string, string>>

/** All rows (those of number series, events and deliveries among them), and what a database has beside them. */
async function stateOf(database: Database, where: TestDatabase): Promise<State> {
  const rows = await everything(database)
  if (where.kind === 'sqlite') return { rows, file: digestOf(where.file) }
  return { rows, ...(await besideRows(database)) }
}

/** The file's bytes, after what is in the log beside it was put there. */
function digestOf(file: string): string {
  const connection = new BetterSqlite3(file)
  try {
    const [{ busy }] = connection.pragma('wal_checkpoint(truncate)') as [{ busy: number }]
    assert.is(busy, 0, 'somebody is still reading or writing')
  } finally {
    connection.close()
  }
  return hash('sha256', readFileSync(file))
}

/**
 * Sequences, locks, and transactions that are open, of PostgreSQL. The numbers that identify rows inside the database go on
 * with what is undone, as PostgreSQL's identity columns do; nothing that a caller sees is counted by them.
 */
async function besideRows({ read }: Database): Promise<State> {
  const sequences = await sql`select schemaname, sequencename, last_value::text from pg_sequences
    where not exists (select from pg_depend where deptype = 'i' and classid = 'pg_class'::regclass
      and objid = format('%I.%I', schemaname, sequencename)::regclass)
    order by schemaname, sequencename`.execute(read)
  const locks = await sql`select locktype, mode, pid from pg_locks
    join pg_database on pg_database.oid = database
    where datname = current_database() and pid <> pg_backend_pid()
      and (locktype = 'advisory' or mode like '%Exclusive%')`.execute(read)
  const open = await sql`select pid, query from pg_stat_activity
    where datname = current_database() and state like 'idle in transaction%'`.execute(read)
  const text = ({ rows }: { readonly rows: unknown }): string => JSON.stringify(rows)
  return { sequences: text(sequences), locks: text(locks), open: text(open) }
}

function assertSameState(after: State, before: State, what: string): void {
  for (const [name, was] of Object.entries(before)) {
    const is = after[name]!
    if (is === was) continue
    const at = [...was].findIndex((letter, index) => letter !== is[index])
    const part = (text: string): string => text.slice(Math.max(at - 200, 0), at + 200)
    assert.unreachable(`${what} has left its trace in ${name}:\n${part(was)}\n${part(is)}`)
  }
}
