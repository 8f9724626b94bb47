import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { formatDecimal } from '../../../engine/base/money.ts'
import { compileExpression } from '../../../engine/expression/expression.ts'
import { interpret } from '../../../engine/expression/run/interpret.ts'
import { toJs } from '../../../engine/expression/run/to-js.ts'
import { assignValue } from '../../../engine/expression/syntax/assign.ts'
import { ExpressionError } from '../../../engine/expression/tree/problem.ts'
import { documentScope, rowScope, type Scope } from '../../../engine/expression/tree/scope.ts'
import type {
  Environment,
  EvalValue,
  FieldValues,
  Node,
} from '../../../engine/expression/tree/types.ts'

const scope = documentScope([
  { name: 'total', kind: 'money' },
  { name: 'rate', kind: 'decimal' },
  { name: 'unset_rate', kind: 'decimal' },
  { name: 'count', kind: 'int' },
  { name: 'title', kind: 'str' },
  { name: 'note', kind: 'str' },
  { name: 'due', kind: 'date' },
  { name: 'unset_due', kind: 'date' },
  { name: 'opened', kind: 'datetime' },
  { name: 'starts', kind: 'time' },
  { name: 'paid', kind: 'bool' },
  { name: 'unset_check', kind: 'bool' },
  { name: 'data', kind: 'json' },
  {
    name: 'items',
    kind: 'rows',
    rows: [
      { name: 'qty', kind: 'decimal' },
      { name: 'n', kind: 'int' },
      { name: 'due', kind: 'date' },
      { name: 'ok', kind: 'bool' },
    ],
  },
])

const doc: FieldValues = {
  docstatus: 1,
  total: 1_000_500n,
  rate: 2_500_000n,
  unset_rate: null,
  count: 7,
  title: 'Grün 😀',
  note: null,
  due: '2024-01-31',
  unset_due: null,
  opened: '2024-02-28T23:30:00.500Z',
  starts: '08:15:00',
  paid: true,
  unset_check: null,
  data: '{}',
  items: [
    { qty: 1_500_000n, n: 3, due: '2024-03-01', ok: true },
    { qty: -500_000n, n: 5, due: '2023-12-24', ok: false },
    { qty: null, n: null, due: null, ok: null },
  ],
}

const environment: Environment = {
  today: '2026-08-05',
  now: '2026-08-05T09:00:00.000Z',
  records: {
    user: { email: 'ann@example.com', name: 'Ann' },
    old: { count: 7, title: 'Grau', total: 1_000_500n, due: null },
  },
}

/** The result of both back ends, numbers as exact decimal text. */
function run(source: string, on = doc, env = environment, within: Scope = scope): EvalValue {
  const result = compileExpression(source, within)
  if (!result.ok) throw new Error(`${source}: ${result.problem.message}`)
  const { tree } = result.expression
  const value = toJs(tree)(on, env)
  assert.is(interpret(tree, on, env), value, source)
  return typeof value === 'bigint' ? formatDecimal(value, tree.scale) : value
}

function runTable(table: readonly (readonly [string, EvalValue])[]): void {
  for (const [source, expected] of table) assert.is(run(source), expected, source)
}

const numbers = suite('numbers')

numbers('are exact in + - * and have 20 places in a quotient, half away from zero', () => {
  runTable([
    ['total + rate', '102.55'],
    ['total * rate', '250.125'],
    ['total - 0.0001', '100.0499'],
    ['-total', '-100.05'],
    ['1 / 3', '0.33333333333333333333'],
    ['2 / 3', '0.66666666666666666667'],
    ['-2 / 3', '-0.66666666666666666667'],
    ['rate / count', '0.35714285714285714286'],
    ['0.1 + 0.2', '0.3'],
    ['1.005 * 100', '100.5'],
    ['count % 4', 3],
    ['-count % 4', -3],
    ['rate % 2', '0.5'],
    ['count * 2 - 1', 13],
  ])
})

numbers('round half away from zero, floor down and ceil up', () => {
  runTable([
    ['round(2.5)', 3],
    ['round(-2.5)', -3],
    ['round(2.4999)', 2],
    ['round(1.005, 2)', '1.01'],
    ['round(-1.005, 2)', '-1.01'],
    ['floor(-2.1)', -3],
    ['ceil(-2.1)', -2],
    ['floor(rate)', 2],
    ['ceil(rate)', 3],
    ['floor(2.0)', 2],
    ['abs(-rate)', '2.5'],
    ['abs(count - 10)', 3],
    ['min(count, rate, 3)', '2.5'],
    ['max(count, rate)', '7'],
    ['round(count, 2)', 7],
  ])
})

numbers('compare across kinds', () => {
  runTable([
    ['total > 100', true],
    ['total == 100.05', true],
    ['rate == 2.50', true],
    ['count >= 7.0', true],
    ['count != 7', false],
    ['rate in [1, 2.5]', true],
    ['count in [1, 2]', false],
    ['total < rate', false],
  ])
})

numbers('that are too large or divided by zero raise an ExpressionError', () => {
  assert.throws(
    () => run('total / unset_rate'),
    (error: unknown) => error instanceof ExpressionError && error.message === 'division by zero',
  )
  assert.throws(() => run('count % (count - 7)'), /division by zero/)
  assert.throws(() => run('count * 9000000000000000'), /too large for a whole number/)
  assert.is(run('unset_rate != 0 && total / unset_rate > 1'), false)
})

numbers('have no negative zero, which is not the same value to every comparison', () => {
  for (const source of ['(0 - count) * 0', '-(count - 7)', '(0 - count) % 7']) {
    assert.ok(Object.is(run(source), 0), source)
  }
})

const unset = suite('unset fields')

unset('are 0, "" and false, and only has and coalesce tell them apart', () => {
  runTable([
    ['unset_rate + 1', '1'],
    ['unset_rate == 0', true],
    ['note == ""', true],
    ['note + "!"', '!'],
    ['unset_due == ""', true],
    ['!unset_check', true],
    ['has(unset_rate)', false],
    ['has(rate)', true],
    ['has(note)', false],
    ['has(data)', true],
    ['coalesce(unset_rate, 10)', '10'],
    ['coalesce(rate, 10)', '2.5'],
    ['coalesce(note, title)', 'Grün 😀'],
    ['coalesce(unset_due, due, today())', '2024-01-31'],
    ['unset_due < due', true],
  ])
  assert.is(run('coalesce(rate, 10)', { rate: 0n }), '0')
})

unset('also are fields the document does not have, and inherited ones', () => {
  assert.is(run('count + 1', {}), 1)
  assert.is(run('items.count()', { items: null }), 0)
  assert.is(run('user.email', doc, { ...environment, records: {} }), '')
})

const texts = suite('texts')

texts('compare by code point and count characters', () => {
  runTable([
    ['size(title)', 6],
    ['title.size()', 6],
    ['len(title)', 6],
    ['title.contains("ün")', true],
    ['startsWith(title, "Gr")', true],
    ['title.endsWith("😀")', true],
    ['lower("ÄB")', 'äb'],
    ['upper("äb")', 'ÄB'],
    ['trim("\u00a0 a ")', 'a'],
    ['concat(title, "-", count, "-", due)', 'Grün 😀-7-2024-01-31'],
    ['"\uffff" < "😀"', true],
    ['"B" < "a"', true],
    ['title in ["x", "Grün 😀"]', true],
    ['user.email', 'ann@example.com'],
    ['contains("abc", "")', true],
  ])
})

const dates = suite('dates')

dates('move by days, months and years, ends of months kept', () => {
  runTable([
    ['add_days(due, 30)', '2024-03-01'],
    ['add_days(due, -31)', '2023-12-31'],
    ['add_months(due, 1)', '2024-02-29'],
    ['add_months(due, -11)', '2023-02-28'],
    ['add_years("2024-02-29", 1)', '2025-02-28'],
    ['add_days(opened, 1)', '2024-02-29T23:30:00.500Z'],
    ['add_days(unset_due, 1)', ''],
    ['month_start(opened)', '2024-02-01'],
    ['month_end(due)', '2024-01-31'],
    ['date(opened)', '2024-02-28'],
    ['time(opened)', '23:30:00'],
    ['seconds_between(time(opened), "08:00:00")', 55_800],
    ['today()', '2026-08-05'],
    ['now()', '2026-08-05T09:00:00.000Z'],
    ['month_end("1900-02-11")', '1900-02-28'],
  ])
})

dates('have parts and distances', () => {
  runTable([
    ['year(due)', 2024],
    ['month(due)', 1],
    ['day(opened)', 28],
    ['weekday(due)', 3],
    ['weekday("2024-01-01")', 1],
    ['weekday("1969-12-28")', 7],
    ['year(unset_due)', 0],
    ['days_between("2024-03-01", due)', 30],
    ['days_between(due, "2024-03-01")', -30],
    ['days_between(opened, due)', 28],
    ['days_between(unset_due, due)', 0],
    ['seconds_between(opened, "2024-02-28T23:00:00Z")', 1800],
    ['seconds_between("08:20:30", starts)', 330],
    ['due == "2024-01-31"', true],
    ['opened > "2024-02-28"', true],
    ['min(due, today())', '2024-01-31'],
    ['due < today() && starts < "09:00:00"', true],
  ])
})

dates('agree with the calendar of the platform on every day of four centuries', () => {
  const within = documentScope([{ name: 'd', kind: 'date' }])
  const result = compileExpression('concat(add_days(d, 1), " ", weekday(d))', within)
  if (!result.ok) throw new Error(result.problem.message)
  const next = toJs(result.expression.tree)
  const isoDay = (ms: number) => new Date(ms).toISOString().slice(0, 10)
  for (let ms = Date.UTC(1799, 0, 1); ms < Date.UTC(2200, 0, 1); ms += 86_400_000) {
    const weekday = new Date(ms).getUTCDay() || 7
    assert.is(next({ d: isoDay(ms) }, environment), `${isoDay(ms + 86_400_000)} ${weekday}`)
  }
})

dates('beyond the years 1 to 9999, or no dates at all, raise an ExpressionError', () => {
  assert.throws(() => run('add_years(due, 8000)'), /outside the years 1 to 9999/)
  assert.throws(() => run('add_months(due, 0 - count * 5000)'), /outside the years/)
  assert.throws(() => run('year(due)', { due: 'soon' }), /"soon" is not a date/)
})

const rows = suite('row macros')

rows('sum, count and compare rows; an empty table gives the unset value', () => {
  runTable([
    ['items.sum(i, i.qty)', '1'],
    ['items.sum(i, i.n * 2)', 16],
    ['items.min(i, i.qty)', '-0.5'],
    ['items.max(i, i.due)', '2024-03-01'],
    ['items.count()', 3],
    ['items.size()', 3],
    ['size(items)', 3],
    ['items.count(i, i.qty > 0)', 1],
    ['items.all(i, i.n < 6)', true],
    ['items.exists(i, i.ok)', true],
    ['items.filter(i, i.ok).sum(i, i.qty * rate)', '3.75'],
    ['items.filter(i, i.n > 0).filter(j, !j.ok).count()', 1],
    ['items.filter(i, i.n > 100).max(i, i.n)', 0],
    ['items.filter(i, i.n > 100).all(i, false)', true],
    ['items.filter(i, i.n > 100).min(i, i.due)', ''],
    ['size(items.filter(i, i.ok))', 1],
  ])
})

rows('nest twice: each row may look at all rows', () => {
  assert.is(run('items.all(i, items.count(j, j.due == i.due) == 1)'), true)
  assert.is(run('items.sum(i, items.sum(j, i.n * j.n))'), 64)
})

rows('inside a row read the row by bare names and the document as parent', () => {
  const env = { ...environment, records: { parent: doc } }
  const row = { qty: 4_000_000n }
  assert.is(run('qty * parent.rate', row, env, rowScope(scope, 'items')), '10')
  assert.is(run('parent.items.count()', row, env, rowScope(scope, 'items')), 3)
})

const edges = suite('old and changed')

edges('compare with the document before; on create everything was unset', () => {
  runTable([
    ['changed(title)', true],
    ['changed(count)', false],
    ['changed(due)', true],
    ['old.title', 'Grau'],
    ['changed(unset_rate)', false],
    ['changed(count, title)', true],
    ['changed(count, total, unset_rate)', false],
  ])
  const create = { ...environment, records: { old: null } }
  assert.is(run('changed(count)', doc, create), true)
  assert.is(run('changed(note)', doc, create), false)
})

edges('in a row compare the row and its document, each with what it was', () => {
  const row = { qty: 2_000_000n, n: 3 }
  const records = { parent: doc, old: { ...row, n: 4 }, old_parent: { ...doc, title: 'Grau' } }
  const inRow = (source: string, more: object = {}) =>
    run(source, row, { ...environment, records: { ...records, ...more } }, rowScope(scope, 'items'))
  assert.is(inRow('changed(qty)'), false)
  assert.is(inRow('changed(qty, n)'), true)
  assert.is(inRow('changed(parent.count, parent.due)'), false)
  assert.is(inRow('changed(qty, parent.count, parent.title)'), true)
  assert.is(inRow('old_parent.title'), 'Grau')
  assert.is(inRow('changed(parent.count)', { old_parent: undefined }), true)
})

const assignment = suite('assignment')

assignment('rounds once, half away from zero, money to the minor unit of its currency', () => {
  const money = { kind: 'money', scale: 4 } as const
  const six = { kind: 'decimal', scale: 6 } as const
  const cases: [bigint, number, bigint][] = [
    [1_005_000n, 2, 10_100n],
    [-1_005_000n, 2, -10_100n],
    [1_004_999n, 2, 10_000n],
    [1_500_000n, 0, 20_000n],
    [1_000_500n, 3, 10_010n],
  ]
  for (const [value, minor, expected] of cases)
    assert.is(assignValue(value, six, money, minor), expected)
  assert.is(assignValue(1_000_050n, six, money), 10_001n)
  assert.is(assignValue(5n, { kind: 'decimal', scale: 0 }, money, 2), 50_000n)
})

assignment('takes whole numbers, and an empty text as unset', () => {
  assert.is(assignValue(3, { kind: 'int', scale: 0 }, { kind: 'decimal', scale: 6 }), 3_000_000n)
  assert.is(assignValue(2_500_000n, { kind: 'decimal', scale: 6 }, { kind: 'int', scale: 0 }), 3)
  assert.is(assignValue('', { kind: 'str', scale: 0 }, { kind: 'date', scale: 0 }), null)
  assert.is(assignValue(false, { kind: 'bool', scale: 0 }, { kind: 'bool', scale: 0 }), false)
})

assignment('raises an ExpressionError for a number that 64 bits cannot hold', () => {
  assert.throws(
    () => assignValue(10n ** 15n, { kind: 'money', scale: 0 }, { kind: 'money', scale: 4 }),
    /too large to keep/,
  )
})

const tampered = suite('a tree from elsewhere')

tampered('cannot name an inherited property or an unknown function', () => {
  const field = (name: string, of = 'doc'): Node => ({
    node: 'field',
    kind: 'str',
    scale: 0,
    at: [0, 1],
    of,
    name,
  })
  for (const node of [
    field('constructor'),
    field('__proto__'),
    field('x"]; y', 'doc'),
    field('x', 'constructor'),
    field('x', 'a.constructor'),
    field('x', 'a.b"]'),
  ]) {
    assert.throws(() => toJs(node), /cannot be the name of a field/)
  }
  assert.is(interpret(field('constructor'), {}, environment), '')
  assert.is(interpret(field('name', 'constructor'), {}, environment), '')
  const call: Node = {
    node: 'call',
    kind: 'str',
    scale: 0,
    at: [0, 1],
    name: 'constructor',
    args: [],
  }
  assert.throws(() => toJs(call), /not a function of expressions/)
  assert.throws(() => interpret(call, {}, environment), /not a function of expressions/)
})

for (const each of [numbers, unset, texts, dates, rows, edges, assignment, tampered]) each.run()
