import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { SYSTEM_ACTOR } from '../../../engine/access/actor.ts'
import { createDocument } from '../../../engine/documents/operations/create.ts'
import { updateDocument } from '../../../engine/documents/operations/update.ts'
import type { Context } from '../../../engine/documents/work/context.ts'
import { type Engine, openEngine } from '../../../engine/index.ts'
import { hooks } from '../../../hooks/index.ts'
import { forEachDatabase, type TestDatabase } from '../../helpers/databases.ts'
import { PLANS } from './workspace.ts'

const holder = (fields: string): string => `
doctype: Holder
module: hr
tier: free
naming: field:title
fields:
  title: {type: data, required: true}
  ${fields}
`

const ticket = (limit: string, more = ''): string => `
doctype: Ticket
module: hr
tier: free
naming: field:title
fields:
  title: {type: data, required: true}
  holder: {type: link, options: Holder, required: true}
  amount: {type: int}
  seen: {type: int, formula: ${limit}}
  ${more}
`

interface Reloading {
  readonly engine: Engine
  write(name: string, text: string): void
  /** Brings the next definitions: a field of another name, and one more that a formula reads. */
  writeNext(): void
  update(doctype: string, id: string, body: object, context?: Context): Promise<RecordOf>
  close(): Promise<void>
}

type RecordOf = Readonly<Record<string, unknown>>

/** A workspace whose updates have read the holder often. */
async function open(database: TestDatabase): Promise<Reloading> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-reload-'))
  const write = (name: string, text: string): void =>
    writeFileSync(join(folder, `${name}.yaml`), text)
  write('plans', PLANS)
  write('holder', holder('most: {type: int}'))
  write('ticket', ticket('holder.most'))
  const secretKey = Buffer.alloc(32, 7)
  const engine = await openEngine({ hooks, database, doctypes: [folder], secretKey })
  const context = (): Context => engine.context(SYSTEM_ACTOR, 'free')
  const typed = (doctype: string, { services } = context()) => services.registry.byDoctype(doctype)!
  const update = async (doctype: string, id: string, body: object, by = context()) =>
    (await updateDocument(by, typed(doctype, by), id, body)).record
  await createDocument(context(), typed('Holder'), { title: 'Anna', most: 100 })
  await createDocument(context(), typed('Ticket'), { title: 'T', holder: 'Anna', amount: 1 })
  for (let amount = 2; amount < 9; amount += 1) await update('Ticket', 'T', { amount })
  return {
    engine,
    write,
    writeNext() {
      write('holder', holder('limit_of: {type: int, renamed_from: most}\n  extra: {type: int}'))
      write('ticket', ticket('holder.limit_of', 'seen_extra: {type: int, formula: holder.extra}'))
    },
    update,
    async close() {
      await engine.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

forEachDatabase('jobs after a reload', ({ test, create }) => {
  test('read what the new definitions have, also where they read the same before', async () => {
    const { engine, writeNext, update, close } = await open(await create())
    writeNext()
    await engine.reload()
    await update('Holder', 'Anna', { extra: 7 })
    for (let amount = 20; amount < 24; amount += 1) {
      const { seen, seen_extra } = await update('Ticket', 'T', { amount })
      assert.equal([seen, seen_extra], [100, 7])
    }
    await close()
  })

  test('are refused where they began before it, and leave nothing to those of now', async () => {
    const { engine, write, update, close } = await open(await create())
    const old = engine.context(SYSTEM_ACTOR, 'free')
    write('holder', holder('most: {type: int}\n  extra: {type: int}'))
    write('ticket', ticket('holder.most', 'seen_extra: {type: int, formula: holder.extra}'))
    await engine.reload()
    await update('Holder', 'Anna', { extra: 7 })
    for (const isRehearsal of [false, true, false] as const) {
      const late = { ...old, ...(isRehearsal && { isRehearsal }) }
      const [outcome] = await Promise.allSettled([update('Ticket', 'T', { amount: 50 }, late)])
      const reason = (outcome as PromiseRejectedResult).reason
      assert.equal([reason?.code, /newer definitions/.test(reason?.message)], ['UNAVAILABLE', true])
      const { amount, seen, seen_extra } = await update('Ticket', 'T', { amount: 3 })
      assert.equal([amount, seen, seen_extra], [3, 100, 7])
    }
    await close()
  })

  test('go on with the old ones where a file of the new ones is wrong', async () => {
    const { engine, write, writeNext, update, close } = await open(await create())
    writeNext()
    write('colors', 'pink: [Paid]\n')
    const [reload] = await Promise.allSettled([engine.reload()])
    assert.match(String((reload as PromiseRejectedResult).reason), /pink/)
    assert.equal((await update('Ticket', 'T', { amount: 9 })).seen, 100)
    assert.equal((await update('Holder', 'Anna', { most: 50 })).most, 50)
    await close()
  })
})
