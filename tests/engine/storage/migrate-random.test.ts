import * as assert from 'uvu/assert'
import type { Database } from '../../../engine/storage/database/database.ts'
import { openPostgres } from '../../../engine/storage/database/postgres.ts'
import { openSqlite } from '../../../engine/storage/database/sqlite.ts'
import { migrate } from '../../../engine/storage/migration/migrate.ts'
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
          let names: Lineage = new Map()
          let expected: Row[] = []
          for (const { shapes, lineage, allowDrop } of randomShapes(random, 12)) {
            await migrate(database, shapes, { allowDrop, full: random.chance(0.3) })
            await assertAsWanted(database, shapes)
            assert.equal((await migrate(database, shapes)).steps, [])
            expected = expected.map((row) => carried(row, names, lineage))
            names = lineage
            const columns = [...lineage.keys()]
            assert.equal(
              await values(database, 'a', columns),
              expected.map((row) => columns.map((name) => row[name])),
            )
            const row = Object.fromEntries(
              columns.map((name) => [name, String(expected.length * 100 + 7)]),
            )
            const types = new Map(shapes[0]!.columns.map(({ name, type }) => [name, type]))
            await insert(database, 'a', [
              Object.fromEntries(
                columns.map((name) => [
                  name,
                  types.get(name) === 'integer' ? big(row[name]!) : row[name],
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

/** What a row holds after a migration: values move with the field's identity, a new field is unset. */
function carried(row: Row, before: Lineage, after: Lineage): Row {
  const nameOf = new Map([...before].map(([name, field]) => [field, name]))
  return Object.fromEntries(
    [...after].map(([name, field]) => {
      const old = nameOf.get(field)
      return [name, old === undefined ? null : row[old]]
    }),
  )
}

function open(place: TestDatabase): Database {
  return place.kind === 'sqlite'
    ? openSqlite({ file: place.file, durability: 'normal' })
    : openPostgres({ url: place.url, poolSize: 2 })
}
