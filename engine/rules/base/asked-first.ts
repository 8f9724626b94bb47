import { type Evaluate, toJs } from '../../expression/run/to-js.ts'
import { conjuncts, dependenciesOf } from '../../expression/tree/analyse.ts'
import type { Environment, Node } from '../../expression/tree/types.ts'

/**
 * Precheck of a condition over stored records: whether all of its parts (joined by `&&`) that read only the searching
 * document hold, e.g. `parent.price_list != ""`. While one is false nothing can be found and no statement need be
 * sent: a document that uses no prices does not pay for looking them up.
 */
export function askedFirst(condition: Node): (environment: Environment) => boolean {
  const parts = conjuncts(condition).filter(isOfSeeker)
  if (parts.length === 0) return () => true
  let compiled: readonly Evaluate[] | undefined
  return (environment) => {
    compiled ??= parts.map(toJs)
    return compiled.every((holds) => holds(NOTHING, environment) === true)
  }
}

/** Placeholder for the record that is not found yet: the parts do not read it. */
const NOTHING = {}

function isOfSeeker(node: Node): boolean {
  const names = dependenciesOf(node)
  return (
    names.length > 0 &&
    names.every((name) => name.startsWith('this.') || name.startsWith('parent.'))
  )
}
