import { childrenOf, DECIMAL_SCALE, type Node, type RescaleNode } from '../tree/types.ts'

/**
 * The same number in a form that SQLite's own integers compute exactly or not at all (SQLITE_QUICK): what leaves 64
 * bits becomes a float or NULL and stays one to the end, so the type of the result says whether to believe it.
 * Undefined where a step could hide that: a comparison of large numbers, a quotient nothing rounds, a function.
 */
export function quickNumber(node: Node): Node | undefined {
  if (isSmall(node)) return node
  switch (node.node) {
    case 'field':
    case 'literal':
      return node
    case 'rescale':
      return quickRescale(node)
    case 'choose': {
      const [yes, no] = [quickNumber(node.yes), quickNumber(node.no)]
      return yes && no && isSmall(node.when) ? { ...node, yes, no } : undefined
    }
    case 'unary': {
      const value = node.op === '-' ? quickNumber(node.value) : undefined
      return value && { ...node, value }
    }
    case 'binary': {
      if (node.op !== '+' && node.op !== '-' && node.op !== '*') return undefined
      const [left, right] = [quickNumber(node.left), quickNumber(node.right)]
      return left && right && { ...node, left, right }
    }
    default:
      return undefined
  }
}

/** Whether no step of it comes near 64 bits: no quotient, no product of fractions. */
export function isSmall(node: Node): boolean {
  return node.scale <= DECIMAL_SCALE && childrenOf(node).every(isSmall)
}

/** Rounding in quick form: it goes into both sides of a choice, so that it meets the quotient it is for. */
function quickRescale(node: RescaleNode): Node | undefined {
  const { value, rounding } = node
  if (node.kind === 'int' || (rounding !== 'half' && node.scale < value.scale)) return undefined
  if (value.node === 'choose') {
    const [yes, no] = [value.yes, value.no].map((side) => quickNumber({ ...node, value: side }))
    return yes && no && isSmall(value.when)
      ? { ...value, kind: node.kind, scale: node.scale, yes, no }
      : undefined
  }
  if (value.node === 'binary' && value.op === '/') {
    const [left, right] = [quickNumber(value.left), quickNumber(value.right)]
    return left && right && { ...node, value: { ...value, left, right } }
  }
  // Places that were only added to meet the other side of a choice are taken off again.
  if (value.node === 'rescale' && value.kind !== 'int' && value.scale >= value.value.scale)
    return quickNumber({ ...node, value: value.value })
  const inner = quickNumber(value)
  return inner && { ...node, value: inner }
}
