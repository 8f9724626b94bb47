import { formatDecimal } from '../../base/money.ts'
import { type Fields, OLD_PARENT, type Scope } from '../../expression/tree/scope.ts'
import type { Environment, EvalValue } from '../../expression/tree/types.ts'
import type { Field } from '../../fields/field.ts'
import type { Doc, Row } from '../../storage/database/document.ts'
import type { CompileContext, CompiledRule } from './compiled-rule.ts'
import { withoutSecrets } from './scopes.ts'

/** What a caller is told, `at most {qty} of {item_code}`, compiled: texts, and the expressions between braces. */
export type Message = readonly (string | CompiledRule)[]

/**
 * Compiles a message; its expressions may read what `scope` has but secrets, of the document or of a row of `columns`.
 * Undefined where one of them is a mistake, which goes to the compiler of the context.
 */
export function compileMessage(
  context: CompileContext,
  message: string,
  scope: Scope,
  columns: readonly Field[] | undefined,
  path: readonly (string | number)[],
): Message | undefined {
  const texts = message.split(/\{([^{}]*)\}/)
  if (texts.length === 1) return texts
  const told = tellable(context, scope, columns, texts)
  const parts = texts.map((part, index) =>
    index % 2 === 0 ? part : context.compile(part, told, undefined, path),
  )
  return parts.every((part) => part !== undefined) ? parts : undefined
}

/** The expressions of a message. */
export function rulesOfMessage(message: Message): readonly CompiledRule[] {
  return message.filter((part) => typeof part !== 'string')
}

/** A message about a document or row; numbers stand in it without zeros at their end: `2.5`. */
export function messageText(message: Message, cell: Doc | Row, environment: Environment): string {
  return message.map((part) => textOf(part, cell, environment)).join('')
}

function textOf(part: string | CompiledRule, cell: Doc | Row, environment: Environment): string {
  if (typeof part === 'string') return part
  const value: EvalValue = part.evaluate()(cell, environment)
  return typeof value === 'bigint' ? formatDecimal(value, part.expression.scale) : String(value)
}

/** Scope of a message, of the records its parts name, without fields that hold a secret: a message tells nobody one. */
function tellable(
  { definition, registry }: CompileContext,
  { fields, records, ...scope }: Scope,
  columns: readonly Field[] | undefined,
  parts: readonly string[],
): Scope {
  const own = columns ?? definition.fields
  const fieldsOf = (name: string): readonly Field[] => {
    if (name === 'old') return own
    if (name === 'parent' || name === OLD_PARENT) return definition.fields
    const link = [...own, ...definition.fields].find((field) => field.name === name)?.link
    return (link === undefined ? undefined : registry.byDoctype(link)?.fields) ?? []
  }
  const told = new Map<string, Fields>()
  for (const [name, known] of records)
    if (parts.some((part) => part.includes(name)))
      told.set(name, withoutSecrets(known, fieldsOf(name)))
  return { ...scope, fields: withoutSecrets(fields, own), records: told }
}
