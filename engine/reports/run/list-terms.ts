import type { Node } from '../../expression/tree/types.ts'
import { conditionsOf, type ListCondition } from './list-conditions.ts'

/** What is added up of each record: fields with their factors, or one for each. */
export interface Added {
  readonly sums?: Readonly<Record<string, number>>
  readonly counts?: true
  readonly either_sign?: true
}

/** What is added up, and of which records. */
interface AddedUp {
  readonly conditions: readonly ListCondition[]
  /** Undefined where it is computed of more than sums can tell. */
  readonly added: Added | undefined
}

/**
 * What an expression adds up over the records of a list: `debit - credit`, or, of `status == "Won" ? amount : 0`, the
 * amount of those that are won. Undefined where no filters say which records.
 */
export function addedOf(
  node: Node,
  fieldOf: (node: Node) => string | undefined,
  isAdded: (node: Node) => boolean,
): AddedUp | undefined {
  const value = unscaled(node)
  if (value.node === 'literal')
    return Number(value.value) === 10 ** value.scale
      ? { conditions: [], added: { counts: true } }
      : undefined
  if (value.node === 'choose') {
    const { when, yes, no } = value
    const isElse = isZero(yes)
    if (isElse || isZero(no)) {
      const conditions = conditionsOf(when, fieldOf, isElse)
      const rest = addedOf(isElse ? no : yes, fieldOf, isAdded)
      return conditions && rest && { ...rest, conditions: [...conditions, ...rest.conditions] }
    }
    const one = termsOf(yes, isAdded)
    const other = termsOf(no, isAdded)
    const isTurned =
      one &&
      other &&
      one.size === other.size &&
      [...one].every(([name, by]) => other.get(name) === -by)
    if (isTurned)
      return { conditions: [], added: { sums: Object.fromEntries(one), either_sign: true } }
    return { conditions: [], added: undefined }
  }
  const terms = termsOf(value, isAdded)
  return { conditions: [], added: terms && { sums: Object.fromEntries(terms) } }
}

/** The value before it was brought to more decimal places, which changes nothing. */
function unscaled(node: Node): Node {
  return node.node === 'rescale' && node.scale >= node.value.scale ? unscaled(node.value) : node
}

function isZero(node: Node): boolean {
  const value = unscaled(node)
  return value.node === 'literal' && Number(value.value) === 0
}

/** Fields with their factors that an expression is the sum of. */
function termsOf(
  node: Node,
  isAdded: (node: Node) => boolean,
): ReadonlyMap<string, number> | undefined {
  const value = unscaled(node)
  if (value.node === 'field') return isAdded(value) ? new Map([[value.name, 1]]) : undefined
  if (value.node === 'unary' && value.op === '-') {
    const terms = termsOf(value.value, isAdded)
    return terms && turned(terms)
  }
  if (value.node !== 'binary' || (value.op !== '+' && value.op !== '-')) return undefined
  const left = termsOf(value.left, isAdded)
  const right = termsOf(value.right, isAdded)
  if (!left || !right || [...left.keys()].some((name) => right.has(name))) return undefined
  return new Map([...left, ...(value.op === '-' ? turned(right) : right)])
}

function turned(terms: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  return new Map([...terms].map(([name, by]) => [name, -by]))
}
