import fc from 'fast-check'
import {
  documentScope,
  type Scope,
  type ScopeField,
} from '../../../engine/expression/tree/scope.ts'
import type { Environment, FieldValues } from '../../../engine/expression/tree/types.ts'

/** Random well-typed expressions and documents for the property tests beside this file. */

const ROW: readonly ScopeField[] = [
  { name: 'amount', kind: 'money' },
  { name: 'qty', kind: 'decimal' },
  { name: 'count', kind: 'int' },
  { name: 'code', kind: 'str' },
  { name: 'due', kind: 'date' },
  { name: 'at', kind: 'datetime' },
  { name: 'starts', kind: 'time' },
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
  { name: 'z', kind: 'time' },
  { name: 'w', kind: 'time' },
  { name: 'f', kind: 'bool' },
  { name: 'g', kind: 'bool' },
  { name: 'data', kind: 'json' },
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
const time = fc.constantFrom('00:00:00', '08:15:00', '23:59:59')
const json = fc.constantFrom('{}', '[]', '""')
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
    time,
    json,
  }
  return fc.option(values[field.kind]!, { nil: null, freq: 5 })
}

function record(fields: readonly ScopeField[]): fc.Arbitrary<FieldValues> {
  return fc.record(Object.fromEntries(fields.map((field) => [field.name, fieldValue(field)])))
}

/** Documents without rows, as one table holds them. */
export const flatDocument = record(FIELDS)
export const document = fc
  .tuple(flatDocument, fc.array(record(ROW), { maxLength: 5 }))
  .map(([doc, items]): FieldValues => ({ ...doc, items }))

export const environment: Environment = {
  today: '2026-08-05',
  now: '2026-08-05T09:00:00.000Z',
  records: { user: { email: 'ann@example.com', name: null }, old: null },
}

/** The same moment, with the document as it was before. */
export function environmentAfter(old: FieldValues | null): Environment {
  return { ...environment, records: { ...environment.records, old } }
}

interface Options {
  /** Row macros, `lower`, `upper` and `has(old.x)` may occur (they have no SQL). */
  readonly rows: boolean
}

export const KINDS = ['number', 'whole', 'text', 'date', 'datetime', 'time', 'bool'] as const
export type Kind = (typeof KINDS)[number]

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
  const source: Source = (kind, depth, level) => {
    const key = `${kind} ${depth} ${level}`
    const arbitrary = made.get(key) ?? build(kind, depth, level, options, source)
    made.set(key, arbitrary)
    return arbitrary
  }
  return (kind, depth) => source(kind, depth, 0)
}

/** `level`: how many row macros are around; their variables are `i` and, within, `j`. */
type Source = (kind: Kind, depth: number, level: number) => fc.Arbitrary<string>

function build(
  kind: Kind,
  depth: number,
  level: number,
  options: Options,
  source: Source,
): fc.Arbitrary<string> {
  const at = (inner: Kind) => source(inner, depth - 1, level)
  const name = (...names: string[]) => fc.constantFrom(...names)
  const leaf = leafOf(kind, level)
  const variable = level === 0 ? 'i' : 'j'
  const row = level > 0
  if (depth <= 0) return leaf
  const choose = fc.tuple(at('bool'), at(kind), at(kind)).map(([c, a, b]) => `(${c} ? ${a} : ${b})`)
  const macro = (...names: string[]) =>
    fc
      .tuple(name(...names), source(kind, depth - 1, level + 1))
      .map(([m, body]) => `items.${m}(${variable}, ${body})`)
  const inRow = (inner: Kind) => source(inner, depth - 1, level + 1)
  const onlyJs = (arbitrary: fc.Arbitrary<string>) => (options.rows ? [arbitrary] : [])
  const rows = (arbitrary: fc.Arbitrary<string>) => (level < 2 ? onlyJs(arbitrary) : [])
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
        ...rows(
          fc
            .tuple(inRow('bool'), inRow('bool'), inRow('number'))
            .map(
              ([c, d, n]) =>
                `items.filter(${variable}, ${c}).filter(${variable}, ${d}).sum(${variable}, ${n})`,
            ),
        ),
      )
    case 'whole':
      return fc.oneof(
        leaf,
        infix(at('whole'), ['+', '-', '%'], at('whole')),
        infix(leaf, ['*'], leaf),
        at('whole').map((a) => `(-${a})`),
        call('abs', at('whole')),
        choose,
        call('size', at('text')),
        at('text').map((a) => `(${a}).size()`),
        call('days_between', at('date'), at('date')),
        call('days_between', at('datetime'), at('date')),
        call('seconds_between', at('datetime'), at('datetime')),
        call('seconds_between', at('time'), at('time')),
        fc
          .tuple(name('year', 'month', 'day', 'weekday'), fc.oneof(at('date'), at('datetime')))
          .map(([f, a]) => `${f}(${a})`),
        fc
          .tuple(
            name('round', 'floor', 'ceil'),
            name('qty / 3', 'price', 'rate - 0.5', 'total', 'n', '-paid / 7'),
          )
          .map(([f, a]) => `${f}(${row ? 'i.qty' : a})`),
        ...rows(macro('sum', 'min', 'max')),
        ...rows(inRow('bool').map((c) => `items.count(${variable}, ${c})`)),
        ...rows(inRow('bool').map((c) => `size(items.filter(${variable}, ${c}))`)),
        ...rows(name('items.count()', 'items.size()', 'len(items)')),
      )
    case 'text':
      return fc.oneof(
        leaf,
        choose,
        infix(at('text'), ['+'], at('text')),
        call('trim', at('text')),
        call('concat', at('text'), at('whole')),
        call('concat', at('date'), at('time'), at('datetime')),
        call('concat', at('whole')),
        ...onlyJs(call('lower', at('text'))),
        ...onlyJs(at('text').map((a) => `(${a}).upper()`)),
      )
    case 'date':
      return fc.oneof(
        leaf,
        choose,
        call('date', at('datetime')),
        call('month_start', at('date')),
        call('month_end', at('datetime')),
        fc
          .tuple(
            name('add_days', 'add_months', 'add_years'),
            leaf,
            name('1', '-13', '30', '(n % 40)'),
          )
          .map(([f, a, n]) => `${f}(${a}, ${row ? '1' : n})`),
        call('min', at('date'), at('date')),
        call('max', at('date'), at('date')),
        ...rows(macro('min', 'max')),
      )
    case 'datetime':
      return fc.oneof(
        leaf,
        choose,
        call('add_days', leaf, name('1', '-400')),
        call('add_months', leaf, name('1', '-1')),
        call('add_years', leaf, name('1', '-4')),
        call('max', at('datetime'), at('datetime')),
        ...rows(macro('min', 'max')),
      )
    case 'time':
      return fc.oneof(
        leaf,
        choose,
        call('min', at('time'), at('time')),
        call('time', at('datetime')),
        ...rows(macro('min', 'max')),
      )
    case 'bool':
      return fc.oneof(
        leaf,
        infix(at('number'), comparisons, at('number')),
        infix(at('number'), comparisons, literal),
        infix(at('text'), comparisons, at('text')),
        infix(at('date'), comparisons, at('date')),
        infix(at('datetime'), comparisons, at('datetime')),
        infix(at('time'), comparisons, at('time')),
        infix(at('date'), comparisons, name('"2024-02-29"', '""')),
        infix(at('datetime'), comparisons, name('"2026-01-01"', '"2024-02-29T23:59:59Z"')),
        infix(at('time'), comparisons, name('"08:15:00"', '""')),
        choose,
        infix(at('bool'), ['&&', '||', '==', '!='], at('bool')),
        at('bool').map((c) => `!${c}`),
        fc
          .tuple(at('text'), text, text)
          .map(([a, b, c]) => `(${a} in [${JSON.stringify(b)}, ${JSON.stringify(c)}])`),
        fc.tuple(at('number'), at('number'), literal).map(([a, b, c]) => `(${a} in [${b}, ${c}])`),
        fc.tuple(at('date'), at('date')).map(([a, b]) => `(${a} in [${b}, "2026-01-01"])`),
        fc
          .tuple(name('contains', 'startsWith', 'endsWith'), at('text'), at('text'))
          .map(([f, a, b]) => `${f}(${a}, ${b})`),
        fc
          .tuple(name('contains', 'startsWith', 'endsWith'), at('text'), at('text'))
          .map(([f, a, b]) => `(${a}).${f}(${b})`),
        ...onlyJs(name('has(old.total)', 'has(old.s)', 'has(old.data)')),
        ...rows(
          fc
            .tuple(name('all', 'exists'), inRow('bool'))
            .map(([m, c]) => `items.${m}(${variable}, ${c})`),
        ),
      )
  }
}

function leafOf(kind: Kind, level: number): fc.Arbitrary<string> {
  const constants = {
    number: literal,
    whole: fc.constantFrom('0', '1', '7', '100'),
    text: text.map((value) => JSON.stringify(value)),
  }
  const outside = {
    number: NUMBERS,
    whole: ['n', 'm', 'coalesce(n, m, 3)'],
    text: ['s', 't', 'user.email', 'coalesce(s, t)', 'coalesce(t, "none")', 'old.s'],
    date: ['d', 'e', 'today()', 'coalesce(d, e)', 'old.d'],
    datetime: ['x', 'y', 'now()'],
    time: ['z', 'w', 'coalesce(w, z)'],
    bool: [
      ...['f', 'g', 'has(s)', 'has(total)', 'has(d)', 'has(f)', 'has(data)', '(d != "")'],
      ...['(total > 0)', '(s == "ab")', 'changed(s)', 'changed(total)', 'changed(f)', 'old.g'],
    ],
  }
  const inside = {
    number: ['.amount', '.qty', '.count'],
    whole: ['.count'],
    text: ['.code'],
    date: ['.due'],
    datetime: ['.at'],
    time: ['.starts'],
    bool: ['.ok'],
  }
  const variables = ['i', 'j'].slice(0, level)
  const names = [
    ...(level === 0 ? outside[kind] : outside[kind].slice(0, 2)),
    ...variables.flatMap((variable) => inside[kind].map((field) => variable + field)),
  ]
  const name = fc.constantFrom(...names)
  return kind in constants ? fc.oneof(name, constants[kind as keyof typeof constants]) : name
}
