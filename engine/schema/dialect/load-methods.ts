import type { Path } from '../../definition/yaml/parse.ts'
import { isMap, type YamlMap } from '../../definition/yaml/source.ts'
import { publicField } from '../../fields/public-fields.ts'
import type { DialectMethod, FilledDocument, Handed, MadeByAction, ReadValue } from './dialect.ts'
import { assertKeys, entriesOf, type Named, type Spoken, type Tell } from './spoken.ts'

/** Argument that names the document in methods that make another of it. */
const SOURCE = 'source_name'

const KINDS = ['make', 'fill', 'read'] as const

/**
 * Methods by their dotted names. A name that ends in `.doctype` stands for the methods of its DocTypes:
 *
 *     erpnext.selling.doctype: {Sales Order: {make_sales_invoice: make_invoice}}
 *     → erpnext.selling.doctype.sales_order.sales_order.make_sales_invoice
 */
export function readMethods(
  written: unknown,
  named: Named,
  tell: Tell,
): ReadonlyMap<string, DialectMethod> {
  const methods = new Map<string, DialectMethod>()
  for (const [name, value] of entriesOf(written, ['methods'], tell)) {
    const path: Path = ['methods', name]
    if (name.endsWith('.doctype')) {
      readGroup(methods, name, value, named, tell)
      continue
    }
    const method = Array.isArray(value)
      ? value.flatMap((one, at) => readOne(one, [...path, at], named, tell) ?? [])
      : readOne(value, path, named, tell)
    if (method) methods.set(name, method as DialectMethod)
  }
  return methods
}

function readGroup(
  methods: Map<string, DialectMethod>,
  prefix: string,
  value: unknown,
  named: Named,
  tell: Tell,
): void {
  for (const [doctype, functions] of entriesOf(value, ['methods', prefix], tell)) {
    const path: Path = ['methods', prefix, doctype]
    const module = doctype.toLowerCase().replaceAll(' ', '_')
    for (const [name, action] of entriesOf(functions, path, tell)) {
      assertAction(named(doctype, path), String(action), [...path, name], tell)
      methods.set(`${prefix}.${module}.${module}.${name}`, {
        does: 'make',
        kinds: new Map([['*', { doctype, action: String(action) }]]),
        name: SOURCE,
        input: {},
      })
    }
  }
}

function readOne(
  value: unknown,
  path: Path,
  named: Named,
  tell: Tell,
): MadeByAction | FilledDocument | ReadValue | undefined {
  const kind = isMap(value) ? KINDS.find((one) => value[one] !== undefined) : undefined
  if (!isMap(value) || kind === undefined) {
    tell(path, `expected one of ${KINDS.join(', ')}`)
    return undefined
  }
  return READERS[kind](value, path, named, tell)
}

type Reader = (
  value: YamlMap,
  path: Path,
  named: Named,
  tell: Tell,
) => MadeByAction | FilledDocument | ReadValue

const READERS: Readonly<Record<(typeof KINDS)[number], Reader>> = {
  make(value, path, named, tell) {
    assertKeys(value, ['make', 'kind', 'name', 'input'], path, tell)
    const kinds = new Map<string, { doctype: string; action: string }>()
    for (const [doctype, action] of entriesOf(value.make, [...path, 'make'], tell)) {
      assertAction(named(doctype, [...path, 'make', doctype]), String(action), path, tell)
      kinds.set(typeof value.kind === 'string' ? doctype : '*', { doctype, action: String(action) })
    }
    return {
      does: 'make',
      kinds,
      ...(typeof value.kind === 'string' ? { kind: value.kind } : {}),
      name: String(value.name ?? SOURCE),
      input: handed(value.input, [...path, 'input'], tell),
    }
  },
  fill(value, path, named, tell) {
    assertKeys(value, ['fill', 'by', 'otherwise', 'set', 'row', 'value'], path, tell)
    const values = Array.isArray(value.value) ? value.value.map(String) : undefined
    const otherwise = handed(value.otherwise, [...path, 'otherwise'], tell)
    for (const [name, doctype] of Object.entries(otherwise))
      named(doctype, [...path, 'otherwise', name])
    const [[table, columns] = []] = entriesOf(value.row, [...path, 'row'], tell)
    return {
      does: 'fill',
      doctype: String(value.fill),
      otherwise,
      set: handed(value.set, [...path, 'set'], tell),
      ...(table === undefined
        ? {}
        : { row: { table, set: handed(columns, [...path, 'row', table], tell) } }),
      ...(typeof value.by === 'string' ? { by: value.by } : {}),
      ...(values === undefined ? {} : { values }),
    }
  },
  read(value, path, named, tell) {
    assertKeys(value, ['read', 'value', 'sum', 'where', 'order', 'needs', 'same'], path, tell)
    const spoken = named(value.read, [...path, 'read'])
    const where = (Array.isArray(value.where) ? value.where : []) as ReadValue['where']
    const sum = value.sum as ReadValue['sum']
    const fields = [value.value, ...Object.keys(sum ?? {}), ...where.map(([field]) => field)]
    for (const field of fields)
      if (spoken && field !== undefined && field !== 'name' && !publicField(spoken, String(field)))
        tell(path, `${String(value.read)} has no field ${JSON.stringify(field)}`)
    return {
      does: 'read',
      doctype: String(value.read),
      where,
      needs: (value.needs ?? []) as readonly string[],
      ...(typeof value.value === 'string' ? { value: value.value } : {}),
      ...(sum === undefined ? {} : { sum }),
      ...(typeof value.order === 'string' ? { order: value.order } : {}),
      ...(Array.isArray(value.same)
        ? { same: value.same as unknown as readonly [string, string] }
        : {}),
    }
  },
}

function handed(value: unknown, path: Path, tell: Tell): Handed {
  return Object.fromEntries(entriesOf(value, path, tell).map(([key, one]) => [key, String(one)]))
}

function assertAction(spoken: Spoken | undefined, action: string, path: Path, tell: Tell): void {
  if (!spoken) return
  const actions = 'behaviour' in spoken ? Object.keys(spoken.behaviour.actions ?? {}) : []
  if (actions.includes(action)) return
  tell(
    path,
    `there is no action ${JSON.stringify(action)}; there are ${actions.join(', ') || 'none'}`,
  )
}
