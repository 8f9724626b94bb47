import { suggest } from '../../base/suggest.ts'
import { ExpressionProblem } from '../tree/problem.ts'
import type { Node, TargetType } from '../tree/types.ts'

/** The name of a text field, and what it can hold: the states of a status, the options of a select. */
type Choices = NonNullable<TargetType['choices']>

/**
 * Refuses constants that such a field never holds, in what it is compared with or set to: a comparison with one is
 * always false, and the slip would never be seen. The empty text is what it holds while it is unset.
 */
export function assertKnownValues({ name, values }: Choices, node: Node): void {
  if (node.node === 'choose') {
    assertKnownValues({ name, values }, node.yes)
    assertKnownValues({ name, values }, node.no)
  }
  if (node.node !== 'literal' || typeof node.value !== 'string') return
  const { value, at } = node
  if (value === '' || values.includes(value)) return
  const near = suggest(value, values)
  const hint = near === undefined ? '' : `, did you mean ${JSON.stringify(near)}?`
  throw new ExpressionProblem(
    `${name} is never ${JSON.stringify(value)}${hint} (it is one of ${values.join(', ')})`,
    at,
  )
}
