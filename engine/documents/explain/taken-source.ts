import { isoDateTime } from '../../base/clock.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { assignValue } from '../../expression/syntax/assign.ts'
import type { Environment } from '../../expression/tree/types.ts'
import type { Lookup } from '../../fields/field.ts'
import { fieldType } from '../../fields/index.ts'
import { isPublic } from '../../fields/public-fields.ts'
import { GIVEN } from '../../rules/base/reads.ts'
import { valueType } from '../../rules/base/scopes.ts'
import type { ComputedCell } from '../../rules/cells/computed-cell.ts'
import { assigned } from '../../rules/cells/fill.ts'
import { type Found, type LookupRule, rulesOf } from '../../rules/cells/lookup.ts'
import { lookupRows } from '../../rules/explain/explained-rows.ts'
import { type Doc, rowsOf, valueIn } from '../../storage/database/document.ts'
import { type Cell, declaredAt, shownValue, storedValue } from './cell.ts'
import { attempted, keysText } from './computed-source.ts'
import { type Input, inputsAtPaths, inputsOf } from './inputs.ts'
import { type Listing, readableRecord, recordsOf } from './listing.ts'
import { fetchedName } from './names.ts'
import { publicText } from './public-text.ts'
import { environmentAt, type Scene, settledWith } from './scene.ts'
import { withoutInternals } from './setters.ts'
import type { Source } from './source.ts'

/** Moment at which a draft, a new record or a submit took a value; undefined where that is not known. */
async function takenAt(
  { doc, history }: Scene,
  cell: Cell,
  at: Lookup['at'],
): Promise<string | undefined> {
  if (at === 'create') return cell.row ? (await history.since(cell))?.at : doc.created
  if (at === 'always' || doc.docstatus === 0) return doc.modified
  return history.submitted()
}

/**
 * The record that a value was fetched from. undefined where the field may be filled by callers, and the record does not
 * say the same: who may not read it is not told by this whether it does.
 */
export async function ofFetch(
  scene: Scene,
  cell: Cell,
  { through }: ComputedCell,
): Promise<Source | undefined> {
  const { definition } = scene.parts
  const { field, table } = cell
  const { link, field: wanted, when } = field.fetch!
  const name = (cell.row ?? cell.doc)[link]
  const doctype = through?.link ?? (cell.row ?? cell.doc)[through?.linkFrom ?? '']
  const master = typeof doctype === 'string' ? scene.registry.byDoctype(doctype) : undefined
  const isSet = master !== undefined && typeof name === 'string'
  // Rows are copied into a table that is empty, and are anybody's from then on.
  const isProposal = when === 'empty' || field.child !== undefined
  if (isProposal && !(isSet && (await saysTheSame(scene, cell, master, name)))) return undefined
  const inputs =
    through && isPublic(through)
      ? [{ kind: 'cell', cell: { ...cell, field: through } } as const]
      : []
  return {
    how: 'fetch',
    said: {
      definition,
      path: cell.field.made ? declaredAt(cell) : [...declaredAt(cell), 'fetch'],
      text: fetchedName(scene.registry, { field, table, definition }) || wanted,
    },
    at: await takenAt(scene, cell, when === 'always' ? 'always' : 'draft'),
    inputs,
    listing: isSet
      ? { kind: 'one', definition: master, name, value: shownValue(field, storedValue(cell)) }
      : undefined,
  }
}

async function saysTheSame(
  scene: Scene,
  cell: Cell,
  master: DocTypeDefinition,
  name: string,
): Promise<boolean> {
  const { field } = cell
  const origin = scene.registry.fieldOf(master, field.fetch!.field)
  const doc = await readableRecord(scene, master, name)
  if (!doc || !origin) return false
  if (field.child) return areCopied(scene, cell, master, doc)
  const value = valueIn(doc, origin.name)
  return (
    value !== null && assignValue(value, valueType(origin), valueType(field)) === storedValue(cell)
  )
}

/** Whether the rows of a table are those of the linked record, in what a copy takes over. */
async function areCopied(
  { context }: Scene,
  { doc, field }: Cell,
  master: DocTypeDefinition,
  target: Doc,
): Promise<boolean> {
  const table = field.fetch!.field
  const { store } = context.services.partsOf(master)
  await store.loadRows(context.services.database.read, [target], [table])
  const columns = field.child!.fields.filter(
    ({ rollup, formula }) => !rollup && formula === undefined,
  )
  const [own, theirs] = [rowsOf(doc, field.name), rowsOf(target, table)]
  return (
    own.length > 0 &&
    own.length === theirs.length &&
    own.every((row, at) =>
      columns.every(({ name }) => (row[name] ?? null) === (theirs[at]![name] ?? null)),
    )
  )
}

/**
 * The records that a look-up found. They are named where it would find the same value now; of one that has changed
 * since only what it was asked with is told.
 */
export async function ofLookup(
  scene: Scene,
  cell: Cell,
  rule: LookupRule,
): Promise<Source | undefined> {
  const { definition } = scene.parts
  const { field } = cell
  const lookup = field.lookup!
  const environment = environmentAt(scene, cell, isoDateTime(scene.context.services.clock))
  const listing = rule.found
    ? await foundNow(scene, cell, rule, rule.found, environment)
    : await namedNow(scene, cell, rule, environment)
  if (lookup.when === 'empty' && !(await isNameable(scene, listing))) return undefined
  const isSearch = rule.found !== undefined && rule.asks.length === 0
  const rules = isSearch ? rulesOf(rule.found!) : rule.asks
  return {
    how: 'lookup',
    said: {
      definition,
      path: field.made ? declaredAt(cell) : [...declaredAt(cell), 'lookup'],
      text: lookupText(scene, cell, rule),
    },
    at: await takenAt(scene, cell, lookup.at),
    inputs: rules.flatMap(({ expression }) => inputsOf(scene, cell, expression, isSearch)),
    listing,
  }
}

async function foundNow(
  scene: Scene,
  cell: Cell,
  rule: LookupRule,
  found: Found,
  environment: Environment,
): Promise<Listing | undefined> {
  const { field } = cell
  const stored = storedValue(cell)
  const values = cell.row ?? cell.doc
  const value = await settledWith(scene, () =>
    attempted(() => rule.value(values, environment, scene.reads)),
  )
  if (value !== stored || stored === null) return undefined
  const { kind } = scene.context.services.database
  const matched = found.matched ? attempted(() => found.matched!(values, environment)) : {}
  if (!matched) return undefined
  const asked = { ...environment, records: { ...environment.records, this: values, ...matched } }
  const rows = lookupRows(found, field, kind, asked)
  const { operation } = field.lookup!
  const isExtreme = operation === 'min' || operation === 'max'
  const only = isExtreme ? fieldType(field.type).toColumn(stored, field) : undefined
  return (
    rows && {
      kind: 'rows',
      definition: found.search.source,
      rows,
      environment: asked,
      field: operation === 'count' ? undefined : field,
      only,
      taken: operation === undefined ? { value: shownValue(field, stored) } : undefined,
    }
  )
}

async function namedNow(
  scene: Scene,
  cell: Cell,
  { named }: LookupRule,
  environment: Environment,
): Promise<Listing | undefined> {
  const { when } = cell.field.lookup!
  const record = attempted(() => named(cell.row ?? cell.doc, environment))
  if (!record || storedValue(cell) === null) return undefined
  const { definition, name } = record
  if (when === 'empty' && !(await isSameThere(scene, cell, definition, name))) return undefined
  return { kind: 'one', definition, name, value: shownValue(cell.field, storedValue(cell)) }
}

async function isSameThere(
  scene: Scene,
  { field, ...cell }: Cell,
  definition: DocTypeDefinition,
  name: string,
): Promise<boolean> {
  const origin = scene.registry.fieldOf(definition, field.lookup!.value ?? '')
  const doc = await readableRecord(scene, definition, name)
  const value = doc && origin ? valueIn(doc, origin.name) : null
  const isSet = value !== null && origin !== undefined
  return (
    isSet &&
    assignValue(value, valueType(origin), valueType(field)) === storedValue({ ...cell, field })
  )
}

/** Whether the caller may read something of what was found: else a value that they could have sent is theirs. */
async function isNameable(scene: Scene, listing: Listing | undefined): Promise<boolean> {
  if (!listing) return false
  const { records } = await recordsOf(scene, listing, {
    limit: 1,
    after: undefined,
    cursor: () => '',
  })
  return records.some(({ id }) => id !== null)
}

function lookupText(scene: Scene, { field, table }: Cell, { match, found }: LookupRule): string {
  const { services } = scene.context
  const { definition } = scene.parts
  const { from, latest, operation, value } = field.lookup!
  const own = { definition, table }
  const source = found && {
    definition: found.search.source,
    table: found.search.source.fields.find(({ name }) => name === found.search.sourceTable),
    seeker: own,
  }
  const owner = scene.registry.byDoctype(from?.split('.')[0] ?? '')
  const shown = (name: string | undefined): string | undefined =>
    name && owner && withoutInternals(scene.registry, owner, name)
  const over = (rule: LookupRule['match']): string | undefined =>
    rule && source && publicText(services, source, rule.expression)
  const taken = found?.value
  const last = found?.latest
  return keysText({
    from,
    match: match && publicText(services, own, match.expression),
    where: over(found?.where),
    latest: typeof last === 'object' ? over(last) : shown(latest),
    [operation ?? 'value']:
      operation === 'count' ? 'true' : taken && 'rule' in taken ? over(taken.rule) : shown(value),
  })
}

/** The call of a hook: what it was called with. */
export async function ofCall(
  scene: Scene,
  cell: Cell,
  filled: Cell,
  { field, call }: ComputedCell,
): Promise<Source> {
  const { hook, value, at } = field.call!
  const { definition } = scene.parts
  const inputs: readonly Input[] = [
    ...(call?.inputs ?? []).flatMap(({ expression }) => inputsOf(scene, filled, expression)),
    ...inputsAtPaths(scene, filled, call?.cells ?? []),
  ]
  return {
    how: 'call',
    said: {
      definition,
      path: [...declaredAt(filled), 'call'],
      text: keysText({ hook, value: value ?? (cell === filled ? undefined : cell.field.name) }),
    },
    at: await takenAt(scene, cell, at),
    inputs,
  }
}

/** The default of a field, where it gives the value that is there; undefined where somebody sent another one. */
export async function ofDefault(
  scene: Scene,
  cell: Cell,
  computed: ComputedCell,
): Promise<Source | undefined> {
  const { definition } = scene.parts
  const { field, table, doc } = cell
  const stored = storedValue(cell)
  if (stored === null) return undefined
  const at = await takenAt(scene, cell, 'create')
  const said = (key: string, text: string): NonNullable<Source['said']> => ({
    definition,
    path: [...declaredAt(cell), key],
    text,
  })
  if (field.defaultValue !== undefined) {
    const { read } = fieldType(field.type)
    if (read(field.defaultValue, field) !== stored) return undefined
    return { how: 'default', said: said('default', String(field.defaultValue)), at, inputs: [] }
  }
  const { initial, first } = computed
  const { services } = scene.context
  if (initial && (await isInitial(scene, cell, computed))) {
    const text = publicText(services, { definition, table }, initial.expression)
    const inputs = inputsOf(scene, cell, initial.expression)
    return { how: 'default', said: said('default', text), at, inputs }
  }
  if (!first || typeof stored !== 'string' || field.link === undefined) return undefined
  const master = scene.registry.byDoctype(field.link)
  const environment = environmentAt(scene, cell, doc.created)
  const owner = computed.bond?.isOfRow === false ? doc : (cell.row ?? doc)
  const found = await settledWith(scene, () => first.value(environment, scene.reads, owner))
  if (!master || found !== stored || !(await readableRecord(scene, master, stored)))
    return undefined
  return {
    how: 'default',
    said: said('default_from', withoutInternals(scene.registry, master, String(field.defaultFrom))),
    at,
    inputs: [],
    listing: { kind: 'one', definition: master, name: stored, value: stored },
  }
}

/** Whether the expression of a default gives what is there; records that the caller may not read say nothing. */
async function isInitial(
  scene: Scene,
  cell: Cell,
  { initial, initialPaths, field, type }: ComputedCell,
): Promise<boolean> {
  const values = cell.row ?? cell.doc
  const environment = environmentAt(scene, cell, cell.doc.created)
  const records: Record<string, Environment['records'][string]> = {
    ...environment.records,
    [GIVEN]: values,
  }
  for (const { field: link, doctype } of initialPaths) {
    const name = values[link]
    const master = scene.registry.byDoctype(doctype)
    if (typeof name !== 'string' || !master) continue
    records[link] = await readableRecord(scene, master, name)
  }
  const result = attempted(() =>
    assigned(
      initial!,
      field,
      type,
      values,
      cell.doc,
      initial!.evaluate()(values, { ...environment, records }),
    ),
  )
  return result === storedValue({ ...cell, field })
}
