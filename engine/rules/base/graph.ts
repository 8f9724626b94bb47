/** A cell of a document that something computes: `grand_total`, or `items.amount` for a column of a table. */
export interface GraphNode {
  readonly path: string
  /** Paths it reads; those that nothing computes are ignored. */
  readonly reads: readonly string[]
}

export type OrderResult<T> =
  | { readonly ok: true; readonly order: readonly T[] }
  | { readonly ok: false; readonly cycle: readonly string[] }

/**
 * Puts computed cells in the order of their dependencies, declaration order where it is free (rules.md
 * §4.2). A cycle is returned as its path, first node repeated at the end: it is an error of the YAML.
 */
export function inDependencyOrder<T extends GraphNode>(nodes: readonly T[]): OrderResult<T> {
  const byPath = new Map(nodes.map((node) => [node.path, node]))
  // A chosen status has a node for its default and one for its moves, both of the same path.
  const done = new Set<T>()
  const order: T[] = []
  const trail: string[] = []

  function visit(node: T): readonly string[] | undefined {
    if (done.has(node)) return undefined
    const at = trail.indexOf(node.path)
    if (at >= 0) return [...trail.slice(at), node.path]
    trail.push(node.path)
    for (const path of node.reads) {
      const dependency = byPath.get(path)
      const cycle = dependency && visit(dependency)
      if (cycle) return cycle
    }
    trail.pop()
    done.add(node)
    order.push(node)
    return undefined
  }

  for (const node of nodes) {
    const cycle = visit(node)
    if (cycle) return { ok: false, cycle }
  }
  return { ok: true, order }
}
