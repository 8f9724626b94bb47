import * as assert from 'uvu/assert'
import type { Actor } from '../../../engine/access/actor.ts'
import type { Detail } from '../../../engine/base/errors.ts'
import { createTogether, updateAndSubmit } from '../../../engine/documents/operations/save.ts'
import { forEachDatabase } from '../../helpers/databases.ts'
import { type Random, randomOf, rounds, seedsOf } from '../../helpers/random.ts'
import { openWorkspace, refused, type Workspace } from './workspace.ts'

const DOCTYPES = `
doctype: Port
module: stock
tier: free
naming: field:code
fields:
  code: {type: data, required: true}
  master: {type: data}
permissions:
  roles:
    Clerk: [all]
  rows: {Clerk: 'master == user.name'}
---
doctype: Pass
module: stock
tier: free
submittable: true
naming: "PS-{####}"
fields:
  title: {type: data}
permissions: {roles: {Clerk: [all]}}
---
doctype: Journey
module: stock
tier: free
submittable: true
naming: "JO-{####}"
fields:
  title: {type: data, required: true}
  weight: {type: int, min: 0}
  kind: {type: select, options: [Sea, Land]}
  total: {type: int, formula: weight * 2}
  port: {type: link, options: Port}
  pass: {type: link, options: Pass}
  about: {type: select, options: [Port, Pass]}
  what: {type: dynamic_link, options: about}
  stops:
    type: table
    options: Journey Stop
    fields:
      port: {type: link, options: Port, required: true}
      days: {type: int, min: 1}
permissions: {roles: {Clerk: [all]}}
`

const CLERK: Actor = {
  kind: 'user',
  id: 'clerk@example.com',
  name: 'clerk@example.com',
  scope: 'admin',
  roles: ['Clerk'],
}

/** A wrong value of each field, with the code it is told by. */
const WRONG: Readonly<Record<string, readonly [value: unknown, code: string]>> = {
  title: [null, 'required'],
  weight: [-1, 'out_of_range'],
  kind: ['Air', 'not_an_option'],
  total: [3, 'read_only'],
  colour: ['red', 'unknown_field'],
  port: ['Nowhere', 'no_such_record'],
  pass: ['PS-9999', 'no_such_record'],
}
const RIGHT = { title: 'J', weight: 1, kind: 'Sea', port: 'Kiel', pass: null }

const told = (details: readonly Detail[] | undefined): string[] =>
  (details ?? []).map(({ field, code }) => `${field} ${code}`).sort()

forEachDatabase('all problems of a body at once', ({ test, create }) => {
  let workspace: Workspace
  let cancelled: string
  const asClerk = () => workspace.engine.context(CLERK, 'free')
  const journey = async (body: object): Promise<string> =>
    String((await workspace.create('Journey', { ...RIGHT, ...body })).record.id)
  const problemsOf = async (promise: Promise<unknown>): Promise<string[]> =>
    told((await refused('VALIDATION_ERROR', promise)).details)

  test.before(async () => {
    workspace = await openWorkspace(await create(), DOCTYPES)
    for (const code of ['Kiel', 'Riga']) await workspace.create('Port', { code })
    await workspace.create('Port', { code: 'Own', master: CLERK.name })
    cancelled = String((await workspace.create('Pass', {})).record.id)
    await workspace.submit('Pass', cancelled)
  })
  test.after(() => workspace?.close())

  test('wrong types and links to nothing are told together, in rows too', async () => {
    const body = {
      weight: 'heavy',
      colour: 'red',
      port: 'Nowhere',
      stops: [{ port: 'Riga', days: 0 }, { port: 'Nirgends' }, { days: 1 }],
    }
    const sent = [
      'colour unknown_field',
      'port no_such_record',
      'stops[0].days out_of_range',
      'stops[1].port no_such_record',
      'stops[2].port required',
      'weight wrong_type',
    ]
    const id = await journey({})
    const definition = workspace.definition('Journey')
    const context = workspace.context()
    assert.equal(await problemsOf(workspace.create('Journey', { ...RIGHT, ...body })), sent)
    assert.equal(
      await problemsOf(createTogether(context, [{ definition, body: { ...RIGHT, ...body } }])),
      sent,
    )
    const changed = sent.filter((one) => one !== 'stops[2].port required')
    assert.equal(await problemsOf(workspace.update('Journey', id, body)), changed)
    assert.equal(await problemsOf(updateAndSubmit(context, definition, id, body)), changed)
  })

  test('an unknown row_id is told beside a wrong type and a link to nothing', async () => {
    const id = await journey({ stops: [{ port: 'Riga' }] })
    const stops = [{ row_id: 'none', port: 'Riga' }]
    const right = { stops, port: 'Nowhere' }
    assert.equal(await problemsOf(workspace.update('Journey', id, right)), [
      'port no_such_record',
      'stops[0].row_id not_an_option',
    ])
    assert.equal(await problemsOf(workspace.update('Journey', id, { ...right, weight: 'x' })), [
      'port no_such_record',
      'stops[0].row_id not_an_option',
      'weight wrong_type',
    ])
  })

  test('a link that does not change is none of them, whatever became of its record', async () => {
    const id = await journey({ pass: cancelled })
    await workspace.cancel('Pass', cancelled)
    const body = { pass: cancelled, weight: 'x' }
    assert.equal(await problemsOf(workspace.update('Journey', id, body)), ['weight wrong_type'])
  })

  test('nothing is told of a link whose DocType could not be read', async () => {
    const id = await journey({ about: 'Port', what: 'Kiel' })
    const body = { about: 5, what: 'PS-0001' }
    assert.equal(await problemsOf(workspace.update('Journey', id, body)), ['about wrong_type'])
  })

  test('what the caller may not read is told as what is not there', async () => {
    const refusal = async (port: string, more: object): Promise<string> => {
      const made = workspace.create('Journey', { ...RIGHT, ...more, port }, asClerk())
      const { message, details } = await refused('VALIDATION_ERROR', made)
      return JSON.stringify([message, details]).replaceAll(port, '…')
    }
    for (const more of [{}, { weight: 'x' }])
      assert.is(await refusal('Riga', more), await refusal('Rigi', more))
    await workspace.create('Journey', { ...RIGHT, port: 'Own' }, asClerk())
  })

  test('of a record that is not there, or may not be read, a wrong body tells the body alone', async () => {
    const body = { master: 5 }
    const [hidden, absent] = await Promise.all(
      ['Kiel', 'Kial'].map((id) =>
        refused('VALIDATION_ERROR', workspace.update('Port', id, body, asClerk())),
      ),
    )
    assert.equal(hidden!.details, absent!.details)
    assert.equal(
      await problemsOf(workspace.update('Journey', 'JO-9999', { weight: 'x', port: 'No' })),
      ['weight wrong_type'],
    )
  })

  test('a hundred are told, and how many there are', async () => {
    const stops = Array.from({ length: 80 }, () => ({ port: 'Nowhere', days: 0 }))
    const error = await refused(
      'VALIDATION_ERROR',
      workspace.create('Journey', { ...RIGHT, stops }),
    )
    assert.is(error.details?.length, 100)
    assert.is(error.untold, 60)
    assert.match(error.message, '(and 159 more, the first 100 in details)')
  })

  /** Each problem by a coin: what is told is exactly what was put in. */
  async function check(random: Random): Promise<void> {
    const wrong = Object.entries(WRONG).filter(() => random.chance(0.4))
    const rows = Array.from({ length: random.below(4) }, () => random.chance(0.5))
    const id = random.chance(0.5) ? await journey({}) : undefined
    const body = {
      ...(id === undefined ? RIGHT : {}),
      ...Object.fromEntries(wrong.map(([field, [value]]) => [field, value])),
      ...(rows.length === 0
        ? {}
        : { stops: rows.map((isWrong) => ({ port: isWrong ? 'Nowhere' : 'Riga' })) }),
    }
    const expected = [
      ...wrong,
      ...rows.flatMap((isWrong, index) =>
        isWrong ? [[`stops[${index}].port`, [0, 'no_such_record']] as const] : [],
      ),
    ].map(([field, [, code]]) => `${field} ${code}`)
    const run =
      id === undefined ? workspace.create('Journey', body) : workspace.update('Journey', id, body)
    if (expected.length === 0 && wrong.length === 0) return void (await run)
    assert.equal(await problemsOf(run), expected.sort(), JSON.stringify(body))
  }

  for (const seed of seedsOf(import.meta.filename, [7, 41])) {
    test(`are those that were put in (seed ${seed})`, async () => {
      const random = randomOf(seed)
      for (let round = 0; round < rounds(30); round += 1) await check(random)
    })
  }
})
