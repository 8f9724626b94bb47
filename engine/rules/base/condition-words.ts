import { parseExpression, type Syntax } from '../../expression/syntax/parse.ts'
import type { Field } from '../../fields/field.ts'

/** A field of whose value a condition is told. */
type Named = Pick<Field, 'name' | 'label' | 'internal'>

/** How a document is called at its docstatus: `it is a draft`. */
export const DOCSTATUS_WORDS = ['a draft', 'submitted', 'cancelled'] as const

const COMPARED: Readonly<Record<string, string>> = {
  '==': 'is',
  '!=': 'is not',
  '>': 'is above',
  '>=': 'is at least',
  '<': 'is below',
  '<=': 'is at most',
}

/**
 * A condition as people say it, by the labels of fields; undefined where it calls functions, looks through links or
 * reads what is internal, so that its author has to say it.
 *
 *     docstatus == 1 && per_billed < 100   it is submitted and Billed % is below 100
 *     status in ["Open", "On Hold"]        Status is Open or On Hold
 *     lead == "" && !closed                Lead is empty and Closed is off
 */
export function conditionInWords(
  source: string,
  { fields }: { readonly fields: readonly Named[] },
): string | undefined {
  return sentence(parseExpression(source), fields)
}

/** The docstatus that a condition asks for before anything else: 1 for `docstatus == 1 && !closed`. */
export function docstatusAsked(source: string): number | undefined {
  for (const part of conjuncts(parseExpression(source))) {
    if (part.op !== 'binary' || part.operator !== '==' || part.right.op !== 'number') continue
    if (part.left.op === 'name' && part.left.name === 'docstatus') return Number(part.right.text)
  }
  return undefined
}

/** The parts that must all hold. */
function conjuncts(syntax: Syntax): readonly Syntax[] {
  if (syntax.op !== 'binary' || syntax.operator !== '&&') return [syntax]
  return [...conjuncts(syntax.left), ...conjuncts(syntax.right)]
}

function sentence(syntax: Syntax, fields: readonly Named[]): string | undefined {
  if (syntax.op === 'name') return about(labelOf(syntax, fields), 'is on')
  if (syntax.op === 'unary')
    return syntax.operator === '!' ? about(labelOf(syntax.value, fields), 'is off') : undefined
  if (syntax.op !== 'binary') return undefined
  const { operator, left, right } = syntax
  if (operator === '&&') return joined('and', part(left, fields), part(right, fields))
  if (operator === '||') {
    // "a and b or c" could be meant either way.
    const isMixed = [left, right].some((side) => side.op === 'binary' && side.operator === '&&')
    return isMixed ? undefined : joined('or', sentence(left, fields), sentence(right, fields))
  }
  return compared(operator, left, right, fields)
}

/** A condition that must hold with others: "a and either b or c". */
function part(syntax: Syntax, fields: readonly Named[]): string | undefined {
  const words = sentence(syntax, fields)
  const isChoice = syntax.op === 'binary' && syntax.operator === '||'
  return isChoice && words !== undefined ? `either ${words}` : words
}

function compared(
  operator: string,
  left: Syntax,
  right: Syntax,
  fields: readonly Named[],
): string | undefined {
  if (left.op === 'name' && left.name === 'docstatus') return aboutDocstatus(operator, right)
  const label = labelOf(left, fields)
  if (operator === 'in') {
    const items = right.op === 'list' ? right.items.map((item) => shown(item, fields)) : [undefined]
    return items.every((item) => item !== undefined) && items.length > 0
      ? about(
          label,
          `is ${[items.slice(0, -1).join(', '), items.at(-1)].filter(Boolean).join(' or ')}`,
        )
      : undefined
  }
  if (right.op === 'text' && right.value === '')
    return about(label, operator === '==' ? 'is empty' : 'is set')
  const value = shown(right, fields)
  const verb = COMPARED[operator]
  return value === undefined || verb === undefined ? undefined : about(label, `${verb} ${value}`)
}

function aboutDocstatus(operator: string, right: Syntax): string | undefined {
  if (right.op !== 'number') return undefined
  if (operator === '<' && right.text === '2') return 'it is not cancelled'
  const word = DOCSTATUS_WORDS[Number(right.text)]
  const isOne = operator === '==' || operator === '!='
  return word === undefined || !isOne
    ? undefined
    : `it is ${operator === '!=' ? 'not ' : ''}${word}`
}

function shown(syntax: Syntax, fields: readonly Named[]): string | undefined {
  if (syntax.op === 'text') return syntax.value
  if (syntax.op === 'number') return syntax.text
  if (syntax.op === 'call' && syntax.name === 'today' && !syntax.receiver) return 'today'
  return labelOf(syntax, fields)
}

function labelOf(syntax: Syntax, fields: readonly Named[]): string | undefined {
  if (syntax.op !== 'name') return undefined
  const field = fields.find(({ name }) => name === syntax.name)
  return field?.internal ? undefined : field?.label
}

function about(label: string | undefined, words: string): string | undefined {
  return label === undefined ? undefined : `${label} ${words}`
}

function joined(
  word: string,
  left: string | undefined,
  right: string | undefined,
): string | undefined {
  return left === undefined || right === undefined ? undefined : `${left} ${word} ${right}`
}
