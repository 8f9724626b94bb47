import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createTestDatabase } from '../helpers/databases.ts'
import { prepareData } from '../helpers/prepared.ts'
import { runHere } from './in-process.ts'
import { temporaryFolder } from './process.ts'

const demo = suite('svc demo on PostgreSQL')

demo('fills an empty database with what passes svc verify', async () => {
  const created = await createTestDatabase('postgres')
  const folder = temporaryFolder()
  try {
    const { database } = created
    assert.ok(database.kind === 'postgres')
    await prepareData(folder.path, database)
    const env = { SVC_SECRET_KEY: Buffer.alloc(32, 7).toString('base64') }
    const where = ['--data', folder.path, '--database', database.url]
    const filled = await runHere(['demo', ...where, '--months', '1', '--json'], env)
    assert.is(filled.code, 0, filled.stderr)
    const { total, records } = JSON.parse(filled.stdout)
    assert.ok(total > 300 && records['sales-invoices'] > 0, filled.stdout)
    const verified = await runHere(['verify', ...where], env)
    assert.is(verified.code, 0, verified.stdout)
  } finally {
    await created.remove()
    folder.remove()
  }
})

demo.run()
