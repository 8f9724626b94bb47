import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Database } from '../../../engine/storage/database/database.ts'
import { smallSearch } from '../../../engine/storage/records/search-size.ts'
import { thing } from './search-helpers.ts'
import { openDatabase, type StoredType, startType } from './workspace.ts'

const test = suite('the size of the search index')
const folder = mkdtempSync(join(tmpdir(), 'svc-search-size-'))
let database: Database
let things: StoredType
test.before(async () => {
  database = openDatabase({ kind: 'sqlite', file: join(folder, 'svc.db') })
  things = await startType(database, thing('note'))
})
test.after(async () => {
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})

test('is small up to a million characters', async () => {
  assert.ok(smallSearch()(database), 'nothing in it')
  const note = 'lorem ipsum '.repeat(200).slice(0, 2_000)
  for (let n = 0; n < 490; n += 1) await things.add(`t${n}`, { note })
  assert.ok(smallSearch()(database), '980,000 characters and some names')
  for (let n = 490; n < 510; n += 1) await things.add(`t${n}`, { note })
  assert.not(smallSearch()(database), '1,020,000 characters')
})

test.run()
