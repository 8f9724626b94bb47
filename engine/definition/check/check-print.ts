import type { Field } from '../../fields/field.ts'
import { fieldType } from '../../fields/index.ts'
import { checkNamed as checkField, type FieldScope, scopeOf } from '../model/named-fields.ts'
import type {
  PointingRecords,
  PrintDeclaration,
  PrintParty,
  PrintTable,
  WrittenCard,
} from '../model/print.ts'
import type { Path } from '../yaml/parse.ts'
import { isMap, type Report } from '../yaml/source.ts'
import { checkDocType } from './check-sources.ts'
import type { Draft, World } from './world.ts'

const holdsRows = ({ type }: Field): boolean => fieldType(type).storage === 'rows'
const SHOWN = {
  use: 'be printed here',
  fits: (field: Field) => !holdsRows(field) && !fieldType(field.type).secret,
}
const ROWS = { use: 'be printed as a table', fits: holdsRows }
const SUM = {
  use: 'be a sum (expected a number)',
  fits: ({ type }: Field) => ['money', 'decimal', 'int'].includes(fieldType(type).kind),
}
const CHECK = {
  use: 'be on or off (expected a check)',
  fits: ({ type }: Field) => fieldType(type).kind === 'bool',
}
const LINK = {
  use: 'lead to a record (expected a link or a dynamic link)',
  fits: ({ link, linkFrom, linkTable }: Field) =>
    linkTable === undefined && (link !== undefined || linkFrom !== undefined),
}
const ANY = { use: '', fits: () => true }
type Kind = Parameters<typeof checkField>[4]

interface Check {
  readonly scope: FieldScope
  readonly world: World
  readonly report: Report
}

/** Checks a name; passes over one that was left out or is no text: that is reported, and what is wrong is taken out. */
function checkNamed(
  name: string | undefined,
  path: Path,
  scope: FieldScope,
  report: Report,
  kind: Kind,
): void {
  if (typeof name === 'string') checkField(name, path, scope, report, kind)
}

/** Checks that every name in `print:` is a field that can be printed there. */
export function checkPrint({ definition }: Draft, check: Check): void {
  const { print } = definition.behaviour
  if (!print) return
  const { scope, report } = check
  const one = (name: string, path: Path, kind: Kind = SHOWN): void =>
    checkNamed(name, ['print', ...path], scope, report, kind)
  const each = (names: readonly string[] | undefined, path: Path, kind?: Kind): void =>
    names?.forEach((name, index) => {
      one(name, [...path, index], kind)
    })
  for (const name of Object.keys(print.titles ?? {})) one(name, ['titles', name], CHECK)
  for (const name of Object.keys(print.labels ?? {})) checkLabel(name, print, check)
  if (print.number !== undefined) one(print.number, ['number'])
  each(print.meta, ['meta'])
  each(print.notes, ['notes'])
  if (print.strong !== undefined) one(print.strong, ['strong'], SUM)
  for (const [index, party] of (print.parties ?? []).entries()) {
    const said: Partial<PrintParty> = typeof party === 'string' ? { link: party } : (party ?? {})
    checkNamed(said.link, ['print', 'parties', index], scope, report, LINK)
    if (said.name !== undefined) one(said.name, ['parties', index, 'name'])
    checkWritten(said, ['print', 'parties', index], check)
  }
  checkWritten(print.letterhead, ['print', 'letterhead'], check)
  for (const key of ['tables', 'below'] as const)
    for (const [index, table] of (print[key] ?? []).entries())
      checkTable(table, ['print', key, index], check)
  checkTotals(print, check)
  checkCard(print, check)
}

function checkWritten(said: WrittenCard = {}, path: Path, { scope, report }: Check): void {
  if (said.address !== undefined)
    checkNamed(said.address, [...path, 'address'], scope, report, SHOWN)
  for (const [index, name] of (said.facts ?? []).entries())
    checkNamed(name, [...path, 'facts', index], scope, report, SHOWN)
}

/** Checks the field of a label; a column of a table has its label beside it, which is told. */
function checkLabel(
  name: string,
  { tables = [], below = [] }: PrintDeclaration,
  check: Check,
): void {
  const { scope, report } = check
  const path = ['print', 'labels', name]
  const columns = [...tables, ...below].flatMap((shown) => shown?.columns ?? [])
  const isColumn = columns.some((column) =>
    typeof column === 'string' ? column === name : column?.field === name,
  )
  if (isColumn && !scope.has(name))
    report(
      path,
      `labels are for fields of the record; write it at the column: {field: ${name}, label: …}`,
      'key',
    )
  else checkNamed(name, path, scope, report, ANY)
}

function checkTable(declared: PrintTable, path: Path, check: Check): void {
  const { table, columns } = declared ?? {}
  const { scope, report } = check
  checkNamed(table, [...path, 'table'], scope, report, ROWS)
  const rows = rowsOf(scope.get(table))
  if (!rows) return
  for (const [index, column] of (columns ?? []).entries()) {
    const at = [...path, 'columns', index]
    const { field, under } = typeof column === 'string' ? { field: column } : (column ?? {})
    checkNamed(field, at, rows, report, SHOWN)
    if (under !== undefined) checkNamed(under, [...at, 'under'], rows, report, SHOWN)
  }
}

function checkTotals({ totals = [] }: PrintDeclaration, { scope, report }: Check): void {
  for (const [index, total] of totals.entries()) {
    const path = ['print', 'totals', index]
    if (typeof total === 'string') checkNamed(unsigned(total), path, scope, report, SUM)
    else if (!total) continue
    else if (!isSum(total)) report(path, 'expected field, or rows with label and value')
    else if (!('rows' in total)) {
      checkNamed(unsigned(total.field), [...path, 'field'], scope, report, SUM)
      if (total.if !== undefined) checkNamed(total.if, [...path, 'if'], scope, report, SHOWN)
    } else {
      checkNamed(total.rows, [...path, 'rows'], scope, report, ROWS)
      const rows = rowsOf(scope.get(total.rows))
      if (!rows) continue
      checkNamed(total.label, [...path, 'label'], rows, report, SHOWN)
      checkNamed(total.value, [...path, 'value'], rows, report, SUM)
      for (const key of ['percent', 'of'] as const)
        if (total[key] !== undefined) checkNamed(total[key], [...path, key], rows, report, SUM)
    }
  }
}

function checkCard({ card }: PrintDeclaration, { scope, world, report }: Check): void {
  if (!card) return
  const at = (key: string): Path => ['print', 'card', key]
  for (const key of ['facts', 'reach'] as const)
    for (const [index, name] of (card[key] ?? []).entries())
      checkNamed(name, [...at(key), index], scope, report, SHOWN)
  for (const key of ['logo', 'language', 'region'] as const)
    if (card[key] !== undefined) checkNamed(card[key], at(key), scope, report, SHOWN)
  if (card.country !== undefined) checkNamed(card.country, at('country'), scope, report, LINK)
  const lines: readonly [Path, string][] = [
    ...(card.postal ?? []).map((line, index): [Path, string] => [[...at('postal'), index], line]),
    ...Object.entries(card.postal_in ?? {}).flatMap(([region, some]) =>
      some.map((line, index): [Path, string] => [[...at('postal_in'), region, index], line]),
    ),
  ]
  for (const [path, line] of lines)
    for (const name of typeof line === 'string' ? namesIn(line) : [])
      checkNamed(name, path, scope, report, SHOWN)
  for (const key of ['address', 'bank'] as const)
    if (card[key] !== undefined) checkPointing(card[key], at(key), world, report)
}

function checkPointing(
  { from, link, unless, first }: PointingRecords,
  path: Path,
  world: World,
  report: Report,
): void {
  if (typeof from !== 'string') return
  const [doctype = '', table] = from.split('.')
  const target = checkDocType(doctype, [...path, 'from'], world, report)
  if (!target) return
  const written = target.raw.data.fields
  const own = scopeOf(target.definition.fields, isMap(written) ? written : {})
  if (table !== undefined) checkNamed(table, [...path, 'from'], own, report, ROWS)
  const linking = table === undefined ? own : rowsOf(own.get(table))
  if (linking) checkNamed(link, [...path, 'link'], linking, report, LINK)
  if (unless !== undefined) checkNamed(unless, [...path, 'unless'], own, report, CHECK)
  if (first !== undefined) checkNamed(first, [...path, 'first'], own, report, CHECK)
}

function rowsOf(field: Field | undefined): FieldScope | undefined {
  return field?.child && scopeOf(field.child.fields, {})
}

function isSum(total: object): boolean {
  return 'rows' in total ? 'label' in total && 'value' in total : 'field' in total
}

function unsigned(name: string | undefined): string | undefined {
  return name?.replace(/^-/, '')
}

/** Names in braces of a line of an address. */
export function namesIn(line: string): string[] {
  return [...line.matchAll(/\{([a-z0-9_]+)\}/g)].map(([, name = '']) => name)
}
