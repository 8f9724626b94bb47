import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { EventFilter } from '../../../engine/events/log.ts'
import { runSql } from '../../../engine/storage/database/statements.ts'
import { attemptReads, eventReads } from '../../../server/v1/log-reads.ts'
import type { AttemptFilter } from '../../../webhooks/attempt-store.ts'
import { temporaryFolder } from '../../cli/process.ts'
import { openWorkspace } from '../../engine/documents/workspace.ts'

const reads = suite('lists of logs')

const NOTE = `
doctype: Note
module: setup
tier: free
naming: prompt
fields:
  text: {type: data}
`

reads('are read away from the thread that answers where no index bounds them', async () => {
  const folder = temporaryFolder()
  const database = { kind: 'sqlite', file: `${folder.path}/workspace.db`, readers: {} } as const
  const workspace = await openWorkspace(database, NOTE)
  const { services } = workspace.engine
  const on = (filter: EventFilter, offset = 0): string => {
    const { page, count } = eventReads()(workspace.context(), filter, offset)
    return [page, count].map((db) => (db === services.database.read ? 'here' : 'away')).join(' ')
  }
  const add = (rows: number): Promise<unknown> =>
    services.database.write((tx) =>
      runSql(
        tx,
        `with recursive n(n) as (select 1 union all select n + 1 from n where n < ${rows})
        insert into svc_events (id, event, resource, kind, record_id, at, actor, data)
        select 'evt_' || hex(randomblob(12)), 'notes.created', 'notes', 'created', 'N', '2026-03-09', 'a', '{}' from n`,
        [],
      ),
    )
  try {
    assert.is(on({ resource: 'notes', hidden: ['x'] }), 'here here', 'the log has few lines')
    await add(2_000)
    assert.is(on({}), 'here here')
    assert.is(on({ kind: 'created', since: '2026-03-01' }), 'here here')
    assert.is(on({ resource: 'notes', record_id: 'N' }), 'here here')
    assert.is(on({ resource: 'notes' }), 'away here')
    assert.is(on({ kind: 'created', actor: 'a' }), 'away here')
    assert.is(on({ hidden: ['salaries'] }), 'away here')
    assert.is(on({}, 6_000), 'away here')
    await add(20_000)
    assert.is(on({}), 'here away')
    const attempts = (filter: Partial<AttemptFilter>, offset = 0) => {
      const { page } = attemptReads()(workspace.context(), { webhook_id: 'w', ...filter }, offset)
      return page === services.database.read
    }
    assert.equal(
      [
        attempts({}),
        attempts({ delivery_id: 'd' }),
        attempts({ outcome: 'failed' }),
        attempts({}, 6_000),
      ],
      [true, true, false, false],
    )
  } finally {
    await workspace.close()
    folder.remove()
  }
})

reads.run()
