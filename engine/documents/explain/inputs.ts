import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Expression } from '../../expression/expression.ts'
import { clockOf, namesRead } from '../../expression/tree/analyse.ts'
import type { Field } from '../../fields/field.ts'
import { isPublic, publicPlace } from '../../fields/public-fields.ts'
import { GIVEN } from '../../rules/base/reads.ts'
import { rowsOf } from '../../storage/database/document.ts'
import { type Cell, pathOf, placeOf, shownValue, storedValue } from './cell.ts'
import { fetchedName, foundName, lookupName, namedField } from './names.ts'
import { computedCell, type Scene } from './scene.ts'

/** Value that another one was made of, before it is shown. */
export type Input =
  | { readonly kind: 'cell'; readonly cell: Cell }
  /** An internal cell, by the name of what it was taken from. */
  | { readonly kind: 'taken'; readonly cell: Cell; readonly field: string; readonly label: string }
  /** A field of the record that a link names. */
  | {
      readonly kind: 'linked'
      readonly link: Cell
      readonly definition: DocTypeDefinition
      readonly field: Field
    }
  | {
      readonly kind: 'value'
      readonly field: string
      readonly label: string
      readonly value: unknown
    }

/**
 * What an expression of a cell reads, in its order and each once. Internal fields are looked through. `isSearch` tells
 * that it is over what is found, and reads the record by `this` and `parent`.
 */
export function inputsOf(
  scene: Scene,
  cell: Cell,
  { tree }: Expression,
  isSearch = false,
): readonly Input[] {
  const reads = namesRead(tree)
  const inputs = reads.flatMap(({ path, isTable }) => {
    const own = isSearch ? ofSeeker(path, cell) : path
    if (own === undefined) return []
    // A table whose columns are read is told by these.
    if (isTable && reads.some((other) => other.path.startsWith(`${path}.`))) return []
    return inputsAt(scene, cell, own)
  })
  return distinct(inputs)
}

/** The cells behind paths of the document (`items`, `items.qty`); those of the cell's own table are of its row. */
export function inputsAtPaths(
  scene: Scene,
  cell: Cell,
  paths: readonly string[],
): readonly Input[] {
  const table = cell.table?.name
  const inputs = paths.flatMap((path) => {
    if (paths.some((other) => other.startsWith(`${path}.`))) return []
    if (table === undefined) return inputsAt(scene, cell, path)
    const isOfRow = path.startsWith(`${table}.`)
    return inputsAt(scene, cell, isOfRow ? path.slice(table.length + 1) : `parent.${path}`)
  })
  return distinct(inputs)
}

/** The clock that an expression reads, as it was at a moment. */
export function clockInput({ tree }: Expression, now: string): readonly Input[] {
  const clock = clockOf(tree)
  if (!clock) return []
  const value = clock === 'today' ? now.slice(0, 10) : now
  return [{ kind: 'value', field: `${clock}()`, label: clock === 'today' ? 'Today' : 'Now', value }]
}

/** A name over what is found as one of the record that searches; undefined for one of what is found. */
function ofSeeker(path: string, { table }: Cell): string | undefined {
  if (path.startsWith('this.')) return path.slice('this.'.length)
  return table && path.startsWith('parent.') ? path : undefined
}

/** Records of the environment that are no cells as they are now. */
const NOT_KEPT = /^(old|user|input)\./

function inputsAt(scene: Scene, cell: Cell, path: string): readonly Input[] {
  if (NOT_KEPT.test(path)) return []
  const own = path.startsWith(`${GIVEN}.`) ? path.slice(GIVEN.length + 1) : path
  const { definition } = scene.parts
  const named = namedField(scene.registry, { definition, table: cell.table }, own)
  if (!named) return []
  const { field, table, through } = named
  const { doc } = scene
  if (through) {
    const link: Cell = { ...cell, field: through }
    return isPublic(field) && isPublic(through)
      ? [{ kind: 'linked', link, definition: named.definition, field }]
      : []
  }
  if (!table) return seen(scene, { doc, field })
  const isSameRow = cell.row !== undefined && table === cell.table && !own.includes('.')
  if (isSameRow) return seen(scene, { ...cell, field })
  return rowsOf(doc, table.name).flatMap((row, index) =>
    seen(scene, { doc, table, row, index, field }),
  )
}

/** A cell as an input; an internal one as what it was taken from. */
function seen(scene: Scene, cell: Cell): readonly Input[] {
  const { field, table, doc } = cell
  if (field.child) {
    if (!isPublic(field)) return []
    return [
      {
        kind: 'value',
        field: field.name,
        label: field.label,
        value: rowsOf(doc, field.name).length,
      },
    ]
  }
  if (isPublic(field) && (!table || isPublic(table))) return [{ kind: 'cell', cell }]
  return lookThrough(scene, cell)
}

/** What an internal cell was taken from. Defaults may stand in for each other, so each is looked through once. */
function lookThrough(scene: Scene, cell: Cell): readonly Input[] {
  const place = placeOf(cell)
  if (scene.looking.has(place)) return []
  scene.looking.add(place)
  try {
    return takenFrom(scene, cell)
  } finally {
    scene.looking.delete(place)
  }
}

function takenFrom(scene: Scene, cell: Cell): readonly Input[] {
  const { registry, parts, context } = scene
  const { definition } = parts
  const { field, table } = cell
  const { rollup, lookup, fetch, call } = field
  const rule = computedCell(context.services, definition, pathOf(cell))
  if (rule?.formula) return inputsOf(scene, cell, rule.formula.expression)
  const taken = (name: string, label: string): readonly Input[] => [
    { kind: 'taken', cell, field: name, label },
  ]
  if (rollup) {
    const [source = ''] = rollup.from.split('.')
    return taken(
      foundName(registry, rollup.from, rollup.value),
      registry.byDoctype(source)?.labelPlural ?? source,
    )
  }
  if (lookup) {
    const name = lookupName(registry, lookup)
    const [source = ''] = name.split('.')
    return taken(name, registry.byDoctype(source)?.label ?? source)
  }
  if (fetch) {
    const named = fetchedName(registry, { field, table, definition })
    const prefix = table && isPublic(table) ? `${table.name}[${cell.index}].` : ''
    const behind = namedField(registry, { definition, table }, `${fetch.link}.${fetch.field}`)
    const label = behind && isPublic(behind.field) ? behind.field.label : definition.label
    return named === '…' ? nameless(scene, cell) : taken(prefix + named, label)
  }
  if (call) return taken(call.hook, call.hook)
  if (rule?.initial) return inputsOf(scene, cell, rule.initial.expression)
  return nameless(scene, cell)
}

/** An internal value that is no other's: it has the place of its row, or none. */
function nameless(scene: Scene, cell: Cell): readonly Input[] {
  const { definition } = scene.parts
  const { field, table } = cell
  const label = table && isPublic(table) ? table.label : definition.label
  const place = publicPlace(definition, placeOf(cell))
  return [{ kind: 'value', field: place, label, value: shownValue(field, storedValue(cell)) }]
}

function distinct(inputs: readonly Input[]): readonly Input[] {
  const seenKeys = new Set<string>()
  return inputs.filter((input) => {
    const key = keyOf(input)
    if (seenKeys.has(key)) return false
    seenKeys.add(key)
    return true
  })
}

function keyOf(input: Input): string {
  if (input.kind === 'value') return `${input.field}\0${String(input.value)}`
  if (input.kind === 'linked') return `${placeOf(input.link)}.${input.field.name}`
  return placeOf(input.cell)
}
