import * as assert from 'uvu/assert'
import { GUEST_ACTOR, type Scope } from '../../../engine/access/actor.ts'
import { forEachDatabase } from '../../helpers/databases.ts'
import { actorOf, openWorkspace, refused, type Workspace } from './workspace.ts'

const DOCTYPES = `
doctype: Note
module: crm
tier: free
submittable: true
naming: "N-{###}"
fields:
  text: {type: data, required: true}
---
doctype: Turbine
module: assets
tier: business
naming: prompt
fields:
  note: {type: link, options: Note}
`

forEachDatabase('rights', ({ test, create }) => {
  let workspace: Workspace
  test.before(async () => {
    workspace = await openWorkspace(await create(), DOCTYPES)
  })
  test.after(() => workspace.close())

  type Operation = 'read' | 'create' | 'update' | 'submit' | 'cancel' | 'amend' | 'remove'

  /** One operation by a key of this scope; on `id`. */
  function attempt(operation: Operation, scope: Scope, id: string): Promise<unknown> {
    const as = { actor: actorOf('key', scope) }
    if (operation === 'create') return workspace.create('Note', { text: 'x' }, as)
    if (operation === 'update') return workspace.update('Note', id, { text: 'y' }, as)
    if (operation === 'read') {
      return Promise.all([workspace.get('Note', id, as), workspace.list('Note', {}, as)])
    }
    return workspace[operation]('Note', id, as)
  }

  const ALLOWED: Readonly<Record<Scope, readonly Operation[]>> = {
    read: ['read'],
    draft: ['read', 'create', 'update'],
    write: ['read', 'create', 'update', 'submit', 'cancel', 'amend'],
    admin: ['read', 'create', 'update', 'submit', 'cancel', 'amend', 'remove'],
  }

  for (const [scope, allowed] of Object.entries(ALLOWED) as [Scope, readonly Operation[]][]) {
    test(`a key of scope ${scope} may ${allowed.join(', ')} and nothing else`, async () => {
      const { id } = await workspace.create('Note', { text: 'x' })
      const steps = ['read', 'create', 'update', 'submit', 'cancel', 'amend'] as const
      for (const step of steps) {
        if (allowed.includes(step)) await attempt(step, scope, id)
        else {
          const error = await refused('FORBIDDEN', attempt(step, scope, id))
          assert.match(error.message, /needs scope (draft or )?write/)
        }
      }
      const { id: other } = await workspace.create('Note', { text: 'x' })
      if (allowed.includes('remove')) await attempt('remove', scope, other)
      else {
        const error = await refused('FORBIDDEN', attempt('remove', scope, other))
        assert.match(error.message, 'needs scope admin')
      }
    })
  }

  test('are none for a guest: 401 for everything', async () => {
    const as = { actor: GUEST_ACTOR }
    const { id } = await workspace.create('Note', { text: 'x' })
    for (const promise of [
      workspace.get('Note', id, as),
      workspace.list('Note', {}, as),
      workspace.create('Note', {}, as),
      workspace.update('Note', id, {}, as),
      workspace.submit('Note', id, as),
      workspace.remove('Note', id, as),
    ])
      await refused('UNAUTHORIZED', promise)
  })

  test('come before everything else: no validation, no 404 for who may not', async () => {
    const as = { actor: actorOf('key', 'read' as const) }
    await refused('FORBIDDEN', workspace.create('Note', { unknown: 1 }, as))
    await refused('FORBIDDEN', workspace.update('Note', 'none', null, as))
    await refused('FORBIDDEN', workspace.remove('Note', 'none', as))
  })

  test('stop at the tier of the workspace, naming the one that is needed', async () => {
    await workspace.create('Turbine', { name: 'T1' })
    for (const tier of ['free', 'pro']) {
      const as = { actor: actorOf('key', 'admin' as const), tier }
      for (const promise of [
        workspace.get('Turbine', 'T1', as),
        workspace.list('Turbine', {}, as),
        workspace.create('Turbine', { name: 'T2' }, as),
        workspace.update('Turbine', 'T1', {}, as),
        workspace.remove('Turbine', 'T1', as),
      ]) {
        const error = await refused('FORBIDDEN', promise)
        assert.match(error.message, /tier business/)
      }
    }
    const as = { actor: actorOf('key', 'admin' as const), tier: 'business' }
    assert.is((await workspace.get('Turbine', 'T1', as)).id, 'T1')
  })

  test('do not gate the engine itself: the system works on every tier', async () => {
    await workspace.create('Turbine', { name: 'T9' })
    assert.is((await workspace.get('Turbine', 'T9')).id, 'T9')
  })

  test('who did it stands in the record', async () => {
    const { id, record } = await workspace.create(
      'Note',
      { text: 'x' },
      { actor: actorOf('key', 'write') },
    )
    assert.equal([record.owner, record.modified_by], ['write key', 'write key'])
    const after = await workspace.update(
      'Note',
      id,
      { text: 'y' },
      { actor: actorOf('key', 'admin') },
    )
    assert.equal([after.record.owner, after.record.modified_by], ['write key', 'admin key'])
  })
})
