import { sql } from 'kysely'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { ColumnFilter } from '../../../engine/storage/records/condition.ts'
import {
  isPageOfIndex,
  isRangeOfIndex,
  isSmall,
  isSoonCounted,
  type ListConditions,
  readsTexts,
} from '../../../engine/storage/records/light-reads.ts'

const light = suite('a list is light')

const ALL: ListConditions = { filters: [], isSearch: false }

function by(...filters: ColumnFilter[]): ListConditions {
  return { filters, isSearch: false }
}

const EQUAL: ColumnFilter = { column: 'status', operator: 'eq', values: ['Open'] }

light('whose table is small, whatever is asked', () => {
  assert.ok(isSmall(1_000) && !isSmall(1_001) && !isSmall(Number.POSITIVE_INFINITY))
  assert.ok(isSoonCounted(20_000) && !isSoonCounted(20_001))
})

light('where its records stand side by side in an index', () => {
  assert.ok(isRangeOfIndex(ALL))
  assert.ok(isRangeOfIndex(by(EQUAL)))
  assert.ok(isRangeOfIndex(by({ ...EQUAL, operator: 'in', values: ['Open', 'Closed'] })))
  assert.ok(isRangeOfIndex(by({ column: 'created', operator: 'gte', values: ['2026'] })))
  for (const heavy of [
    by(EQUAL, { ...EQUAL, column: 'kind' }),
    by({ ...EQUAL, operator: 'ne' }),
    by({ ...EQUAL, operator: 'like' }),
    // Unset means 0 there, and no index knows that.
    by({ column: 'stock', operator: 'eq', values: [0], unset: 0 }),
    // Nobody has made an index of who owns a record.
    by({ ...EQUAL, column: 'owner' }),
    { ...ALL, isSearch: true },
    { ...ALL, where: sql<boolean>`1 = 1` },
  ])
    assert.not(isRangeOfIndex(heavy), JSON.stringify(heavy.filters))
})

light('where its page is a part of an index in its order', () => {
  assert.ok(isPageOfIndex(ALL, { sort: 'modified' }))
  assert.ok(isPageOfIndex(ALL, { sort: 'name', offset: 5_000 }))
  assert.ok(isPageOfIndex(by(EQUAL), { sort: 'modified' }))
  assert.ok(isPageOfIndex(by({ column: 'name', operator: 'eq', values: ['X'] }), { sort: 'kind' }))
  assert.not(isPageOfIndex(ALL, { sort: 'status' }), 'of each value all would be sorted')
  assert.not(isPageOfIndex(ALL, { sort: 'modified', offset: 5_001 }))
  assert.not(isPageOfIndex(by(EQUAL), { sort: 'name' }))
  assert.not(isPageOfIndex(by({ ...EQUAL, operator: 'gte' }), { sort: 'modified' }))
})

light('where no texts are gone through', () => {
  assert.not(readsTexts(by(EQUAL)))
  assert.ok(readsTexts({ ...ALL, isSearch: true }))
  assert.ok(readsTexts(by(EQUAL, { ...EQUAL, operator: 'like' })))
})

light.run()
