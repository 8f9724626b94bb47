import { suggest } from '../base/suggest.ts'
import type { FieldType } from '../fields/field-type.ts'
import { fieldTypes } from '../fields/index.ts'
import { readDefault } from './default-value.ts'
import type { ChildDefinition, Fetch, Field, HookCall, Lookup, Rollup } from './definition.ts'
import type { Path } from './parse.ts'
import { singularise, titleCase } from './slug.ts'
import { isMap, type Report, type YamlMap } from './source.ts'
import { takenFieldName } from './standard-fields.ts'

/** The most rows a table takes when it says nothing else, and the most it may ask for. */
const DEFAULT_MAX_ROWS = 500
const MAX_ROWS = 5000

/** What normalising a field needs to know of its surroundings. */
export interface FieldContext {
  /** Name of the DocType, for the names of its tables' rows. */
  readonly doctype: string
  /** Rows of the child DocType of that name; undefined when there is none. */
  readonly childFields: (name: string) => readonly Field[] | undefined
  /** Names of all child DocTypes, for suggestions. */
  readonly childNames: readonly string[]
  /** True while the fields are those of rows. */
  readonly inRows: boolean
  readonly report: Report
}

/** The fields of a DocType or of a table's rows; those whose type is not known are left out. */
export function normaliseFields(raw: YamlMap, path: Path, context: FieldContext): Field[] {
  const names = new Set(Object.keys(raw))
  const fields: Field[] = []
  for (const [name, written] of Object.entries(raw)) {
    if (!isMap(written)) continue
    const field = normaliseField(name, written, [...path, name], names, context)
    if (field) fields.push(field)
  }
  return fields
}

/** One field as written → field; undefined when its type is missing or unknown. */
export function normaliseField(
  name: string,
  raw: YamlMap,
  path: Path,
  names: ReadonlySet<string>,
  context: FieldContext,
): Field | undefined {
  const { report } = context
  checkName(name, path, report)
  if (raw.type === undefined) {
    report([...path, 'type'], 'needs the key type')
    return undefined
  }
  const type = fieldTypes.get(formOf(raw, path, report))
  if (!type) return undefined
  const label = (raw.label as string | undefined) ?? titleCase(name)
  const isRows = type.optionsMean === 'rows'
  const computed = COMPUTED.some((key) => raw[key] !== undefined)
  const fetch = fetchOf(raw)
  checkSources(raw, path, report)
  const field = compact<Field>({
    name,
    type: type.name,
    label,
    description: raw.description as string | undefined,
    required: raw.required === true,
    unique: raw.unique === true,
    filterable: raw.filterable === true,
    createOnly: raw.createOnly === true,
    readOnly:
      raw.readOnly === true ||
      (computed && raw.fetch_if !== 'empty') ||
      (fetch !== undefined && fetch.when !== 'empty'),
    hidden: raw.hidden === true,
    allowOnSubmit: raw.allow_on_submit === true,
    noCopy: raw.no_copy === true,
    ...optionsOf(type, raw, path, report),
    child: isRows ? rowsOf(raw, label, path, context) : undefined,
    min: isRows ? undefined : (raw.min as number | undefined),
    max: isRows ? undefined : (raw.max as number | undefined),
    length: raw.length as number | undefined,
    scale: raw.scale as number | undefined,
    pattern: raw.pattern as string | undefined,
    currencyField: raw.currency as string | undefined,
    formula: raw.formula as string | undefined,
    defaultFrom: raw.default_from as string | undefined,
    fetch,
    lookup: lookupOf(raw, path, report),
    call: callOf(raw, path, report),
    rollup: rollupOf(raw.rollup, [...path, 'rollup'], report),
    requiredWhen: raw.required_when as string | undefined,
    visibleWhen: raw.visible_when as string | undefined,
    renamedFrom: raw.renamed_from as string | undefined,
    section: raw.section as string | undefined,
    inList: raw.in_list === true,
    width: raw.width as number | undefined,
    placeholder: raw.placeholder as string | undefined,
  })
  const problems = type.check(field)
  for (const { key, message } of problems) report([...path, key], message)
  checkIndexed(field, type, path, context)
  if (
    raw.default === undefined ||
    problems.some(({ key }) => key === 'pattern' || key === 'options')
  )
    return field
  return withDefault(field, raw.default as string | number | boolean, path, names, context)
}

type Loose<T> = { readonly [K in keyof T]: T[K] | undefined }

/** The object without the keys that are undefined. */
export function compact<T extends object>(loose: Loose<T>): T {
  const kept: Partial<T> = {}
  for (const key in loose) {
    const value = loose[key]
    if (value !== undefined) kept[key] = value
  }
  return kept as T
}

function checkName(name: string, path: Path, report: Report): void {
  const why = takenFieldName(name)
  if (why !== undefined) report(path, `a field cannot be called ${name}: ${why}`, 'key')
  if (name.includes('__')) report(path, `a field name cannot contain __, got ${name}`, 'key')
}

/** `format` makes a field of text one of the type of that name. */
function formOf({ type, format }: YamlMap, path: Path, report: Report): string {
  const name = String(type)
  if (format === undefined) return name
  const written = fieldTypes.get(name)
  if (written?.kind === 'str' && written.optionsMean === 'nothing') return String(format)
  report([...path, 'format'], `format is for fields of text; remove it, or write type: ${format}`)
  return name
}

function fetchOf({ fetch, fetch_if }: YamlMap): Fetch | undefined {
  if (fetch === undefined) return undefined
  const [link = '', field = ''] = String(fetch).split('.')
  return { link, field, when: (fetch_if as Fetch['when'] | undefined) ?? 'draft' }
}

const COMPUTED = ['formula', 'rollup', 'lookup', 'call'] as const
/** Those that `fetch_if: empty` leaves to callers. */
const FILLS_GAPS = ['lookup', 'call']

function checkSources(raw: YamlMap, path: Path, report: Report): void {
  const [first, second] = [...COMPUTED, 'fetch'].filter((key) => raw[key] !== undefined)
  if (first !== undefined && second !== undefined) {
    report(
      [...path, second],
      `a value has one source, got ${first} and ${second}; remove one`,
      'key',
    )
  }
  const computed = COMPUTED.find(
    (key) => raw[key] !== undefined && !(FILLS_GAPS.includes(key) && raw.fetch_if === 'empty'),
  )
  if (computed !== undefined && raw.default !== undefined) {
    report([...path, 'default'], `never used: the field has ${computed}; remove one`, 'key')
  }
  if (computed !== undefined && raw.required === true) {
    report(
      [...path, 'required'],
      `callers cannot send it: the field has ${computed}; remove required`,
      'key',
    )
  }
  if (raw.fetch_if === undefined || raw.fetch !== undefined) return
  if (!FILLS_GAPS.some((key) => raw[key] !== undefined))
    report([...path, 'fetch_if'], 'means nothing without fetch, lookup or call; remove it', 'key')
  else if (raw.fetch_if !== 'empty') {
    const beside = raw.lookup === undefined ? 'call' : 'lookup'
    report(
      [...path, 'fetch_if'],
      `expected empty beside ${beside}, got ${JSON.stringify(raw.fetch_if)}`,
    )
  }
}

type OptionFields = Loose<Pick<Field, 'options' | 'link' | 'linkTable' | 'linkFrom'>>
const NO_OPTIONS: OptionFields = {}

const READ_OPTIONS: Readonly<Record<FieldType['optionsMean'], (options: unknown) => OptionFields>> =
  {
    values: (options) => (Array.isArray(options) ? { options: options as string[] } : NO_OPTIONS),
    doctype(options) {
      if (typeof options !== 'string') return NO_OPTIONS
      const [link, linkTable] = splitDot(options)
      return { link, linkTable }
    },
    field: (options) => (typeof options === 'string' ? { linkFrom: options } : NO_OPTIONS),
    rows: () => NO_OPTIONS,
    nothing: () => NO_OPTIONS,
  }

function optionsOf(
  type: FieldType,
  { options }: YamlMap,
  path: Path,
  report: Report,
): OptionFields {
  if (options === undefined) return NO_OPTIONS
  if (type.optionsMean === 'nothing')
    report(
      [...path, 'options'],
      `options means nothing for the type ${type.name}; remove it`,
      'key',
    )
  return READ_OPTIONS[type.optionsMean](options)
}

/** `Doctype.table` → its two parts. */
export function splitDot(text: string): readonly [string, string | undefined] {
  const dot = text.indexOf('.')
  return dot < 0 ? [text, undefined] : [text.slice(0, dot), text.slice(dot + 1)]
}

function rowsOf(raw: YamlMap, label: string, path: Path, context: FieldContext): ChildDefinition {
  const { report, doctype } = context
  const named = raw.options as string | undefined
  const name = named ?? `${doctype} ${singularise(label)}`
  const minRows = (raw.min as number | undefined) ?? (raw.required === true ? 1 : 0)
  const maxRows = (raw.max as number | undefined) ?? Math.max(DEFAULT_MAX_ROWS, minRows)
  if (context.inRows) {
    report([...path, 'type'], 'a table cannot be inside a table')
    return { name, minRows, maxRows, fields: [] }
  }
  if (!Number.isInteger(minRows) || minRows < 0)
    report([...path, 'min'], `expected a number of rows, got ${minRows}`)
  if (!Number.isInteger(maxRows) || maxRows < Math.max(1, minRows) || maxRows > MAX_ROWS) {
    report(
      [...path, 'max'],
      `expected a number of rows from ${Math.max(1, minRows)} to ${MAX_ROWS}, got ${maxRows}`,
    )
  }
  if (isMap(raw.fields)) {
    return {
      name,
      minRows,
      maxRows,
      fields: normaliseFields(raw.fields, [...path, 'fields'], { ...context, inRows: true }),
    }
  }
  const shared = named === undefined ? undefined : context.childFields(named)
  if (named === undefined) {
    report(
      [...path, 'fields'],
      'a table needs fields, or options that name a DocType with child: true',
    )
  } else if (!shared) {
    const near = suggest(named, context.childNames)
    const hint = near === undefined ? '' : `; did you mean ${near}?`
    report(
      [...path, 'options'],
      `no DocType ${JSON.stringify(named)} with child: true${hint} (or give the table its fields here)`,
    )
  }
  return { name, minRows, maxRows, fields: shared ?? [] }
}

const OPERATIONS = ['sum', 'min', 'max', 'count'] as const

function lookupOf({ lookup, fetch_if }: YamlMap, path: Path, report: Report): Lookup | undefined {
  if (!isMap(lookup)) return undefined
  const at = [...path, 'lookup']
  const { from, match, where, latest, at: moment = 'submit' } = lookup
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
  if (typeof from !== 'string' || wanted.length !== 1) return undefined
  return compact<Lookup>({
    from,
    match: match as string | undefined,
    where: where as string | undefined,
    latest: latest as string | undefined,
    operation,
    value: operandOf(lookup, operation ?? 'value'),
    at: moment as Lookup['at'],
    when: fetch_if === 'empty' ? 'empty' : 'always',
  })
}

function callOf(
  { call, fetch_if, type }: YamlMap,
  path: Path,
  report: Report,
): HookCall | undefined {
  if (!isMap(call) || typeof call.hook !== 'string') return undefined
  const { hook, value, with: inputs = {}, at = 'draft' } = call
  const isTable = fieldTypes.get(String(type))?.optionsMean === 'rows'
  if (isTable && value !== undefined)
    report([...path, 'call', 'value'], 'a table takes all its columns name; remove value', 'key')
  else if (!isTable && value === undefined)
    report([...path, 'call'], 'needs the key value: which output of the hook it is', 'key')
  return compact<HookCall>({
    hook,
    value: value as string | undefined,
    with: Object.fromEntries(
      Object.entries(inputs as object).map(([name, source]) => [name, String(source)]),
    ),
    at: at as HookCall['at'],
    when: fetch_if === 'empty' ? 'empty' : 'always',
  })
}

/** The expression of an operation, or the field; a count has none. */
function operandOf(
  source: YamlMap,
  key: (typeof OPERATIONS)[number] | 'value',
): string | undefined {
  return key === 'count' ? undefined : (source[key] as string)
}

function rollupOf(raw: unknown, path: Path, report: Report): Rollup | undefined {
  if (!isMap(raw)) return undefined
  const { from, match, where } = raw
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

/** The longest text, in characters, that still fits an index of PostgreSQL (2.7 KB, four bytes each). */
export const MAX_INDEXED = 600

function checkIndexed(
  field: Field,
  type: FieldType,
  path: Path,
  { inRows, report }: FieldContext,
): void {
  for (const key of ['unique', 'filterable'] as const) {
    if (!field[key]) continue
    if (inRows) report([...path, key], `rows of a table cannot be ${key}; remove it`, 'key')
    else if (!type.operators.includes('eq'))
      report([...path, key], `a field of the type ${type.name} cannot be ${key}; remove it`, 'key')
    else if (Number(type.schema(field).maxLength ?? 0) > MAX_INDEXED) {
      report(
        [...path, key],
        `too long a text for an index; give it a length of at most ${MAX_INDEXED}, or remove ${key}`,
        'key',
      )
    }
  }
}

function withDefault(
  field: Field,
  written: string | number | boolean,
  path: Path,
  names: ReadonlySet<string>,
  { report }: FieldContext,
): Field {
  if (field.child) {
    report([...path, 'default'], 'a table has no default; remove it', 'key')
    return field
  }
  const result = readDefault(written, field, names)
  if (!result.ok) {
    report([...path, 'default'], `bad default: ${result.message}`)
    return field
  }
  const { default: source, defaultValue } = result
  return { ...field, default: source, ...(defaultValue === undefined ? {} : { defaultValue }) }
}
