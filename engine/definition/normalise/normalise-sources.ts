import type { Fetch, HookCall, Lookup, MadeRows, Rollup, SearchInput } from '../../fields/field.ts'
import { fieldTypes } from '../../fields/index.ts'
import type { Path } from '../yaml/parse.ts'
import { isMap, type Report, type YamlMap } from '../yaml/source.ts'
import { compact } from './compact.ts'
import { UNNAMED_ROW } from './expand-copies.ts'

/** Keys of a field that compute its value. */
export const COMPUTED = ['formula', 'rollup', 'lookup', 'call', 'rows'] as const
const SOURCES = [...COMPUTED, 'fetch'] as const
/** Keys whose value callers may give where the source says `when: empty`. */
const FILLS_GAPS = ['fetch', 'lookup', 'call'] as const

/** Whether a source only fills a gap (`when: empty`), so that callers may give the value. */
export function fillsGap(raw: YamlMap): boolean {
  return FILLS_GAPS.some((key) => {
    const source = raw[key]
    return isMap(source) && source.when === 'empty'
  })
}

/** Fetch of a `fetch` as written: the two parts of `customer.territory`, and when. */
export function fetchOf({ fetch }: YamlMap, path: Path, report: Report): Fetch | undefined {
  const { from, at, when, as }: YamlMap = isMap(fetch) ? fetch : { from: fetch }
  if (typeof from !== 'string') return undefined
  if (when !== undefined && at !== undefined)
    report([...path, 'fetch', 'at'], 'means nothing beside when: empty; remove one', 'key')
  const [link = '', field = ''] = from.split('.')
  return compact<Fetch>({
    link,
    field,
    when: ((when ?? at) as Fetch['when'] | undefined) ?? 'draft',
    as: as as Fetch['as'],
  })
}

/** Reports keys of a field that contradict each other about where its value comes from. */
export function checkSources(raw: YamlMap, path: Path, report: Report): void {
  const first = SOURCES.find((key) => raw[key] !== undefined)
  const second = first && SOURCES.find((key) => key !== first && raw[key] !== undefined)
  if (first !== undefined && second !== undefined) {
    report(
      [...path, second],
      `a value has one source, got ${first} and ${second}; remove one`,
      'key',
    )
  }
  const computed = fillsGap(raw) ? undefined : COMPUTED.find((key) => raw[key] !== undefined)
  if (computed === undefined) return
  if (raw.default !== undefined) {
    report([...path, 'default'], `never used: the field has ${computed}; remove one`, 'key')
  }
  if (raw.required === true) {
    report(
      [...path, 'required'],
      `callers cannot send it: the field has ${computed}; remove required`,
      'key',
    )
  }
}

const OPERATIONS = ['sum', 'min', 'max', 'count'] as const

/** Look-up of a `lookup` as written; undefined when it has a mistake. */
export function lookupOf({ lookup }: YamlMap, path: Path, report: Report): Lookup | undefined {
  if (!isMap(lookup)) return undefined
  const at = [...path, 'lookup']
  const { from, match, where, latest, at: moment = 'draft', when } = lookup
  const wanted = ['value', ...OPERATIONS].filter((key) => lookup[key] !== undefined)
  const operation = OPERATIONS.find((key) => lookup[key] !== undefined)
  if (wanted.length !== 1)
    report(
      at,
      `needs one of value, sum, min, max or count: true, got ${wanted.join(' and ') || 'none'}`,
      'key',
    )
  if (operation !== undefined && match !== undefined)
    report([...at, 'match'], `names one record, and ${operation} is over all of a where`, 'key')
  else if ((match === undefined) === (where === undefined))
    report(at, operation === undefined ? 'needs either match or where' : 'needs where', 'key')
  if (latest !== undefined && (where === undefined || operation !== undefined))
    report(
      [...at, 'latest'],
      `means nothing ${where === undefined ? 'without where' : `with ${operation}`}; remove it`,
      'key',
    )
  if (from === undefined && match === undefined) report(at, 'needs from', 'key')
  if ((from === undefined && match === undefined) || wanted.length !== 1) return undefined
  return compact<Lookup>({
    from: from as string | undefined,
    match: match as string | undefined,
    where: where as Lookup['where'],
    latest: latest as string | undefined,
    operation,
    value: operandOf(lookup, operation ?? 'value'),
    at: moment as Lookup['at'],
    when: when === 'empty' ? 'empty' : 'always',
  })
}

/** Call of a `call` as written: the hook, and what it is called with. */
export function callOf({ call, type }: YamlMap, path: Path, report: Report): HookCall | undefined {
  if (!isMap(call) || typeof call.hook !== 'string') return undefined
  const { hook, value, with: inputs = {}, at = 'draft', when, if: condition } = call
  const isTable = fieldTypes.get(String(type))?.optionsMean === 'rows'
  if (isTable && value !== undefined)
    report([...path, 'call', 'value'], 'a table takes all its columns name; remove value', 'key')
  else if (!isTable && value === undefined)
    report([...path, 'call'], 'needs the key value: which output of the hook it is', 'key')
  return compact<HookCall>({
    hook,
    value: value as string | undefined,
    with: Object.fromEntries(
      Object.entries(inputs as object).map(([name, source]) => [
        name,
        isMap(source) ? (source as unknown as SearchInput) : String(source),
      ]),
    ),
    if: condition as string | undefined,
    at: at as HookCall['at'],
    when: when === 'empty' ? 'empty' : 'always',
  })
}

/** Rows of a table from those of others as `rows` is written: one source, or a list of them. */
export function rowsFrom(
  { rows, type }: YamlMap,
  path: Path,
  report: Report,
): readonly MadeRows[] | undefined {
  const made = Array.isArray(rows)
    ? rows.flatMap((one, at) => madeFrom(one, at) ?? [])
    : [madeFrom(rows)].filter((one) => one !== undefined)
  if (made.length === 0) return undefined
  if (fieldTypes.get(String(type))?.optionsMean !== 'rows')
    report([...path, 'rows'], 'is for tables; remove it', 'key')
  return made
}

/** Where a source of the rows of a field stands in its file. */
export function pathOfRows(field: Path, { at }: MadeRows): Path {
  return at === undefined ? [...field, 'rows'] : [...field, 'rows', at]
}

function madeFrom(rows: unknown, at?: number): MadeRows | undefined {
  if (!isMap(rows) || typeof rows.each !== 'string' || !isMap(rows.set)) return undefined
  const { each, as = UNNAMED_ROW, within, if: condition, set } = rows
  const inner = isMap(within) ? { as: 'part', ...within } : undefined
  return compact<MadeRows>({
    at,
    each,
    as: as as string,
    within: inner as MadeRows['within'],
    if: condition as string | undefined,
    set: set as MadeRows['set'],
  })
}

/** The expression of an operation, or the field; a count has none. */
function operandOf(
  source: YamlMap,
  key: (typeof OPERATIONS)[number] | 'value',
): string | undefined {
  return key === 'count' ? undefined : (source[key] as string)
}

/** Rollup of a `rollup` as written; one over all that declare something is from none of them yet (declared-rollup.ts). */
export function rollupOf(raw: unknown, path: Path, report: Report): Rollup | undefined {
  if (!isMap(raw)) return undefined
  const { from = raw.declaring, match, where } = raw
  if ((raw.from === undefined) === (raw.declaring === undefined))
    report(path, 'needs either from or declaring', 'key')
  const [operation, more] = OPERATIONS.filter((key) => raw[key] !== undefined)
  if (operation === undefined || more !== undefined) {
    report(
      path,
      `needs one of sum, min, max or count: true, got ${operation === undefined ? 'none' : `${operation} and ${more}`}`,
      'key',
    )
  }
  if (typeof from !== 'string' || typeof match !== 'string' || operation === undefined)
    return undefined
  const value = operandOf(raw, operation)
  return compact<Rollup>({ from, match, operation, value, where: where as string | undefined })
}
