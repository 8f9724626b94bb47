import { conjuncts } from './analyse.ts'
import { childrenOf, type FieldNode, type Node } from './types.ts'

/**
 * A sum or count over the earlier rows of the own table, of those that agree in some fields and meet conditions
 * of their own: `parent.items.filter(x, x.bin == bin && x.idx < idx).sum(x, x.qty)`. It can be carried along from
 * row to row instead of going through all rows for each, so long tables cost no more than short ones.
 */
export interface Running {
  readonly table: string
  readonly op: 'sum' | 'count'
  /** Fields in which the earlier rows agree with the row. */
  readonly by: readonly string[]
  /** Conditions of the earlier rows alone; they read a row as the record itself. */
  readonly conditions: readonly Node[]
  /** Value that is added up; undefined for a count. */
  readonly body: Node | undefined
  /** The whole expression with the sum taken from `SUM`, a record of the environment. */
  readonly result: Node
}

/** Record of the environment that holds the sum of the earlier rows as `value`. */
export const SUM = 'running'

/** The running form of a row's expression; undefined when it has none. */
export function runningOf(tree: Node): Running | undefined {
  if (tree.node === 'rescale') {
    const inner = runningOf(tree.value)
    return inner && { ...inner, result: { ...tree, value: inner.result } }
  }
  if (tree.node !== 'aggregate' || (tree.op !== 'sum' && tree.op !== 'count')) return undefined
  const { of, level, filters, table } = tree.rows
  if (of !== 'parent' || level !== 0) return undefined
  const by: string[] = []
  const conditions: Node[] = []
  let isEarlier = false
  for (const filter of filters.flatMap(conjuncts)) {
    const pair = pairOf(filter)
    if (pair?.op === '<' && pair.name === 'idx') isEarlier = true
    else if (pair?.op === '==') by.push(pair.name)
    else if (isOfRowAlone(filter)) conditions.push(asRecord(filter))
    else return undefined
  }
  if (!isEarlier || (tree.body && !isOfRowAlone(tree.body))) return undefined
  const { op, kind, scale, at } = tree
  const body = tree.body ? asRecord(tree.body) : undefined
  const result: FieldNode = { node: 'field', of: SUM, name: 'value', kind, scale, at }
  return { table, op, by, conditions, body, result }
}

/** Operator and name of `x.name < name` or `x.name == name`, either side first where that is the same. */
function pairOf(node: Node): { readonly op: '<' | '=='; readonly name: string } | undefined {
  if (node.node !== 'binary') return undefined
  const { left, right, op } = node
  if (left.node !== 'field' || right.node !== 'field' || left.name !== right.name) return undefined
  const { name } = left
  const isInOrder = left.of === '#0' && right.of === 'doc'
  const isTurned = left.of === 'doc' && right.of === '#0'
  if ((op === '<' && isInOrder) || (op === '>' && isTurned)) return { op: '<', name }
  return op === '==' && (isInOrder || isTurned) ? { op: '==', name } : undefined
}

function isOfRowAlone(node: Node): boolean {
  if (node.node === 'field' || node.node === 'has') return node.of === '#0'
  return node.node !== 'aggregate' && childrenOf(node).every(isOfRowAlone)
}

/** The same node with the row of the macro as the record that is evaluated. */
function asRecord(node: Node): Node {
  switch (node.node) {
    case 'field':
    case 'has':
      return { ...node, of: 'doc' } as FieldNode
    case 'binary':
      return { ...node, left: asRecord(node.left), right: asRecord(node.right) }
    case 'unary':
    case 'rescale':
      return { ...node, value: asRecord(node.value) }
    case 'choose':
      return { ...node, when: asRecord(node.when), yes: asRecord(node.yes), no: asRecord(node.no) }
    case 'in':
      return { ...node, value: asRecord(node.value), list: node.list.map(asRecord) }
    case 'call':
      return { ...node, args: node.args.map(asRecord) }
    default:
      return node
  }
}
