import { childrenOf, type Node, type Range, type Rows } from './types.ts'

/** Most steps one document may cost an expression (rules.md §2). */
export const MAX_COST = 1_000_000

/** What is known of an expression before it runs. */
export interface Facts {
  /**
   * An upper bound of the nodes evaluated: row macros count their body once for every row the table may have, or
   * for `rows` of them where more is known.
   */
  readonly cost: number
  readonly dependencies: readonly string[]
}

/** Cost of an expression and the names it reads, as `dependenciesOf` names them, looked for in one walk. */
export function factsOf(node: Node, rows?: number): Facts {
  const paths: string[] = []
  const cost = walk(node, rows, NO_TABLES, paths)
  return { cost, dependencies: paths.length === 0 ? NO_NAMES : paths }
}

const NO_TABLES: readonly string[] = []
const NO_NAMES: readonly string[] = []

/** Adds a name to sorted ones, unless it is there: an expression has few. */
function addName(names: string[], name: string): void {
  let at = names.length
  while (at > 0 && names[at - 1]! > name) at -= 1
  if (names[at - 1] === name) return
  if (at === names.length) names.push(name)
  else names.splice(at, 0, name)
}

function walk(
  node: Node,
  rows: number | undefined,
  tables: readonly string[],
  paths: string[],
): number {
  if (node.node === 'field' || node.node === 'has')
    addName(paths, pathOf(ownerOf(node.of, tables), node.name))
  if (node.node === 'binary')
    return 1 + walk(node.left, rows, tables, paths) + walk(node.right, rows, tables, paths)
  const table = node.node === 'aggregate' ? node.rows : undefined
  if (table) addName(paths, pathOf(table.of, table.table))
  const inside = table ? tablesInside(table, tables) : tables
  const children = childrenOf(node)
  let below = 0
  for (let at = 0; at < children.length; at += 1) below += walk(children[at]!, rows, inside, paths)
  return table ? 1 + (rows ?? table.maxRows) * Math.max(below, 1) : 1 + below
}

/** Name of the clock that the expression reads, `today` or `now`: its value changes without a write. */
export function clockOf(node: Node): 'today' | 'now' | undefined {
  if (node.node === 'clock') return node.name
  for (const child of childrenOf(node)) {
    const found = clockOf(child)
    if (found) return found
  }
  return undefined
}

/**
 * Names that an expression reads, sorted and without doubles: `grand_total`, a table and its fields as `items` and
 * `items.amount`, other records as `parent.currency`, `old.status`, `parent.items.qty`.
 */
export function dependenciesOf(node: Node): readonly string[] {
  return factsOf(node).dependencies
}

/** A name in an expression: what it reads, as `dependenciesOf` names it, and where in the source it stands. */
export interface NameRead {
  readonly path: string
  /** Of a table, the whole macro over its rows. */
  readonly at: Range
  readonly isTable: boolean
}

/** Names that an expression reads, in the order of its tree; one that is read twice comes twice. */
export function namesRead(node: Node): readonly NameRead[] {
  const names: NameRead[] = []
  collect(node, [], names)
  return names
}

function collect(node: Node, tables: readonly string[], names: NameRead[]): void {
  const { at } = node
  if (node.node === 'field' || node.node === 'has')
    names.push({ path: pathOf(ownerOf(node.of, tables), node.name), at, isTable: false })
  let inside = tables
  if (node.node === 'aggregate') {
    names.push({ path: pathOf(node.rows.of, node.rows.table), at, isTable: true })
    inside = tablesInside(node.rows, tables)
  }
  for (const child of childrenOf(node)) collect(child, inside, names)
}

/**
 * The fields that the value of an expression may be, as `dependenciesOf` names them; undefined for a value that it
 * makes: a text of its own, or what a function gives. The unset text is no value.
 */
export function originsOf(node: Node): readonly (string | undefined)[] {
  return [...new Set(origins(node, []))]
}

function origins(node: Node, tables: readonly string[]): readonly (string | undefined)[] {
  switch (node.node) {
    case 'literal':
      return node.value === '' ? [] : [undefined]
    case 'field':
      return [pathOf(ownerOf(node.of, tables), node.name)]
    case 'choose':
      return [...origins(node.yes, tables), ...origins(node.no, tables)]
    case 'aggregate': {
      const isOneOfThem = (node.op === 'min' || node.op === 'max') && node.body !== null
      return isOneOfThem ? origins(node.body, tablesInside(node.rows, tables)) : [undefined]
    }
    default:
      return [undefined]
  }
}

function ownerOf(of: string, tables: readonly string[]): string {
  return of.startsWith('#') ? tables[Number(of.slice(1))]! : of
}

function tablesInside({ of, table, level }: Rows, tables: readonly string[]): readonly string[] {
  return [...tables.slice(0, level), pathOf(of, table)]
}

function pathOf(owner: string, name: string): string {
  return owner === 'doc' ? name : `${owner}.${name}`
}

/** The parts of a condition that `&&` joins. */
export function conjuncts(node: Node): readonly Node[] {
  if (node.node !== 'binary' || node.op !== '&&') return [node]
  return [...conjuncts(node.left), ...conjuncts(node.right)]
}
