import * as assert from 'uvu/assert'
import type { ColumnValue, Operator } from '../../../engine/fields/field-type.ts'
import type { Database } from '../../../engine/storage/database/database.ts'
import type { ColumnFilter } from '../../../engine/storage/records/condition.ts'
import {
  countRecords,
  countUpTo,
  type PageQuery,
  selectPage,
} from '../../../engine/storage/records/select.ts'
import { forEachDatabase } from '../../helpers/databases.ts'
import { type Random, randomOf, rounds, seedsOf } from '../../helpers/random.ts'
import { openDatabase, type StoredType, startType } from './workspace.ts'

const SEEDS = seedsOf(import.meta.filename, [1, 2])

const YAML = `
doctype: Thing
module: stock
tier: free
naming: prompt
fields:
  title: {type: data, filterable: true}
  n: {type: int, filterable: true}
`

/** A record in memory: what the oracle works on. */
interface Plain {
  readonly rid: number
  readonly title: string | null
  readonly n: number | null
}

type Column = 'title' | 'n' | 'rid'

const TITLES = [null, '', 'a', 'A', 'b', 'ab', 'Z', 'ä', 'Ä', 'É', '50%', '5_0', 'c\\d', "o'k", '€']
const NUMBERS = [null, -2, -1, 0, 1, 2, 10]

forEachDatabase('a list', ({ test, create }) => {
  let database: Database
  let things: StoredType
  const plain: Plain[] = []

  test.before(async () => {
    database = openDatabase(await create())
    things = await startType(database, YAML)
    const random = randomOf(SEEDS.at(-1)!)
    for (let index = 0; index < 60; index += 1) {
      const values = { title: random.one(TITLES), n: random.one(NUMBERS) }
      const { rid } = await things.add(`T-${index}`, values)
      plain.push({ rid, ...values })
    }
  })

  test.after(() => database.close())

  function page(query: Partial<PageQuery>): ReturnType<typeof selectPage> {
    const whole: PageQuery = {
      filters: [],
      sort: 'n',
      order: 'asc',
      limit: 7,
      columns: [],
      ...query,
    }
    return selectPage(database.read, database.kind, things.store, whole)
  }

  async function walk(query: Partial<PageQuery>): Promise<number[]> {
    const seen: number[] = []
    for (let after: PageQuery['after']; ; ) {
      const { docs, next } = await page({ ...query, ...(after ? { after } : {}) })
      seen.push(...docs.map(({ rid }) => rid))
      assert.ok(seen.length <= plain.length, 'the walk goes round in circles')
      if (!next) return seen
      assert.is(docs.length, query.limit)
      after = next
    }
  }

  for (const sort of ['title', 'n', 'rid'] as const) {
    for (const order of ['asc', 'desc'] as const) {
      test(`is walked by ${sort} ${order} without a record twice or left out, unset first`, async () => {
        const expected = sorted(plain, sort, order)
        for (const limit of [1, 2, 3, 7, 59, 60, 61]) {
          assert.equal(await walk({ sort, order, limit }), expected)
        }
      })
    }
  }

  test('goes on at the same place when records before it come and go', async () => {
    const first = await page({ sort: 'n', order: 'desc', limit: 10 })
    const extra = await things.add('T-extra', { n: 1_000_000 })
    const rest = await walk({ sort: 'n', order: 'desc', limit: 10, after: first.next! })
    await things.remove(extra)
    assert.equal([...first.docs.map(({ rid }) => rid), ...rest], sorted(plain, 'n', 'desc'))
  })

  test('of an offset past the end is empty', async () => {
    assert.equal(await page({ offset: 60 }), { docs: [], next: undefined })
    assert.is((await page({ offset: 59 })).docs.length, 1)
  })

  test('holds an integer beyond 2^53 exactly in its walk', async () => {
    const near = [9_007_199_254_740_992n, 9_007_199_254_740_993n, 9_007_199_254_740_994n]
    const added = []
    for (const [index, n] of near.entries()) {
      const doc = await things.add(`T-near-${index}`)
      await database.write((tx) =>
        tx.updateTable('things').set({ n }).where('rid', '=', doc.rid).execute(),
      )
      added.push(doc)
    }
    const walked = await page({ sort: 'n', order: 'desc', limit: 1 })
    const second = await page({ sort: 'n', order: 'desc', limit: 1, after: walked.next! })
    assert.equal(walked.next?.value, near[2])
    assert.equal(second.next?.value, near[1])
    for (const doc of added) await things.remove(doc)
  })

  for (const seed of SEEDS)
    test(`shows and counts exactly what its filters let through (seed ${seed})`, async () => {
      const random = randomOf(seed)
      for (let round = 0; round < rounds(50); round += 1) {
        const filters = Array.from({ length: 1 + random.below(2) }, () => randomFilter(random))
        const sort = random.one(['title', 'n', 'rid'] as const)
        const order = random.one(['asc', 'desc'] as const)
        const matching = plain.filter((record) => filters.every((filter) => passes(record, filter)))
        const query = { filters, sort, order, limit: 1 + random.below(9) }
        assert.equal(await walk(query), sorted(matching, sort, order), JSON.stringify(filters))
        const count = await countRecords(database.read, database.kind, things.store, { filters })
        assert.is(count, matching.length)
        const most = 1 + random.below(9)
        const upTo = await countUpTo(database.read, database.kind, things.store, { filters }, most)
        assert.is(upTo, Math.min(most, matching.length))
      }
    })

  test('ignores the case of any script in like, also of the sigma that ends a word', async () => {
    const doc = await things.add('T-case', { title: 'ΟΔΟΣ Straße Łódź ЖУК' })
    for (const text of ['οδος', 'ΟΔΟΣ', 'οδοσ', 'STRAßE', 'łÓD', 'жук', 'οδος s']) {
      const filters = [{ column: 'title', operator: 'like', values: [text] }] as const
      assert.equal(await walk({ filters, limit: 5 }), [doc.rid], text)
    }
    await things.remove(doc)
  })
})

function sorted(records: readonly Plain[], sort: Column, order: 'asc' | 'desc'): number[] {
  const sign = order === 'asc' ? 1 : -1
  return records
    .toSorted((a, b) => sign * (compare(a[sort], b[sort]) || a.rid - b.rid))
    .map(({ rid }) => rid)
}

/** Unset first, texts by code point. */
function compare(a: ColumnValue, b: ColumnValue): number {
  if (a === null || b === null) return Number(b === null) - Number(a === null)
  if (typeof a === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(String(b)))
  return Number(a) - Number(b)
}

function randomFilter(random: Random): ColumnFilter {
  const column = random.one(['title', 'n'] as const)
  const operators: readonly Operator[] = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in']
  const operator = random.one(column === 'title' ? [...operators, 'like' as const] : operators)
  const known: readonly ColumnValue[] = column === 'title' ? TITLES : NUMBERS
  const nullable = operator === 'eq' || operator === 'ne'
  const choices = nullable ? known : known.filter((value) => value !== null)
  const length = operator === 'in' ? 1 + random.below(3) : 1
  return { column, operator, values: Array.from({ length }, () => random.one(choices)) }
}

function passes(record: Plain, { column, operator, values }: ColumnFilter): boolean {
  const kept = record[column as Column]
  const [wanted = null] = values
  if (operator === 'eq') return kept === wanted
  if (operator === 'ne') return kept !== wanted
  if (kept === null) return false
  if (operator === 'in') return values.includes(kept)
  if (operator === 'like') return String(kept).toLowerCase().includes(String(wanted).toLowerCase())
  const difference = compare(kept, wanted)
  if (operator === 'gt') return difference > 0
  if (operator === 'gte') return difference >= 0
  return operator === 'lt' ? difference < 0 : difference <= 0
}
