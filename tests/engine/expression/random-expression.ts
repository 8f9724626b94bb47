import fc from 'fast-check'
import { documentScope, type Scope, type ScopeField } from '../../../engine/expression/scope.ts'
import type { Doc, Environment } from '../../../engine/expression/types.ts'

/** Random well-typed expressions and documents for the property tests beside this file. */

const ROW: readonly ScopeField[] = [
  { name: 'amount', kind: 'money' },
  { name: 'qty', kind: 'decimal' },
  { name: 'count', kind: 'int' },
  { name: 'code', kind: 'str' },
  { name: 'due', kind: 'date' },
  { name: 'ok', kind: 'bool' },
]

export const FIELDS: readonly ScopeField[] = [
  { name: 'total', kind: 'money' },
  { name: 'paid', kind: 'money' },
  { name: 'qty', kind: 'decimal' },
  { name: 'rate', kind: 'decimal' },
  { name: 'price', kind: 'decimal', scale: 2 },
  { name: 'n', kind: 'int' },
  { name: 'm', kind: 'int' },
  { name: 's', kind: 'str' },
  { name: 't', kind: 'str' },
  { name: 'd', kind: 'date' },
  { name: 'e', kind: 'date' },
  { name: 'x', kind: 'datetime' },
  { name: 'y', kind: 'datetime' },
  { name: 'f', kind: 'bool' },
  { name: 'g', kind: 'bool' },
]

const NUMBERS = ['total', 'paid', 'qty', 'rate', 'price', 'n', 'm']

export const SCOPE: Scope = documentScope([
  ...FIELDS,
  { name: 'items', kind: 'rows', rows: ROW, maxRows: 5 },
])

const TEXTS = [
  '',
  'a',
  'B',
  'ab',
  'é',
  ' ab ',
  '%_',
  "o'n",
  '"',
  '\\',
  '😀',
  '\ue000',
  '\uffff',
  '\u00a0x',
  'Ω',
  'a😀b',
]
const text = fc.constantFrom(...TEXTS)
const date = fc.constantFrom(
  '2024-02-29',
  '2023-12-31',
  '2026-01-01',
  '1999-03-07',
  '0004-02-28',
  '2026-08-05',
)
const datetime = fc.constantFrom(
  '2024-02-29T23:59:59.999Z',
  '2026-01-01T00:00:00.000Z',
  '1970-01-01T12:30:00.250Z',
)
/** Up to 15 digits, often small, so that rounding ties and equal values happen. */
const scaled = fc.oneof(
  fc.bigInt({ min: -(10n ** 15n) + 1n, max: 10n ** 15n - 1n }),
  fc.bigInt({ min: -20_000n, max: 20_000n }),
  fc.constantFrom(0n, 5000n, 15000n, 999_999_999_999_999n, 1n),
)
const whole = fc.oneof(fc.integer({ min: -5, max: 5 }), fc.integer({ min: -100_000, max: 100_000 }))

function fieldValue(field: ScopeField): fc.Arbitrary<unknown> {
  const values: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
    money: scaled,
    decimal: scaled,
    int: whole,
    bool: fc.boolean(),
    str: text,
    date,
    datetime,
  }
  return fc.option(values[field.kind]!, { nil: null, freq: 5 })
}

function record(fields: readonly ScopeField[]): fc.Arbitrary<Doc> {
  return fc.record(Object.fromEntries(fields.map((field) => [field.name, fieldValue(field)])))
}

/** Documents without rows, as one table holds them. */
export const flatDocument = record(FIELDS)
export const document = fc
  .tuple(flatDocument, fc.array(record(ROW), { maxLength: 5 }))
  .map(([doc, items]): Doc => ({ ...doc, items }))

export const environment: Environment = {
  today: '2026-08-05',
  now: '2026-08-05T09:00:00.000Z',
  records: { user: { email: 'ann@example.com', name: null }, old: null },
}

interface Options {
  /** Row macros may occur (they have no SQL). */
  readonly rows: boolean
}

export type Kind = 'number' | 'whole' | 'text' | 'date' | 'datetime' | 'bool'

function call(name: string, ...args: fc.Arbitrary<string>[]): fc.Arbitrary<string> {
  return fc.tuple(...args).map((parts) => `${name}(${parts.join(', ')})`)
}

function infix(
  left: fc.Arbitrary<string>,
  operators: readonly string[],
  right: fc.Arbitrary<string>,
): fc.Arbitrary<string> {
  return fc
    .tuple(left, fc.constantFrom(...operators), right)
    .map(([a, op, b]) => `(${a} ${op} ${b})`)
}

const literal = fc.constantFrom('0', '1', '2', '100', '0.5', '1.005', '3', '0.000001', '12345.678')
const comparisons = ['==', '!=', '<', '<=', '>', '>=']

/** Makes sources of expressions of a kind, at most `depth` operators deep. */
export function sources(options: Options): (kind: Kind, depth: number) => fc.Arbitrary<string> {
  const made = new Map<string, fc.Arbitrary<string>>()
  const source: Source = (kind, depth, row) => {
    const key = `${kind} ${depth} ${row}`
    const arbitrary = made.get(key) ?? build(kind, depth, row, options, source)
    made.set(key, arbitrary)
    return arbitrary
  }
  return (kind, depth) => source(kind, depth, false)
}

type Source = (kind: Kind, depth: number, row: boolean) => fc.Arbitrary<string>

function build(
  kind: Kind,
  depth: number,
  row: boolean,
  options: Options,
  source: Source,
): fc.Arbitrary<string> {
  const at = (inner: Kind) => source(inner, depth - 1, row)
  const name = (...names: string[]) => fc.constantFrom(...names)
  const leaf = leafOf(kind, row)
  if (depth <= 0) return leaf
  const choose = fc.tuple(at('bool'), at(kind), at(kind)).map(([c, a, b]) => `(${c} ? ${a} : ${b})`)
  const macro = (...names: string[]) =>
    fc
      .tuple(name(...names), source(kind, depth - 1, true))
      .map(([m, body]) => `items.${m}(i, ${body})`)
  const rows = (arbitrary: fc.Arbitrary<string>) => (options.rows && !row ? [arbitrary] : [])
  switch (kind) {
    case 'number':
      return fc.oneof(
        leaf,
        choose,
        at('whole'),
        infix(at('number'), ['+', '-', '*', '/', '%'], at('number')),
        at('number').map((a) => `(-${a})`),
        fc.tuple(at('number'), fc.integer({ min: 0, max: 7 })).map(([a, n]) => `round(${a}, ${n})`),
        call('abs', at('number')),
        call('min', at('number'), at('number')),
        call('max', at('number'), at('number')),
        ...rows(macro('sum', 'min', 'max')),
        ...rows(at('bool').map((c) => `items.filter(i, ${c}).sum(i, i.amount * i.qty)`)),
      )
    case 'whole':
      return fc.oneof(
        leaf,
        infix(at('whole'), ['+', '-', '%'], at('whole')),
        call('size', at('text')),
        call('days_between', at('date'), at('date')),
        call('seconds_between', at('datetime'), at('datetime')),
        fc.tuple(name('year', 'month', 'day', 'weekday'), at('date')).map(([f, a]) => `${f}(${a})`),
        fc
          .tuple(name('round', 'floor', 'ceil'), name('qty / 3', 'price', 'rate - 0.5'))
          .map(([f, a]) => `${f}(${row ? 'i.qty' : a})`),
        ...rows(macro('sum', 'min', 'max')),
        ...rows(at('bool').map((c) => `items.count(i, ${c})`)),
      )
    case 'text':
      return fc.oneof(
        leaf,
        choose,
        infix(at('text'), ['+'], at('text')),
        call('trim', at('text')),
        call('concat', at('text'), at('whole')),
      )
    case 'date':
      return fc.oneof(
        leaf,
        choose,
        call('date', at('datetime')),
        call('month_start', at('date')),
        call('month_end', at('date')),
        fc
          .tuple(
            name('add_days', 'add_months', 'add_years'),
            leaf,
            name('1', '-13', '30', '(n % 40)'),
          )
          .map(([f, a, n]) => `${f}(${a}, ${row ? '1' : n})`),
        call('min', at('date'), at('date')),
        ...rows(macro('min', 'max')),
      )
    case 'datetime':
      return fc.oneof(
        leaf,
        choose,
        call('add_days', leaf, name('1', '-400')),
        call('add_months', leaf, name('1', '-1')),
      )
    case 'bool':
      return fc.oneof(
        leaf,
        infix(at('number'), comparisons, at('number')),
        infix(at('number'), comparisons, literal),
        infix(at('text'), comparisons, at('text')),
        infix(at('date'), comparisons, at('date')),
        infix(at('datetime'), comparisons, at('datetime')),
        infix(at('bool'), ['&&', '||', '==', '!='], at('bool')),
        at('bool').map((c) => `!${c}`),
        fc
          .tuple(at('text'), text, text)
          .map(([a, b, c]) => `(${a} in [${JSON.stringify(b)}, ${JSON.stringify(c)}])`),
        fc.tuple(at('number'), at('number'), literal).map(([a, b, c]) => `(${a} in [${b}, ${c}])`),
        fc
          .tuple(name('contains', 'startsWith', 'endsWith'), at('text'), at('text'))
          .map(([f, a, b]) => `${f}(${a}, ${b})`),
        ...rows(
          fc
            .tuple(name('all', 'exists'), source('bool', depth - 1, true))
            .map(([m, c]) => `items.${m}(i, ${c})`),
        ),
      )
  }
}

function leafOf(kind: Kind, row: boolean): fc.Arbitrary<string> {
  const constants = {
    number: literal,
    whole: fc.constantFrom('0', '1', '7', '100'),
    text: text.map((value) => JSON.stringify(value)),
  }
  const names = {
    number: row ? ['i.amount', 'i.qty', 'total', 'n'] : NUMBERS,
    whole: row ? ['i.count', 'n'] : ['n', 'm'],
    text: row ? ['i.code', 's'] : ['s', 't', 'user.email', 'coalesce(s, t)', 'coalesce(t, "none")'],
    date: row ? ['i.due', 'd'] : ['d', 'e', 'today()', 'coalesce(d, e)'],
    datetime: row ? ['x'] : ['x', 'y', 'now()'],
    bool: row
      ? ['i.ok', 'f', '(i.code != "")']
      : ['f', 'g', 'has(s)', 'has(total)', '(d != "")', '(total > 0)', '(s == "ab")'],
  }
  const name = fc.constantFrom(...names[kind])
  return kind in constants ? fc.oneof(name, constants[kind as keyof typeof constants]) : name
}
