import { suggest } from '../../base/suggest.ts'
import { isNumeric } from '../../expression/tree/types.ts'
import type { Field, Lookup } from '../../fields/field.ts'
import { fieldType } from '../../fields/index.ts'
import { COPIED, checkNamed, type FieldScope, unknownField } from '../model/named-fields.ts'
import { ROW_ID } from '../model/standard-fields.ts'
import { splitDot } from '../normalise/normalise-field.ts'
import type { Path } from '../yaml/parse.ts'
import { isMap, type Report } from '../yaml/source.ts'
import type { Draft, World } from './world.ts'

/** Context the fields of a DocType or table are checked in. */
export interface FieldsCheck {
  readonly path: Path
  readonly scope: FieldScope
  /** Fields of the record the rows belong to; not known of a child DocType's own file. */
  readonly parent?: FieldScope
  readonly inRows: boolean
  /** DocType whose file it is. */
  readonly doctype: string
  readonly world: World
  readonly report: Report
}

const NAMES_DOCTYPE = {
  use: 'name a DocType (expected text)',
  fits: ({ type }: Field) => fieldType(type).kind === 'str',
}

/** Checks that there is what a link or dynamic link names. */
export function checkLink(
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

/** Reports `acyclic` where it is no use: only a link to records of the DocType itself can lead back to its start. */
export function checkAcyclic(
  { acyclic, link, linkTable }: Field,
  path: Path,
  { doctype, report }: FieldsCheck,
): void {
  if (acyclic && (link !== doctype || linkTable !== undefined))
    report([...path, 'acyclic'], `is for links to ${doctype} itself; remove it`, 'key')
}

/** Reports `renew` where it is no use: only what is taken once can be taken anew. */
export function checkRenew(field: Field, path: Path, { report }: FieldsCheck): void {
  const { renew, fetch, lookup, call, child } = field
  if (renew === undefined) return
  const isTakenOnce =
    field.default !== undefined || field.defaultFrom !== undefined || fetch || lookup || call
  if (child || !isTakenOnce)
    report(
      [...path, 'renew'],
      'is for fields with default, fetch, lookup or call; remove it',
      'key',
    )
}

/** The DocType when it is there and has records of its own; else reports. */
export function checkDocType(
  name: string,
  path: Path,
  world: World,
  report: Report,
): Draft | undefined {
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

/** The table when a DocType has it; else reports. */
export function checkTable(
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

/** Checks that a fetch goes through a link of the same record or row to what can be copied. */
export function checkFetch(
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
  else if (target) checkTargetField(target, fetch.field, at, { world, report })
  for (const [there, here] of Object.entries(fetch.as ?? {})) {
    const fields = target?.definition.fields.find(({ name }) => name === fetch.field)?.child?.fields
    if (!child) report([...at, 'as'], 'is for tables; remove it', 'key')
    else if (!child.fields.some(({ name }) => name === here))
      report([...at, 'as', there], `the rows here have no field ${JSON.stringify(here)}`)
    else if (fields && !fields.some(({ name }) => name === there))
      report([...at, 'as', there], `the rows there have no field ${JSON.stringify(there)}`, 'key')
  }
}

function checkTargetField(
  draft: Draft,
  name: string,
  path: Path,
  { world, report }: Pick<FieldsCheck, 'world' | 'report'>,
): void {
  const { definition } = draft
  const scope = world.scopeOf(draft)
  const field = scope.get(name)
  if (!scope.has(name)) report(path, `${definition.doctype} has ${unknownField(name, scope)}`)
  else if (field && !COPIED.fits(field)) {
    report(
      path,
      `a field of the type ${field.type} cannot be copied, got ${definition.doctype}.${name}`,
    )
  }
}

/** Checks where a lookup or rollup takes its values from. */
export function checkSources(field: Field, path: Path, check: FieldsCheck): void {
  const { lookup, rollup } = field
  const { world, report } = check
  if (lookup && lookup.from === undefined) checkLinked(lookup, [...path, 'lookup'], check)
  else if (lookup) checkLookup(lookup, field, [...path, 'lookup'], { world, report })
  if (!rollup) return
  const [from, table] = splitDot(rollup.from)
  const at = [...path, 'rollup', 'from']
  const target = checkDocType(from, at, world, report)
  if (target && table !== undefined) checkTable(target, table, at, report)
}

/** Checks a lookup by a link: whatever this can name has the field. */
function checkLinked(
  { match = '', value = '' }: Lookup,
  path: Path,
  { scope, world, report }: FieldsCheck,
): void {
  const through = scope.get(match)
  if (!scope.has(match)) report([...path, 'match'], unknownField(match, scope))
  if (!through) return
  if (through.linkFrom === undefined && (through.link === undefined || through.linkTable)) {
    report(
      [...path, 'match'],
      `expected a link or dynamic link, since there is no from, got ${match} (${through.type})`,
    )
    return
  }
  if (through.link === undefined) return
  const target = world.drafts.get(through.link)
  if (target) checkTargetField(target, value, [...path, 'value'], { world, report })
}

/** Whether a text is the name of a field of what a lookup finds, or of the record of a found row; else an expression. */
export function isCellName(text: string): boolean {
  return /^(?:document\.)?\w+$/.test(text)
}

function checkLookup(
  { from = '', match, operation, value, latest }: Lookup,
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
    // What is no name is an expression over what is found, and checked as one.
    if (!target || (match === undefined && !isCellName(name))) return
    const own = table === undefined ? name : name.replace(/^document\./, '')
    if (table === undefined || own !== name)
      checkTargetField(target, own, [...path, key], { world, report })
    else if (rows) {
      const fields = [ROW_ID, ...rows.child!.fields]
      const columns = new Map(fields.map((column) => [column.name, column]))
      checkNamed(name, [...path, key], columns, report, COPIED)
    }
  }
  if (value !== undefined && operation === undefined) checkCell(value, 'value')
  if (latest !== undefined) checkCell(latest, 'latest')
}
