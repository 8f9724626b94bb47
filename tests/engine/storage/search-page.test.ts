import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Database } from '../../../engine/storage/database/database.ts'
import { searchPage } from '../../../engine/storage/records/search-page.ts'
import { countRecords, type PageQuery, selectRows } from '../../../engine/storage/records/select.ts'
import { randomOf, rounds, seedsOf } from '../../helpers/random.ts'
import { thing } from './search-helpers.ts'
import { openDatabase, type StoredType, startType } from './workspace.ts'

const SEEDS = seedsOf(import.meta.filename, [24])
const WORDS = ['bolt', 'nut', 'steel', 'brass', 'ring']
const TEXTS = ['bolt', 'nut', 'steel bolt', 'bo', 'nothing', 'o', 'ring brass']

const test = suite('a page of a search')
const folder = mkdtempSync(join(tmpdir(), 'svc-search-'))
let database: Database
let things: StoredType
test.before(async () => {
  database = openDatabase({ kind: 'sqlite', file: join(folder, 'svc.db') })
  things = await startType(database, thing('title', '  kind: {type: data, filterable: true}\n'))
  const random = randomOf(7)
  for (let n = 0; n < 120; n += 1) {
    const words = [random.one(WORDS), random.one(WORDS), random.one(WORDS)]
    const kind = random.chance(0.2) ? null : random.one(['a', 'b'])
    await things.add(`t${String(n).padStart(3, '0')}`, { title: words.join(' '), kind })
  }
})
test.after(async () => {
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})

for (const seed of SEEDS)
  test(`is what the same list without the index gives, with the number of all that is found (seed ${seed})`, async () => {
    const { definition, store, search } = things
    const random = randomOf(seed)
    const columns = store.plan.columns.filter(({ name }) => name === 'kind')
    for (let n = 0; n < rounds(150); n += 1) {
      const q = random.one(TEXTS)
      const readable = random.chance(0.3) ? sql<boolean>`rid % 3 <> 1` : undefined
      const kind = random.chance(0.3) ? random.one(['a', 'b', null]) : undefined
      const then = random.chance(0.2) ? ([{ column: 'kind', order: 'desc' }] as const) : undefined
      const page: PageQuery = {
        filters: kind === undefined ? [] : [{ column: 'kind', operator: 'eq', values: [kind] }],
        sort: random.one(['name', 'modified', 'kind', 'title']),
        order: random.one(['asc', 'desc'] as const),
        ...(then ? { then } : {}),
        limit: random.one([1, 5, 200]),
        offset: random.one([0, 3, 50]),
        columns,
        isShownOnly: random.chance(0.5),
      }
      const matches = search.matches(definition, q)
      const where = readable ? sql<boolean>`(${matches} and ${readable})` : matches
      const expected = await selectRows(database.read, 'sqlite', store, { ...page, where })
      const total = await countRecords(database.read, 'sqlite', store, { ...page, where })
      const hits = search.hits(definition, q)!
      for (const records of [0, 120, 1e9]) {
        const asked = readable ? { ...page, where: readable } : page
        const found = await searchPage(database.read, store, asked, hits, records)
        const about = `${q} ${JSON.stringify(page)} of ${records}`
        assert.is(found.total, total, about)
        assert.equal(found.next, expected.next, about)
        assert.equal(
          found.rows.map(({ 'svc total': _, ...row }) => row),
          [...expected.rows],
          about,
        )
      }
    }
  })

test('keeps its text: searches of as many words build it once', async () => {
  const { definition, store, search } = things
  const built: string[] = []
  const counted = {
    ...store,
    lists: (shape: string, build: Parameters<typeof store.lists>[1]) =>
      store.lists(shape, () => {
        built.push(shape)
        return build()
      }),
  }
  const page: PageQuery = { filters: [], sort: 'created', order: 'asc', limit: 7, columns: [] }
  for (const q of ['bolt', 'nut', 'nothing', 'steel ring', 'brass nut'])
    await searchPage(database.read, counted, page, search.hits(definition, q)!, 120)
  assert.is(built.length, 2, 'of one word, and of two')
})

test.run()
