import * as assert from 'uvu/assert'
import type { Database } from '../../../engine/storage/database/database.ts'
import type { Doc } from '../../../engine/storage/database/document.ts'
import { forEachDatabase, type TestDatabase } from '../../helpers/databases.ts'
import { type Random, randomOf, rounds, seedsOf } from '../../helpers/random.ts'
import { found, OTHER, thing } from './search-helpers.ts'
import {
  definitionsOf,
  openDatabase,
  type StoredType,
  startSearch,
  startType,
  storedType,
} from './workspace.ts'

const SEEDS = seedsOf(import.meta.filename, [1])

const WORDS = [
  'ab',
  'abc',
  'Abcd',
  'a',
  'ß',
  'Ärger',
  'łÓDŹ',
  'ΟΔΟΣ',
  '日本語',
  '💶€',
  '50%',
  '5_0',
  'x"y',
  "o'k",
  '""',
  'c\\d',
  'and',
  'NOT',
  '(a*',
  'title:',
  '-',
]

forEachDatabase('a search', ({ test, create }) => {
  const opened: Database[] = []

  test.after(async () => {
    for (const database of opened) await database.close()
  })

  function open(place: TestDatabase): Database {
    const database = openDatabase(place)
    opened.push(database)
    return database
  }

  async function start(): Promise<StoredType> {
    return startType(open(await create()), thing('title, note'))
  }

  test('finds parts of words, short ones and beyond ASCII, whatever their case', async () => {
    const things = await start()
    await things.add('T-1', { title: 'Ärger in Łódź', note: 'ΟΔΟΣΑ 日本語 💶' })
    await things.add('T-2', { title: 'plain' })
    for (const q of [
      'ä',
      'ÄR',
      'ÄRGER',
      'łódź',
      'ŁÓ',
      'οδος',
      'ΟΔΟΣ',
      '日',
      '本語',
      '日本語',
      '💶',
      't-1',
      '1',
    ]) {
      assert.equal(await found(things, q), ['T-1'], q)
    }
    assert.equal(await found(things, 'A\u0308rger'), ['T-1'], 'decomposed')
    assert.equal(await found(things, 'i'), ['T-1', 'T-2'])
    assert.equal(await found(things, 'argera'), [])
  })

  test('takes every character of q for itself', async () => {
    const things = await start()
    await things.add('T-1', { title: '50% "off" c\\d a_b', note: "it's (x* OR y) title:z" })
    await things.add('T-2', { title: '500 off cd aXb', note: 'its x y z' })
    for (const q of [
      '0%',
      '50%',
      '%',
      '_',
      'a_b',
      '"',
      '"off"',
      '"off',
      'off"',
      '""',
      '\\',
      'c\\d',
      "'",
      "it's",
      '(x*',
      '*',
      'y)',
      'title:z',
      ':z',
    ]) {
      assert.equal(await found(things, q), q === '""' ? [] : ['T-1'], q)
    }
  })

  test('wants every word, in any field and order, and has no limit of words', async () => {
    const things = await start()
    const many = Array.from({ length: 40 }, (_, index) => `w${index}x`)
    await things.add('T-1', { title: 'red apple', note: 'green pear' })
    await things.add('T-2', { title: 'red', note: many.join(' ') })
    assert.equal(await found(things, 'pear red'), ['T-1'])
    assert.equal(await found(things, 'RED  \t ap r g'), ['T-1'])
    assert.equal(await found(things, 'red blue'), [])
    assert.equal(await found(things, many.join(' ')), ['T-2'])
    assert.equal(await found(things, [...many, 'missing'].join(' ')), [])
    assert.equal(await found(things, '  '), ['T-1', 'T-2'])
  })

  test('never joins the end of one field with the begin of the next', async () => {
    const things = await start()
    await things.add('T-1', { title: 'over', note: 'flow' })
    assert.equal(await found(things, 'overflow'), [])
    assert.equal(await found(things, 'rfl'), [])
  })

  test('follows changes and removals', async () => {
    const things = await start()
    const { database, definition, store, search } = things
    const doc = await things.add('T-1', { title: 'before' })
    const after: Doc = { ...doc, title: 'after' }
    await database.write(async (tx) => {
      await store.update(tx, doc, after)
      await search.update(tx, definition, doc, after)
    })
    assert.equal(await found(things, 'before'), [])
    assert.equal(await found(things, 'after'), ['T-1'])
    await things.remove(after)
    assert.equal(await found(things, 'after'), [])
    assert.is(await search.count(database.read, definition, 'after'), 0)
  })

  test('stays within its DocType', async () => {
    const database = open(await create())
    const definitions = definitionsOf(thing('title'), OTHER)
    const search = await startSearch(database, definitions)
    const [first, second] = definitions.map((one) => storedType(database, one, search))
    await first!.add('X-1', { title: 'shared' })
    await second!.add('X-2', { title: 'shared' })
    assert.equal(await found(first!, 'shared'), ['X-1'])
    assert.equal(await found(second!, 'shared'), ['X-2'])
  })

  for (const seed of SEEDS)
    test(`finds what a search through all texts finds (seed ${seed})`, async () => {
      const things = await start()
      const random = randomOf(seed)
      const texts = new Map<string, string>()
      for (let index = 0; index < 40; index += 1) {
        const [title, note] = [sentence(random), sentence(random)]
        const { name } = await things.add(`T-${index}`, { title, note })
        texts.set(name, plain([name, title, note].join('\n')))
      }
      for (let round = 0; round < rounds(100); round += 1) {
        const q = random.chance(0.5) ? sentence(random) : partOf(random, [...texts.values()])
        const terms = plain(q).split(/\s+/u)
        const expected = [...texts].filter(([, text]) => terms.every((term) => text.includes(term)))
        assert.equal(await found(things, q), expected.map(([name]) => name).toSorted(), q)
      }
    })
})

function plain(text: string): string {
  return text.normalize('NFC').toLowerCase().replaceAll('ς', 'σ')
}

function sentence(random: Random): string {
  return Array.from({ length: 1 + random.below(3) }, () => random.one(WORDS)).join(' ')
}

/** Some characters in a row of one of these texts. */
function partOf(random: Random, texts: readonly string[]): string {
  const characters = [...random.one(texts)]
  const start = random.below(characters.length)
  const part = characters
    .slice(start, start + 1 + random.below(6))
    .join('')
    .trim()
  return part === '' ? 'ab' : part
}
