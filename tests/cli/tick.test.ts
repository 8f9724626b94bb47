import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { SHIPPED_DOCTYPES } from '../../cli/package.ts'
import { SYSTEM_ACTOR } from '../../engine/access/actor.ts'
import { createDocument } from '../../engine/documents/operations/create.ts'
import { openEngine } from '../../engine/index.ts'
import { hooks } from '../../hooks/index.ts'
import { writeDoctypes } from '../engine/documents/workspace.ts'
import { prepareData } from '../helpers/prepared.ts'
import { runHere } from './in-process.ts'
import { type Folder, svc, temporaryFolder } from './process.ts'

/** Two of one owner may not be overdue at once. */
const DOCTYPES = `
doctype: Loan Owner
module: crm
tier: free
naming: prompt
fields:
  overdue: {type: int, rollup: {from: Lent Book, match: owned_by, count: true, where: 'status == "Overdue"'}}
validate:
  - {check: overdue <= 1, field: overdue, message: is too much}
---
doctype: Lent Book
module: crm
tier: free
naming: "LENT-{####}"
fields:
  owned_by: {type: link, options: Loan Owner}
  day: {type: date}
status:
  field: status
  derive: {Overdue: 'day < today()', Lent: "true"}
  tick: {daily: 'status == "Lent"'}
`

const tick = suite('svc tick')
let folder: Folder
let doctypes = ''
let args: string[] = []

tick.before(async () => {
  folder = temporaryFolder()
  await prepareData(folder.path)
  doctypes = writeDoctypes(DOCTYPES)
  args = ['tick', '--data', folder.path, '--doctypes', doctypes]
})
tick.after(() => {
  rmSync(doctypes, { recursive: true })
  folder.remove()
})

/** Lends books on a day long past, on which they were not overdue yet. */
async function lend(books: readonly object[]): Promise<void> {
  mkdirSync(folder.path, { recursive: true })
  const engine = await openEngine({
    hooks,
    database: { kind: 'sqlite', file: join(folder.path, 'workspace.db') },
    doctypes: [SHIPPED_DOCTYPES, doctypes],
    secretKey: Buffer.alloc(32, 7),
    clock: { now: () => Date.parse('2020-01-01T12:00:00.000Z') },
  })
  const create = async (doctype: string, body: object): Promise<void> => {
    const definition = engine.services.registry.byDoctype(doctype)
    assert.ok(definition)
    await createDocument(engine.context(SYSTEM_ACTOR, 'free'), definition, body)
  }
  await create('Loan Owner', { name: 'Ann' })
  for (const book of books) await create('Lent Book', book)
  await engine.close()
}

tick('brings the statuses to the day, names what is refused and exits with 1 then', async () => {
  await lend([
    { day: '2020-01-02' },
    { day: '2999-01-01' },
    { day: '2020-01-02', owned_by: 'Ann' },
    { day: '2020-01-02', owned_by: 'Ann' },
  ])
  const first = await svc([...args, '--json'])
  assert.is(first.code, 1)
  assert.equal(JSON.parse(first.stdout), { looked: 4, changed: 2, ran: 0, failed: 1 })
  assert.match(first.stderr, /^Lent Book LENT-0004: .*is too much/m)
  const second = await runHere(args)
  assert.is(second.code, 1)
  assert.is(second.stdout, '0 of 2 records changed, 0 actions ran, 1 failed\n')
})

tick.run()
