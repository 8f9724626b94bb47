import { sql } from 'kysely'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { DocumentResult } from '../../../engine/documents/work/present.ts'
import { createTestDatabase, type RemovableDatabase } from '../../helpers/databases.ts'
import { openWorkspace, refused, type Workspace } from './workspace.ts'

const DOCTYPES = `
doctype: Shelf
module: stock
tier: free
naming: field:code
fields:
  code: {type: data, required: true}
---
doctype: Box
module: stock
tier: free
naming: "B-{###}"
search: [label]
fields:
  label: {type: data}
  code: {type: data, unique: true}
  shelf: {type: link, options: Shelf}
  lid: {type: link, options: Lid}
---
doctype: Lid
module: stock
tier: free
submittable: true
naming: field:code
fields:
  code: {type: data, required: true}
`

/** What SQLite's write queue takes at once shares a transaction; each change still stands for itself. */
const batch = suite<{ place: RemovableDatabase; workspace: Workspace }>('changes of one batch')

batch.before.each(async (context) => {
  context.place = await createTestDatabase('sqlite')
  context.workspace = await openWorkspace(context.place.database, DOCTYPES)
})

batch.after.each(async ({ place, workspace }) => {
  await workspace.close()
  await place.remove()
})

batch('are refused alone: a duplicate in the middle costs no number', async ({ workspace }) => {
  const boxes = [
    { code: 'a', label: 'first of all' },
    { code: 'a', label: 'twin of it' },
    { code: 'b', label: 'second of all' },
    { code: 'c', shelf: 'nowhere' },
    { code: 'd', label: 'third of all' },
  ]
  const outcomes = await Promise.allSettled(boxes.map((box) => workspace.create('Box', box)))
  assert.equal(outcomes.map(told), [
    'B-001',
    'another Box already has this code',
    'B-002',
    'shelf: expected an existing Shelf, got "nowhere"',
    'B-003',
  ])
  const events = await workspace.engine.services.database.read
    .selectFrom('svc_events')
    .select('record_id')
    .where('kind', '=', 'created')
    .orderBy('seq')
    .execute()
  assert.equal(
    events.map(({ record_id }) => record_id),
    ['B-001', 'B-002', 'B-003'],
  )
  const names = async (q: string): Promise<unknown[]> => {
    const { data } = await workspace.list('Box', { q, sort: 'name', order: 'asc' })
    return data.map(({ name }) => name)
  }
  assert.equal(await names('of all'), ['B-001', 'B-002', 'B-003'])
  assert.equal(await names('twin'), [])
})

batch('see what those before them made and took away', async ({ workspace }) => {
  await workspace.create('Shelf', { code: 'old' })
  const outcomes = await Promise.allSettled<DocumentResult | undefined>([
    workspace.create('Box', { shelf: 'new' }),
    workspace.create('Shelf', { code: 'new' }),
    workspace.create('Box', { shelf: 'new' }),
    workspace.remove('Shelf', 'old').then(() => undefined),
    workspace.create('Box', { shelf: 'old' }),
    workspace.create('Box', { shelf: 'new' }),
    workspace.remove('Shelf', 'new').then(() => undefined),
  ])
  assert.equal(outcomes.map(told), [
    'shelf: expected an existing Shelf, got "new"',
    'new',
    'B-001',
    undefined,
    'shelf: expected an existing Shelf, got "old"',
    'B-002',
    'cannot delete Shelf "new": other documents link to it',
  ])
  await refused('NOT_FOUND', workspace.get('Shelf', 'old'))
})

batch('know no more what another of them has ended', async ({ workspace }) => {
  await workspace.create('Shelf', { code: 'old' })
  await workspace.create('Lid', { code: 'lid' })
  await workspace.submit('Lid', 'lid')
  await workspace.create('Box', {})
  const outcomes = await Promise.allSettled<DocumentResult | undefined>([
    workspace.update('Box', 'B-001', { shelf: 'old', lid: 'lid' }),
    workspace.update('Box', 'B-001', { shelf: null, lid: null }),
    workspace.remove('Shelf', 'old').then(() => undefined),
    workspace.cancel('Lid', 'lid'),
    workspace.create('Box', { shelf: 'old' }),
    workspace.create('Box', { lid: 'lid' }),
  ])
  assert.equal(outcomes.map(told), [
    'B-001',
    'B-001',
    undefined,
    'lid',
    'shelf: expected an existing Shelf, got "old"',
    'lid: Lid "lid" is cancelled; name a live one',
  ])
})

batch('write the search index out once for several commits', async ({ workspace }) => {
  const segments = async (): Promise<number> => {
    const { rows } = await sql<{
      n: bigint
    }>`select count(distinct segid) as n from svc_search_idx`.execute(
      workspace.engine.services.database.read,
    )
    return Number(rows[0]?.n)
  }
  const before = await segments()
  for (let at = 0; at < 100; at += 1) await workspace.create('Box', { label: `label ${at}` })
  assert.is(await segments(), before + 1)
})

batch.run()

function told(outcome: PromiseSettledResult<DocumentResult | undefined>): string | undefined {
  return outcome.status === 'fulfilled' ? outcome.value?.id : (outcome.reason as Error).message
}
