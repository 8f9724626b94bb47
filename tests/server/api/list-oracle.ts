import type { Random } from '../../helpers/random.ts'

/** A record as its parts that filters may name: its own fields, those of a linked record, and of its rows. */
export interface Seen {
  readonly name: string
  readonly own: Readonly<Record<string, unknown>>
  readonly items: readonly Readonly<Record<string, unknown>>[]
}

type Kind = 'text' | 'number' | 'check' | 'date' | 'datetime'

interface Filtered {
  /** As a filter names it. */
  readonly path: string
  readonly kind: Kind
  /** Values records have, and what filters ask for. */
  readonly pool: readonly unknown[]
}

/** What unset compares as, and with it every value. */
const UNSET: Readonly<Record<Kind, string | number>> = {
  text: '',
  number: 0,
  check: 0,
  date: '0001-01-01',
  datetime: '0001-01-01T00:00:00.000Z',
}

const TEXTS = [
  '',
  'Nut',
  'nut',
  'Bolt',
  '50% off',
  '5_0',
  'Éclair',
  'éclair',
  'ΟΔΟΣ',
  'a\\b',
  '%',
  'ß',
]
const MOMENTS = ['2026-03-09T10:00:00.000Z', '2026-03-09T23:59:59.999Z', '2026-03-10T00:00:00.000Z']

export const FILTERED: readonly Filtered[] = [
  { path: 'note', kind: 'text', pool: TEXTS },
  { path: 'status', kind: 'text', pool: ['', 'Open', 'Paid', 'Late'] },
  { path: 'amount', kind: 'number', pool: [null, 0, -0.5, 10.5, 100] },
  { path: 'number', kind: 'number', pool: [null, 0, 1, -7, 300] },
  { path: 'urgent', kind: 'check', pool: [null, true, false] },
  { path: 'day', kind: 'date', pool: [null, '2026-03-08', '2026-03-09', '0001-01-01'] },
  { path: 'at', kind: 'datetime', pool: [null, ...MOMENTS] },
  { path: 'items.article', kind: 'text', pool: TEXTS },
  { path: 'items.qty', kind: 'number', pool: [null, 0, 1.25, -3] },
  { path: 'buyer.region', kind: 'text', pool: ['', 'France', 'Spain'] },
  { path: 'buyer.credit', kind: 'number', pool: [null, 0, 10, 20] },
]

const COMPARED: Readonly<Record<string, (order: number) => boolean>> = {
  '=': (order) => order === 0,
  '!=': (order) => order !== 0,
  '>': (order) => order > 0,
  '<': (order) => order < 0,
  '>=': (order) => order >= 0,
  '<=': (order) => order <= 0,
}

/** A condition as a client sends it, and what it means. */
export interface Guess {
  readonly sent: readonly [path: string, operator: string, value: unknown]
  /** Of a value of the field, unset as null. */
  readonly holds: (value: unknown) => boolean
}

export function randomGuess(random: Random): Guess {
  const { path, kind, pool } = random.one(FILTERED)
  const comparable = (value: unknown): string | number =>
    value === null || value === undefined || value === ''
      ? UNSET[kind]
      : typeof value === 'boolean'
        ? Number(value)
        : (value as string | number)
  const order = (a: unknown, b: unknown): number => {
    const [one, other] = [comparable(a), comparable(b)]
    return one < other ? -1 : one > other ? 1 : 0
  }
  const sent = (value: unknown) => loosely(random, kind, value)
  const value = random.one(pool)
  const shape = random.below(6)
  if (shape === 0) {
    const values = Array.from({ length: random.below(4) }, () => random.one(pool))
    const isNegated = random.chance(0.5)
    return {
      sent: [path, isNegated ? 'not in' : 'in', values.map(sent)],
      holds: (of) => values.some((one) => order(of, one) === 0) !== isNegated,
    }
  }
  if (shape === 1) {
    const isSet = random.chance(0.5)
    return {
      sent: [path, 'is', isSet ? 'set' : 'not set'],
      holds: (of) => (of !== null && of !== undefined && of !== '') === isSet,
    }
  }
  if (shape === 2) {
    const to = random.one(pool)
    return {
      sent: [path, 'between', [sent(value), sent(to)]],
      holds: (of) => order(of, value) >= 0 && order(of, to) <= 0,
    }
  }
  if (shape === 3 && kind === 'text') {
    const pattern = randomPattern(random)
    const isNegated = random.chance(0.5)
    return {
      sent: [path, isNegated ? 'not like' : 'like', pattern],
      holds: (of) => likes(String(of ?? ''), pattern) !== isNegated,
    }
  }
  const operator = random.one(Object.keys(COMPARED))
  return {
    sent: [path, operator, sent(value)],
    holds: (of) => COMPARED[operator]!(order(of, value)),
  }
}

/** The names of the records of which some row, or the record without rows, meets all of `all` and one of `any`. */
export function expectedNames(
  records: readonly Seen[],
  all: readonly Guess[],
  any: readonly Guess[],
): string[] {
  const looksAtRows = [...all, ...any].some(({ sent: [path] }) => path.startsWith('items.'))
  return records
    .filter(({ own, items }) => {
      const rows = looksAtRows && items.length > 0 ? items : [{}]
      return rows.some((row) => {
        const meets = ({ sent: [path], holds }: Guess) =>
          holds(path.startsWith('items.') ? row[path.slice('items.'.length)] : own[path])
        return all.every(meets) && (any.length === 0 || any.some(meets))
      })
    })
    .map(({ name }) => name)
}

/** In one of the forms clients send it in. */
function loosely(random: Random, kind: Kind, value: unknown): unknown {
  if (value === null || value === '') return random.one([null, ''])
  if (kind === 'check')
    return random.one([value, Number(value), String(value), String(Number(value))])
  if (kind === 'datetime')
    return random.one([value, String(value).replace('T', ' ').replace('Z', '000')])
  return random.one([value, String(value)])
}

function randomPattern(random: Random): string {
  const parts = ['%', '_', 'n', 'U', 't', 'é', '5', ' ', '\\', 'ς', 'Bolt', 'ss']
  return Array.from({ length: random.below(5) }, () => random.one(parts)).join('')
}

function likes(text: string, pattern: string): boolean {
  const lower = (of: string) => of.toLowerCase().replaceAll('ς', 'σ')
  const source = [...lower(pattern)]
    .map((char) =>
      char === '%' ? '.*' : char === '_' ? '.' : char.replace(/[\\^$.*+?()[\]{}|]/, '\\$&'),
    )
    .join('')
  return new RegExp(`^${source}$`, 'su').test(lower(text))
}
