import { rmSync } from 'node:fs'
import * as assert from 'uvu/assert'
import { SYSTEM_ACTOR } from '../../../engine/access/actor.ts'
import { getDocument } from '../../../engine/documents/operations/get.ts'
import { loadProgram, openDatabase, openEngine, wantedTables } from '../../../engine/index.ts'
import { migrate } from '../../../engine/storage/migration/migrate.ts'
import { hooks } from '../../../hooks/index.ts'
import { forEachDatabase } from '../../helpers/databases.ts'
import { openWorkspace, writeDoctypes } from './workspace.ts'

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
    await migrate(tables, wantedTables(registry.all, database.kind))
    await tables.close()
    const engine = await openEngine({
      hooks,
      database,
      doctypes: [folder],
      secretKey: Buffer.alloc(32, 7),
    })
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
    await engine.close()
    rmSync(folder, { recursive: true, force: true })
  })
})
