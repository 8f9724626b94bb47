import SqliteDatabase from 'better-sqlite3'
import fc from 'fast-check'
import pg from 'pg'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { compileExpression } from '../../../engine/expression/expression.ts'
import { toJs } from '../../../engine/expression/run/to-js.ts'
import {
  bindParameters,
  type ColumnOf,
  type SqlFragment,
  sqlText,
} from '../../../engine/expression/sql/sql-fragment.ts'
import type { Dialect } from '../../../engine/expression/sql/sql-operators.ts'
import { SQLITE_FUNCTIONS } from '../../../engine/expression/sql/sqlite-functions.ts'
import { sqlProblem, toSqlCondition, toSqlValue } from '../../../engine/expression/sql/to-sql.ts'
import { assignedNode, assignValue } from '../../../engine/expression/syntax/assign.ts'
import { ExpressionError, ExpressionProblem } from '../../../engine/expression/tree/problem.ts'
import type { EvalValue, Node } from '../../../engine/expression/tree/types.ts'
import { rounds, seedsOf } from '../../helpers/random.ts'
import { environment, FIELDS, flatDocument, KINDS, SCOPE, sources } from './random-expression.ts'

const SEEDS = seedsOf(import.meta.filename, [1])

/** A database with the random documents as the rows of `doc`. */
interface TestDatabase {
  readonly dialect: Dialect
  readonly query: (
    sql: string,
    parameters: readonly (string | bigint)[],
  ) => Promise<readonly Record<string, unknown>[]>
  readonly close: () => Promise<void>
}

function openSqlite(): TestDatabase {
  const db = new SqliteDatabase(':memory:')
  db.defaultSafeIntegers(true)
  for (const { name, run } of SQLITE_FUNCTIONS) {
    db.function(
      name,
      { varargs: true, deterministic: true, safeIntegers: true },
      run as (...args: unknown[]) => unknown,
    )
  }
  const query: TestDatabase['query'] = async (sql, parameters) => {
    const statement = db.prepare(sql)
    if (!statement.reader) return statement.run(...parameters) && []
    return statement.all(...parameters) as Record<string, unknown>[]
  }
  return { dialect: 'sqlite', query, close: async () => void db.close() }
}

async function openPostgres(url: string): Promise<TestDatabase> {
  const client = new pg.Client(url)
  await client.connect()
  const query: TestDatabase['query'] = async (sql, parameters) =>
    (await client.query(sql, [...parameters])).rows
  return { dialect: 'postgres', query, close: () => client.end() }
}

const url = process.env.SVC_TEST_DATABASE_URL
const databases = [openSqlite(), ...(url ? [await openPostgres(url)] : [])]
/** Of the last seed, which a deep run draws. */
const documents = fc.sample(flatDocument, { seed: SEEDS.at(-1)!, numRuns: 30 })

function isTextField(name: string): boolean {
  return ['str', 'date', 'datetime', 'time', 'json'].includes(
    FIELDS.find((field) => field.name === name)!.kind,
  )
}

async function fill({ dialect, query }: TestDatabase): Promise<void> {
  const [text, integer, temporary] =
    dialect === 'sqlite' ? ['text', 'integer', ''] : ['text collate "C"', 'bigint', 'temporary']
  const columns = FIELDS.map(({ name }) => `"${name}" ${isTextField(name) ? text : integer}`)
  await query(`create ${temporary} table doc (rid integer primary key, ${columns.join(', ')})`, [])
  for (const [rid, doc] of documents.entries()) {
    const values = FIELDS.map(({ name }) => quote(doc[name]))
    await query(`insert into doc values (${rid}, ${values.join(', ')})`, [])
  }
}

function quote(value: unknown): string {
  if (value === null) return 'null'
  return typeof value === 'string'
    ? `'${value.replaceAll("'", "''")}'`
    : String(Number.isNaN(value) ? null : BigInt(value as bigint))
}

const columnOf: ColumnOf = (of, name) =>
  of === 'doc' ? { sql: `"${name}"`, nullable: true } : undefined

function compile(text: string): Node {
  const result = compileExpression(text, SCOPE)
  if (!result.ok) throw new ExpressionProblem(result.problem.message, [0, 1])
  return result.expression.tree
}

/** The value a statement gave, as JavaScript computes it. */
function fromSql(value: unknown, node: Node): EvalValue {
  if (typeof value === 'string' && ['str', 'date', 'datetime', 'time'].includes(node.kind))
    return value
  const number = BigInt(String(value))
  if (node.kind === 'bool') return number === 1n
  return node.kind === 'int' ? Number(number) : number
}

function evaluate(run: () => EvalValue): EvalValue | ExpressionError {
  try {
    return run()
  } catch (error) {
    if (error instanceof ExpressionError) return error
    throw error
  }
}

async function select(
  { dialect, query }: TestDatabase,
  fragment: SqlFragment,
  rid: number,
): Promise<unknown> {
  const sql = `select ${sqlText(fragment, dialect)} as v from doc where rid = ${rid}`
  return (await query(sql, bindParameters(fragment, environment)))[0]!.v
}

async function assertSame(database: TestDatabase, text: string, node: Node): Promise<void> {
  const compiled = toJs(node)
  const expected = documents.map((doc) => evaluate(() => compiled(doc, environment)))
  const fragment = toSqlValue(node, database.dialect, columnOf)
  const where = node.kind === 'bool' ? toSqlCondition(node, database.dialect, columnOf) : undefined
  if (expected.some((value) => value instanceof ExpressionError)) {
    // One bad row would end a statement over all; where JavaScript has a value, the row alone must give it.
    for (const [rid, value] of expected.entries()) {
      if (value instanceof ExpressionError) continue
      assert.is(
        fromSql(await select(database, fragment, rid), node),
        value,
        `${database.dialect}: ${text}`,
      )
    }
    return
  }
  const sql = `select ${sqlText(fragment, database.dialect)} as v from doc order by rid`
  const rows = await database.query(sql, bindParameters(fragment, environment))
  for (const [rid, row] of rows.entries()) {
    assert.is(
      fromSql(row.v, node),
      expected[rid],
      `${database.dialect}, row ${rid}: ${text}\n${sql}`,
    )
  }
  if (!where) return
  const found = await database.query(
    `select rid from doc where ${sqlText(where, database.dialect)} order by rid`,
    bindParameters(where, environment),
  )
  const wanted = expected.flatMap((value, rid) => (value === true ? [rid] : []))
  assert.equal(
    found.map((row) => Number(row.rid)),
    wanted,
    `${database.dialect}: where ${text}`,
  )
}

for (const database of databases) {
  const test = suite(`expressions in ${database.dialect}`)
  const kinds = fc.constantFrom(...KINDS)
  const source = sources({ rows: false })

  test.before(() => fill(database))
  test.after(() => database.close())

  for (const seed of SEEDS)
    test(`give what JavaScript gives, on numbers of up to 15 digits (seed ${seed})`, async () => {
      const property = fc.asyncProperty(
        kinds.chain((kind) => source(kind, 3)),
        async (text) => {
          const result = compileExpression(text, SCOPE)
          if (result.ok) await assertSame(database, text, result.expression.tree)
        },
      )
      await fc.assert(property, { seed, numRuns: rounds(300) })
    })

  test('round a product, a quotient and an assignment like JavaScript', async () => {
    for (const text of [
      'qty * rate',
      'total / qty',
      'total * rate / 100',
      'total * qty * rate',
      'price / 3 / 7',
      'total % price',
    ]) {
      const node = compile(`(qty != 0 && price != 0) ? ${text} : 0`)
      await assertSame(database, text, node)
      const money = { kind: 'money', scale: 4 } as const
      const stored = toSqlValue(assignedNode(node, money, 2), database.dialect, columnOf)
      for (const [rid, doc] of documents.entries()) {
        const value = toJs(node)(doc, environment)
        const expected = evaluate(() => assignValue(value, node, money, 2) as bigint)
        if (expected instanceof ExpressionError) continue
        assert.is(
          BigInt(String(await select(database, stored, rid))),
          expected,
          `${database.dialect}, row ${rid}: ${text}`,
        )
      }
    }
  })

  test('reach no division by zero that a condition rules out, though its sides are the same for all rows', async () => {
    for (const by of ['%', '/']) {
      const text = `qty >= qty ? 5 : 7 ${by} (old.s.size() - old.s.size())`
      const node = compile(text)
      const found = await select(database, toSqlValue(node, database.dialect, columnOf), 0)
      assert.is(fromSql(found, node), toJs(node)(documents[0]!, environment), text)
    }
  })

  test('raise on a division by zero', async () => {
    const fragment = toSqlValue(compile('total / (qty - qty)'), database.dialect, columnOf)
    let message = ''
    await select(database, fragment, 0).catch((error: Error) => {
      message = error.message
    })
    assert.match(message, 'division by zero')
  })

  test.run()
}

const shape = suite('SQL of an expression')

const sqlOf = (text: string, dialect: Dialect = 'postgres') =>
  sqlText(toSqlCondition(compile(text), dialect, columnOf), dialect)

shape(
  'leaves a column bare beside a constant that unset does not equal, so that an index serves it',
  () => {
    assert.is(sqlOf('s == "ab" && total > 10.5'), '(("s" = $1::text) and ("total" > 105000))')
    assert.is(sqlOf('s != "ab"'), `(coalesce("s", '') <> $1::text)`)
    assert.is(sqlOf('!(s == "ab")'), `(not (coalesce("s", '') = $1::text))`)
  },
)

shape('never contains a constant text itself', () => {
  const hostile = `'; drop table doc; --`
  const fragment = toSqlCondition(compile(`s == ${JSON.stringify(hostile)}`), 'sqlite', columnOf)
  assert.is(sqlText(fragment, 'sqlite'), '("s" = ?)')
  assert.equal(bindParameters(fragment, environment), [hostile])
})

shape('guards a division behind && with CASE, since databases may compute both sides', () => {
  assert.match(sqlOf('qty != 0 && total / qty > 1', 'sqlite'), /^\(case when .* else false end\)$/)
})

shape('is refused for row macros and for functions that databases compute differently', () => {
  assert.throws(() => sqlOf('items.count() > 0'), /cannot run in the database/)
  assert.throws(() => sqlOf('lower(s) == "x"'), /lower\(\) cannot run in the database/)
})

shape('can be asked for when the expression is loaded', () => {
  const problem = (text: string) => sqlProblem(compile(text), columnOf)
  assert.is(problem('s == "x" && total / qty > 1 && add_days(d, n) < today()'), undefined)
  for (const [text, at] of [
    ['s == "x" && lower(t) == "x"', 12],
    ['f || items.exists(i, i.ok)', 11],
    ['has(old.s)', 8],
  ] as const)
    assert.is(problem(text)?.offset, at, text)
})

shape('numbers its parameters from where the caller is', () => {
  const fragment = toSqlCondition(compile('s == "a" && t == "b"'), 'postgres', columnOf)
  assert.is(sqlText(fragment, 'postgres', 4), '(("s" = $4::text) and ("t" = $5::text))')
})

shape.run()
