import SqliteDatabase from 'better-sqlite3'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { compileExpression } from '../../../engine/expression/expression.ts'
import { toJs } from '../../../engine/expression/run/to-js.ts'
import {
  bindParameters,
  type ColumnOf,
  sqlText,
} from '../../../engine/expression/sql/sql-fragment.ts'
import { SQLITE_FUNCTIONS } from '../../../engine/expression/sql/sqlite-functions.ts'
import { documentScope, fieldsOf, withRecord } from '../../../engine/expression/tree/scope.ts'
import { conditionFor } from '../../../engine/rules/cells/record-search.ts'

const FIELDS = [
  { name: 'person', kind: 'str' as const },
  { name: 'day', kind: 'date' as const },
  { name: 'count', kind: 'int' as const },
  { name: 'cost', kind: 'money' as const },
  { name: 'open', kind: 'bool' as const },
]
const SCOPE = withRecord(documentScope(FIELDS), 'this', fieldsOf(FIELDS))
const columns: ColumnOf = (of, name) =>
  of === 'doc' ? { sql: `"${name}"`, nullable: true } : undefined

function condition(source: string) {
  const result = compileExpression(source, SCOPE, { kind: 'bool', scale: 0 })
  if (!result.ok) throw new Error(result.problem.message)
  return result.expression.tree
}

function environment(self: Readonly<Record<string, unknown>>) {
  return { today: '2026-03-09', now: '', records: { this: self } }
}

const texts = suite('a condition over what is found')

texts('is bare where the value it compares with is set, so that an index serves it', () => {
  const made = conditionFor(condition('person == this.person && this.day <= day'), columns)
  const text = (self: object): string => sqlText(made('sqlite', environment({ ...self })), 'sqlite')
  const all = { person: 'A', day: '2026-01-01' }
  assert.is(text(all), '(("person" = ?) and (? <= "day"))')
  assert.is(text({ ...all, day: null }), `(("person" = ?) and (? <= coalesce("day", '')))`)
  assert.is(text({}), `((coalesce("person", '') = ?) and (? <= coalesce("day", '')))`)
})

texts('finds the same as the expression says, whatever is set and whatever is not', () => {
  const db = new SqliteDatabase(':memory:').defaultSafeIntegers(true)
  for (const { name, run } of SQLITE_FUNCTIONS)
    db.function(name, { varargs: true, safeIntegers: true }, run as (...args: unknown[]) => unknown)
  const persons = [null, 'A', 'B']
  const numbers = [null, -1, 0, 1]
  const rows = persons.flatMap((person) =>
    numbers.map((count) => ({
      person,
      count,
      cost: count === null ? null : BigInt(count) * 10_000n,
      day: person === null ? null : `2026-01-0${(count ?? 1) + 2}`,
      open: count === null ? null : count > 0,
    })),
  )
  db.exec('create table found (person text, count integer, cost integer, day text, open integer)')
  const insert = db.prepare('insert into found values (?, ?, ?, ?, ?)')
  for (const { person, count, cost, day, open } of rows)
    insert.run(person, count, cost, day, open === null ? null : Number(open))
  for (const { name } of FIELDS) {
    for (const operator of name === 'open' ? ['==', '!='] : ['==', '!=', '<', '<=', '>', '>=']) {
      for (const [a, b] of [
        [name, `this.${name}`],
        [`this.${name}`, name],
      ]) {
        const source = `${a} ${operator} ${b}`
        const tree = condition(source)
        const made = conditionFor(tree, columns)
        const evaluate = toJs(tree)
        for (const self of rows) {
          const env = environment(self)
          const fragment = made('sqlite', env)
          const text = `select count(*) as found from found where ${sqlText(fragment, 'sqlite')}`
          const { found } = db.prepare(text).get(...bindParameters(fragment, env)) as {
            found: bigint
          }
          const expected = rows.filter((row) => evaluate(row, env) === true).length
          assert.is(Number(found), expected, `${source} with ${Object.values(self).join(' ')}`)
        }
      }
    }
  }
  db.close()
})

texts.run()
