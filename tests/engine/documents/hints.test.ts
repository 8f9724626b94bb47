import * as assert from 'uvu/assert'
import type { Actor } from '../../../engine/access/actor.ts'
import type { Detail } from '../../../engine/base/errors.ts'
import type { Context } from '../../../engine/documents/work/context.ts'
import { forEachDatabase } from '../../helpers/databases.ts'
import { openWorkspace, refused, type Workspace } from './workspace.ts'

const DOCTYPES = `
doctype: Client
module: crm
tier: free
naming: "CL-{####}"
title: full_name
fields:
  full_name: {type: data, filterable: true}
permissions: {roles: {Clerk: [all]}}
---
doctype: Safe
module: crm
tier: free
naming: field:code
title: contents
fields:
  code: {type: data, required: true}
  contents: {type: data}
  keeper: {type: data}
permissions:
  roles:
    Clerk: [all]
  rows: {Clerk: 'keeper == user.name'}
---
doctype: Account Book
module: crm
tier: free
naming: field:code
fields:
  code: {type: data, required: true}
permissions: {roles: {Keeper: [all]}}
---
doctype: Order
module: crm
tier: free
submittable: true
naming: "OR-{####}"
fields:
  client: {type: link, options: Client}
  safe: {type: link, options: Safe}
  book: {type: link, options: Account Book}
  before: {type: link, options: Order}
  others:
    type: table
    options: Order Client
    fields:
      client: {type: link, options: Client}
permissions: {roles: {Clerk: [all]}}
`

const CLERK: Actor = {
  kind: 'user',
  id: 'clerk@example.com',
  name: 'clerk@example.com',
  scope: 'admin',
  roles: ['Clerk'],
}

/** More than are looked at from the first one on, of all records and of those that are not hidden. */
const MANY = 130
const MANY_HIDDEN = 310

forEachDatabase('hints for links that name nothing', ({ test, create }) => {
  let workspace: Workspace
  const asClerk = () => workspace.engine.context(CLERK, 'free')
  const refusal = async (body: object, more = workspace.context()): Promise<Detail> => {
    const { details } = await refused('VALIDATION_ERROR', workspace.create('Order', body, more))
    assert.is(details?.length, 1)
    return details![0]!
  }
  const said = async (body: object, more?: Context): Promise<string> =>
    (await refusal(body, more)).message
  const expected = (doctype: string, got: string, hint: string): string =>
    `expected an existing ${doctype}, got ${JSON.stringify(got)}${hint}`

  test.before(async () => {
    workspace = await openWorkspace(await create(), DOCTYPES)
    for (let number = 1; number <= MANY; number += 1)
      await workspace.create('Client', { full_name: `Member ${number}` })
    for (const full_name of ['Zweig & Co', 'Äpfel GmbH', 'Zwirn'])
      await workspace.create('Client', { full_name })
    await workspace.create('Account Book', { code: 'Main' })
  })
  test.after(() => workspace?.close())

  test('name what has such a title, also far behind the first records', async () => {
    const { name: zweig } = (await workspace.list('Client', { q: 'Zweig' })).data[0] as {
      name: string
    }
    for (const got of ['Zweig & Co', 'zweig & Co', 'Zweig', 'Zweig & Cie'])
      assert.is(
        await said({ client: got }),
        expected('Client', got, `; did you mean ${zweig} (Zweig & Co)?`),
      )
  })

  test('name what has a name like it, at most three and the nearest first', async () => {
    assert.match(await said({ client: 'cl-0007' }), 'did you mean CL-0007 (Member 7) or CL-0001 ')
    assert.is((await said({ client: 'CL-1129' })).split(' or ').length, 3)
    assert.is(await said({ client: 'entirely else' }), expected('Client', 'entirely else', ''))
  })

  test('stand in rows too, and at ten links of a request', async () => {
    const others = Array.from({ length: 15 }, (_, index) => ({ client: `CL-9${100 + index}` }))
    const error = await refused('VALIDATION_ERROR', workspace.create('Order', { others }))
    const hinted = error.details!.filter(({ message }) => message.includes('did you mean'))
    assert.equal([error.details!.length, hinted.length], [15, 10])
  })

  test('name nothing that is cancelled', async () => {
    const { id } = await workspace.create('Order', {})
    await workspace.submit('Order', id)
    assert.match(await said({ before: `${id}x` }), `did you mean ${id}?`)
    await workspace.cancel('Order', id)
    assert.is(await said({ before: `${id}x` }), expected('Order', `${id}x`, ''))
  })

  test('are data too: id and title, the id where there is no title, and nothing where nothing is like it', async () => {
    const { name: zweig } = (await workspace.list('Client', { q: 'Zweig' })).data[0] as {
      name: string
    }
    const { suggestions } = await refusal({ client: 'Zweig & Cie' })
    assert.equal(suggestions, [{ id: zweig, title: 'Zweig & Co' }])
    assert.equal((await refusal({ client: 'CL-1129' })).suggestions?.length, 3)
    const { name: nameless } = (await workspace.create('Client', {})).record
    const untitled = await refusal({ client: `${nameless}x` })
    assert.equal(untitled.suggestions?.[0], { id: nameless, title: nameless })
    assert.not.ok('suggestions' in (await refusal({ client: 'entirely else' })))
  })

  test('tell nothing to who may read none of them', async () => {
    assert.match(await said({ book: 'Maine' }), 'did you mean Main?')
    assert.equal(await refusal({ book: 'Maine' }, asClerk()), {
      field: 'book',
      message: expected('Account Book', 'Maine', ''),
      code: 'no_such_record',
    })
  })

  test('tell who may read some of those alone, as if there were no others', async () => {
    const hidden = (code: string, contents: string) =>
      workspace.create('Safe', { code, contents, keeper: 'somebody else' })
    const asked = ['Greet', 'Greek', 'green', 'Gold', 'Old gold', 'nothing like it']
    const answers = () => Promise.all(asked.map((safe) => refusal({ safe }, asClerk())))

    // Before the own ones in every order that they could be looked at in.
    for (let number = 1; number <= MANY_HIDDEN; number += 1)
      await workspace.create('Safe', { code: `Gred ${number}`, keeper: 'somebody else' })
    await workspace.create('Safe', { code: 'Greed', keeper: CLERK.name, contents: 'Old Coins' })
    await workspace.create('Safe', { code: 'Treed', keeper: CLERK.name })
    const without = await answers()
    assert.equal(
      without.map(({ suggestions }) => suggestions),
      [
        [{ id: 'Greed', title: 'Old Coins' }],
        [{ id: 'Greed', title: 'Old Coins' }],
        [{ id: 'Greed', title: 'Old Coins' }],
        undefined,
        undefined,
        undefined,
      ],
    )

    const near = ['Greek', 'Greer', 'Grees', 'Gold']
    for (const code of near) await hidden(code, 'Old gold')
    assert.match(await said({ safe: 'Greet' }), 'did you mean Greed (Old Coins) or Greek ')
    assert.equal(await answers(), without)
  })

  test('take letters of any kind as they are', async () => {
    for (const got of ["'; drop table client; --", '%', '_', '\\', '😀', 'ß', 'x'.repeat(140)])
      assert.match(await said({ client: got }), 'expected an existing Client')
    assert.match(await said({ client: 'äpfel gmbh' }), '(Äpfel GmbH)')
  })
})
