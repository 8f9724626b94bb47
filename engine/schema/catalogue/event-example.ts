import type { DocTypeDefinition, EventDeclaration } from '../../definition/model/definition.ts'
import { KIND_OF_TRIGGER } from '../../definition/model/event-kinds.ts'
import type { Registry } from '../../definition/model/registry.ts'
import { titleCase } from '../../definition/normalise/slug.ts'
import { parseExpression, type Syntax } from '../../expression/syntax/parse.ts'
import type { Field } from '../../fields/field.ts'
import { fieldType } from '../../fields/index.ts'
import { publicField } from '../../fields/public-fields.ts'
import { recordExample, valueExample } from '../shapes/openapi-examples.ts'
import { namedField } from './event-schema.ts'

type Example = Readonly<Record<string, unknown>>

/** Parts that the example of an event is made of. */
export interface EventExampleParts {
  readonly registry: Registry
  readonly definition: DocTypeDefinition
  readonly kind: string
  readonly declared: EventDeclaration | undefined
  /** Keys beside the record → their expressions. */
  readonly own: Readonly<Record<string, string>>
}

/**
 * The `data` of an event as an example: a record in a state that fits what happened, as far as that can be
 * seen without computing, and the event's own keys.
 */
export function eventExample(parts: EventExampleParts): Example {
  const { registry, definition, kind, declared, own } = parts
  const record = {
    ...recordExample(definition),
    ...implied(definition, declared?.when),
    ...stateOf(definition, kind, declared),
  }
  const beside = Object.entries(own).filter(([key]) => !Object.hasOwn(record, key))
  return {
    ...record,
    ...Object.fromEntries(
      beside.map(([key, source]) => {
        const field = namedField(registry, definition, source)
        return [key, field ? valueExample(field, 0) : '…']
      }),
    ),
  }
}

/** State of the record: `docstatus`, and the status called like the event; else the one only `docstatus` decides. */
function stateOf(
  definition: DocTypeDefinition,
  kind: string,
  declared: EventDeclaration | undefined,
): Example {
  const { submittable, behaviour, fields } = definition
  const { derive = {}, field } = behaviour.status ?? {}
  const status = fields.find(({ name }) => name === field)
  const called = status?.options?.find((state) => state === titleCase(kind))
  const docstatus = docstatusOf(kind, declared, called === undefined ? undefined : derive[called])
  const decided =
    submittable && docstatus > 0
      ? Object.entries(derive).find(([, when]) => isAllOf(when, docstatus))?.[0]
      : undefined
  const state = called ?? decided
  return {
    ...(submittable ? { docstatus } : {}),
    ...(status && state !== undefined ? { [status.name]: state } : {}),
  }
}

/** Whether a condition says no more than that `docstatus` is this, or nothing. */
function isAllOf(when: string, docstatus: number): boolean {
  const syntax = parseExpression(when)
  if (syntax.op === 'bool') return syntax.value
  return syntax.op === 'binary' && syntax.operator === '==' && saysOf(when).docstatus === docstatus
}

/** The `docstatus` after an event; `derived` is the condition of the status called like the event. */
function docstatusOf(
  kind: string,
  { trigger, when }: EventDeclaration = {},
  derived: string | undefined,
): number {
  const happened = trigger === undefined || trigger === 'change' ? kind : KIND_OF_TRIGGER[trigger]
  const { docstatus } = saysOf(when)
  if (happened === KIND_OF_TRIGGER.cancel || docstatus === 2) return 2
  if (happened === KIND_OF_TRIGGER.submit || docstatus === 1) return 1
  // Drafts have a state of their own, so what is called like another was submitted.
  return derived !== undefined && !isAllOf(derived, 0) ? 1 : 0
}

/** Values that a condition says the record has, of fields that an example can show. */
function implied(definition: DocTypeDefinition, when: string | undefined): Example {
  return Object.fromEntries(
    Object.entries(saysOf(when)).filter(([name, value]) => {
      const field = publicField(definition, name)
      return field !== undefined && canShow(field, value)
    }),
  )
}

/** Field → value of plain comparisons, joined by `&&`; what is an alternative or computed says nothing. */
function saysOf(when: string | undefined): Example {
  return when === undefined ? {} : Object.fromEntries(equalities(parseExpression(when)))
}

const HOLDS_FOR_EQUAL: ReadonlySet<string> = new Set(['==', '<=', '>='])

function equalities(syntax: Syntax): readonly (readonly [field: string, value: unknown])[] {
  if (syntax.op === 'name') return [[syntax.name, true]]
  if (syntax.op === 'unary' && syntax.operator === '!')
    return syntax.value.op === 'name' ? [[syntax.value.name, false]] : []
  if (syntax.op !== 'binary') return []
  const { operator, left, right } = syntax
  if (operator === '&&') return [...equalities(left), ...equalities(right)]
  if (left.op !== 'name') return []
  const first = operator === 'in' && right.op === 'list' ? right.items[0] : undefined
  const value = constantOf(HOLDS_FOR_EQUAL.has(operator) ? right : first)
  return value === undefined ? [] : [[left.name, value]]
}

function constantOf(syntax: Syntax | undefined): string | number | boolean | undefined {
  if (syntax?.op === 'unary' && syntax.operator === '-') {
    const value = constantOf(syntax.value)
    return typeof value === 'number' ? -value : undefined
  }
  if (syntax?.op === 'number') return Number(syntax.text)
  // The empty text stands for unset; an example shows fields that are set.
  if (syntax?.op === 'text' && syntax.value !== '') return syntax.value
  return syntax?.op === 'bool' ? syntax.value : undefined
}

function canShow({ type, child, options }: Field, value: unknown): boolean {
  if (child || fieldType(type).secret) return false
  return options === undefined || options.includes(String(value))
}
