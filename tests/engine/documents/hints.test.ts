import * as assert from 'uvu/assert'
import type { Actor } from '../../../engine/access/actor.ts'
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
permissions: {Clerk: [all]}
---
doctype: Safe
module: crm
tier: free
naming: field:code
fields:
  code: {type: data, required: true}
  keeper: {type: data}
permissions:
  Clerk: [all]
  rows: {Clerk: 'keeper == user.name'}
---
doctype: Account Book
module: crm
tier: free
naming: field:code
fields:
  code: {type: data, required: true}
permissions: {Keeper: [all]}
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
permissions: {Clerk: [all]}
`

const CLERK: Actor = {
  kind: 'user',
  id: 'clerk@example.com',
  name: 'clerk@example.com',
  scope: 'admin',
  roles: ['Clerk'],
}

/** More than are looked at from the first one on. */
const MANY = 130

forEachDatabase('hints for links that name nothing', ({ test, create }) => {
  let workspace: Workspace
  const asClerk = () => workspace.engine.context(CLERK, 'free')
  const said = async (body: object, more = workspace.context()): Promise<string> => {
    const error = await refused('VALIDATION_ERROR', workspace.create('Order', body, more))
    return error.details?.[0]?.message ?? ''
  }
  const expected = (doctype: string, got: string, hint: string): string =>
    `expected an existing ${doctype}, got ${JSON.stringify(got)}${hint}`

  test.before(async () => {
    workspace = await openWorkspace(await create(), DOCTYPES)
    for (let number = 1; number <= MANY; number += 1)
      await workspace.create('Client', { full_name: `Member ${number}` })
    for (const full_name of ['Zweig & Co', 'Äpfel GmbH', 'Zwirn'])
      await workspace.create('Client', { full_name })
    await workspace.create('Safe', { code: 'Green', keeper: CLERK.name })
    await workspace.create('Safe', { code: 'Greek' })
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

  test('tell nothing to who may not read every record, whether there is one of that name or not', async () => {
    assert.match(await said({ safe: 'Greet' }), 'did you mean Greek or Green?')
    for (const got of ['Greek', 'Greet'])
      assert.is(await said({ safe: got }, asClerk()), expected('Safe', got, ''))
    assert.match(await said({ book: 'Maine' }), 'did you mean Main?')
    assert.is(await said({ book: 'Maine' }, asClerk()), expected('Account Book', 'Maine', ''))
  })

  test('take letters of any kind as they are', async () => {
    for (const got of ["'; drop table client; --", '%', '_', '\\', '😀', 'ß', 'x'.repeat(140)])
      assert.match(await said({ client: got }), 'expected an existing Client')
    assert.match(await said({ client: 'äpfel gmbh' }), '(Äpfel GmbH)')
  })
})
