import { sql } from 'kysely'
import * as assert from 'uvu/assert'
import type { Database, Db } from '../../../engine/storage/database/database.ts'
import type { Doc } from '../../../engine/storage/database/document.ts'
import { forEachDatabase } from '../../helpers/databases.ts'
import { type Random, randomOf, rounds, seedsOf } from '../../helpers/random.ts'
import { found, thing } from './search-helpers.ts'
import {
  definitionsOf,
  openDatabase,
  type StoredType,
  startSearch,
  storedType,
} from './workspace.ts'

const SEEDS = seedsOf(import.meta.filename, [1])

const WORDS = ['Ärger', 'apple', 'ap', 'x', 'plum', '日本語', '50%', 'ΟΔΟΣ']

/** A change that is to be forgotten. */
class TakenBack extends Error {}

forEachDatabase('texts that wait for the index', ({ test, create }) => {
  for (const seed of SEEDS)
    test(`are found as if none waited, whoever wrote them (seed ${seed})`, async () => {
      const place = await create()
      const opened = [openDatabase(place), openDatabase(place)]
      try {
        await compare(opened, randomOf(seed))
      } finally {
        for (const database of opened) await database.close()
      }
    })

  test('are moved into it, also where every second write is taken back', async () => {
    const database = openDatabase(await create())
    const definitions = definitionsOf(thing('title, note'))
    const index = await startSearch(database, definitions)
    const { add, definition, store } = storedType(database, definitions[0]!, index)
    const standard = { owner: 'ann', created: '', modified: '', modified_by: 'ann' }
    for (let n = 0; n < 300; n += 1) {
      const doc = { rid: 0, ...standard, docstatus: 0, version: 1, title: `taken ${n}`, note: null }
      await add(`a${n}`, { title: `kept ${n}`, note: null })
      await database.rehearse(async (tx) => {
        await store.insert(tx, { ...doc, name: `b${n}` })
        await index.insert(tx, definition, { ...doc, name: `b${n}`, rid: n + 1_000_000 })
      })
    }
    if (database.kind === 'sqlite') {
      const { rows } = await sql<{
        n: bigint
      }>`select count(*) as n from svc_search_waiting`.execute(database.read)
      assert.ok(rows[0]!.n <= 64n, `${rows[0]!.n} wait`)
    }
    await database.close()
  })

  /** Two processes with the same records write, change, remove and take back; what is found is what a list of all texts says. */
  async function compare(opened: readonly Database[], random: Random): Promise<void> {
    const definitions = definitionsOf(thing('title, note'))
    const types: StoredType[] = []
    for (const database of opened)
      types.push(storedType(database, definitions[0]!, await startSearch(database, definitions)))
    const docs = new Map<string, Doc>()
    for (let step = 0; step < rounds(400); step += 1) {
      const type = random.one(types)
      const isTakenBack = random.chance(0.2)
      const changed = await type.database
        .write((tx) => changeSome(tx, type, docs, random, isTakenBack))
        .catch((error: unknown) => {
          if (error instanceof TakenBack) return new Map<string, Doc | undefined>()
          throw error
        })
      for (const [name, doc] of changed)
        if (doc) docs.set(name, doc)
        else docs.delete(name)
      if (step % 10 === 0) await sameAsAll(random.one(types), docs, random)
    }
  }

  async function changeSome(
    tx: Db,
    type: StoredType,
    docs: ReadonlyMap<string, Doc>,
    random: Random,
    isTakenBack: boolean,
  ): Promise<Map<string, Doc | undefined>> {
    const changed = new Map<string, Doc | undefined>()
    for (let n = random.below(4); n >= 0; n -= 1) await change(tx, type, docs, changed, random)
    if (isTakenBack) throw new TakenBack()
    return changed
  }

  async function change(
    tx: Db,
    { definition, store, search }: StoredType,
    docs: ReadonlyMap<string, Doc>,
    changed: Map<string, Doc | undefined>,
    random: Random,
  ): Promise<void> {
    const name = `T-${random.below(150)}`
    const doc = changed.has(name) ? changed.get(name) : docs.get(name)
    const time = '2026-01-01T00:00:00.000Z'
    if (!doc) {
      const standard = { owner: 'ann', created: time, modified: time, modified_by: 'ann' }
      const made: Doc = { rid: 0, name, ...standard, docstatus: 0, version: 1, ...texts(random) }
      await store.insert(tx, made)
      await search.insert(tx, definition, made)
      changed.set(name, made)
    } else if (random.chance(0.4)) {
      await store.remove(tx, doc)
      await search.remove(tx, definition, doc)
      changed.set(name, undefined)
    } else {
      const after: Doc = { ...doc, ...texts(random) }
      await store.update(tx, doc, after)
      await search.update(tx, definition, doc, after)
      changed.set(name, after)
    }
  }

  async function sameAsAll(
    type: StoredType,
    docs: ReadonlyMap<string, Doc>,
    random: Random,
  ): Promise<void> {
    const q = sentence(random)
    const words = plain(q).split(' ')
    const expected = [...docs.values()].filter((doc) => {
      const text = plain([doc.name, doc.title, doc.note].join('\n'))
      return words.every((word) => text.includes(word))
    })
    assert.equal(await found(type, q), expected.map(({ name }) => name).toSorted(), q)
    const having = await type.search.having(type.database.read, [type.definition], q)
    assert.is(having.length, expected.length > 0 ? 1 : 0, q)
  }
})

/** One text of ten is so long that it does not wait. */
function texts(random: Random): { title: string; note: string } {
  const note = sentence(random)
  return { title: sentence(random), note: random.chance(0.1) ? `${note} `.repeat(150) : note }
}

function sentence(random: Random): string {
  return Array.from({ length: 1 + random.below(2) }, () => random.one(WORDS)).join(' ')
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ')
}
