import type { Field, Find } from '../../fields/field.ts'
import type { DocTypeDefinition } from '../model/definition.ts'
import { splitDot } from '../normalise/normalise-field.ts'
import { pathOfRows } from '../normalise/normalise-sources.ts'
import type { Path } from '../yaml/parse.ts'
import { isMap } from '../yaml/source.ts'

/** Document or table whose rows an expression reads: the table of a DocType, none for its documents. */
export interface Place {
  readonly doctype: string
  readonly table: string | undefined
}

/**
 * Expression of a DocType, and what its names are of:
 *
 *     kept     the own record, now and for ever: what is behind its links is kept with it (formula, status, rollup)
 *     moment   the own record at this moment: its links lead to records as they are now (default, validate, effects)
 *     search   the record that is searched; own fields stand behind `this`
 */
export interface Site {
  readonly source: string
  readonly kind: 'kept' | 'moment' | 'search'
  readonly place: Place
  /** Rows that expressions know by a name: `i` in `each: items, as: i`; undefined for another record of that name. */
  readonly rows: ReadonlyMap<string, Place | undefined>
  /** Where it is written, in the file of its DocType. */
  readonly path: Path
}

type Add = (source: unknown, kind: Site['kind'], path: Path, key?: string) => void

const NO_ROWS: Site['rows'] = new Map()

/** Whether there is a name behind another one in an expression; most have none. */
const hasPath = (source: string): boolean => source.includes('.')

/** The expressions of a DocType that may look through links or into finds. */
export function sitesOf(definition: DocTypeDefinition): readonly Site[] {
  const { doctype, fields, finds, behaviour } = definition
  const sites: Site[] = []
  const adder =
    (place: Place): Add =>
    (source, kind, path, key) => {
      if (source === undefined || (typeof source === 'string' && !hasPath(source))) return
      const whole = key === undefined ? path : [...path, key]
      const push = (part: unknown, at: Path): void => {
        if (typeof part === 'string' && hasPath(part))
          sites.push({ source: part, kind, place, rows: NO_ROWS, path: at })
      }
      if (!Array.isArray(source)) push(source, whole)
      else for (const [index, part] of source.entries()) push(part, [...whole, index])
    }
  const own: Place = { doctype, table: undefined }
  addLevel({ fields, finds }, [], adder(own), sites)
  for (const { name, rows = [] } of fields)
    for (const made of rows) addSteps(made, own, NO_ROWS, pathOfRows(['fields', name], made), sites)
  for (const { name, child } of fields)
    if (child) addLevel(child, ['fields', name], adder({ doctype, table: name }), sites)
  const add = adder(own)
  const { status, validate = [], effects, actions = {}, events = {}, brings } = behaviour
  for (const key of ['derive', 'moves', 'tick'] as const)
    for (const [state, source] of Object.entries(status?.[key] ?? {}))
      add(source, 'kept', ['status', key, state])
  for (const [index, { check, each, message }] of validate.entries()) {
    const addHere = each === undefined ? add : adder({ doctype, table: each })
    addHere(check, 'moment', ['validate', index, 'check'])
    addMessage(message, ['validate', index, 'message'], addHere)
  }
  for (const [name, { input = [], when, message, steps }] of Object.entries(actions)) {
    add(when, 'moment', ['actions', name, 'when'])
    addMessage(message, ['actions', name, 'message'], add)
    for (const { name: field, default: source } of input)
      add(source, 'moment', ['actions', name, 'input', field, 'default'])
    addSteps(steps, own, NO_ROWS, ['actions', name, 'steps'], sites)
  }
  addSteps(effects?.submit, own, NO_ROWS, ['effects', 'submit'], sites)
  addSteps(events, own, NO_ROWS, ['events'], sites)
  addSteps(brings, own, NO_ROWS, ['brings'], sites)
  return sites
}

/** Expressions between the braces of a message. */
function addMessage(message: string | undefined, path: Path, add: Add): void {
  for (const [, part] of message?.matchAll(/\{([^{}]*)\}/g) ?? []) add(part, 'moment', path)
}

/** Expressions of the fields and finds of a DocType or table. */
function addLevel(
  {
    fields,
    finds = [],
  }: { readonly fields: readonly Field[]; readonly finds?: readonly Find[] | undefined },
  path: Path,
  add: Add,
  sites: Site[],
): void {
  for (const { name, match, equals = {}, where, renew } of finds) {
    const at = [...path, 'find', name]
    add(match, 'kept', [...at, 'match'])
    for (const [key, source] of Object.entries(equals)) add(source, 'kept', [...at, 'match', key])
    add(where, 'search', [...at, 'where'])
    add(renew, 'kept', [...at, 'renew'])
  }
  for (const field of fields)
    addField(field, [...path, 'fields', field.partOf ?? field.name], add, sites)
}

function addField(field: Field, path: Path, add: Add, sites: Site[]): void {
  const { lookup, call, rollup } = field
  add(field.formula, 'kept', path, 'formula')
  add(field.renew, 'kept', path, 'renew')
  add(field.visibleWhen, 'kept', path, 'visible_when')
  add(field.requiredWhen, 'moment', path, 'required_when')
  if (field.defaultValue === undefined) add(field.default, 'moment', path, 'default')
  if (lookup) {
    const at = [...path, 'lookup']
    add(lookup.match, 'kept', at, 'match')
    add(lookup.where, 'search', at, 'where')
    if (lookup.operation !== undefined) add(lookup.value, 'search', at, lookup.operation)
  }
  if (call) {
    add(call.if, 'kept', [...path, 'call', 'if'])
    for (const [input, given] of Object.entries(call.with ?? {})) {
      const at = [...path, 'call', 'with', input]
      if (typeof given === 'string') add(given, 'kept', at)
      else add(given.where, 'search', at, 'where')
    }
  }
  if (!rollup) return
  const [doctype, table] = splitDot(rollup.from)
  const over = { kind: 'kept', place: { doctype, table }, rows: NO_ROWS } as const
  const parts = { match: rollup.match, [rollup.operation]: rollup.value, where: rollup.where }
  for (const [key, source] of Object.entries(parts))
    if (source !== undefined && hasPath(source))
      sites.push({ ...over, source, path: [...path, 'rollup', key] })
}

/** Expressions anywhere in steps or events; texts that are none (`post: GL Entry`) have no paths in them. */
function addSteps(
  node: unknown,
  place: Place,
  rows: Site['rows'],
  path: Path,
  sites: Site[],
): void {
  if (typeof node === 'string') {
    if (hasPath(node)) sites.push({ source: node, kind: 'moment', place, rows, path })
  } else if (Array.isArray(node)) {
    for (const [index, item] of node.entries()) addSteps(item, place, rows, [...path, index], sites)
  } else if (isMap(node)) {
    const known = withLoop(node, place, rows)
    for (const key in node) {
      const value = node[key]
      if (typeof value === 'string' && !hasPath(value)) continue
      const at = [...path, key]
      if (key !== 'each' || !isMap(value)) addSteps(value, place, known, at, sites)
      else if ('from' in value || 'declaring' in value) addSearch(value, place, rows, at, sites)
      else addSteps(Object.values(value), place, known, at, sites)
    }
  }
}

/** Rows with what an `each` beside them goes through. */
function withLoop(
  { each, as }: Readonly<Record<string, unknown>>,
  { doctype }: Place,
  rows: Site['rows'],
): Site['rows'] {
  if (each === undefined) return typeof as === 'string' ? new Map(rows).set(as, undefined) : rows
  const declared = (typeof each === 'string' ? { table: each } : each) as Record<string, unknown>
  const name = String(declared.as ?? as ?? 'row')
  const table = declared.table
  return new Map(rows).set(name, typeof table === 'string' ? { doctype, table } : undefined)
}

function addSearch(
  node: unknown,
  place: Place,
  rows: Site['rows'],
  path: Path,
  sites: Site[],
): void {
  if (typeof node === 'string') {
    if (hasPath(node)) sites.push({ source: node, kind: 'search', place, rows, path })
  } else if (Array.isArray(node))
    for (const [index, item] of node.entries())
      addSearch(item, place, rows, [...path, index], sites)
  else if (typeof node === 'object' && node !== null)
    for (const [key, value] of Object.entries(node))
      addSearch(value, place, rows, [...path, key], sites)
}
