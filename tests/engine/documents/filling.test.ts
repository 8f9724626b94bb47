import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import * as assert from 'uvu/assert'
import { SYSTEM_ACTOR } from '../../../engine/access/actor.ts'
import { getDocument } from '../../../engine/documents/operations/get.ts'
import { beginFilling, fillNext } from '../../../engine/documents/start/fill-next.ts'
import { fillPlanOf } from '../../../engine/documents/start/fill-tasks.ts'
import { verifyWorkspace } from '../../../engine/documents/verify/verify.ts'
import { loadProgram, openDatabase, openEngine } from '../../../engine/index.ts'
import type { Db } from '../../../engine/storage/database/database.ts'
import { bringTables } from '../../../engine/storage/migration/bring-tables.ts'
import { addGeneration } from '../../../engine/storage/migration/generations.ts'
import {
  lockUnfilled,
  readPosition,
  readUnfilled,
} from '../../../engine/storage/migration/schema-store.ts'
import { FILL } from '../../../engine/storage/workspace/fill-jobs.ts'
import { askToStop, jobOfKind, selectJobs } from '../../../engine/storage/workspace/jobs.ts'
import { hooks } from '../../../hooks/index.ts'
import { fillJob } from '../../../server/jobs/fill-job.ts'
import { fillThrough } from '../../../server/jobs/fill-through.ts'
import type { JobKinds, JobRun } from '../../../server/jobs/job-run.ts'
import { startJobWorker } from '../../../server/jobs/job-worker.ts'
import { createLogger } from '../../../server/observe/logger.ts'
import { forEachDatabase, type TestDatabase } from '../../helpers/databases.ts'
import { BARE, WORK } from './filling-work.ts'
import { openWorkspace, refused, type Workspace, writeDoctypes } from './workspace.ts'

const BEFORE = `
doctype: Person
module: crm
tier: free
naming: field:person_name
fields:
  person_name: {type: data, required: true}
  wage: {type: currency}
---
doctype: Shift
module: hr
tier: free
submittable: true
fields:
  person: {type: link, options: Person}
  hours: {type: float}
  pay: {type: currency}
  rows: {type: table, fields: {person: {type: link, options: Person}, hours: {type: float}}}
`

const AFTER = BEFORE.replace(
  '  wage: {type: currency}',
  `  wage: {type: currency}
  hours: {type: float, rollup: {from: Shift, match: person, sum: hours, where: docstatus == 1}}
  longest: {type: float, rollup: {from: Shift, match: person, max: hours}}
  earned: {type: currency, formula: hours * wage}`,
)
  .replace(
    '  pay: {type: currency}',
    '  pay: {type: currency}\n  double: {type: float, formula: hours * 2}\n  cost: {type: currency, formula: person.wage * hours + last.hours}',
  )
  .replace(
    'fields: {person: {type: link, options: Person}, hours: {type: float}}',
    'fields: {person: {type: link, options: Person}, hours: {type: float}, cost: {type: currency, formula: person.wage * hours}}',
  )
  .replace(
    '  wage: {type: currency}',
    `  wage: {type: currency}
  dear: {type: float, rollup: {from: Shift, match: person, sum: hours, where: docstatus == 1 && person.wage > 10}}`,
  )
  .replace(
    'submittable: true',
    "submittable: true\nfind:\n  last: {from: Shift, where: 'person == this.person && docstatus == 1', at: draft}",
  )

/** What is wrong by `svc verify`, and what documents have from an earlier definition. */
async function verified({ engine }: Workspace): Promise<readonly [unknown, unknown]> {
  const { checks, earlier } = await verifyWorkspace(engine.services)
  const wrong = checks.filter(({ differences }) => differences > 0)
  return [
    wrong.flatMap(({ found }) => found),
    earlier.flatMap(({ found }) => found.map(({ id, field }) => `${id} ${field}`)),
  ]
}

async function filled({ engine }: Workspace): Promise<void> {
  while (await engine.filling()) await sleep(2)
}

/** What a worker does of a filling. */
interface Worked {
  /** Records of one page. */
  readonly pageSize?: number
  /** Page before which it waits for `go`, from 1. */
  readonly until?: number
  /** Where it notes the place behind each page it has written. */
  readonly pages?: string[]
}

/** A worker of a server that knows this one kind of job. */
function worked({ engine }: Workspace, { pageSize = 1, until, pages = [] }: Worked = {}) {
  const gate = Promise.withResolvers<void>()
  const fill = fillJob({ pageSize, restMs: 0 })
  let page = 0
  const piece = async (run: JobRun, work: Parameters<JobRun['piece']>[0]): Promise<void> => {
    page += 1
    if (page === until) await gate.promise
    await run.piece(async (tx) => {
      const reached = await work(tx)
      pages.push(String((await readPosition(tx))?.rid ?? 'all'))
      return reached
    })
  }
  const kinds: JobKinds = {
    [FILL]: (run) => fill({ ...run, piece: (work) => piece(run, work) }),
  }
  const logger = createLogger({ level: 'error' })
  const worker = startJobWorker({ engine, logger, kinds, pollMs: 5 })
  return {
    ...worker,
    go: gate.resolve,
    /** Resolves when it has come to where it waits. */
    async there() {
      while (page !== until) await sleep(1)
    },
  }
}

/** Kind and state of all jobs there are. */
async function jobsOf({ engine }: Workspace): Promise<readonly string[]> {
  const jobs = await selectJobs(engine.services.database.read, { limit: 9 })
  return jobs.map(({ kind, state }) => `${kind} ${state}`).sort()
}

/** Whether somebody waits for a lock in this database of PostgreSQL. */
async function isWaitedFor(db: Db): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return rows.length > 0
}

async function thirtyPeople(database: TestDatabase): Promise<void> {
  const before = await openWorkspace(database, BARE)
  for (let index = 0; index < 30; index += 1)
    await before.create('Person', { person_name: `P${index}` })
  await before.close()
}

/** Places behind the pages of two tasks over thirty people, three at once: a page without records ends each. */
const THIRTY = Array.from({ length: 10 }, (_, at) => String(3 * at + 3))
const EACH_PAGE = [...THIRTY, '0', ...THIRTY, 'all']

forEachDatabase('fields that are declared later', ({ test, create }) => {
  test('get the values of what is there already; submitted documents keep theirs', async () => {
    const database = await create()
    const workspace = await openWorkspace(database, BEFORE)
    await workspace.create('Person', { person_name: 'Ann', wage: 12.5 })
    await workspace.create('Person', { person_name: 'Bob' })
    const submitted = await workspace.create('Shift', { person: 'Ann', hours: 7.5 })
    await workspace.submit('Shift', submitted.id)
    const rows = [{ person: 'Ann', hours: 2 }, { hours: 3 }]
    const draft = await workspace.create('Shift', { person: 'Ann', hours: 9, rows })
    await workspace.close()

    const folder = writeDoctypes(AFTER)
    // `svc migrate`, or a start that was killed before it had filled anything.
    const { registry } = loadProgram({ doctypes: [folder], hooks })
    const tables = await openDatabase(database)
    await bringTables(tables, registry, { folders: [folder], program: () => 'svc' })
    assert.is((await jobOfKind(tables.read, FILL))?.state, 'queued', 'made with what waits')
    await tables.close()
    const engine = await openEngine({
      hooks,
      database,
      doctypes: [folder],
      secretKey: Buffer.alloc(32, 7),
    })
    await fillThrough(engine)
    const context = engine.context(SYSTEM_ACTOR, 'free')
    const read = async (doctype: string, id: string) =>
      (await getDocument(context, engine.services.registry.byDoctype(doctype)!, id)).record
    const ann = await read('Person', 'Ann')
    assert.equal([ann.hours, ann.longest, ann.earned], [7.5, 9, 93.75])
    const bob = await read('Person', 'Bob')
    assert.equal([bob.hours, bob.longest, bob.earned], [0, null, 0])
    assert.is((await read('Shift', draft.id)).double, 18)
    assert.is((await read('Shift', submitted.id)).double, null)
    // What is behind a link is kept of all, what is found of drafts: 12.5 × 9 + 7.5; 12.5 × 2.
    const { cost, rows: kept } = await read('Shift', draft.id)
    assert.is(cost, 120)
    assert.equal(
      (kept as readonly Record<string, unknown>[]).map((row) => row.cost),
      [25, 0],
    )
    assert.is((await read('Shift', submitted.id)).cost, null)
    assert.is(ann.dear, 7.5)
    const { checks, earlier } = await verifyWorkspace(engine.services)
    assert.equal(
      checks.filter(({ differences }) => differences > 0),
      [],
    )
    assert.equal(
      earlier.map(({ name, differences }) => [name, differences]),
      [['Shift: made under an earlier definition', 2]],
    )
    await engine.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test('are computed anew where their definition is another; submitted documents stay as they are', async () => {
    const database = await create()
    const before = await openWorkspace(database, WORK)
    await before.create('Person', { person_name: 'Ann' })
    const job = async (hours: number) => (await before.create('Job', { person: 'Ann', hours })).id
    const [draft, book, other] = [await job(1), await job(2), await job(4)] as const
    await before.submit('Job', book)
    await before.submit('Job', other)
    await before.close()

    const changed = WORK.replace('hours * 2', 'hours * 3')
      .replace('docstatus == 1}}', 'docstatus == 1 && hours > 2}}')
      .replace('rate * rounds', 'rate * rounds + 1')
      .replace('* hours - paid', '* hours - paid - 1')
    const after = await openWorkspace(database, changed)
    const read = async (doctype: string, id: string, ...fields: string[]) => {
      const { record } = await after.get(doctype, id)
      return fields.map((field) => record[field])
    }
    assert.equal(await read('Job', draft, 'rounds', 'due'), [3, 9])
    // What was submitted is a book; what follows payments follows as it is said now.
    assert.equal(await read('Job', book, 'rounds', 'due'), [4, 19])
    assert.equal(await read('Person', 'Ann', 'rounds', 'worth'), [8, 81])
    assert.equal(await verified(after), [[], [`${book} rounds`, `${other} rounds`]])

    await after.create('Payment', { job: book, amount: 5 })
    assert.equal(await read('Job', book, 'rounds', 'due', 'stamp'), [4, 14, 14])
    await after.update('Job', draft, { hours: 5 })
    await after.submit('Job', draft)
    assert.equal(await read('Job', draft, 'rounds'), [15])
    assert.equal(await read('Person', 'Ann', 'rounds'), [23])
    await after.cancel('Job', other)
    assert.equal(await read('Job', other, 'rounds'), [8])
    assert.equal(await read('Person', 'Ann', 'rounds'), [15])
    assert.equal((await verified(after))[0], [])
    await after.close()
  })

  test('are filled beside those who write, who build on whole values, and from where a process ended', async () => {
    const database = await create()
    const before = await openWorkspace(database, BARE)
    const people = Array.from({ length: 12 }, (_, index) => `P${index}`)
    for (const person_name of people) {
      await before.create('Person', { person_name })
      await before.submit('Job', (await before.create('Job', { person: person_name, hours: 3 })).id)
    }
    await before.close()

    const first = await openWorkspace(database, WORK, { fillsBeside: true })
    const state = await first.engine.filling()
    assert.equal(state?.columns, ['persons.rounds', 'persons.worth'])
    assert.is(state?.at, undefined)
    const worker = worked(first, { until: 3 })
    await worker.there()
    assert.equal((await first.engine.filling())?.at, {
      ...{ task: 'formulas of Person', number: 1, tasks: 2 },
      ...{ record: 2, records: 12 },
    })
    // 6 of before and 10 of now, added up from nothing would be 10.
    const more = async (person: string, hours = 5): Promise<unknown> => {
      const { id } = await first.create('Job', { person, hours })
      await first.submit('Job', id)
      const { record } = await first.get('Person', person)
      return [record.rounds, record.worth]
    }
    assert.equal(await more('P11'), [16, 160])
    // The check is asked of what there is, not of nothing.
    await first.update('Person', 'P10', { most: 6 })
    await refused('VALIDATION_ERROR', more('P10', 1))
    worker.go()
    await worker.stop()
    await first.close()
    const { read } = (await openWorkspace(database, WORK, { migration: { when: 'never' } })).engine
      .services.database
    const position = await readPosition(read)
    assert.equal([position?.task, position?.rid], ['formulas of Person', 3])

    const second = await openWorkspace(database, WORK, { fillsBeside: true })
    const third = await openWorkspace(database, WORK, { fillsBeside: true })
    const workers = [worked(second), worked(third)]
    await Promise.all([filled(second), filled(third)])
    for (const each of workers) await each.settled()
    assert.equal(await readUnfilled(second.engine.services.database.read), [])
    assert.equal(await verified(second), [[], []])
    const jobs = await selectJobs(read, { limit: 9 })
    assert.equal(
      jobs.map(({ kind, state, done, total }) => [kind, state, done === total && total > 0]),
      [['fill', 'done', true]],
    )
    const { record } = await third.get('Person', 'P11')
    assert.equal([record.rounds, record.worth], [16, 160])
    for (const each of workers) await each.stop()
    await second.close()
    await third.close()
  })

  test('are filled by one of two servers, which holds the job, page by page once', async () => {
    const database = await create()
    await thirtyPeople(database)
    const servers = [
      await openWorkspace(database, WORK, { fillsBeside: true }),
      await openWorkspace(database, WORK, { fillsBeside: true }),
    ] as const
    const pages = servers.map((): string[] => [])
    const workers = servers.map((server, at) => worked(server, { pageSize: 3, pages: pages[at]! }))
    await Promise.all(servers.map(filled))
    for (const worker of workers) await worker.settled()
    assert.equal(pages.map(({ length }) => length).sort(), [0, EACH_PAGE.length])
    assert.equal(pages.flat(), EACH_PAGE)
    assert.equal(await jobsOf(servers[0]), ['fill done'])
    assert.equal(await verified(servers[1]), [[], []])
    for (const worker of workers) await worker.stop()
    for (const server of servers) await server.close()
  })

  test('are filled on by another server when a lease ends; who had it writes no page more', async () => {
    const database = await create()
    await thirtyPeople(database)
    const first = await openWorkspace(database, WORK, { fillsBeside: true })
    const second = await openWorkspace(database, WORK, { fillsBeside: true })
    const pages: string[] = []
    const slow = worked(first, { pageSize: 3, until: 5, pages })
    await slow.there()
    const other = worked(second, { pageSize: 3, pages })
    await other.settled()
    assert.equal(pages, EACH_PAGE.slice(0, 4), 'what is held nobody else takes')
    second.clock.time += 60_001
    await filled(second)
    await other.settled()
    slow.go()
    await slow.stop()
    assert.equal(pages, EACH_PAGE)
    assert.equal(await jobsOf(first), ['fill done'])
    assert.is(await first.engine.filling(), undefined)
    assert.equal(await verified(first), [[], []])
    await other.stop()
    await first.close()
    await second.close()
  })

  test('are left by older definitions to who has brought newer ones', async () => {
    const database = await create()
    const before = await openWorkspace(database, BARE)
    for (let index = 0; index < 20; index += 1)
      await before.create('Person', { person_name: `P${index}`, rate: 3 })
    await before.create('Job', { person: 'P7', hours: 4 })
    await before.close()
    const older = await openWorkspace(database, WORK, { fillsBeside: true })
    const holder = worked(older, { until: 5 })
    await holder.there()
    const newer = await openWorkspace(database, WORK.replace('rate * rounds', 'rate * 2'), {
      fillsBeside: true,
    })
    const worker = worked(newer)
    holder.go()
    await filled(newer)
    await worker.settled()
    for (let index = 0; index < 20; index += 1)
      assert.is((await newer.get('Person', `P${index}`)).record.worth, 6)
    assert.equal(await jobsOf(newer), ['fill done'])
    assert.equal(await verified(newer), [[], []])
    await holder.stop()
    await worker.stop()
    await older.close()
    await newer.close()
  })

  test('are not taken off the list by older definitions in the instant in which newer ones come', async () => {
    const database = await create()
    await thirtyPeople(database)
    const server = await openWorkspace(database, WORK, { fillsBeside: true })
    const { services } = server.engine
    const { kind, read, write } = services.database
    // All that is left for it to do is to say that nothing waits.
    const plan = fillPlanOf(services.program, [])
    const filling = await beginFilling(services, plan)
    let ending: Promise<unknown> | undefined
    await write(async (tx) => {
      await lockUnfilled(tx, kind)
      const newer = {
        checksum: 'newer',
        program: () => 'svc',
        folders: [],
        computed: () => new Map(),
      }
      await addGeneration(tx, 99, newer, new Date().toISOString())
      ending = write((own) => fillNext(own, filling, 3)).catch(String)
      while (kind === 'postgres' && !(await isWaitedFor(read))) await sleep(5)
    })
    assert.match(String(await ending), 'newer definitions hold')
    assert.ok((await readUnfilled(read)).length > 0)
    await server.close()
  })

  test('are a job that may be stopped; the next start goes on', async () => {
    const database = await create()
    const before = await openWorkspace(database, BARE)
    for (let index = 0; index < 40; index += 1)
      await before.create('Person', { person_name: `P${index}` })
    await before.close()
    const first = await openWorkspace(database, WORK, { fillsBeside: true })
    const { read, write } = first.engine.services.database
    const { id } = (await jobOfKind(read, FILL))!
    const worker = worked(first, { until: 3 })
    await worker.there()
    assert.is(await write((tx) => askToStop(tx, id, new Date().toISOString())), true)
    worker.go()
    await worker.settled()
    assert.match((await first.engine.filling())?.trouble ?? '', 'its job was stopped')
    assert.equal((await jobOfKind(read, FILL))?.state, 'stopped')
    await worker.stop()
    await first.close()
    const second = await openWorkspace(database, WORK)
    const after = second.engine.services.database.read
    assert.equal(
      (await selectJobs(after, { limit: 9 })).map((job) => [job.state, job.id === id]).sort(),
      [
        ['done', false],
        ['stopped', true],
      ],
    )
    assert.equal(await readUnfilled(after), [])
    await second.close()
  })

  test('that cannot be written are tried again, and it is told why, until they can be', async () => {
    const database = await create()
    const TAG = WORK.replace(
      '  most:',
      '  tag: {type: data, unique: true, formula: "notes"}\n  most:',
    )
    const NOTES = BARE.replace('  most:', '  notes: {type: data}\n  most:')
    const before = await openWorkspace(database, NOTES)
    await before.create('Person', { person_name: 'A', notes: 'x' })
    await before.create('Person', { person_name: 'B', notes: 'x' })
    await before.close()
    const now = TAG.replace('  most:', '  notes: {type: data}\n  most:')
    const failure = await openWorkspace(database, now).then(
      () => undefined,
      (error: Error) => error,
    )
    assert.match(failure?.message ?? '', /unique|already/i)
    const server = await openWorkspace(database, now, { fillsBeside: true })
    const worker = worked(server)
    while ((await server.engine.filling())?.trouble === undefined) await sleep(1)
    assert.match((await server.engine.filling())?.trouble ?? '', 'it is tried again: ')
    await server.update('Person', 'A', { notes: 'y' })
    server.clock.time += 10_000
    await filled(server)
    const tags = ['A', 'B'].map(async (id) => (await server.get('Person', id)).record.tag)
    assert.equal(await Promise.all(tags), ['y', 'x'])
    await worker.stop()
    await server.close()
  })
})
