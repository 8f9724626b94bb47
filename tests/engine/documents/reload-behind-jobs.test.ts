import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { SYSTEM_ACTOR } from '../../../engine/access/actor.ts'
import { createDocument } from '../../../engine/documents/operations/create.ts'
import { updateDocument } from '../../../engine/documents/operations/update.ts'
import { openEngine } from '../../../engine/index.ts'
import { hooks } from '../../../hooks/index.ts'
import { forEachDatabase } from '../../helpers/databases.ts'
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

forEachDatabase('jobs after a reload', ({ test, create }) => {
  test('read what the new definitions have, also where they read the same before', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-reload-'))
    const write = (name: string, text: string): void =>
      writeFileSync(join(folder, `${name}.yaml`), text)
    write('plans', PLANS)
    write('holder', holder('most: {type: int}'))
    write('ticket', ticket('holder.most'))
    const engine = await openEngine({
      hooks,
      database: await create(),
      doctypes: [folder],
      secretKey: Buffer.alloc(32, 7),
    })
    const typed = (doctype: string) => engine.services.registry.byDoctype(doctype)!
    const context = () => engine.context(SYSTEM_ACTOR, 'free')
    const update = async (doctype: string, id: string, body: object) =>
      (await updateDocument(context(), typed(doctype), id, body)).record
    await createDocument(context(), typed('Holder'), { title: 'Anna', most: 100 })
    await createDocument(context(), typed('Ticket'), { title: 'T', holder: 'Anna', amount: 1 })
    for (let amount = 2; amount < 9; amount += 1) await update('Ticket', 'T', { amount })

    write('holder', holder('limit_of: {type: int, renamed_from: most}\n  extra: {type: int}'))
    write('ticket', ticket('holder.limit_of', 'seen_extra: {type: int, formula: holder.extra}'))
    await engine.reload()
    await update('Holder', 'Anna', { extra: 7 })
    for (let amount = 20; amount < 24; amount += 1) {
      const { seen, seen_extra } = await update('Ticket', 'T', { amount })
      assert.equal([seen, seen_extra], [100, 7])
    }
    await engine.close()
    rmSync(folder, { recursive: true, force: true })
  })
})
