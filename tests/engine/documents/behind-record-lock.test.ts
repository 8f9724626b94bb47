import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import * as assert from 'uvu/assert'
import type { Db } from '../../../engine/storage/database/database.ts'
import { onDatabase } from '../../helpers/databases.ts'
import { openWorkspace, type Workspace } from './workspace.ts'

const TICKETS = `
doctype: Holder
module: hr
tier: free
naming: field:title
fields:
  title: {type: data, required: true}
  most: {type: int, required: true}
---
doctype: Period
module: hr
tier: free
naming: field:title
fields:
  title: {type: data, required: true}
  is_open: {type: check}
---
doctype: Ticket
module: hr
tier: free
naming: field:title
find:
  period: {from: Period, where: is_open}
fields:
  title: {type: data, required: true}
  holder: {type: link, options: Holder, required: true}
  amount: {type: int, required: true}
  open_period: {type: data, formula: period.title}
validate:
  - {check: amount <= holder.most, field: amount, message: 'at most {holder.most}'}
`

onDatabase(
  'postgres',
  'what a document reads behind the lock of its record',
  ({ test, create }) => {
    let workspace: Workspace
    test.before(async () => {
      workspace = await openWorkspace(await create(), TICKETS)
      await workspace.create('Holder', { title: 'Anna', most: 100 })
      await workspace.create('Period', { title: 'May', is_open: true })
      await workspace.create('Period', { title: 'June', is_open: false })
      for (const title of ['T1', 'T2'])
        await workspace.create('Ticket', { title, holder: 'Anna', amount: 1 })
      // What updates read is usual by now.
      for (let amount = 2; amount < 9; amount += 1)
        await workspace.update('Ticket', 'T1', { amount })
    })
    test.after(() => workspace.close())

    /** Runs updates while somebody else holds T2, who lets it go with these changes as soon as one waits. */
    async function besides(
      changes: (db: Db) => Promise<unknown>,
      work: () => Promise<unknown>[],
    ): Promise<PromiseSettledResult<unknown>[]> {
      const { database } = workspace.engine.services
      return database.apart(async (db) => {
        await sql`begin`.execute(db)
        await sql`select 1 from tickets where name = 'T2' for no key update`.execute(db)
        const done = Promise.allSettled(work())
        const waiting = async (): Promise<boolean> => {
          const { rows } = await sql`select 1 from pg_stat_activity
          where wait_event_type = 'Lock' and datname = current_database()
            and ${sql.raw('pg_backend_pid()')} = any(pg_blocking_pids(pid))`.execute(db)
          return rows.length > 0
        }
        while (!(await waiting())) await sleep(1)
        await changes(db)
        await sql`commit`.execute(db)
        return done
      })
    }

    const reset = async (db: Db): Promise<void> => {
      await sql`update holders set most = 100`.execute(db)
      await sql`update periods set is_open = case when name = 'May' then 1 else 0 end`.execute(db)
    }
    const change = async (db: Db): Promise<void> => {
      await sql`update holders set most = 10`.execute(db)
      await sql`update periods set is_open = case when name = 'June' then 1 else 0 end`.execute(db)
    }

    test('is what was committed before it came: of others in its transaction too', async () => {
      for (const isAlone of [true, false, false, false]) {
        await workspace.engine.services.database.write(reset)
        const outcomes = await besides(change, () => [
          ...(isAlone ? [] : [workspace.update('Ticket', 'T1', { amount: 50 })]),
          workspace.update('Ticket', 'T2', { amount: 50 }),
        ])
        const last = outcomes.at(-1)!
        assert.is(last.status, 'rejected', `${isAlone ? 'alone' : 'with another'}: 50 was accepted`)
        const { record } = await workspace.update('Ticket', 'T2', { amount: 9 })
        assert.equal([record.amount, record.open_period], [9, 'June'])
      }
    })

    test('is of the period that is open then', async () => {
      await workspace.engine.services.database.write(reset)
      const [outcome] = await besides(change, () => [
        workspace.update('Ticket', 'T2', { amount: 5 }),
      ])
      assert.is(outcome!.status, 'fulfilled')
      assert.is((await workspace.get('Ticket', 'T2')).record.open_period, 'June')
    })
  },
)
