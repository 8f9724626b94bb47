import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import * as assert from 'uvu/assert'
import { verifyWorkspace } from '../../../engine/documents/verify/verify.ts'
import { forEachDatabase, type TestDatabase } from '../../helpers/databases.ts'
import { randomOf, seedsOf } from '../../helpers/random.ts'
import { BARE, WORK } from './filling-work.ts'
import { openWorkspace } from './workspace.ts'

const PEOPLE = 150
const NOW = WORK.replace('hours * 2', 'hours * 3')

/** Runs the process, and kills it `after` ms behind its opening; returns its lines. */
async function filledBy(database: TestDatabase, after: number): Promise<readonly string[]> {
  const script = fileURLToPath(import.meta.resolve('./filling-process.ts'))
  const child = spawn(process.execPath, [script, JSON.stringify(database), NOW, String(PEOPLE)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  child.stdout.on('data', (data: Buffer) => {
    if (!text.includes('open\n') && `${text}${data}`.includes('open\n'))
      void sleep(after).then(() => child.kill('SIGKILL'))
    text += data
  })
  await new Promise((resolve) => child.once('close', resolve))
  return text.split('\n').slice(0, -1)
}

forEachDatabase(
  'fields that are given their values by processes that are killed',
  ({ test, create }) => {
    for (const seed of seedsOf(import.meta.filename, [1]))
      test(`have them all in the end, and nothing is lost (seed ${seed})`, async () => {
        const random = randomOf(seed)
        const database = await create()
        const before = await openWorkspace(database, BARE)
        for (let at = 0; at < PEOPLE; at += 1) {
          await before.create('Person', { person_name: `P${at}` })
          const { id } = await before.create('Job', { person: `P${at}`, hours: at })
          if (at % 3 > 0) await before.submit('Job', id)
        }
        await before.close()

        const jobs: string[] = []
        let kills = 0
        for (;;) {
          const lines = await filledBy(database, 30 + random.below(300))
          jobs.push(...lines.flatMap((line) => (line.startsWith('job ') ? line.slice(4) : [])))
          if (lines.includes('filled')) break
          kills += 1
        }
        console.log(`${kills} kills, ${jobs.length} jobs`)
        assert.ok(kills > 0, 'somebody was killed')
        const after = await openWorkspace(database, NOW, { migration: { when: 'never' } })
        for (const id of jobs)
          assert.is((await after.get('Job', id)).record.docstatus, 1, `${id} was acknowledged`)
        const { checks } = await verifyWorkspace(after.engine.services)
        assert.equal(
          checks.filter(({ differences }) => differences > 0),
          [],
        )
        const { record } = await after.get('Person', 'P1')
        assert.ok(Number(record.rounds) > 0)
        await after.close()
      })
  },
)
