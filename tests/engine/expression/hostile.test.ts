import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { compileExpression } from '../../../engine/expression/expression.ts'
import { interpret } from '../../../engine/expression/run/interpret.ts'
import { toJs } from '../../../engine/expression/run/to-js.ts'
import { asExpressionError } from '../../../engine/expression/sql/sql-errors.ts'
import { parseExpression } from '../../../engine/expression/syntax/parse.ts'
import { ExpressionError } from '../../../engine/expression/tree/problem.ts'
import { documentScope, type ScopeField } from '../../../engine/expression/tree/scope.ts'
import type {
  Environment,
  EvalValue,
  FieldValues,
  Node,
  ValueType,
} from '../../../engine/expression/tree/types.ts'
import { forEachDatabase } from '../../helpers/databases.ts'
import { type ExpressionTable, openTable } from './expression-table.ts'

const FIELDS: readonly ScopeField[] = [
  { name: 'total', kind: 'money' },
  { name: 'rate', kind: 'decimal' },
  { name: 'zero', kind: 'decimal' },
  { name: 'count', kind: 'int' },
  { name: 'title', kind: 'str' },
  { name: 'due', kind: 'date' },
  { name: 'opened', kind: 'datetime' },
  { name: 'ok', kind: 'bool' },
]
const SCOPE = documentScope([
  ...FIELDS,
  { name: 'items', kind: 'rows', maxRows: 5, rows: [{ name: 'qty', kind: 'decimal' }] },
])
const ENVIRONMENT: Environment = {
  today: '2026-08-05',
  now: '2026-08-05T09:00:00.000Z',
  records: {},
}
const DOCUMENT: FieldValues = {
  total: 1_000_500n,
  rate: 2_500_000n,
  zero: 0n,
  count: 7,
  title: 'Grün',
  due: '2024-01-31',
  opened: '2024-02-28T23:30:00.500Z',
  ok: true,
}

function compiled(source: string): Node {
  const result = compileExpression(source, SCOPE)
  assert.ok(result.ok, result.ok ? '' : `${source}: ${result.problem.message}`)
  return result.expression.tree
}

/** `offset: message` of the problem. */
function problem(source: string, expected?: ValueType): string {
  const result = compileExpression(source, SCOPE, expected)
  assert.not.ok(result.ok, source.slice(0, 80))
  return result.ok ? '' : `${result.problem.offset}: ${result.problem.message}`
}

/** The value both back ends give, or the message of the ExpressionError both throw. */
function outcome(source: string, doc: FieldValues = DOCUMENT): EvalValue {
  const tree = compiled(source)
  const [value, interpreted] = [
    toJs(tree),
    (on: FieldValues, env: Environment) => interpret(tree, on, env),
  ].map((evaluate): EvalValue => {
    try {
      return evaluate(doc, ENVIRONMENT)
    } catch (error) {
      if (error instanceof ExpressionError) return `error: ${error.message}`
      throw error
    }
  })
  assert.ok(Object.is(value, interpreted), `${source}: ${value}, interpreted ${interpreted}`)
  return value!
}

const syntax = suite('what is easily taken for something else')

syntax('is refused: // is no whole division, and begins no comment that swallows the rest', () => {
  assert.match(problem('total // rate'), /^6: .*floor\(a \/ b\)/)
  assert.match(problem('total + "//" // rate'), /^13: /)
  assert.match(problem("title == 'it\\'s' // 1"), /^17: /)
  assert.match(problem('total /* half */ + 1'), /^7: syntax error: unexpected token: '\*'/)
})

syntax('but // stands in texts of every kind of quote', () => {
  for (const quoted of [`"a//b"`, `'a//b'`, `'''a//b'''`, `"""a//b"""`, `"\\"//"`, `r"//"`])
    assert.is(outcome(`size(${quoted}) > 0`), true, quoted)
})

syntax('texts that no database keeps are refused', () => {
  for (const text of ['"a\\u0000b"', '"\\x00"', "'\\000'", '"\0"', '"\ud800"', '"\udc00x"'])
    assert.match(problem(`title == ${text}`), /^9: a text cannot hold/, JSON.stringify(text))
  assert.match(problem('"\\ud800"'), /surrogate/)
  assert.is(outcome('title == "\\u0047rün"'), true)
})

syntax('numbers are plain digits, and never binary fractions', () => {
  for (const [source, expected] of [
    ['00012', 12],
    ['00012.50 == 12.5', true],
    ['0.1 + 0.2 == 0.3', true],
    ['1.1 * 1.1 == 1.21', true],
    ['0.30000000000000004 == 0.3', false],
    [
      '12345678901234567890.12345678901234567890 - 12345678901234567890.12345678901234567889 > 0',
      true,
    ],
    ['count * 1000000000000000 == 7000000000000000', true],
  ] as const)
    assert.is(outcome(source), expected, source)
  for (const source of [
    '1e309',
    '-1e309',
    '1e3',
    '1.5e-7',
    '.5',
    '5.',
    '0x',
    '1_000',
    '12abc',
    '1,5',
    '5u',
  ])
    assert.match(problem(source), /^\d+: /, source)
  assert.match(problem('9007199254740993'), /too large for a whole number/)
  assert.match(problem('9'.repeat(1999)), /too large for a whole number|number/)
  assert.match(problem(`0.${'1'.repeat(61)}`), /decimal places/)
})

syntax(
  'words that CEL keeps back are no names, and a path by itself reads as it does among others',
  () => {
    for (const word of ['while', 'in', 'let', 'as', 'prototype', '__proto__', 'import', 'package'])
      assert.match(problem(word), /^0: syntax error/, word)
    for (const word of ['null', 'true.x', 'total.in', 'total.true'])
      assert.match(problem(word), /^\d+: /, word)
    assert.equal(parseExpression('true'), { op: 'bool', value: true, at: [0, 4] })
    for (const path of ['total', '_a1', 'a.b', 'user.email', 'a.while.c', 'a.b.c.d.e.f.g'])
      assert.equal(parseExpression(path), parseExpression(`${path} `), path)
  },
)

syntax('names are ASCII; a letter that only looks like one is told', () => {
  for (const [source, odd] of [
    ['tоtal', '"о"'],
    ['total\u00a0+ 1', '"\u00a0"'],
    ['ti\u200btle', '"\u200b"'],
    ['\u202etotal', '"\u202e"'],
    ['total + 😀', '"😀"'],
    ['total “x”', '"“"'],
    ['count count', '"count"'],
  ])
    assert.match(problem(source!), `unexpected ${odd}`, source)
})

const sizes = suite('what is too much')

sizes('is refused when loaded, in words', () => {
  const list = (count: number) =>
    `count in [${Array.from({ length: count }, (_, i) => i % 10).join(',')}]`
  assert.is(outcome(list(100)), true)
  assert.match(problem(list(101)), /^210: the list has too many values, at most 100/)
  assert.match(problem(list(10_000)), /^2000: the expression has 20010 characters/)
  assert.match(problem('min(1,2,3,4,5,6,7,8,9)'), /too many arguments, at most 8/)
  assert.match(problem(`1${'+1'.repeat(250)}`), /too many parts, at most 400/)
  assert.match(problem(`${'('.repeat(80)}1${')'.repeat(80)}`), /nested too deep, at most 60/)
  assert.match(problem(`${'ok ? 1 : '.repeat(70)}2`), /nested too deep/)
  assert.match(problem(`title${'.trim()'.repeat(100)}`), /nested too deep/)
  assert.match(problem(`title == "${'x'.repeat(100_000)}"`), /has 100011 characters/)
  assert.match(problem('x'.repeat(1999)), /unknown field/)
})

sizes('of a number is refused when loaded too, where it is a constant', () => {
  const money = { kind: 'money', scale: 4 } as const
  const int = { kind: 'int', scale: 0 } as const
  assert.match(problem('99999999999999999999.5', money), /^0: the number is too large to keep/)
  assert.match(problem('99999999999999999999.5', int), /too large for a whole number/)
  assert.match(problem('1.5 - 9999999999999999.0', money), /too large to keep/)
  assert.match(problem('9007199254740991 + 1'), /too large for a whole number/)
  assert.match(problem('-9007199254740992'), /too large for a whole number/)
  assert.ok(compileExpression('922337203685477.5807', SCOPE, money).ok)
})

sizes(
  'of a whole number that a document brings raises an ExpressionError in every operation',
  () => {
    const doc = { ...DOCUMENT, count: 2 ** 53 - 1, total: 2n ** 63n - 1n }
    for (const source of [
      'count + count',
      'count * 2',
      '0 - count - count',
      'count * count * count',
    ])
      assert.match(String(outcome(source, doc)), /too large for a whole number/, source)
    assert.match(String(outcome('round(total * 1000000)', doc)), /too large for a whole number/)
    assert.is(outcome('count - 1', doc), 2 ** 53 - 2)
    assert.is(outcome('total * total', doc), (2n ** 63n - 1n) ** 2n)
    const rows = { ...doc, items: [{ qty: 1n }, { qty: 1n }] }
    assert.match(String(outcome('items.sum(i, count)', rows)), /too large for a whole number/)
  },
)

const division = suite('a division by zero')

division(
  'is an ExpressionError wherever it stands, and nothing where a guard stands before it',
  () => {
    const items = [{ qty: 0n }]
    for (const source of [
      'total / zero',
      'total % zero',
      'count % (count - 7)',
      'total / (zero * 5)',
      'round(total / zero, 2)',
      '-(total / zero)',
      'abs(total / zero)',
      'max(1, total / zero)',
      'total / zero > 1',
      'total / zero in [1, 2]',
      'ok && total / zero > 1',
      '!ok || total / zero > 1',
      'ok ? total / zero : 0',
      'items.sum(i, total / i.qty)',
      'items.all(i, total / i.qty > 1)',
      'items.filter(i, total / i.qty > 1).count()',
      'items.min(i, total / i.qty)',
      'concat(round(total / zero))',
      'add_days(due, round(total / zero))',
    ])
      assert.is(outcome(source, { ...DOCUMENT, items }), 'error: division by zero', source)
    for (const source of [
      'zero != 0 && total / zero > 1',
      'zero == 0 ? false : total / zero > 1',
      'items.filter(i, i.qty != 0).exists(i, total / i.qty > 1)',
      'items.exists(i, i.qty != 0 && total / i.qty > 1)',
    ])
      assert.is(outcome(source, { ...DOCUMENT, items }), false, source)
    assert.is(outcome('zero == 0 || total / zero > 1'), true)
    for (const source of [
      'total / 0',
      'total % 0.00',
      'count % 0',
      'true || 1 / 0 == 1',
      'total / (2 - 2)',
    ])
      assert.match(problem(source), 'division by zero', source)
  },
)

const calendar = suite('the ends of the calendar')

calendar('are reached, and beyond them is an ExpressionError', () => {
  const first = { ...DOCUMENT, due: '0001-01-01', opened: '0001-01-01T00:00:00.000Z' }
  const last = { ...DOCUMENT, due: '9999-12-31', opened: '9999-12-31T23:59:59.999Z' }
  assert.is(outcome('days_between("9999-12-31", due)', first), 3_652_058)
  assert.is(outcome('add_days(due, 3652058)', first), '9999-12-31')
  assert.is(outcome('month_end(due)', last), '9999-12-31')
  assert.is(outcome('month_start(opened)', first), '0001-01-01')
  assert.is(outcome('seconds_between("9999-12-31T23:59:59Z", opened)', first), 315_537_897_599)
  for (const [source, doc] of [
    ['add_days(due, 1)', last],
    ['add_days(opened, 1)', last],
    ['add_months(due, 1)', last],
    ['add_years(due, 1)', last],
    ['add_days(due, -1)', first],
    ['add_months(opened, -1)', first],
    ['add_years(due, -1)', first],
    ['add_days(due, 9007199254740991)', first],
    ['add_years(due, 9007199254740991)', first],
    ['add_months(due, 0 - 9007199254740991)', last],
  ] as const)
    assert.match(
      String(outcome(source, doc)),
      /^error: the date lies outside the years 1 to 9999/,
      source,
    )
  for (const source of [
    '"2026-02-29"',
    '"0000-01-01"',
    '"10000-01-01"',
    '"2026-1-1"',
    '" 2026-01-01"',
  ])
    assert.match(problem(`due == ${source}`), 'is not a date', source)
})

const tampered = suite('a tree from a damaged cache')

tampered('never becomes code', () => {
  const at = [0, 1] as const
  const code = 'globalThis.broken = 1'
  const one = { node: 'literal', kind: 'int', scale: 0, at, value: 1 }
  const money = { node: 'field', kind: 'money', scale: code, at, of: 'doc', name: 'total' }
  const trees = [
    { ...one, value: [code] },
    { ...one, value: { toString: () => code } },
    { ...one, kind: 'money', value: code },
    { ...one, scale: code },
    { node: 'binary', op: `, ${code},`, kind: 'bool', scale: 0, at, left: one, right: one },
    { node: 'binary', op: '/', kind: 'decimal', scale: 20, at, left: money, right: money },
    { node: 'rescale', kind: 'int', scale: 0, at, value: money, rounding: 'half' },
    { node: 'rescale', kind: 'decimal', scale: code, at, value: one, rounding: 'half' },
    { node: 'call', kind: 'int', scale: 0, at, name: `abs)(1), ${code}, (`, args: [one] },
    { node: 'field', kind: 'int', scale: 0, at, of: `doc, ${code}`, name: 'x' },
    { node: 'field', kind: 'int', scale: 0, at, of: 'doc', name: `"], ${code}, ["` },
    { node: 'has', kind: 'bool', scale: 0, at, of: `#0), ${code}, (`, name: 'x', text: true },
    {
      node: 'aggregate',
      op: 'count',
      kind: 'int',
      scale: 0,
      at,
      rows: { of: 'doc', table: 'items', level: code, maxRows: 5, filters: [] },
      body: null,
    },
  ]
  for (const tree of trees) {
    const run = () => toJs(tree as unknown as Node)(DOCUMENT, ENVIRONMENT)
    assert.throws(run, (error: unknown) => error instanceof Error, JSON.stringify(tree))
    assert.not.ok('broken' in globalThis, JSON.stringify(tree))
  }
})

for (const each of [syntax, sizes, division, calendar, tampered]) each.run()

/** Texts that mean something to SQL, to JavaScript or to the drivers. */
const TEXTS = [
  `'; drop table doc; --`,
  '"; process.exit(1); //',
  '$1',
  '?',
  ':name',
  '@x',
  '%_%',
  '\\',
  "\\'",
  `\${title}`,
  '`',
  '\u2028\u2029',
  '/* */',
  "''",
  '\r\n\t',
  'null',
  'e\u0301',
  '\u0001\u007f',
  '😀\ue000\uffff',
]

forEachDatabase('hostile expressions', ({ kind, test, create }) => {
  const documents: readonly FieldValues[] = [
    DOCUMENT,
    ...TEXTS.map((title) => ({ title })),
    { ...DOCUMENT, total: 2n ** 63n - 1n, rate: -(2n ** 63n - 1n), count: -7, due: '0001-01-01' },
    { ...DOCUMENT, total: -(2n ** 63n - 1n), rate: 2n ** 63n - 1n, due: '9999-12-31' },
    {},
  ]
  let table: ExpressionTable
  test.before(async () => {
    table = await openTable(await create(), FIELDS, documents)
  })
  test.after(() => table.close())

  /** The database computes what JavaScript does, and finds what JavaScript says is true. */
  async function assertSame(source: string): Promise<void> {
    const tree = compiled(source)
    const label = `${kind}: ${source.slice(0, 200)}`
    const expected = documents.map((doc) => outcome(source, doc))
    assert.equal(await table.values(tree, ENVIRONMENT), expected, label)
    if (tree.kind !== 'bool') return
    const holding = expected.flatMap((value, index) => (value === true ? [index] : []))
    assert.equal(await table.found(tree, ENVIRONMENT), holding, label)
  }

  test('keep constant texts as texts', async () => {
    for (const text of TEXTS) {
      const constant = JSON.stringify(text)
      await assertSame(`title == ${constant}`)
      await assertSame(`title != ${constant} && title < ${constant}`)
      await assertSame(`title in [${constant}, "x"]`)
      await assertSame(`concat(${constant}, title)`)
      await assertSame(`title.contains(${constant}) || title.startsWith(${constant})`)
      await assertSame(`size(title + ${constant})`)
    }
  })

  test('compare with numbers beyond 64 bits', async () => {
    const large = '99999999999999999999.5'
    for (const op of ['<', '<=', '>', '>=', '==', '!=']) {
      for (const source of [
        `total ${op} ${large}`,
        `total ${op} -${large}`,
        `-${large} ${op} rate`,
        `!(total ${op} ${large})`,
        `rate * rate ${op} ${large}`,
        `rate * rate ${op} total * total`,
        `total ${op} 922337203685477.5807`,
        `total ${op} -922337203685477.5807`,
        `rate ${op} 0.0000001`,
      ])
        await assertSame(source)
    }
    await assertSame(`total in [${large}, 922337203685477.5807, -${large}]`)
    await assertSame(`max(total, rate, ${large}) - min(total, -${large})`)
    await assertSame('abs(total) + abs(rate) - total * 3')
  })

  test('are computed by the database at the limits of depth and length', async () => {
    for (const source of [
      `total${' + rate'.repeat(190)}`,
      `total${' / 1.5'.repeat(100)}`,
      `total${' % 7.25'.repeat(100)}`,
      `round(${'abs('.repeat(50)}total${')'.repeat(50)}, 2)`,
      `${'count > 3 ? 1 : '.repeat(55)}2`,
      `${'(ok && '.repeat(50)}total > 1${')'.repeat(50)}`,
      `${'(ok || '.repeat(50)}total / 3 > 1${')'.repeat(50)}`,
      `count in [${Array.from({ length: 100 }, (_, i) => i - 50).join(', ')}]`,
      `${'add_days('.repeat(25)}min("2024-05-05", max("2024-05-01", due))${', 1)'.repeat(25)}`,
      `title${' + title'.repeat(150)}`,
      `${'!'.repeat(150)}ok`,
      `coalesce(count, ${'coalesce(count, '.repeat(20)}1${')'.repeat(21)}`,
    ])
      await assertSame(source)
  })

  test('guard a division by zero and the ends of the calendar as JavaScript does', async () => {
    await assertSame('zero != 0 && total / zero > 1')
    await assertSame('zero == 0 || total / zero > 1')
    await assertSame('zero == 0 ? 0 : total / zero')
    await assertSame('count == 0 ? 0 : 100 % count')
    await assertSame('due != "9999-12-31" && add_days(due, 1) > "2024-01-01"')
    await assertSame('due < "0001-02-01" ? due : add_months(due, -1)')
    await assertSame('month_end(due)')
    await assertSame('days_between(due, "2024-02-29")')
    await assertSame('weekday(due) + year(due) * 10')
  })

  test('fail where JavaScript does', async () => {
    for (const [source, message] of [
      ['total / zero', /division by zero/],
      ['count % (count - count)', /division by zero/],
      ['count * 9007199254740991 * 9007199254740991', /too large/],
      ['add_days(due, 1)', /outside the years 1 to 9999/],
      ['add_days(due, -1)', /outside the years 1 to 9999/],
      ['add_months(due, 100000)', /outside the years 1 to 9999/],
      ['add_years(due, 9007199254740991) == today()', /outside the years|too large/],
    ] as const) {
      assert.ok(documents.some((doc) => String(outcome(source, doc)).startsWith('error: ')))
      const failure = await table.values(compiled(source), ENVIRONMENT).then(
        () => new Error('no failure'),
        (error: unknown) => asExpressionError(error),
      )
      assert.instance(failure, ExpressionError, source)
      assert.match((failure as Error).message, message, source)
    }
  })
})
