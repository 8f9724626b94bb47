import * as assert from 'uvu/assert'
import type { Database } from '../../../engine/storage/database/database.ts'
import { openSqlite } from '../../../engine/storage/database/sqlite.ts'
import { migrate } from '../../../engine/storage/migration/migrate.ts'
import { openPostgres } from '../../../engine/storage/postgres/postgres.ts'
import type { ColumnShape } from '../../../engine/storage/records/shape.ts'
import { forEachDatabase, type TestDatabase } from '../../helpers/databases.ts'
import { randomOf, rounds, seedsOf } from '../../helpers/random.ts'
import { type Lineage, randomShapes } from './random-shapes.ts'
import { assertAsWanted, big, insert, type Row, values } from './table-content.ts'

const SEEDS = seedsOf(import.meta.filename, [1, 2])

forEachDatabase('a history of definitions', ({ test, create }) => {
  for (const seed of SEEDS)
    test(`reaches every shape from every other, and keeps the rows (seed ${seed})`, async () => {
      const random = randomOf(seed)
      for (let run = 0; run < rounds(1); run += 1) {
        const database = open(await create())
        try {
          let kept: Kept = { names: new Map(), columns: new Map(), gone: new Map() }
          let expected: Row[] = []
          for (const { shapes, lineage, allowDrop } of randomShapes(random, 12)) {
            const retire = random.chance(0.3)
            await migrate(database, shapes, { allowDrop, retire, full: random.chance(0.3) })
            await assertAsWanted(database, shapes)
            assert.equal((await migrate(database, shapes)).steps, [])
            const wanted = new Map(shapes[0]!.columns.map((column) => [column.name, column]))
            const next = { names: lineage, columns: wanted }
            const move = moved(kept, next, { allowDrop, retire })
            expected = expected.map(move.row)
            kept = move.kept
            const columns = [...lineage.keys()]
            assert.equal(
              await values(database, 'a', columns),
              expected.map((row) => columns.map((name) => row[name])),
            )
            const row = Object.fromEntries(
              columns.map((name) => [name, String(expected.length * 100 + 7)]),
            )
            await insert(database, 'a', [
              Object.fromEntries(
                columns.map((name) => [
                  name,
                  wanted.get(name)?.type === 'integer' ? big(row[name]!) : row[name],
                ]),
              ),
            ])
            expected.push(row)
          }
        } finally {
          await database.close()
        }
      }
    })
})

type Types = ReadonlyMap<string, string>

/** What the columns hold: fields by name, and the types of columns without one, the ones set aside too. */
interface Kept {
  readonly names: Lineage
  readonly columns: ReadonlyMap<string, ColumnShape>
  readonly gone: Types
}

/**
 * What a row holds after a migration: values move with the identity of their field and stay when it goes; a field of a
 * name whose values are still there gets them, in their type or under the name they had got by then, any other is unset.
 */
function moved(
  before: Kept,
  after: Pick<Kept, 'names' | 'columns'>,
  { allowDrop, retire }: { readonly allowDrop: boolean; readonly retire: boolean },
): { readonly kept: Kept; readonly row: (row: Row) => Row } {
  const nameOf = new Map([...before.names].map(([name, field]) => [field, name]))
  const wanted = [...after.columns.values()]
  const used = new Set(wanted.flatMap(({ name, renamedFrom = name }) => [name, renamedFrom]))
  const sources = new Map<string, string>()
  const gone = new Map(before.gone)
  for (const [name, field] of after.names) {
    const type = after.columns.get(name)?.type
    const renamed = [...before.columns.values()].find(
      (one) => one.renamedFrom === name && !used.has(one.name) && !gone.has(name),
    )
    const old = nameOf.get(field) ?? (renamed?.type === type ? renamed?.name : undefined)
    const there = gone.has(name) ? name : newest(name, gone)
    const isBack = there !== undefined && gone.get(there) === type
    if (old !== undefined) sources.set(name, old)
    else if (isBack) sources.set(name, there)
    if (old === undefined && isBack) gone.delete(there)
  }
  const moving = new Set(sources.values())
  for (const [name, { type }] of before.columns) if (!moving.has(name)) gone.set(name, type)
  const stays = new Map<string, string>()
  for (const [name, type] of [...gone]) {
    const isDisplaced = after.names.has(name)
    const isAside = name.startsWith('_')
    if (allowDrop && !isDisplaced) gone.delete(name)
    else if (isDisplaced || (retire && !isAside)) {
      const to = asideName(name, before.gone)
      gone.delete(name)
      gone.set(to, type)
      stays.set(to, name)
    } else stays.set(name, name)
  }
  const moves = [...sources, ...stays]
  return {
    kept: { ...after, gone },
    row: (row) => ({
      ...Object.fromEntries([...after.names.keys()].map((name) => [name, null])),
      ...Object.fromEntries(moves.map(([to, from]) => [to, row[from] ?? null])),
    }),
  }
}

function newest(name: string, gone: Types): string | undefined {
  const aside = [...gone.keys()].filter((one) => one.startsWith(`_dropped_${name}_`))
  return aside.toSorted((a, b) => Number(b.split('_')[3]) - Number(a.split('_')[3]))[0]
}

function asideName(name: string, gone: Types): string {
  const last = newest(name, gone)
  return `_dropped_${name}_${last === undefined ? 1 : Number(last.split('_')[3]) + 1}`
}

function open(place: TestDatabase): Database {
  return place.kind === 'sqlite'
    ? openSqlite({ file: place.file, durability: 'normal' })
    : openPostgres({ url: place.url, poolSize: 2 })
}
