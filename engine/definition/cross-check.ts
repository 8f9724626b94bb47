import { suggest } from '../base/suggest.ts'
import { isNumeric } from '../expression/types.ts'
import { fieldType } from '../fields/index.ts'
import { type CallCheck, checkCall } from './check-call.ts'
import type { DocTypeDefinition, Field, Lookup } from './definition.ts'
import { namingFields } from './naming-pattern.ts'
import { MAX_INDEXED, splitDot } from './normalise-field.ts'
import type { Path } from './parse.ts'
import { serviceProblems } from './services.ts'
import { isMap, type RawDocType, type Report } from './source.ts'
import { ROW_ID, standardFields } from './standard-fields.ts'

/** A definition beside what it was made of. */
export interface Draft {
  readonly raw: RawDocType
  readonly definition: DocTypeDefinition
}

/** All DocTypes of a load; one whose file could not be read is known by its name only. */
export interface World {
  readonly drafts: ReadonlyMap<string, Draft>
  readonly names: ReadonlySet<string>
}

/** Fields by name; undefined stands for one that is declared but could not be read. */
type FieldScope = ReadonlyMap<string, Field | undefined>

/** Checks what one DocType says about its own fields and about other DocTypes; mistakes go to `report`. */
export function checkReferences({ raw, definition }: Draft, world: World, report: Report): void {
  const written = isMap(raw.data.fields) ? raw.data.fields : {}
  const own = scopeOf([...definition.fields, ...standardFields(definition)], written)
  checkNaming(definition, own, report)
  checkFieldLists(definition, own, report)
  checkBehaviour(definition, own, report)
  for (const message of serviceProblems(definition)) report(['serves'], message)
  checkFields(definition.fields, {
    path: ['fields'],
    scope: own,
    inRows: definition.isChild,
    world,
    report,
  })
  for (const { name, child } of definition.fields) {
    if (!child) continue
    const table = written[name]
    const inline = isMap(table) ? table.fields : undefined
    if (!isMap(inline)) checkSharedRows(name, child.fields, own, report)
    else {
      const rows = scopeOf(child.fields, inline)
      checkFields(child.fields, {
        path: ['fields', name, 'fields'],
        scope: rows,
        parent: own,
        inRows: true,
        world,
        report,
      })
    }
  }
  const { upsertFrom } = definition.behaviour
  if (upsertFrom !== undefined) checkDocType(upsertFrom, ['upsert_from'], world, report)
  for (const [index, name] of (definition.behaviour.ledger?.keep_date ?? []).entries())
    checkDocType(name, ['ledger', 'keep_date', index], world, report)
}

function scopeOf(fields: readonly Field[], written: Readonly<Record<string, unknown>>): FieldScope {
  return new Map<string, Field | undefined>([
    ...Object.keys(written).map((name): [string, undefined] => [name, undefined]),
    ...fields.map((field): [string, Field] => [field.name, field]),
  ])
}

function unknownField(name: string, scope: FieldScope): string {
  const near = suggest(name, scope.keys())
  return `no field ${JSON.stringify(name)}${near === undefined ? '' : `; did you mean ${near}?`}`
}

/** Reports a name that is no field, or a field that does not fit; what could not be read is passed over. */
function checkNamed(
  name: string,
  path: Path,
  scope: FieldScope,
  report: Report,
  { fits, use }: { readonly fits: (field: Field) => boolean; readonly use: string },
): void {
  const field = scope.get(name)
  if (!scope.has(name)) report(path, unknownField(name, scope))
  else if (field && !fits(field))
    report(path, `a field of the type ${field.type} cannot ${use}, got ${JSON.stringify(name)}`)
}

const IN_EVENT = {
  use: 'be told of in an event',
  fits: ({ type }: Field) => !fieldType(type).secret,
}
const ANY = { fits: () => true, use: '' }
const NAME_PART = {
  use: 'be part of a name',
  fits: ({ type }: Field) =>
    fieldType(type).storage !== 'rows' &&
    fieldType(type).kind !== 'json' &&
    !fieldType(type).secret,
}
const TITLE = {
  use: 'be the title (expected text)',
  fits: ({ type, name }: Field) =>
    fieldType(type).kind === 'str' && !fieldType(type).secret && name !== 'id',
}
const FOLLOWED = {
  use: 'be followed (expected a link or a dynamic link)',
  fits: ({ link, linkFrom, linkTable }: Field) =>
    linkTable === undefined && (link !== undefined || linkFrom !== undefined),
}
const SEARCHED = { use: 'be searched', fits: ({ type }: Field) => fieldType(type).searchable }
const COLUMN = {
  use: 'be a column of the list',
  fits: ({ type }: Field) => fieldType(type).inList && !fieldType(type).secret,
}
const COPIED = {
  use: 'be copied',
  fits: (field: Field) => NAME_PART.fits(field) || fieldType(field.type).kind === 'json',
}
const COMPARED = {
  use: 'be unique',
  fits: ({ type }: Field) =>
    fieldType(type).storage !== 'rows' && fieldType(type).operators.includes('eq'),
}
const NAMES_DOCTYPE = {
  use: 'name a DocType (expected text)',
  fits: ({ type }: Field) => fieldType(type).kind === 'str',
}

function checkNaming({ naming }: DocTypeDefinition, scope: FieldScope, report: Report): void {
  for (const name of namingFields(naming)) checkNamed(name, ['naming'], scope, report, NAME_PART)
  const field = naming.kind === 'field' ? scope.get(naming.field) : undefined
  if (
    field &&
    !field.required &&
    field.default === undefined &&
    field.formula === undefined &&
    field.fetch === undefined
  ) {
    report(['naming'], `records are named by ${field.name}, so it has to be required: true`)
  }
}

function checkFieldLists(
  { titleField, idField, searchFields, listFields }: DocTypeDefinition,
  scope: FieldScope,
  report: Report,
): void {
  if (titleField !== idField) checkNamed(titleField, ['title'], scope, report, TITLE)
  for (const [index, name] of searchFields.entries())
    checkNamed(name, ['search', index], scope, report, SEARCHED)
  for (const [index, name] of listFields.entries())
    checkNamed(name, ['list', index], scope, report, COLUMN)
}

/** Fields that behaviour names by their bare names; its expressions are checked where they are compiled. */
function checkBehaviour({ behaviour }: DocTypeDefinition, scope: FieldScope, report: Report): void {
  for (const [index, { fields }] of (behaviour.unique ?? []).entries())
    checkUnique(fields, ['unique', index, 'fields'], scope, report)
  for (const [index, { field }] of (behaviour.validate ?? []).entries()) {
    if (typeof field === 'string')
      checkNamed(field, ['validate', index, 'field'], scope, report, ANY)
  }
  const { follows } = behaviour.permissions ?? {}
  if (follows !== undefined)
    checkNamed(follows, ['permissions', 'follows'], scope, report, FOLLOWED)
  for (const [key, names] of Object.entries(behaviour.ledger ?? {})) {
    if (key === 'date') checkNamed(names as string, ['ledger', key], scope, report, ANY)
    if (!Array.isArray(names) || key === 'keep_date') continue
    for (const [index, name] of names.entries())
      checkNamed(name, ['ledger', key, index], scope, report, ANY)
  }
  for (const [key, event] of Object.entries(behaviour.events ?? {})) {
    if (!isMap(event)) continue
    if (typeof event.field === 'string')
      checkNamed(event.field, ['events', key, 'field'], scope, report, ANY)
    checkEventData(event.data, ['events', key, 'data'], scope, report)
  }
}

/** Fields that are unique together become one index. */
function checkUnique(
  names: readonly string[],
  path: Path,
  scope: FieldScope,
  report: Report,
): void {
  let length = 0
  for (const [index, name] of names.entries()) {
    checkNamed(name, [...path, index], scope, report, COMPARED)
    const field = scope.get(name)
    length += field ? Number(fieldType(field.type).schema(field).maxLength ?? 0) : 0
  }
  if (length > MAX_INDEXED)
    report(
      path,
      `too long texts for an index, ${length} characters together; give them a length, at most ${MAX_INDEXED} in all`,
    )
}

/**
 * The data of an event is the record and its own keys beside it (spec §2), so a key of its own may not hide a
 * field; naming the field itself is the same as listing it.
 */
function checkEventData(data: unknown, path: Path, scope: FieldScope, report: Report): void {
  if (Array.isArray(data)) {
    for (const [index, name] of data.entries())
      checkNamed(String(name), [...path, index], scope, report, IN_EVENT)
  } else if (isMap(data)) {
    for (const [name, source] of Object.entries(data)) {
      if (scope.has(name) && source !== name) report([...path, name], HIDES_FIELD, 'key')
    }
  }
}

const HIDES_FIELD = 'is a field of the record already, which the event carries; choose another key'

interface FieldsCheck {
  readonly path: Path
  readonly scope: FieldScope
  /** Fields of the record the rows belong to; not known of a child DocType's own file. */
  readonly parent?: FieldScope
  readonly inRows: boolean
  readonly world: World
  readonly report: Report
}

function checkFields(fields: readonly Field[], check: FieldsCheck): void {
  for (const field of fields) {
    const path = [...check.path, field.name]
    checkLink(field, path, check)
    checkFetch(field, path, check)
    if (
      field.defaultFrom !== undefined &&
      (field.link === undefined || field.linkTable !== undefined)
    )
      check.report([...path, 'default_from'], 'is for links to records; remove it', 'key')
    checkSources(field, path, check)
    checkCall(field, path, callCheck(check))
    const { currencyField, renamedFrom } = field
    const { scope, parent, inRows, report } = check
    if (
      currencyField !== undefined &&
      !scope.has(currencyField) &&
      !parent?.has(currencyField) &&
      (!inRows || parent)
    ) {
      report(
        [...path, 'currency'],
        unknownField(currencyField, new Map([...(parent ?? []), ...scope])),
      )
    }
    if (renamedFrom !== undefined && scope.has(renamedFrom)) {
      report(
        [...path, 'renamed_from'],
        `there still is a field ${renamedFrom}; remove it or renamed_from`,
      )
    }
  }
}

function callCheck({ scope, inRows, world, report }: FieldsCheck): CallCheck {
  return {
    scope,
    inRows,
    report,
    fieldsOf(doctype, path) {
      const target = checkDocType(doctype, path, world, report)
      const written = target?.raw.data.fields
      return target && scopeOf(target.definition.fields, isMap(written) ? written : {})
    },
  }
}

/** Rows of a shared child DocType look for their currency in each record that has them. */
function checkSharedRows(
  table: string,
  fields: readonly Field[],
  parent: FieldScope,
  report: Report,
): void {
  const own = new Set(fields.map(({ name }) => name))
  for (const { name, currencyField } of fields) {
    if (currencyField === undefined || own.has(currencyField) || parent.has(currencyField)) continue
    report(
      ['fields', table, 'options'],
      `the rows' field ${name} has its currency in ${currencyField}, which this DocType lacks`,
    )
  }
}

function checkLink(
  { link, linkTable, linkFrom }: Field,
  path: Path,
  { scope, world, report }: FieldsCheck,
): void {
  const at = [...path, 'options']
  if (linkFrom !== undefined) checkNamed(linkFrom, at, scope, report, NAMES_DOCTYPE)
  if (link === undefined) return
  const target = checkDocType(link, at, world, report)
  if (target && linkTable !== undefined) checkTable(target, linkTable, at, report)
}

/** The DocType when it is there and has records of its own; else reports. */
function checkDocType(name: string, path: Path, world: World, report: Report): Draft | undefined {
  const draft = world.drafts.get(name)
  if (draft && !draft.definition.isChild) return draft
  if (draft)
    report(
      path,
      `${name} has child: true, so it has no records to name; expected a DocType with records, or Doctype.table`,
    )
  else if (!world.names.has(name)) report(path, unknownDocType(name, world))
  return undefined
}

function unknownDocType(name: string, { drafts, names }: World): string {
  for (const { definition } of drafts.values()) {
    const table = definition.fields.find(({ child }) => child?.name === name)
    if (table)
      return `${JSON.stringify(name)} are rows of a table; write ${definition.doctype}.${table.name}`
  }
  const near = suggest(name, names)
  return `no DocType ${JSON.stringify(name)}${near === undefined ? '' : `; did you mean ${near}?`}`
}

function checkTable(
  { raw, definition }: Draft,
  table: string,
  path: Path,
  report: Report,
): Field | undefined {
  const found = definition.fields.find(({ name }) => name === table)
  if (found?.child) return found
  const couldNotBeRead = !found && isMap(raw.data.fields) && Object.hasOwn(raw.data.fields, table)
  if (!couldNotBeRead) {
    const tables = definition.fields.filter(({ child }) => child).map(({ name }) => name)
    report(
      path,
      `${definition.doctype} has no table ${JSON.stringify(table)}; expected ${tables.length === 0 ? 'a DocType with tables' : `one of ${tables.join(', ')}`}`,
    )
  }
  return undefined
}

function checkFetch(
  { fetch, child }: Field,
  path: Path,
  { scope, world, report }: FieldsCheck,
): void {
  if (!fetch) return
  const at = [...path, 'fetch']
  const through = scope.get(fetch.link)
  if (!scope.has(fetch.link)) report(at, unknownField(fetch.link, scope))
  if (!through || through.linkFrom !== undefined) return
  if (through.link === undefined || through.linkTable !== undefined) {
    report(
      at,
      `expected a link to a record before the dot, got ${fetch.link} (${through.linkTable === undefined ? through.type : 'a link to a row'})`,
    )
    return
  }
  const target = world.drafts.get(through.link)
  if (target && child) checkTable(target, fetch.field, at, report)
  else if (target) checkTargetField(target, fetch.field, at, report)
}

function checkTargetField(
  { raw, definition }: Draft,
  name: string,
  path: Path,
  report: Report,
): void {
  const scope = scopeOf(
    [...definition.fields, ...standardFields(definition)],
    isMap(raw.data.fields) ? raw.data.fields : {},
  )
  const field = scope.get(name)
  if (!scope.has(name)) report(path, `${definition.doctype} has ${unknownField(name, scope)}`)
  else if (field && !COPIED.fits(field)) {
    report(
      path,
      `a field of the type ${field.type} cannot be copied, got ${definition.doctype}.${name}`,
    )
  }
}

function checkSources(field: Field, path: Path, { world, report }: FieldsCheck): void {
  const { lookup, rollup } = field
  if (lookup) checkLookup(lookup, field, [...path, 'lookup'], { world, report })
  if (!rollup) return
  const [from, table] = splitDot(rollup.from)
  const at = [...path, 'rollup', 'from']
  const target = checkDocType(from, at, world, report)
  if (target && table !== undefined) checkTable(target, table, at, report)
}

function checkLookup(
  { from, match, operation, value, latest }: Lookup,
  { type }: Field,
  path: Path,
  { world, report }: Pick<FieldsCheck, 'world' | 'report'>,
): void {
  const [doctype, table] = match === undefined ? splitDot(from) : [from, undefined]
  const at = [...path, 'from']
  const target = checkDocType(doctype, at, world, report)
  const rows = target && table !== undefined ? checkTable(target, table, at, report) : undefined
  const { kind } = fieldType(type)
  if ((operation === 'sum' || operation === 'count') && !isNumeric(kind))
    report([...path, operation], `${operation} needs a field of numbers, got ${type}`)
  else if (operation !== undefined && kind === 'bool')
    report([...path, operation], `${operation} has no value for a field of the type ${type}`)
  const checkCell = (name: string, key: string): void => {
    if (!target) return
    const own = table === undefined ? name : name.replace(/^document\./, '')
    if (table === undefined || own !== name) checkTargetField(target, own, [...path, key], report)
    else if (rows) {
      const fields = [ROW_ID, ...rows.child!.fields]
      const columns = new Map(fields.map((column) => [column.name, column]))
      checkNamed(name, [...path, key], columns, report, COPIED)
    }
  }
  if (value !== undefined && operation === undefined) checkCell(value, 'value')
  if (latest !== undefined) checkCell(latest, 'latest')
}
