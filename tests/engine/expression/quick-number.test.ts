import BetterSqlite3 from 'better-sqlite3'
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { compileExpression } from '../../../engine/expression/expression.ts'
import { interpret } from '../../../engine/expression/run/interpret.ts'
import { quickNumber } from '../../../engine/expression/run/quick-number.ts'
import { sqlText } from '../../../engine/expression/sql/sql-fragment.ts'
import { SQLITE_QUICK } from '../../../engine/expression/sql/sql-operators.ts'
import { toSqlValue } from '../../../engine/expression/sql/to-sql.ts'
import { assignedNode } from '../../../engine/expression/syntax/assign.ts'
import { ExpressionError } from '../../../engine/expression/tree/problem.ts'
import { documentScope, type ScopeField } from '../../../engine/expression/tree/scope.ts'
import type { Node, ValueType } from '../../../engine/expression/tree/types.ts'
import { rounds, seedsOf } from '../../helpers/random.ts'

const SEEDS = seedsOf(import.meta.filename, [1, 2])

const FIELDS: readonly ScopeField[] = [
  { name: 'amount', kind: 'money', scale: 4 },
  { name: 'net', kind: 'money', scale: 4 },
  { name: 'qty', kind: 'decimal', scale: 6 },
  { name: 'done', kind: 'decimal', scale: 6 },
  { name: 'rate', kind: 'decimal', scale: 9 },
]
const SCOPE = documentScope(FIELDS)
const TYPES: readonly ValueType[] = [
  { kind: 'money', scale: 4 },
  { kind: 'decimal', scale: 6 },
  { kind: 'decimal', scale: 2 },
  { kind: 'decimal', scale: 9 },
]
const TEXTS = [
  'amount * rate',
  'net * qty',
  'qty * done',
  '-(amount * rate) + net',
  'amount / qty',
  'amount * 100 / net',
  'done / rate',
  'qty == 0 ? 0 : done * amount / qty',
  'qty == 0 ? amount * rate : net / qty',
  'qty > done ? amount * rate : -(net * rate)',
  '(amount + net) * (qty - done) / (qty + done)',
  'amount * qty * rate',
  'net / 7',
  'amount / 0.03',
]

const quick = suite("SQLite's own integers for products and quotients")
const database = new BetterSqlite3(':memory:')
database.exec(`create table doc (${FIELDS.map(({ name }) => `${name} integer`).join(', ')})`)
const insert = database.prepare(`insert into doc values (${FIELDS.map(() => '?').join(', ')})`)

quick.after(() => {
  database.close()
})

/** What SQLite finds, or undefined where it is no whole number. */
function found(node: Node): bigint | undefined {
  const fragment = toSqlValue(
    node,
    'sqlite',
    (of, name) => (of === 'doc' ? { sql: name, nullable: true } : undefined),
    SQLITE_QUICK,
  )
  assert.equal(fragment.parameters, [])
  const { type, value } = database
    .prepare(
      `select typeof(v) as type, v as value from (select ${sqlText(fragment, 'sqlite')} as v from doc)`,
    )
    .safeIntegers()
    .get() as { type: string; value: bigint }
  return type === 'integer' ? value : undefined
}

const MAX = 2n ** 63n - 1n
const number = fc.oneof(
  { weight: 6, arbitrary: fc.bigInt({ min: -(10n ** 9n), max: 10n ** 9n }) },
  { weight: 2, arbitrary: fc.constantFrom(0n, 1n, -1n, 3n, 5n, -5n, 10n ** 6n, 15n * 10n ** 8n) },
  { weight: 2, arbitrary: fc.bigInt({ min: -(10n ** 14n), max: 10n ** 14n }) },
  { weight: 1, arbitrary: fc.bigInt({ min: -MAX, max: MAX }) },
)

for (const seed of SEEDS)
  quick(`find what JavaScript does, or say that they cannot (seed ${seed})`, () => {
    let right = 0
    let left = 0
    const property = fc.property(
      fc.constantFrom(...TEXTS),
      fc.constantFrom(...TYPES),
      fc.tuple(number, number, number, number, number),
      (text, type, values) => {
        const result = compileExpression(text, SCOPE)
        assert.ok(result.ok, text)
        const node = assignedNode(result.expression.tree, type)
        const form = quickNumber(node)
        assert.ok(form, text)
        database.exec('delete from doc')
        insert.run(...values)
        const doc = Object.fromEntries(FIELDS.map(({ name }, at) => [name, values[at]!]))
        const mine = found(form)
        if (mine === undefined) {
          left += 1
          return
        }
        right += 1
        let expected: unknown
        try {
          expected = interpret(node, doc, { today: '', now: '', records: {} })
        } catch (error) {
          if (!(error instanceof ExpressionError)) throw error
          expected = error.message
        }
        assert.is(mine, expected, `${text} as ${JSON.stringify(type)} of ${values}`)
      },
    )
    fc.assert(property, { seed, numRuns: rounds(4000) })
    assert.ok(right > left, `${right} found, ${left} left to the functions`)
  })

quick('leave alone what could hide that a number was too large', () => {
  for (const text of [
    'amount * rate > net * rate ? amount : net',
    'max(amount * rate, net * qty)',
    'amount / qty + net / qty',
    'amount * rate % 7',
  ]) {
    const result = compileExpression(text, SCOPE)
    assert.ok(result.ok, text)
    assert.is(quickNumber(assignedNode(result.expression.tree, TYPES[0]!)), undefined, text)
  }
})

quick.run()
