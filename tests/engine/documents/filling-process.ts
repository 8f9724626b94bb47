import { setTimeout as sleep } from 'node:timers/promises'
import type { TestDatabase } from '../../helpers/databases.ts'
import { openWorkspace } from './workspace.ts'

/**
 * A process that gives fields their values while it writes, until somebody kills it: prints `open`, the id of each job
 * it has submitted, and `filled` once no field waits.
 */
const [place = '', doctypes = '', people = '1'] = process.argv.slice(2)

const workspace = await openWorkspace(JSON.parse(place) as TestDatabase, doctypes, {
  migration: { fillsBeside: true, fillsAtOnce: 3 },
})
console.log('open')
for (let turn = 0; workspace.engine.filling(); turn += 1) {
  const person = `P${(turn * 7) % Number(people)}`
  const { id } = await workspace.create('Job', { person, hours: 1 })
  await workspace.submit('Job', id)
  console.log(`job ${id}`)
  await sleep(5)
}
console.log('filled')
await workspace.close()
