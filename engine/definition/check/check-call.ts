import { suggest } from '../../base/suggest.ts'
import { isNumeric, isText, type Kind } from '../../expression/tree/types.ts'
import type { Field, HookCall, SearchInput } from '../../fields/field.ts'
import { fieldType } from '../../fields/index.ts'
import { type Hook, type HookKind, isRows, kindOf, type RowsKind } from '../model/hook.ts'
import type { FieldScope } from '../model/named-fields.ts'
import type { Hooks } from '../model/vocabulary.ts'
import type { Path } from '../yaml/parse.ts'
import type { Report } from '../yaml/source.ts'

/** Context a call is checked in. */
export interface CallCheck {
  /** Those that were handed in. */
  readonly hooks: Hooks
  /** Fields beside the one that is filled. */
  readonly scope: FieldScope
  /** Fields of the record that the rows belong to; not known of a child DocType's own file. */
  readonly parent?: FieldScope
  readonly inRows: boolean
  /** Fields of another DocType; reports at the path when there is none. */
  readonly fieldsOf: (doctype: string, path: Path) => FieldScope | undefined
  readonly report: Report
}

/**
 * Checks that a hook of that name gives what the field takes, that each of its inputs is given, and that the
 * DocTypes it reads have the fields it reads. The expressions of `with` are checked when they are compiled.
 */
export function checkCall(field: Field, path: Path, check: CallCheck): void {
  const { call } = field
  if (!call) return
  const at = [...path, 'call']
  const { report, hooks } = check
  const hook = hooks.get(call.hook)
  if (!hook) {
    report([...at, 'hook'], unknown('hook', call.hook, hooks.keys()))
    return
  }
  checkInputs(hook, call, at, check)
  if (field.child) checkColumns(hook, field, path, report)
  else checkValue(hook, field, at, check)
  for (const [doctype, shape] of Object.entries(hook.reads)) {
    const place = [...at, 'hook']
    const fields = check.fieldsOf(doctype, place)
    if (fields) checkShape(shape, fields, `${doctype}.`, (message) => report(place, message))
  }
}

function checkInputs({ inputs, gives }: Hook, call: HookCall, at: Path, check: CallCheck): void {
  const { report, scope, inRows, parent } = check
  for (const name of Object.keys(call.with)) {
    if (!Object.hasOwn(inputs, name))
      report([...at, 'with', name], unknown('input', name, Object.keys(inputs)), 'key')
  }
  for (const [name, kind] of Object.entries(inputs)) {
    const given = call.with[name]
    const place = [...at, 'with', name]
    if (given === undefined) {
      if (!isOptional(kind))
        report([...at, 'with'], `the hook ${call.hook} needs the input ${name}`)
    } else if (typeof given !== 'string') {
      if (isRows(kind)) checkSearch(given, kind, place, check)
      else report(place, `the hook ${call.hook} takes one value as ${name}, no rows`)
    } else if (isRows(kind)) {
      const toPlace = (message: string): void => report(place, message)
      const table = inRows ? tableOfParent(given) : given
      if (inRows && gives !== 'rows')
        toPlace('rows cannot hand in a table, except to a hook that gives rows')
      else if (table === undefined)
        toPlace('expected a table of the record the rows belong to: parent.items')
      else if (!inRows) checkTable(table, kind, scope, toPlace)
      else if (parent) checkTable(table, kind, parent, toPlace)
    }
  }
}

/** The table that a column hands in as `parent.items`. */
export function tableOfParent(source: string): string | undefined {
  return source.startsWith('parent.') ? source.slice('parent.'.length) : undefined
}

/**
 * Checks the tables that the columns of a shared child DocType hand in, in a record that has such rows: only
 * there it is known what they are.
 */
export function checkSharedCalls(
  columns: readonly Field[],
  { hooks, parent }: { readonly hooks: Hooks; readonly parent: FieldScope },
  report: (message: string) => void,
): void {
  for (const { call } of columns) {
    const hook = call && hooks.get(call.hook)
    if (!hook) continue
    for (const [name, kind] of Object.entries(hook.inputs)) {
      const given = call.with[name]
      const table = typeof given === 'string' ? tableOfParent(given) : undefined
      if (isRows(kind) && table !== undefined) checkTable(table, kind, parent, report)
    }
  }
}

function isOptional(kind: HookKind | RowsKind): boolean {
  return isRows(kind) ? kind.optional === true : kindOf(kind).optional
}

/** Checks that records which a query hands in have the fields that the hook reads. */
function checkSearch(
  { from, latest }: SearchInput,
  { rows }: RowsKind,
  path: Path,
  { fieldsOf, report }: CallCheck,
): void {
  const at = [...path, 'from']
  const fields = fieldsOf(from, at)
  if (!fields) return
  checkShape(rows, fields, `${from}.`, (message) => report(at, message))
  if (latest !== undefined && !fields.has(latest))
    report([...path, 'latest'], unknown('field', latest, fields.keys()))
}

function checkTable(
  name: string,
  { rows }: RowsKind,
  scope: FieldScope,
  report: (message: string) => void,
): void {
  const field = scope.get(name)
  if (field?.child) checkColumnsOf(field, rows, '', report)
  else if (field || !scope.has(name)) {
    const tables = [...scope.values()].flatMap((found) => (found?.child ? [found.name] : []))
    report(`expected the name of a table: ${unknown('table', name, tables)}`)
  }
}

function checkColumnsOf(
  { child }: Field,
  rows: RowsKind['rows'],
  of: string,
  report: (message: string) => void,
): void {
  checkShape(rows, new Map(child!.fields.map((column) => [column.name, column])), of, report)
}

/** Checks that what a hook reads is there and of a kind that fits. */
function checkShape(
  shape: Readonly<Record<string, HookKind | RowsKind>>,
  fields: FieldScope,
  of: string,
  report: (message: string) => void,
): void {
  for (const [name, kind] of Object.entries(shape)) {
    if (name === 'row_id') continue
    const field = fields.get(name)
    const place = `${of}${name}`
    if (!field) {
      if (!fields.has(name) && !isOptional(kind))
        report(`the hook reads ${place}, which is not there`)
    } else if (!isRows(kind)) {
      const expected = kindOf(kind).kind
      if (!fits(fieldType(field.type).kind, expected))
        report(`the hook reads ${place} as ${expected}, which is of the type ${field.type}`)
    } else if (field.child) checkColumnsOf(field, kind.rows, `${place}.`, report)
    else report(`the hook reads the rows of ${place}, which is of the type ${field.type}`)
  }
}

function checkValue(
  { gives, outputs }: Hook,
  field: Field,
  at: Path,
  { report, inRows }: CallCheck,
): void {
  const { hook, value } = field.call!
  if (gives === 'rows' && !inRows) {
    report([...at, 'hook'], `the hook ${hook} gives rows: it is for tables`)
    return
  }
  if (value === undefined) return
  const kind = Object.hasOwn(outputs, value) ? outputs[value] : undefined
  if (kind === undefined) report([...at, 'value'], unknown('output', value, Object.keys(outputs)))
  else if (!fits(kind, fieldType(field.type).kind))
    report([...at, 'value'], `${value} is ${kind}, which no field of the type ${field.type} holds`)
}

/** Checks the columns of a table that a hook fills. */
function checkColumns({ gives, outputs }: Hook, field: Field, path: Path, report: Report): void {
  const { hook, when } = field.call!
  if (gives !== 'rows') {
    report([...path, 'call', 'hook'], `the hook ${hook} gives no rows: it is for single fields`)
    return
  }
  const filled = field.child!.fields.filter((column) => isFilledByHook(outputs, column))
  if (filled.length === 0) {
    const known = Object.keys(outputs).join(', ')
    report(
      [...path, 'call', 'hook'],
      `no column takes what the hook gives; expected some of ${known}`,
    )
  }
  for (const column of field.child!.fields) {
    const at = [...path, 'fields', column.name]
    if (filled.includes(column)) {
      const kind = outputs[column.name]!
      if (!fits(kind, fieldType(column.type).kind))
        report(
          [...at, 'type'],
          `the hook gives ${kind}, which no field of the type ${column.type} holds`,
        )
    } else if (when === 'always' && !hasSource(column) && !column.readOnly)
      report(at, `nothing fills it: ${unknown('output', column.name, Object.keys(outputs))}`, 'key')
  }
}

/** Whether a column takes an output of the hook: it is called like one, and computes itself in no other way. */
export function isFilledByHook(outputs: Hook['outputs'], column: Field): boolean {
  return Object.hasOwn(outputs, column.name) && !hasSource(column)
}

function hasSource({ formula, lookup, fetch, rollup, call }: Field): boolean {
  return [formula, lookup, fetch, rollup, call].some((source) => source !== undefined)
}

/** Whether a kind may be assigned to another: numbers fit numbers, moments fit texts, all else only its like. */
function fits(from: Kind, to: Kind): boolean {
  if (isNumeric(from) && isNumeric(to)) return true
  return from === to || (to === 'str' && isText(from))
}

function unknown(what: string, name: string, known: Iterable<string>): string {
  const names = [...known]
  const near = suggest(name, names)
  const others = names.length === 0 ? 'there is none' : `expected one of ${names.join(', ')}`
  const hint = near === undefined ? others : `did you mean ${near}?`
  return `no ${what} ${JSON.stringify(name)}; ${hint}`
}
