import type { DocTypeDefinition, EventDeclaration, Field } from '../definition/definition.ts'
import { KIND_OF_TRIGGER } from '../definition/event-kinds.ts'
import type { Registry } from '../definition/registry.ts'
import { titleCase } from '../definition/slug.ts'
import { fieldType } from '../fields/index.ts'
import { namedField } from './event-schema.ts'
import { recordExample, valueExample } from './openapi-examples.ts'

type Example = Readonly<Record<string, unknown>>

/** What the example of an event is made of. */
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

/** `docstatus`, and the status called like the event; else the one that nothing but `docstatus` decides. */
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
      ? Object.entries(derive).find(
          ([, when]) => when === `docstatus == ${docstatus}` || when === 'true',
        )?.[0]
      : undefined
  const state = called ?? decided
  return {
    ...(submittable ? { docstatus } : {}),
    ...(status && state !== undefined ? { [status.name]: state } : {}),
  }
}

/** `derived` is the condition of the status called like the event. */
function docstatusOf(
  kind: string,
  { on, when = '' }: EventDeclaration = {},
  derived: string | undefined,
): number {
  const happened = on === undefined || on === 'change' ? kind : KIND_OF_TRIGGER[on]
  if (happened === KIND_OF_TRIGGER.cancel || when.includes('docstatus == 2')) return 2
  if (happened === KIND_OF_TRIGGER.submit || when.includes('docstatus == 1')) return 1
  // Drafts have a state of their own, so what is called like another was submitted.
  return derived !== undefined && derived !== 'docstatus == 0' ? 1 : 0
}

const EQUALITY = /^(\w+) (?:==|<=|>=|in) \[?(?:"([^"]+)"|(-?\d+))(?:$|[\],])/
/** What stands inside is passed over: it is an alternative, or what a function is called with. */
const PARENTHESES = /\([^()]*\)/g
const FLAG = /^(!?)(\w+)$/

/** What a condition of plain comparisons with values, joined by `&&`, says about the fields of the record. */
function implied({ fields }: DocTypeDefinition, when = ''): Example {
  const outside = when.replace(PARENTHESES, '()')
  if (outside.includes('||')) return {}
  const values = outside.split('&&').flatMap((part): (readonly [string, unknown])[] => {
    const [, field, text, number] = EQUALITY.exec(part.trim()) ?? []
    if (field !== undefined) return [[field, text ?? Number(number)]]
    const [, not, flag] = FLAG.exec(part.trim()) ?? []
    return flag === undefined ? [] : [[flag, not === '']]
  })
  return Object.fromEntries(
    values.filter(([name, value]) => {
      const field = fields.find((candidate) => candidate.name === name)
      return field !== undefined && canShow(field, value)
    }),
  )
}

function canShow({ type, child, options }: Field, value: unknown): boolean {
  if (child || fieldType(type).secret) return false
  return options === undefined || options.includes(String(value))
}
