import { parseExpression, type Syntax } from '../../engine/expression/syntax/parse.ts'
import type { Row } from '../data/types.ts'

/** What a condition of the definitions says of a record; undefined where the Desk cannot tell, and the server decides. */
export function holds(source: string | undefined, row: Row, parent?: Row): boolean | undefined {
  if (source === undefined) return true
  try {
    return truth(resultOf(parseExpression(source), row, parent))
  } catch (_notForTheDesk) {
    return undefined
  }
}

function truth(value: unknown): boolean {
  return (
    value === true ||
    (typeof value === 'string' && value !== '') ||
    (typeof value === 'number' && value !== 0)
  )
}

/** Value of a plain expression, without code that is made at run time. Throws Error for what it does not know. */
function resultOf(syntax: Syntax, row: Row, parent: Row | undefined): unknown {
  const of = (one: Syntax): unknown => resultOf(one, row, parent)
  switch (syntax.op) {
    case 'number':
      return Number(syntax.text)
    case 'text':
    case 'bool':
      return syntax.value
    case 'name':
      return row[syntax.name] ?? null
    case 'member':
      if (syntax.of.op === 'name' && syntax.of.name === 'parent' && parent)
        return parent[syntax.name] ?? null
      throw new Error('a field behind a link')
    case 'list':
      return syntax.items.map(of)
    case 'unary':
      return syntax.operator === '!' ? !truth(of(syntax.value)) : -Number(of(syntax.value))
    case 'choose':
      return of(truth(of(syntax.when)) ? syntax.yes : syntax.no)
    case 'binary':
      return combined(syntax.operator, of(syntax.left), () => of(syntax.right))
    default:
      throw new Error('a call')
  }
}

function combined(operator: string, left: unknown, rightOf: () => unknown): unknown {
  if (operator === '&&') return truth(left) && truth(rightOf())
  if (operator === '||') return truth(left) || truth(rightOf())
  const right = rightOf()
  // Nothing and the empty text are the same: unset.
  const same = (left ?? '') === (right ?? '')
  switch (operator) {
    case '==':
      return same
    case '!=':
      return !same
    case '<':
      return Number(left) < Number(right)
    case '<=':
      return Number(left) <= Number(right)
    case '>':
      return Number(left) > Number(right)
    case '>=':
      return Number(left) >= Number(right)
    case 'in':
      return Array.isArray(right) && right.includes(left)
    default:
      throw new Error('arithmetic')
  }
}
