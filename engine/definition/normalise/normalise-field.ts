import { suggest } from '../../base/suggest.ts'
import type { Adds, ChildDefinition, Field, Takes } from '../../fields/field.ts'
import type { FieldType } from '../../fields/field-type.ts'
import { fieldTypes } from '../../fields/index.ts'
import { namingDocTypes } from '../model/constant.ts'
import { readDefault } from '../model/default-value.ts'
import { takenFieldName } from '../model/standard-fields.ts'
import type { Path } from '../yaml/parse.ts'
import { isMap, type Report, type YamlMap } from '../yaml/source.ts'
import { compact, type Loose } from './compact.ts'
import { overDeclared } from './declared-rollup.ts'
import { checkInternal } from './internal-field.ts'
import { findsOf } from './normalise-finds.ts'
import {
  COMPUTED,
  callOf,
  checkSources,
  fetchOf,
  fillsGap,
  lookupOf,
  rollupOf,
  rowsFrom,
} from './normalise-sources.ts'
import { singularise, titleCase } from './slug.ts'

/** The most rows a table takes when it says nothing else, and the most it may ask for. */
const DEFAULT_MAX_ROWS = 500
const MAX_ROWS = 5000

/** Surroundings of a field that is normalised. */
export interface FieldContext {
  /** Name of the DocType, for the names of its tables' rows. */
  readonly doctype: string
  /** Rows of the child DocType of that name; undefined when there is none. */
  readonly childFields: (name: string) => Rows | undefined
  /** Names of all child DocTypes, for suggestions. */
  readonly childNames: readonly string[]
  /** Names of the DocTypes that declare a name, sorted. */
  readonly declared: (name: string) => readonly string[]
  /** Whether there is a DocType of that name. */
  readonly isDocType: (name: string) => boolean
  /** Whether the fields are those of rows. */
  readonly inRows: boolean
  readonly report: Report
}

/** Fields of a table's rows, and the records that their expressions look into. */
export type Rows = Pick<ChildDefinition, 'fields' | 'finds'>

/** Keys of a field, none of them set: with all of them there fields look alike, and reading one costs half as much. */
const UNSAID: YamlMap = Object.fromEntries(
  [
    ...['type', 'label', 'description', 'options', 'required', 'unique', 'filterable'],
    ...['createOnly', 'readOnly', 'hidden', 'internal', 'allow_on_submit', 'no_copy', 'acyclic'],
    'drafts',
    'adds',
    'takes',
    'keeps_empty',
    ...['fields', 'use', 'find', 'let', 'declaring'],
    ...['min', 'max', 'length', 'scale', 'pattern', 'currency', 'formula', 'default_from', 'renew'],
    ...['fetch', 'lookup', 'call', 'rows', 'rollup', 'required_when', 'visible_when'],
    ...['renamed_from', 'section', 'placeholder', 'default'],
  ].map((key) => [key, undefined]),
)

/** The fields of a DocType or of a table's rows; those whose type is not known are left out. */
export function normaliseFields(raw: YamlMap, path: Path, context: FieldContext): Field[] {
  const beside: Beside = { names: new Set(Object.keys(raw)), naming: namingDocTypes(raw) }
  const fields: Field[] = []
  for (const [name, written] of Object.entries(raw)) {
    if (!isMap(written)) continue
    const field = normaliseField(name, { ...UNSAID, ...written }, [...path, name], beside, context)
    if (field) fields.push(...overDeclared(field, written.rollup, [...path, name], context))
  }
  return fields
}

/** Fields beside a field. */
export interface Beside {
  readonly names: ReadonlySet<string>
  /** Those that say what kind of record a dynamic link names. */
  readonly naming: ReadonlySet<string>
}

/** One field as written → field; undefined when its type is missing or unknown. */
export function normaliseField(
  name: string,
  raw: YamlMap,
  path: Path,
  beside: Beside,
  context: FieldContext,
): Field | undefined {
  const { report } = context
  checkName(name, path, report)
  if (raw.type === undefined) {
    report([...path, 'type'], 'needs the key type')
    return undefined
  }
  const type = fieldTypes.get(String(raw.type))
  if (!type) return undefined
  const label = (raw.label as string | undefined) ?? titleCase(name)
  const isRows = type.optionsMean === 'rows'
  const computed = COMPUTED.some((key) => raw[key] !== undefined)
  const fetch = fetchOf(raw, path, report)
  const meant = optionsOf(type, raw, path, report)
  checkSources(raw, path, report)
  checkRowWords(raw, isRows, path, report)
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
      raw.internal === true ||
      ((computed || fetch !== undefined) && !fillsGap(raw)),
    hidden: raw.hidden === true,
    internal: raw.internal === true,
    allowOnSubmit: raw.allow_on_submit === true,
    // What others add up to is not the copy's.
    noCopy: raw.no_copy === true || raw.rollup !== undefined,
    options: withDeclaring(meant.options, raw.declaring, type, path, context),
    link: meant.link,
    linkTable: meant.linkTable,
    linkFrom: meant.linkFrom,
    takes: takesOf(raw.takes),
    ...flagsOfLink(raw),
    adds: isRows && isMap(raw.adds) ? (raw.adds as unknown as Adds) : undefined,
    child: isRows ? rowsOf(raw, label, path, context) : undefined,
    min: isRows ? undefined : (raw.min as number | undefined),
    max: isRows ? undefined : (raw.max as number | undefined),
    length: raw.length as number | undefined,
    scale: raw.scale as number | undefined,
    pattern: raw.pattern as string | undefined,
    currencyField: raw.currency as string | undefined,
    formula: raw.formula as string | undefined,
    defaultFrom: raw.default_from as string | undefined,
    keepsEmpty: raw.keeps_empty === true ? true : undefined,
    renew: raw.renew as string | undefined,
    fetch,
    lookup: lookupOf(raw, path, report),
    call: callOf(raw, path, report),
    rows: rowsFrom(raw, path, report),
    rollup: rollupOf(raw.rollup, [...path, 'rollup'], report),
    requiredWhen: raw.required_when as string | undefined,
    visibleWhen: raw.visible_when as string | undefined,
    renamedFrom: raw.renamed_from as string | undefined,
    section: raw.section as string | undefined,
    placeholder: raw.placeholder as string | undefined,
  })
  const problems = type.check(field)
  for (const { key, message } of problems) report([...path, key], message)
  checkIndexed(field, type, path, context)
  checkInternal(raw, path, report)
  if (
    raw.default === undefined ||
    problems.some(({ key }) => key === 'pattern' || key === 'options')
  )
    return field
  return withDefault(field, raw.default as string | number | boolean, path, beside, context)
}

/** What is only said of links. */
function flagsOfLink({ acyclic, drafts }: YamlMap): Pick<Loose<Field>, 'acyclic' | 'drafts'> {
  return { acyclic: acyclic === true || undefined, drafts: drafts === true || undefined }
}

function takesOf(raw: unknown): Takes | undefined {
  if (!isMap(raw) || typeof raw.action !== 'string') return undefined
  return { action: raw.action, same: (raw.same ?? []) as readonly string[] }
}

/** Reports words of tables that a field has which is none, or whose rows are declared elsewhere. */
function checkRowWords(raw: YamlMap, isRows: boolean, path: Path, report: Report): void {
  if (raw.find !== undefined && (!isRows || !isMap(raw.fields)))
    report([...path, 'find'], 'is for a DocType, and for a table that has fields here', 'key')
  if (raw.use !== undefined)
    report([...path, 'use'], 'only a DocType and a table among its fields use blocks', 'key')
}

function checkName(name: string, path: Path, report: Report): void {
  const why = takenFieldName(name)
  if (why !== undefined) report(path, `a field cannot be called ${name}: ${why}`, 'key')
  if (name.includes('__')) report(path, `a field name cannot contain __, got ${name}`, 'key')
}

type OptionFields = Loose<Pick<Field, 'options' | 'link' | 'linkTable' | 'linkFrom'>>
const NO_OPTIONS: OptionFields = {
  options: undefined,
  link: undefined,
  linkTable: undefined,
  linkFrom: undefined,
}

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

/** Values of a select: those it lists, and the names of the DocTypes that declare what it wants. */
function withDeclaring(
  options: readonly string[] | undefined,
  declaring: unknown,
  { optionsMean, name }: FieldType,
  path: Path,
  { declared, report }: FieldContext,
): readonly string[] | undefined {
  if (!Array.isArray(declaring)) return options
  if (optionsMean !== 'values') {
    report([...path, 'declaring'], `is for a select, not for the type ${name}; remove it`, 'key')
    return options
  }
  return [...new Set([...(options ?? []), ...(declaring as string[]).flatMap(declared)])]
}

/** Parts of `Doctype.table`; the second is undefined without a dot. */
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
    return compact<ChildDefinition>({
      name,
      minRows,
      maxRows,
      fields: normaliseFields(raw.fields, [...path, 'fields'], { ...context, inRows: true }),
      finds: findsOf(raw.find, [...path, 'find'], report),
    })
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
  return { name, minRows, maxRows, ...(shared ?? { fields: [] }) }
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
  { names, naming }: Beside,
  { isDocType, report }: FieldContext,
): Field {
  if (field.child) {
    report([...path, 'default'], 'a table has no default; remove it', 'key')
    return field
  }
  const result = readDefault(written, {
    field,
    isDocType: !field.options && naming.has(field.name) ? isDocType : undefined,
    isName: (word) => names.has(word),
  })
  if (!result.ok) {
    report([...path, 'default'], `bad default: ${result.message}`)
    return field
  }
  const { default: source, defaultValue } = result
  return { ...field, default: source, ...(defaultValue === undefined ? {} : { defaultValue }) }
}
