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
const FIGURES = ['currency', 'float', 'int', 'percent', 'date', 'datetime', 'time', 'duration']
const DAYS_OF_CLOCK = ['today', 'now', 'add_days', 'add_months']

/** Rules about rows that say no figure, and why. */
const ROWS_IN_WORDS = new Map([
  [
    'Journal Entry: a row that uses up a payment debits a receivable or credits a payable account',
    'it is about the side, not about how much',
  ],
  [
    'Purchase Receipt: must differ from the warehouse of what is accepted',
    'it is about the warehouse; the quantity only says whether there is one',
  ],
  [
    'Purchase Receipt: need the supplier warehouse, and a row of the order only once; a return uses nothing up',
    'it is about what belongs together',
  ],
  [
    'Subcontracting Receipt: a row needs the account of the work, of another kind than Stock',
    'it is about the account; the amount only says whether one is needed',
  ],
])

/** Rules that count and say no figure, and why. */
const COUNTS_IN_WORDS = new Map([
  ['Payroll Entry: nobody is to be paid; run get_employees', 'it says that there are none'],
  [
    'Sales Invoice: the customer is no company of yours, this company is no supplier of it, or the bill is made already',
    'at most one bill is made',
  ],
])

interface Rule {
  readonly source: string | undefined
  readonly message: string | undefined
  readonly each?: string | undefined
}

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

messages('has figures where amounts, quantities or days are held against each other', () => {
  const without = rulesOf().flatMap(({ doctype, condition, message, isFigure }) =>
    !message.includes('{') && comparesFigures(condition, isFigure)
      ? [`${doctype}: ${message}`]
      : [],
  )
  assert.equal(without, [])
})

messages('tells of the figure of a row at that row', () => {
  const without = rulesOf().flatMap(({ doctype, condition, message, isFigure }) =>
    !message.includes('{') && asksAllRows(condition, isFigure) ? [`${doctype}: ${message}`] : [],
  )
  assert.equal(
    without.filter((told) => !ROWS_IN_WORDS.has(told)),
    [],
  )
  assert.equal(
    [...ROWS_IN_WORDS.keys()].filter((told) => !without.includes(told)),
    [],
    'these say their figures by now',
  )
})

messages('names what it counts where there must be none or only so many', () => {
  const without = rulesOf().flatMap(({ doctype, condition, message, isCount }) =>
    !message.includes('{') && comparesFigures(condition, isCount, true)
      ? [`${doctype}: ${message}`]
      : [],
  )
  assert.equal(
    without.filter((told) => !COUNTS_IN_WORDS.has(told)),
    [],
  )
  assert.equal(
    [...COUNTS_IN_WORDS.keys()].filter((told) => !without.includes(told)),
    [],
    'these say their figures by now',
  )
})

/** Rules and conditions of actions of all shipped DocTypes, with what they tell and which names stand for figures. */
function rulesOf() {
  return registry.all.flatMap((definition) => {
    const { validate = [], actions = {} } = definition.behaviour
    const rules = [
      ...validate.map(({ check, message, each }) => ({ source: check, message, each })),
      ...Object.values(actions).map(({ when, message }) => ({ source: when, message })),
    ]
    return rules.flatMap(({ source, message, each }: Rule) => {
      if (source === undefined || message === undefined) return []
      const own = definition.fields.find(({ name }) => name === each)?.child?.fields ?? []
      const known = [...own, ...levelsOf(definition).flat()]
      const fieldOf = (name: string) => known.find((field) => field.name === name)
      const isFigure = (name: string): boolean =>
        DAYS_OF_CLOCK.includes(name) || FIGURES.includes(fieldOf(name)?.type ?? '')
      const isCount = (name: string): boolean => {
        const { type, rollup, lookup } = fieldOf(name) ?? {}
        return type === 'int' && (rollup ?? lookup) !== undefined
      }
      const condition = parseExpression(source)
      return [{ doctype: definition.doctype, condition, message, isFigure, isCount }]
    })
  })
}

/** The fields of a DocType, then those of each of its tables. */
function levelsOf({ fields }: DocTypeDefinition): readonly (readonly Field[])[] {
  return [fields, ...fields.flatMap(({ child }) => (child ? [child.fields] : []))]
}

/**
 * Whether two figures are compared; one with itself before or with a constant is not, unless `withConstants`.
 */
function comparesFigures(
  syntax: Syntax,
  isFigure: (name: string) => boolean,
  withConstants = false,
): boolean {
  if (isComparison(syntax)) {
    const sides = [syntax.left, syntax.right].map(
      (side) => new Set(isComparison(side) ? [] : namesIn(side).filter(isFigure)),
    )
    const isSame = [...sides[0]!].some((name) => sides[1]!.has(name))
    const wanted = withConstants ? 1 : 2
    if (sides.filter(({ size }) => size > 0).length >= wanted && !isSame) return true
  }
  return partsOf(syntax).some((part) => comparesFigures(part, isFigure, withConstants))
}

/** Whether a figure of all rows is compared with a constant: `items.all(i, i.qty > 0)`. */
function asksAllRows(syntax: Syntax, isFigure: (name: string) => boolean): boolean {
  if (syntax.op === 'call' && syntax.name === 'all')
    return syntax.args.some((argument) => comparesFigures(argument, isFigure, true))
  return partsOf(syntax).some((part) => asksAllRows(part, isFigure))
}

function isComparison(syntax: Syntax): syntax is Extract<Syntax, { op: 'binary' }> {
  return syntax.op === 'binary' && COMPARISONS.includes(syntax.operator)
}

/** Names of the fields that an expression reads, the last of each path. */
function namesIn(syntax: Syntax): readonly string[] {
  if (syntax.op === 'name' || syntax.op === 'member') return [syntax.name]
  const own = syntax.op === 'call' ? [syntax.name] : []
  return [...own, ...partsOf(syntax).flatMap(namesIn)]
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
