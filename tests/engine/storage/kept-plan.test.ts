import Sqlite from 'better-sqlite3'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { keptPlan } from '../../../engine/storage/database/kept-plan.ts'

const COLUMNS = Array.from({ length: 40 }, (_, index) => `c${index}`)
const ROWS = `select row_id, ${COLUMNS.join(', ')} from t where parent = ? order by idx`

function tableOfRows(): Sqlite.Database {
  const memory = new Sqlite(':memory:')
  const columns = COLUMNS.map((name) => `${name} text`).join(', ')
  memory.exec(
    `create table t (row_id text primary key, parent integer, idx integer, ${columns}) strict`,
  )
  memory.exec('create index ix on t (parent, idx)')
  memory.exec(`insert into t (row_id, parent, idx, c0) values ('b', 1, 2, '7'), ('a', 1, 1, null)`)
  return memory
}

test('a parameter that something is compared with is an expression, all else stays', () => {
  for (const [text, kept = text] of [
    ['select 1 from t where a = ? and b=?', 'select 1 from t where a = +? and b= +?'],
    [
      ' with r as (select 1) select * from r where x = ?',
      ' with r as (select 1) select * from r where x = +?',
    ],
    [`select '= ?', "= ?" from t where a >= ? and b <= ? and c != ?`],
    ['select 1 from t where a in (?, ?) limit ?'],
    ['update t set x = ? where rid = ?'],
    ['insert into t (x) select ? where 1 = ?'],
  ] as const)
    assert.is(keptPlan(text), kept)
})

test('it finds the same, by values of any type', () => {
  const memory = tableOfRows()
  for (const [where, value] of [
    ['parent', 1n],
    ['parent', '1'],
    ['parent', 1.0],
    ['c0', '7'],
    ['c0', 7n],
    ['c0', null],
  ] as const) {
    const text = `select row_id from t where ${where} = ? order by idx`
    const found = memory.prepare(keptPlan(text)).pluck().all(value)
    assert.equal(found, memory.prepare(text).pluck().all(value), `${where} = ${value}`)
  }
  memory.close()
})

test('a run costs a fraction of what preparing does', () => {
  const memory = tableOfRows()
  const kept = memory.prepare(keptPlan(ROWS))
  const cost = (run: () => unknown): number => {
    const before = process.cpuUsage()
    for (let time = 0; time < 1000; time += 1) run()
    const { user, system } = process.cpuUsage(before)
    return user + system
  }
  for (let warm = 0; warm < 200; warm += 1) kept.all(2)
  const [runs, preparations] = [cost(() => kept.all(2)), cost(() => memory.prepare(ROWS))]
  memory.close()
  assert.ok(runs * 3 < preparations, `${runs} µs for runs, ${preparations} for preparations`)
})

test.run()
