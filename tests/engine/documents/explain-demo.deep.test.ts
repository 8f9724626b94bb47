import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { SYSTEM_ACTOR } from '../../../engine/access/actor.ts'
import { AppError } from '../../../engine/base/errors.ts'
import { explainField } from '../../../engine/documents/explain/explain.ts'
import type { Explanation } from '../../../engine/documents/explain/explanation.ts'
import { getDocument } from '../../../engine/documents/operations/get.ts'
import { may } from '../../../engine/documents/rights/door.ts'
import { publicFields } from '../../../engine/fields/public-fields.ts'
import type { Engine } from '../../../engine/index.ts'
import { actorOf } from '../../../server/auth/people.ts'
import { demoFolders } from '../../cli/demo-folders.ts'
import { svc } from '../../cli/process.ts'
import { assertExplained, assertMostRecomputed, type Tally } from '../../helpers/explain-checks.ts'
import { rounds } from '../../helpers/random.ts'
import { list } from '../../helpers/reading-checks.ts'
import { addPerson } from '../../server/auth/people.ts'

/** Records of each DocType. */
const MOST = rounds(5)

const test = suite('every computed value of the demo workspace')
const folders = demoFolders()
let engine: Engine
test.before(async () => {
  const { code, stderr } = await svc(['demo', '--data', folders.dataOf('demo'), '--months', '2'])
  assert.is(code, 0, stderr)
  engine = await folders.open('demo')
})
test.after(async () => {
  await engine?.close()
  folders.remove()
})

test('explains itself, and is what its inputs give', async () => {
  const context = engine.context(SYSTEM_ACTOR, await engine.tier())
  const tally: Tally = new Map()
  const { all } = engine.services.registry
  assert.ok((await assertExplained(context, all, MOST, tally)) > 5000)
  console.log(
    [...tally]
      .sort()
      .map(([what, times]) => `${what}: ${times}`)
      .join(', '),
  )
  assertMostRecomputed(tally)
})

for (const roles of [
  ['Sales User'],
  ['Stock User'],
  ['Employee'],
  ['Projects User', 'Support Team'],
])
  test(`tells ${roles.join(' and ')} nothing that they may not read`, async () => {
    const person = await addPerson(engine, `p${roles.join('')}`.replaceAll(' ', ''), roles)
    const theirs = engine.context(actorOf(person), await engine.tier())
    const { registry } = engine.services
    let named = 0
    for (const definition of registry.all.filter((one) => may(theirs, one, 'read'))) {
      const { data } = await list(theirs, definition, [['limit', '2']])
      for (const { id } of data)
        for (const { name, child, withheld } of publicFields(definition)) {
          if (child || withheld) continue
          const told = await explainField(theirs, definition, String(id), name, {
            ...{ depth: 3, limit: 100, cursor: undefined },
          }).catch((error: unknown) => {
            // A field of which they may know nothing.
            if (error instanceof AppError && error.code === 'NOT_FOUND') return undefined
            throw error
          })
          if (!told) continue
          const { record } = await getDocument(theirs, definition, String(id))
          assert.equal(told.value, record[name], `${definition.doctype} ${id} ${name}`)
          named += await assertReadable(told)
        }
    }
    assert.ok(named > 20, `${named} records were named`)

    /** Every record that is named may be read by who is told of it; how many there are. */
    async function assertReadable({ records = [], inputs }: Explanation): Promise<number> {
      let count = 0
      for (const { resource, id } of records) {
        if (resource === null || id === null) continue
        await getDocument(theirs, registry.bySlug(resource)!, id)
        count += 1
      }
      for (const { explain } of inputs) if (explain) count += await assertReadable(explain)
      return count
    }
  })

test.run()
