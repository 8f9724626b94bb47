import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { SYSTEM_ACTOR } from '../../../engine/access/actor.ts'
import { getDocument } from '../../../engine/documents/operations/get.ts'
import { verifyWorkspace } from '../../../engine/documents/verify/verify.ts'
import { loadProgram, openDatabase, openEngine } from '../../../engine/index.ts'
import { bringTables } from '../../../engine/storage/migration/bring-tables.ts'
import { readPosition, readUnfilled } from '../../../engine/storage/migration/schema-store.ts'
import { FILL } from '../../../engine/storage/workspace/fill-jobs.ts'
import { askToStop, jobOfKind, selectJobs } from '../../../engine/storage/workspace/jobs.ts'
import { hooks } from '../../../hooks/index.ts'
import { fillJob } from '../../../server/jobs/fill-job.ts'
import { fillThrough } from '../../../server/jobs/fill-through.ts'
import type { JobRun } from '../../../server/jobs/job-run.ts'
import { type JobWorker, startJobWorker } from '../../../server/jobs/job-worker.ts'
import { createLogger } from '../../../server/observe/logger.ts'
import { forEachDatabase } from '../../helpers/databases.ts'
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

/** A worker of a server that knows this one kind of job, with so many records at once. */
function worked({ engine }: Workspace, pageSize = 1): JobWorker {
  const kinds = { [FILL]: fillJob({ pageSize }) }
  return startJobWorker({ engine, logger: createLogger({ level: 'warn' }), kinds, pollMs: 5 })
}

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
    const worker = worked(first)
    while (!(await first.engine.filling())?.at) await sleep(1)
    assert.is((await first.engine.filling())?.at?.tasks ?? 2, 2)
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
    await worker.stop()
    await first.close()
    const { read } = (await openWorkspace(database, WORK, { migration: { when: 'never' } })).engine
      .services.database
    const position = await readPosition(read)
    assert.ok(
      position && (position.rid > 0 || position.task.startsWith('rollups')),
      'it came somewhere',
    )

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
    const before = await openWorkspace(database, BARE)
    for (let index = 0; index < 30; index += 1)
      await before.create('Person', { person_name: `P${index}` })
    await before.close()
    const servers = [
      await openWorkspace(database, WORK, { fillsBeside: true }),
      await openWorkspace(database, WORK, { fillsBeside: true }),
    ] as const
    const pages: [server: number, page: string][] = []
    const workers = servers.map(({ engine }, server) => {
      const fill = fillJob({ pageSize: 3 })
      // What a page has come to is told as the worker writes it down.
      const kinds = {
        [FILL]: (run: JobRun) =>
          fill({
            ...run,
            piece: (work) =>
              run.piece(async (tx) => {
                const reached = await work(tx)
                pages.push([server, String((await readPosition(tx))?.rid ?? 'all')])
                return reached
              }),
          }),
      }
      const logger = createLogger({ level: 'warn' })
      return startJobWorker({ engine, logger, kinds, pollMs: 1 })
    })
    await Promise.all(servers.map(filled))
    for (const worker of workers) await worker.settled()
    assert.is(new Set(pages.map(([server]) => server)).size, 1, 'one has done all')
    const rids = pages.map(([, page]) => page)
    // Two tasks over 30 people, three at once: each page once, in their order.
    const ofTask = Array.from({ length: 10 }, (_, at) => String(3 * at + 3))
    assert.equal(rids, [...ofTask, '0', ...ofTask, 'all'])
    const { read } = servers[0].engine.services.database
    assert.equal(
      (await selectJobs(read, { limit: 9 })).map(({ kind, state }) => [kind, state]),
      [[FILL, 'done']],
    )
    assert.equal(await verified(servers[1]), [[], []])
    for (const worker of workers) await worker.stop()
    for (const server of servers) await server.close()
  })

  test('are left by older definitions to who has brought newer ones', async () => {
    const database = await create()
    const before = await openWorkspace(database, BARE)
    for (let index = 0; index < 20; index += 1)
      await before.create('Person', { person_name: `P${index}`, rate: 3 })
    await before.create('Job', { person: 'P7', hours: 4 })
    await before.close()
    const older = await openWorkspace(database, WORK, { fillsBeside: true })
    const holder = worked(older)
    while (!(await older.engine.filling())?.at) await sleep(1)
    const newer = await openWorkspace(database, WORK.replace('rate * rounds', 'rate * 2'), {
      fillsBeside: true,
    })
    const worker = worked(newer)
    await filled(newer)
    await worker.settled()
    const { database: place } = newer.engine.services
    for (let index = 0; index < 20; index += 1)
      assert.is((await newer.get('Person', `P${index}`)).record.worth, 6)
    assert.equal(
      (await selectJobs(place.read, { limit: 9 })).map(({ kind, state }) => [kind, state]),
      [[FILL, 'done']],
    )
    assert.equal(await verified(newer), [[], []])
    await holder.stop()
    await worker.stop()
    await older.close()
    await newer.close()
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
    const worker = worked(first)
    while (!(await first.engine.filling())?.at) await sleep(1)
    assert.is(await write((tx) => askToStop(tx, id, new Date().toISOString())), true)
    while ((await first.engine.filling())?.trouble === undefined) await sleep(1)
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
    await server.update('Person', 'B', { notes: 'y' })
    server.clock.time += 10_000
    await filled(server)
    assert.is((await server.get('Person', 'A')).record.tag, 'x')
    await worker.stop()
    await server.close()
  })
})
