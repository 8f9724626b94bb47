import { suggest } from '../../base/suggest.ts'
import type { Field } from '../../fields/field.ts'
import { fieldTypes } from '../../fields/index.ts'

/** A word or several that no expression begins with: `Sales Invoice`, `Make-to-Order`. */
const WORDS = /^[\p{L}\p{N}][\p{L}\p{N}_ -]*$/u
/** Words that are expressions: numbers, true and false. */
const LITERAL = /^(?:true|false|null|\d+)$/

/** What plain words beside an expression may mean where a field gets its value. */
export interface Constants {
  readonly field: Field
  /** Whether a word is the name of a DocType; undefined for a field that names none. */
  readonly isDocType: ((word: string) => boolean) | undefined
  /** Whether a word is a field that the expression may name. */
  readonly isName: (word: string) => boolean
}

/** Meaning of a value as written: a constant, an expression, or a mistake. */
export type Meaning =
  | { readonly kind: 'constant'; readonly value: string }
  | { readonly kind: 'expression' }
  | { readonly kind: 'mistake'; readonly message: string }

const EXPRESSION: Meaning = { kind: 'expression' }

/**
 * Meaning of a value that a field gets: an option of a select is that option, and the name of a DocType is that name
 * where the field says what kind of record a dynamic link names; `party_type: Customer` needs no quotes inside quotes.
 * All else is an expression. A word that is a field too is a mistake, since nobody could tell which is meant.
 */
export function meaningOf(
  written: string,
  { field: { name, options }, isDocType, isName }: Constants,
): Meaning {
  const isOption = options?.includes(written) ?? false
  if (isOption || isDocType?.(written)) {
    if (!isName(written) || written === name) return { kind: 'constant', value: written }
    const what = isOption ? `an option of ${name}` : 'a DocType'
    return mistake(
      `${written} is ${what} and a field; write '"${written}"' for the ${isOption ? 'option' : 'DocType'}, (${written}) for the field`,
    )
  }
  if ((!options && !isDocType) || !WORDS.test(written)) return EXPRESSION
  if (LITERAL.test(written) || isName(written)) return EXPRESSION
  if (options)
    return mistake(`expected one of ${options.join(', ')}, got ${shown(written, options)}`)
  // The name of a DocType begins with a capital letter; all else is told by the compiler of expressions.
  if (!/^\p{Lu}/u.test(written)) return EXPRESSION
  return mistake(`expected the name of a DocType, or an expression, got ${JSON.stringify(written)}`)
}

/** Whether a field says what kind of record a dynamic link beside it names. */
export function namesDocType({ name, options }: Field, beside: readonly Field[]): boolean {
  return options === undefined && beside.some(({ linkFrom }) => linkFrom === name)
}

/** Names of the fields as written that say what kind of record a dynamic link beside them names. */
export function namingDocTypes(fields: Readonly<Record<string, unknown>>): ReadonlySet<string> {
  const names = Object.values(fields).flatMap((written) => {
    const { type, options } = (written ?? {}) as { type?: unknown; options?: unknown }
    return fieldTypes.get(String(type))?.optionsMean === 'field' ? [String(options)] : []
  })
  return new Set(names)
}

function mistake(message: string): Meaning {
  return { kind: 'mistake', message }
}

function shown(written: string, options: readonly string[]): string {
  const near = suggest(written, options)
  return `${JSON.stringify(written)}${near === undefined ? '' : `; did you mean ${near}?`}`
}
