import * as assert from 'uvu/assert'
import { searchPage } from '../../../engine/storage/records/search-page.ts'
import { countRecords, selectPage } from '../../../engine/storage/records/select.ts'
import type { StoredType } from './workspace.ts'

/** Another DocType of the same workspace. */
export const OTHER = `
doctype: Other
module: stock
tier: free
naming: prompt
search: [title]
fields:
  title: {type: data}
`

/** A DocType: `search` names the search fields, `fields` are further lines of YAML. */
export function thing(search: string, fields = ''): string {
  return `
doctype: Thing
module: stock
tier: free
naming: prompt
search: [${search}]
fields:
  title: {type: data}
  note: {type: data}
${fields}`
}

/** So many records that hits are always walked to, and so many that they are always sorted. */
const BOTH_PLANS = [0, 1e9]

/** Names of the records that match, as the list, both ways of counting and both plans of a search give them. */
export async function found(
  { database, definition, store, search }: StoredType,
  q: string,
): Promise<string[]> {
  const where = search.matches(definition, q)
  const { docs } = await selectPage(database.read, database.kind, store, {
    filters: [],
    where,
    sort: 'name',
    order: 'asc',
    limit: 1000,
    columns: [],
  })
  assert.is(await search.count(database.read, definition, q), docs.length)
  const counted = await countRecords(database.read, database.kind, store, { filters: [], where })
  assert.is(counted, docs.length)
  const names = docs.map(({ name }) => name)
  const hits = search.hits(definition, q)
  for (const records of hits ? BOTH_PLANS : []) {
    const page = { filters: [], sort: 'name', order: 'asc', limit: 1000, columns: [] } as const
    const { rows, total } = await searchPage(database.read, store, page, hits!, records)
    assert.is(total, docs.length)
    assert.equal(
      rows.map(({ name }) => name),
      names,
    )
  }
  return names
}
