import * as calendar from './calendar.ts'
import { type FunctionSpec, type SqlTemplate, viaJs } from './function-spec.ts'

const INT = ['int'] as const
const DAY = ['date', 'datetime'] as const

const DATE_FORM = `'YYYY-MM-DD'`
const DATETIME_FORM = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`

/**
 * PostgreSQL: a date or datetime moved by an interval; both are kept as text. Its own calendar goes on
 * before year 1 and after 9999, where to_char gives texts that are no dates here: the cast refuses those.
 */
function moved(interval: (count: string) => string): SqlTemplate {
  return ([moment = '', count = ''], [kind]) => {
    const form = kind === 'date' ? DATE_FORM : DATETIME_FORM
    const later = `nullif(${moment}, '')::timestamp + ${interval(`(${count})::int`)}`
    const outside = `('the date lies outside the years 1 to 9999: ' || later::text)::date::text`
    return `(select case when later is null then '' when later >= '0001-01-01' and later < '10000-01-01' then to_char(later, ${form}) else ${outside} end from (select ${later} as later offset 0) as moved)`
  }
}

function extracted(part: string): SqlTemplate {
  return ([moment = '']) =>
    `coalesce(extract(${part} from nullif(${moment}, '')::timestamp)::bigint, 0)`
}

const startOfMonth = (moment: string) => `date_trunc('month', nullif(${moment}, '')::timestamp)`

function moment(
  name: string,
  second: FunctionSpec['params'],
  result: FunctionSpec['result'],
  js: FunctionSpec['js'],
  postgres: SqlTemplate,
): FunctionSpec {
  const usage = `${name}(date${second.length > 0 ? ', n' : ''})`
  return {
    name,
    usage,
    params: [DAY, ...second],
    result,
    raises: true,
    js,
    sqlite: viaJs(name),
    postgres,
  }
}

/** Functions of dates, datetimes and times. */
export const DATE_FUNCTIONS: readonly FunctionSpec[] = [
  moment(
    'add_days',
    [INT],
    'first',
    calendar.addDays,
    moved((n) => `make_interval(days => ${n})`),
  ),
  moment(
    'add_months',
    [INT],
    'first',
    calendar.addMonths,
    moved((n) => `make_interval(months => ${n})`),
  ),
  moment(
    'add_years',
    [INT],
    'first',
    calendar.addYears,
    moved((n) => `make_interval(years => ${n})`),
  ),
  moment('date', [], 'date', calendar.dateOf, ([m]) => `left(${m}, 10)`),
  {
    name: 'time',
    usage: 'time(datetime)',
    params: [['datetime']],
    result: 'time',
    js: calendar.timeOf,
    sqlite: viaJs('time'),
    postgres: ([m = '']) => `substr(${m}, 12, 8)`,
  },
  moment('year', [], 'int', calendar.yearOf, extracted('year')),
  moment('month', [], 'int', calendar.monthOf, extracted('month')),
  moment('day', [], 'int', calendar.dayOf, extracted('day')),
  moment('weekday', [], 'int', calendar.weekdayOf, extracted('isodow')),
  moment(
    'month_start',
    [],
    'date',
    calendar.monthStart,
    ([m = '']) => `coalesce(to_char(${startOfMonth(m)}, ${DATE_FORM}), '')`,
  ),
  moment(
    'month_end',
    [],
    'date',
    calendar.monthEnd,
    ([m = '']) =>
      `coalesce(to_char(${startOfMonth(m)} + interval '1 month -1 day', ${DATE_FORM}), '')`,
  ),
  {
    name: 'days_between',
    usage: 'days_between(to, from)',
    params: [DAY, DAY],
    result: 'int',
    raises: true,
    js: calendar.daysBetween,
    // The days of two midnights differ by whole numbers, which a double holds.
    sqlite: ([to, from]) =>
      `coalesce(cast(julianday(substr(${to}, 1, 10)) - julianday(substr(${from}, 1, 10)) as integer), 0)`,
    postgres: ([to, from]) =>
      `coalesce((nullif(left(${to}, 10), '')::date - nullif(left(${from}, 10), '')::date)::bigint, 0)`,
  },
  {
    name: 'seconds_between',
    usage: 'seconds_between(to, from)',
    params: [
      ['datetime', 'time'],
      ['datetime', 'time'],
    ],
    alike: true,
    result: 'int',
    raises: true,
    js: calendar.secondsBetween,
    sqlite: viaJs('seconds_between'),
    postgres: ([to, from], [kind]) => {
      const type = kind === 'time' ? 'time' : 'timestamp'
      return `coalesce(trunc(extract(epoch from nullif(${to}, '')::${type} - nullif(${from}, '')::${type}))::bigint, 0)`
    },
  },
]
