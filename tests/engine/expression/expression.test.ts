import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { compileExpression, type Expression } from '../../../engine/expression/expression.ts'
import { clockOf } from '../../../engine/expression/tree/analyse.ts'
import { describeProblem, locate } from '../../../engine/expression/tree/problem.ts'
import { documentScope, fieldsOf, rowScope } from '../../../engine/expression/tree/scope.ts'
import type { ValueType } from '../../../engine/expression/tree/types.ts'

const document = documentScope([
  { name: 'net_total', kind: 'money' },
  { name: 'total_taxes', kind: 'money' },
  { name: 'price', kind: 'decimal', scale: 2 },
  { name: 'count', kind: 'int' },
  { name: 'customer', kind: 'str' },
  { name: 'user', kind: 'str' },
  { name: 'due_date', kind: 'date' },
  { name: 'opened_at', kind: 'datetime' },
  { name: 'starts', kind: 'time' },
  { name: 'is_paid', kind: 'bool' },
  { name: 'settings', kind: 'json' },
  {
    name: 'items',
    kind: 'rows',
    rows: [
      { name: 'qty', kind: 'decimal' },
      { name: 'amount', kind: 'money' },
      { name: 'due', kind: 'date' },
    ],
  },
])

function problemOf(source: string, expected?: ValueType): string {
  const result = compileExpression(source, document, expected)
  if (result.ok) throw new Error(`${source} was accepted`)
  const { offset, length, message } = result.problem
  return `${source.slice(offset, offset + length)} | ${message}`
}

function compiled(source: string, scope = document): Expression {
  const result = compileExpression(source, scope)
  if (!result.ok) throw new Error(result.problem.message)
  return result.expression
}

const names = suite('unknown names')

names('are told with their place, the likely meaning and what there is', () => {
  const row = rowScope(document, 'items')
  const result = compileExpression('qty * parent.net_totl', row)
  assert.is(result.ok, false)
  if (result.ok) return
  assert.equal([result.problem.offset, result.problem.length], [13, 8])
  assert.match(
    result.problem.message,
    /^unknown field 'net_totl', did you mean 'net_total'\? \(have: id, name, docstatus, /,
  )
  const place = { file: 'sales_invoice.yaml', line: 26, column: 39 }
  assert.match(
    describeProblem(result.problem, 'qty * parent.net_totl', place),
    /^sales_invoice\.yaml:26:52: unknown field .* in {2}`qty \* parent\.net_totl`$/,
  )
})

names('are found in rows, records, functions, methods and row macros', () => {
  assert.is(
    problemOf('items.sum(i, i.amout)'),
    `amout | unknown field 'amout', did you mean 'amount'? (have: row_id, idx, qty, amount, due)`,
  )
  assert.match(
    problemOf('itms.sum(i, i.qty)'),
    `itms | unknown field 'itms', did you mean 'items'?`,
  )
  assert.match(
    problemOf('user.mail == ""'),
    `mail | unknown field 'mail', did you mean 'email'? (have: email, name)`,
  )
  assert.match(
    problemOf('rounnd(price)'),
    `rounnd | unknown function 'rounnd', did you mean 'round'?`,
  )
  assert.match(
    problemOf('customer.startWith("A")'),
    `startWith | unknown method 'startWith', did you mean 'startsWith'?`,
  )
  assert.match(
    problemOf('items.total(i, i.qty)'),
    `total | unknown row macro 'total' (have: sum, min, max, count, all, exists, filter, size)`,
  )
})

names('of a misspelt macro in a chain are told at that macro, not at the next', () => {
  assert.match(
    problemOf('items.filtr(i, i.qty > 1).sum(i, i.qty)'),
    "unknown row macro 'filtr', did you mean 'filter'?",
  )
  assert.is(problemOf('items.filtr(i, i.qty > 1).sum(i, i.qty)').split(' | ')[0], 'filtr')
})

names('of a record are found although a field has the name of the record', () => {
  assert.is(compiled('user == user.email').kind, 'bool')
})

names('on several lines are located by line and column', () => {
  const place = { file: 'f.yaml', line: 10, column: 14 }
  assert.equal(locate(12, 'net_total\n + x', place), { file: 'f.yaml', line: 11, column: 3 })
  assert.equal(locate(4, 'net_total', place), { file: 'f.yaml', line: 10, column: 18 })
})

const refused = suite('refused expressions')

refused('say what is wrong with the types and what to write instead', () => {
  const table: [string, string][] = [
    ['net_total + customer', 'operator + not defined for money and text; use concat(a, b)'],
    [
      'is_paid == 1',
      'operator == not defined for bool and int; a check is a condition by itself: x or !x',
    ],
    ['is_paid < true', 'operator < not defined for bool and bool'],
    [
      'due_date + 30',
      'operator + not defined for date and int; use add_days(x, n) or days_between(to, from)',
    ],
    ['due_date < opened_at', 'operator < not defined for date and datetime; use date(x)'],
    ['net_total && is_paid', 'expected a condition, got money, compare it: x != 0'],
    ['is_paid ? 1 : "a"', 'both values must be of one kind, got int and text'],
    ['customer in ["a", 1]', 'the list must hold values of kind text, got int'],
    ['customer in "abc"', '"in" needs a list of values'],
    ['-customer', 'operator - not defined for text'],
    ['due_date == "2026-02-30"', '"2026-02-30" is not a date (YYYY-MM-DD) or ""'],
    ['starts == "25:00:00"', 'is not a time (HH:MM:SS) or ""'],
    [
      'add_days(due_date, net_total / 2)',
      'takes int here, got money; use round(x), floor(x) or ceil(x)',
    ],
    ['add_days(customer, 1)', 'takes date or datetime here, got text'],
    ['seconds_between(opened_at, starts)', 'takes datetime here, got time'],
    ['min(customer, customer)', 'takes numbers, or dates of one kind'],
    ['round(price, count)', 'takes a constant from 0 to 12'],
    ['round(price, 13)', 'takes a constant from 0 to 12'],
    ['round(price, 1, 2)', 'wrong number of arguments (3): round(x) or round(x, places)'],
    ['items.qty', 'items is a table and has no field'],
    ['items == 1', 'items is a table; use a row macro such as items.count()'],
    ['items.sum(i, i.due)', 'sum() takes numbers, got date'],
    ['items.sum(i)', 'takes a row variable and what to do with it: items.sum(i, …)'],
    ['items.filter(i, i.qty > 0)', 'filter() gives rows: end with sum'],
    ['items.sum(i, i)', 'i has fields: write i.<field>'],
    ['settings == ""', 'settings is json, which only has(settings) can look at'],
    ['has(items)', 'write items.count() > 0'],
    ['coalesce(1, 2)', 'coalesce() takes a field'],
    ['changed(items)', 'items is a table'],
    ['parent.name', `unknown field 'parent'`],
    ['null', 'there is no null'],
    ['net_total / 0', 'division by zero'],
    ['net_total % (1 - 1)', 'division by zero'],
    ['1 / (2 - 2)', 'division by zero'],
    ['9007199254740993', 'too large for a whole number'],
    [`price * price * price * price * price * 0.${'0'.repeat(50)}1`, 'decimal places'],
  ]
  for (const [source, message] of table) assert.match(problemOf(source), message, source)
})

refused('are those whose value does not fit the field', () => {
  assert.match(
    problemOf('net_total', { kind: 'str', scale: 0 }),
    'expected text, got money; use concat(x)',
  )
  assert.match(
    problemOf('opened_at', { kind: 'date', scale: 0 }),
    'expected date, got datetime; use date(x)',
  )
  assert.match(problemOf('count', { kind: 'bool', scale: 0 }), 'expected bool, got int; compare it')
  assert.match(problemOf('"soon"', { kind: 'date', scale: 0 }), '"soon" is not a date')
})

refused('have their syntax error located', () => {
  assert.match(problemOf('items.all(i'), `syntax error: `)
  assert.match(
    problemOf('net_total +'),
    'syntax error: unexpected token: the end (quote an expression with , : # or ? in YAML)',
  )
  assert.is(problemOf('a & b').split(' | ')[0], '&')
  assert.match(problemOf('  '), 'the expression is empty')
  assert.match(problemOf(`customer == "${'x'.repeat(2000)}"`), 'characters, at most 2000')
})

const hostile = suite('hostile expressions')

hostile('reach no prototype, no global and no code', () => {
  const sources = [
    'constructor',
    '__proto__',
    'toString',
    'customer.constructor',
    'items.constructor',
    'customer.toString()',
    'constructor.constructor("return 1")()',
    '__proto__.x',
    'user.__proto__',
    'old.constructor',
    'this',
    'process.exit()',
    'globalThis',
    'env.records',
    'doc.customer',
    'R.divide(1, 2)',
    'F.size("a")',
    'require("fs")',
    'items.map(i, i.constructor)',
    'items.sum(constructor, 1)',
    'items.sum(__proto__, 1)',
    'prototype',
    'hasOwnProperty("a")',
    'valueOf()',
    'cel.bind(x, 1, x)',
  ]
  for (const source of sources) assert.is(compileExpression(source, document).ok, false, source)
})

hostile('have no regular expressions, indexes, maps, bytes and unsigned numbers', () => {
  const sources = [
    'customer.matches("(a+)+$")',
    'matches(customer, "a")',
    'items[0]',
    'customer[0]',
    '{"a": 1}',
    'b"a"',
    '5u',
    '1e9',
    '[1, 2]',
    '[1] + [2]',
  ]
  for (const source of sources) assert.is(compileExpression(source, document).ok, false, source)
})

hostile('cannot be too deep or too long for parser, checker and generated code', () => {
  const sources = [
    `${'('.repeat(900)}1${')'.repeat(900)}`,
    `${'!'.repeat(1900)}is_paid`,
    `${'-'.repeat(1900)}1`,
    `1${'+1'.repeat(990)}`,
  ]
  for (const source of sources)
    assert.is(compileExpression(source, document).ok, false, source.slice(0, 20))
  assert.is(compiled(`count${' + 1'.repeat(190)}`).kind, 'int')
})

hostile('keep texts as texts', () => {
  const source = JSON.stringify('"); process.exit(1); ("\u2028`')
  assert.is(compiled(source).kind, 'str')
})

const cost = suite('cost')

cost('is bounded when the expression is loaded: rows count as many as the table may have', () => {
  assert.is(compiled('items.sum(i, i.qty)').cost, 501)
  assert.is(compiled('items.sum(i, items.sum(j, i.qty * j.qty))').kind, 'decimal')
  assert.match(
    problemOf('items.sum(i, items.sum(j, i.qty * j.qty + 1))'),
    'the expression may take 1250501 steps, at most 1000000',
  )
  assert.match(
    problemOf('items.all(a, items.all(b, items.all(c, c.qty > 0)))'),
    'row macros nest 2 deep at most',
  )
})

cost('counts an expression inside a row once for every row', () => {
  const row = rowScope(document, 'items')
  assert.is(compiled('qty * 2', row).cost, 1500)
  assert.is(compileExpression('parent.items.sum(i, i.qty * 2 - qty)', row).ok, false)
})

const reads = suite('dependencies')

reads('are all fields an expression reads, from its tree', () => {
  assert.equal(
    compiled('net_total + items.filter(i, i.qty > count).sum(i, i.amount)').dependencies,
    ['count', 'items', 'items.amount', 'items.qty', 'net_total'],
  )
  assert.equal(compiled('changed(customer) || user.email == old.customer').dependencies, [
    'customer',
    'old.customer',
    'user.email',
  ])
  assert.equal(
    compiled('qty * parent.price + parent.items.count()', rowScope(document, 'items')).dependencies,
    ['parent.items', 'parent.price', 'qty'],
  )
  assert.equal(compiled('has(settings)').dependencies, ['settings'])
  assert.equal(compiled('1 + 2').dependencies, [])
})

reads('may be the clock, also inside of a row macro', () => {
  assert.is(clockOf(compiled('items.exists(i, i.due < today())').tree), 'today')
  assert.is(clockOf(compiled('concat(customer, now())').tree), 'now')
  assert.is(clockOf(compiled('customer == "today()"').tree), undefined)
})

const plain = suite('a compiled expression')

plain('is plain data that survives JSON', () => {
  const expression = compiled(
    'items.exists(i, i.amount > 1.5 && i.due < today()) ? round(net_total / 3, 2) : 0',
  )
  assert.equal(JSON.parse(JSON.stringify(expression)), expression)
})

plain(
  'knows kind and scale: int → decimal → money, a product adds places, a quotient has 20',
  () => {
    const types = [
      'count + 1',
      'count / 2',
      'price + 1',
      'price * net_total',
      'price * 0.5',
      'net_total / price',
      'net_total / net_total',
      'round(price, 1)',
      'round(price)',
      'min(count, price)',
      'items.sum(i, i.qty)',
    ]
    assert.equal(
      types.map((source) => `${source}: ${compiled(source).kind} ${compiled(source).scale}`),
      [
        'count + 1: int 0',
        'count / 2: decimal 20',
        'price + 1: decimal 2',
        'price * net_total: money 6',
        'price * 0.5: decimal 3',
        'net_total / price: money 20',
        'net_total / net_total: decimal 20',
        'round(price, 1): decimal 1',
        'round(price): int 0',
        'min(count, price): decimal 2',
        'items.sum(i, i.qty): decimal 6',
      ],
    )
  },
)

plain('cannot have a scope whose fields could reach a prototype', () => {
  for (const name of ['constructor', '__proto__', 'toString', 'a b', '']) {
    assert.throws(() => fieldsOf([{ name, kind: 'str' }]), /cannot be the name of a field/)
  }
  assert.throws(() => rowScope(document, 'customer'), /is not a table of this document/)
})

for (const each of [names, refused, hostile, cost, reads, plain]) each.run()
