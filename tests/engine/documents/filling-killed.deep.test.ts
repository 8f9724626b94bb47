import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import * as assert from 'uvu/assert'
import { verifyWorkspace } from '../../../engine/documents/verify/verify.ts'
import { FILL } from '../../../engine/storage/workspace/fill-jobs.ts'
import { jobOfKind, selectJobs } from '../../../engine/storage/workspace/jobs.ts'
import { fillJob } from '../../../server/jobs/fill-job.ts'
import { startJobWorker } from '../../../server/jobs/job-worker.ts'
import { createLogger } from '../../../server/observe/logger.ts'
import { forEachDatabase, type TestDatabase } from '../../helpers/databases.ts'
import { randomOf, seedsOf } from '../../helpers/random.ts'
import { BARE, WORK } from './filling-work.ts'
import { openWorkspace, type Workspace } from './workspace.ts'

const PEOPLE = 150
/** Time that a worker keeps a job without a sign of life, in ms. */
const LEASE = 60_000
const NOW = WORK.replace('hours * 2', 'hours * 3')

/** Moment at which a process is killed. */
interface Kill {
  /** Page in which it happens, from 1. */
  readonly page: number
  /** In the transaction of that page, or behind it. */
  readonly when: 'within' | 'after'
}

/** Runs a process that fills and writes until it is killed, or all is filled; returns its lines. */
async function filledBy(database: TestDatabase, { page, when }: Kill): Promise<readonly string[]> {
  const script = fileURLToPath(import.meta.resolve('./filling-process.ts'))
  const given = [JSON.stringify(database), NOW, String(PEOPLE), String(page), when]
  const child = spawn(process.execPath, [script, ...given], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  child.stdout.on('data', (data: Buffer) => {
    text += data
  })
  await new Promise((resolve) => child.once('close', resolve))
  return text.split('\n').slice(0, -1)
}

/** People with a job each, a third of them drafts, before there is anything to fill. */
async function begun(database: TestDatabase): Promise<void> {
  const before = await openWorkspace(database, BARE)
  for (let at = 0; at < PEOPLE; at += 1) {
    await before.create('Person', { person_name: `P${at}` })
    const { id } = await before.create('Job', { person: `P${at}`, hours: at })
    if (at % 3 > 0) await before.submit('Job', id)
  }
  await before.close()
}

const jobsIn = (lines: readonly string[]): readonly string[] =>
  lines.flatMap((line) => (line.startsWith('job ') ? line.slice(4) : []))

/** All is right: what was acknowledged is there, and each person has the sum of their jobs as a query adds it up. */
async function assertRight(workspace: Workspace, jobs: readonly string[]): Promise<void> {
  for (const id of jobs)
    assert.is((await workspace.get('Job', id)).record.docstatus, 1, `${id} was acknowledged`)
  const { services } = workspace.engine
  const { checks } = await verifyWorkspace(services)
  assert.equal(
    checks.filter(({ differences }) => differences > 0),
    [],
  )
  const { read } = services.database
  const all = await read
    .selectFrom('tasks_to_do')
    .select(['person', 'rounds', 'docstatus'])
    .execute()
  const rounds = new Map<string, number>()
  for (const { person, rounds: own, docstatus } of all)
    if (Number(docstatus) === 1)
      rounds.set(String(person), (rounds.get(String(person)) ?? 0) + Number(own))
  const people = await read.selectFrom('persons').select(['name', 'rounds']).execute()
  assert.is(people.length, PEOPLE)
  for (const { name, rounds: own } of people)
    assert.is(Number(own), rounds.get(String(name)) ?? 0, String(name))
}

forEachDatabase(
  'fields that are given their values by processes that are killed',
  ({ test, create }) => {
    for (const seed of seedsOf(import.meta.filename, [1]))
      test(`have them all in the end, and nothing is lost (seed ${seed})`, async () => {
        const random = randomOf(seed)
        const database = await create()
        await begun(database)
        const jobs: string[] = []
        let kills = 0
        for (;;) {
          const when = random.chance(0.5) ? 'within' : 'after'
          const lines = await filledBy(database, { page: 20 + random.below(40), when })
          jobs.push(...jobsIn(lines))
          if (lines.includes('filled')) break
          kills += 1
        }
        console.log(`${kills} kills, ${jobs.length} jobs`)
        assert.ok(kills > 0, 'somebody was killed')
        const after = await openWorkspace(database, NOW, { migration: { when: 'never' } })
        await assertRight(after, jobs)
        await after.close()
      })

    for (const when of ['within', 'after'] as const)
      test(`have them from another server when the lease ends, killed ${when} a page`, async () => {
        const database = await create()
        await begun(database)
        const lines = await filledBy(database, { page: 25, when })
        const server = await openWorkspace(database, NOW, { fillsBeside: true })
        const { read, write } = server.engine.services.database
        const held = (await jobOfKind(read, FILL))!
        assert.equal([held.state, held.due], ['running', server.clock.time + LEASE])
        // As if it had run on another machine, of which nobody here knows that it is gone.
        await write((tx) =>
          tx.updateTable('svc_jobs').set({ leased_by: '["elsewhere",1,1,"x"]' }).execute(),
        )
        const taken: number[] = []
        const fill = fillJob({ pageSize: 3, restMs: 0 })
        const worker = startJobWorker({
          engine: server.engine,
          logger: createLogger({ level: 'warn' }),
          kinds: {
            [FILL](run) {
              taken.push(run.row.done)
              return fill(run)
            },
          },
          pollMs: 5,
        })
        await worker.settled()
        assert.equal(taken, [], 'nobody takes what is held')
        server.clock.time += LEASE + 1
        while (await server.engine.filling()) await sleep(5)
        await worker.settled()
        await worker.stop()
        assert.is(taken.length, 1)
        assert.is(taken[0], held.done, 'it goes on where the other was')
        assert.equal(
          (await selectJobs(read, { limit: 9 })).map(({ kind, state }) => [kind, state]),
          [[FILL, 'done']],
        )
        await assertRight(server, jobsIn(lines))
        await server.close()
      })
  },
)
