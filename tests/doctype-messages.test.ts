import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { loadDefinitions } from '../engine/definition/load/load.ts'
import type { DocTypeDefinition } from '../engine/definition/model/definition.ts'
import { parseExpression, type Syntax } from '../engine/expression/syntax/parse.ts'
import type { Field } from '../engine/fields/field.ts'
import { conditionInWords, docstatusAsked } from '../engine/rules/base/condition-words.ts'
import { hooks } from '../hooks/index.ts'

const FOLDER = fileURLToPath(new URL('../doctypes', import.meta.url))
const { registry } = loadDefinitions([FOLDER], hooks)

/** What only an expression has. */
const EXPRESSION = /==|!=|&&|\|\||<=|>=|\bdocstatus\b|\w\(\w+[,)]|\w\.\w+\(|""/
const COMPARISONS = ['<', '<=', '>', '>=', '==', '!=']
const FIGURES = ['currency', 'float']

const messages = suite('what callers are told')

messages('has no expression outside its braces', () => {
  const told = registry.all.flatMap((definition) => {
    const { validate = [], actions = {} } = definition.behaviour
    const texts = [...validate, ...Object.values(actions)].flatMap(({ message }) => message ?? [])
    const words = Object.values(actions).flatMap(({ when }) =>
      when === undefined ? [] : (conditionInWords(when, definition) ?? []),
    )
    const required = levelsOf(definition).flatMap((fields) =>
      fields.flatMap(({ requiredWhen }) =>
        requiredWhen === undefined ? [] : (conditionInWords(requiredWhen, { fields }) ?? []),
      ),
    )
    return [...texts, ...words, ...required].map((text) => [definition.doctype, text] as const)
  })
  assert.ok(told.length > 500)
  const wrong = told.filter(([, text]) => EXPRESSION.test(text.replaceAll(/\{[^{}]*\}/g, '1')))
  assert.equal(wrong, [])
})

messages('says in words why an action is not possible', () => {
  const dumb = registry.all.flatMap((definition) =>
    Object.entries(definition.behaviour.actions ?? {}).flatMap(
      ([name, { when, message, system }]) =>
        when === undefined ||
        message !== undefined ||
        system === true ||
        conditionInWords(when, definition) !== undefined
          ? []
          : [`${definition.doctype}.${name}: ${when}`],
    ),
  )
  assert.equal(dumb, [])
})

messages('has figures where one amount or quantity is held against another', () => {
  const without = registry.all.flatMap((definition) =>
    (definition.behaviour.validate ?? []).flatMap(({ check, message, each }) => {
      if (check === undefined || message.includes('{')) return []
      const own = definition.fields.find(({ name }) => name === each)?.child?.fields ?? []
      const known = [...own, ...levelsOf(definition).flat()]
      const isFigure = (name: string): boolean =>
        FIGURES.includes(known.find((field) => field.name === name)?.type ?? '')
      return comparesFigures(parseExpression(check), isFigure)
        ? [`${definition.doctype}: ${check} - ${message}`]
        : []
    }),
  )
  assert.equal(without, [])
})

/** The fields of a DocType, then those of each of its tables. */
function levelsOf({ fields }: DocTypeDefinition): readonly (readonly Field[])[] {
  return [fields, ...fields.flatMap(({ child }) => (child ? [child.fields] : []))]
}

/** Whether two amounts or quantities are compared; one with itself before or with a constant is not. */
function comparesFigures(syntax: Syntax, isFigure: (name: string) => boolean): boolean {
  if (isComparison(syntax)) {
    const sides = [syntax.left, syntax.right].map(
      (side) => new Set(isComparison(side) ? [] : namesIn(side).filter(isFigure)),
    )
    const isSame = [...sides[0]!].some((name) => sides[1]!.has(name))
    if (sides.every(({ size }) => size > 0) && !isSame) return true
  }
  return partsOf(syntax).some((part) => comparesFigures(part, isFigure))
}

function isComparison(syntax: Syntax): syntax is Extract<Syntax, { op: 'binary' }> {
  return syntax.op === 'binary' && COMPARISONS.includes(syntax.operator)
}

/** Names of the fields that an expression reads, the last of each path. */
function namesIn(syntax: Syntax): readonly string[] {
  if (syntax.op === 'name' || syntax.op === 'member') return [syntax.name]
  return partsOf(syntax).flatMap(namesIn)
}

function partsOf(syntax: Syntax): readonly Syntax[] {
  switch (syntax.op) {
    case 'member':
      return [syntax.of]
    case 'call':
      return [...(syntax.receiver ? [syntax.receiver] : []), ...syntax.args]
    case 'list':
      return syntax.items
    case 'unary':
      return [syntax.value]
    case 'binary':
      return [syntax.left, syntax.right]
    case 'choose':
      return [syntax.when, syntax.yes, syntax.no]
    default:
      return []
  }
}

const words = suite('a condition in words')

const FIELDS = {
  fields: [
    { name: 'per_billed', label: 'Billed %', internal: false },
    { name: 'closed', label: 'Closed', internal: false },
    { name: 'status', label: 'Status', internal: false },
    { name: 'lead', label: 'Lead', internal: false },
    { name: 'due', label: 'Due', internal: false },
    { name: 'secret', label: 'Secret', internal: true },
  ],
}

words('is told by labels, and not at all where it cannot be', () => {
  const cases: [string, string | undefined][] = [
    ['docstatus == 1 && per_billed < 100', 'it is submitted and Billed % is below 100'],
    ['docstatus < 2 && !closed', 'it is not cancelled and Closed is off'],
    ['docstatus != 0', 'it is not a draft'],
    ['status in ["Open", "Replied", "On Hold"]', 'Status is Open, Replied or On Hold'],
    ['status in ["Open"] || closed', 'Status is Open or Closed is on'],
    [
      'closed && (lead == "" || due >= today())',
      'Closed is on and either Lead is empty or Due is at least today',
    ],
    ['closed && due != "" || lead == ""', undefined],
    ['lead != ""', 'Lead is set'],
    ['secret > 1', undefined],
    ['lead.status == "Open"', undefined],
    ['rows.exists(r, r.qty > 1)', undefined],
  ]
  for (const [source, told] of cases) assert.is(conditionInWords(source, FIELDS), told, source)
})

words('asks for a docstatus where that stands among what must hold', () => {
  const asked = [
    'docstatus == 1 && !closed',
    '(closed && docstatus == 0)',
    'closed || docstatus == 1',
  ]
  assert.equal(asked.map(docstatusAsked), [1, 0, undefined])
})

messages.run()
words.run()
