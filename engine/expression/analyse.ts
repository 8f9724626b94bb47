import { childrenOf, type Node } from './types.ts'

/** Most steps one document may cost an expression (rules.md §2). */
export const MAX_COST = 1_000_000

/**
 * An upper bound of the nodes evaluated: row macros count their body once for every row the table may have, or
 * for `rows` of them where more is known.
 */
export function costOf(node: Node, rows?: number): number {
  const below = childrenOf(node).reduce((sum, child) => sum + costOf(child, rows), 0)
  if (node.node !== 'aggregate') return 1 + below
  return 1 + (rows ?? node.rows.maxRows) * Math.max(below, 1)
}

/** `today` or `now`, when the expression reads the clock: its value changes without a write. */
export function clockOf(node: Node): 'today' | 'now' | undefined {
  if (node.node === 'clock') return node.name
  for (const child of childrenOf(node)) {
    const found = clockOf(child)
    if (found) return found
  }
  return undefined
}

/**
 * What an expression reads, sorted and without doubles: `grand_total`, a table and its fields as
 * `items` and `items.amount`, other records as `parent.currency`, `old.status`, `parent.items.qty`.
 */
export function dependenciesOf(node: Node): readonly string[] {
  const names = new Set<string>()
  collect(node, [], names)
  return [...names].sort()
}

function collect(node: Node, tables: readonly string[], names: Set<string>): void {
  if (node.node === 'field' || node.node === 'has') {
    const owner = node.of.startsWith('#') ? tables[Number(node.of.slice(1))]! : node.of
    names.add(pathOf(owner, node.name))
  }
  let inside = tables
  if (node.node === 'aggregate') {
    const table = pathOf(node.rows.of, node.rows.table)
    names.add(table)
    inside = [...tables.slice(0, node.rows.level), table]
  }
  for (const child of childrenOf(node)) collect(child, inside, names)
}

function pathOf(owner: string, name: string): string {
  return owner === 'doc' ? name : `${owner}.${name}`
}

/** The parts of a condition that `&&` joins. */
export function conjuncts(node: Node): readonly Node[] {
  if (node.node !== 'binary' || node.op !== '&&') return [node]
  return [...conjuncts(node.left), ...conjuncts(node.right)]
}
