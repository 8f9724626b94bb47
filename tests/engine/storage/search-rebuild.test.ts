import * as assert from 'uvu/assert'
import type { Database } from '../../../engine/storage/database/database.ts'
import { openSearch } from '../../../engine/storage/records/search.ts'
import { forEachDatabase } from '../../helpers/databases.ts'
import { found, OTHER, thing } from './search-helpers.ts'
import { definitionsOf, openDatabase, startSearch, startType, storedType } from './workspace.ts'

forEachDatabase('a search index', ({ test, create }) => {
  let database: Database

  test.before.each(async () => {
    database = openDatabase(await create())
  })

  test.after.each(() => database.close())

  test('finds by the new search fields alone after they have changed', async () => {
    const before = await startType(database, thing('title'))
    // More than are read at a time.
    await Promise.all(
      Array.from({ length: 1100 }, (_, index) =>
        before.add(`T-${index}`, { title: 'alpha', note: `secret${index}.` }),
      ),
    )
    const after = await startType(database, thing('note'))
    assert.equal(await found(after, 'alpha'), [])
    for (const index of [3, 499, 500, 1099]) {
      assert.equal(await found(after, `secret${index}.`), [`T-${index}`])
    }
    await after.add('T-new', { title: 'alpha', note: 'secret3.' })
    assert.equal(await found(after, 'secret3.'), ['T-3', 'T-new'])
  })

  test('never finds what a removed field held, and works again after its DocType was dropped', async () => {
    const before = await startType(database, thing('title, extra', '  extra: {type: data}'))
    await before.add('T-1', { title: 'alpha', extra: 'secret' })
    const without = await startType(database, thing('title'))
    assert.equal(await found(without, 'secret'), [])
    await startSearch(database, definitionsOf(OTHER), true)
    const back = await startType(database, thing('title'))
    assert.equal(await found(back, 'alpha'), [])
    await back.add('T-1', { title: 'beta' })
    assert.equal(await found(back, 'beta'), ['T-1'])
  })

  test('is left alone by a start that changes nothing', async () => {
    const first = await startType(database, thing('title'))
    await first.add('T-1', { title: 'alpha' })
    // Text that no rebuild would make.
    const doc = (await first.store.find(database.read, 'T-1'))!
    const { definition, search } = first
    await database.write((tx) => search.update(tx, definition, doc, { ...doc, title: 'marked' }))
    const second = await startType(database, thing('title'))
    assert.equal(await found(second, 'marked'), ['T-1'])
  })

  test('is numbered and made by one of two processes that start together', async () => {
    const place = await create()
    const opened = [openDatabase(place), openDatabase(place)] as const
    try {
      const [first] = opened
      const definitions = definitionsOf(thing('title'), OTHER)
      const things = storedType(first, definitions[0]!, await startSearch(first, definitions))
      await things.add('T-1', { title: 'alpha' })
      // Both have a connection by now, and neither is late.
      for (const one of opened)
        await one.write((tx) => tx.deleteFrom('svc_doctype_numbers').execute())
      const indexes = await Promise.all(
        opened.map((one) => one.write((tx) => openSearch(tx, one.kind, definitions))),
      )
      for (const [at, search] of indexes.entries())
        assert.equal(await found(storedType(opened[at]!, definitions[0]!, search), 'alpha'), [
          'T-1',
        ])
    } finally {
      for (const one of opened) await one.close()
    }
  })
})
