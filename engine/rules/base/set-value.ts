import { meaningOf, namesDocType } from '../../definition/model/constant.ts'
import type { Registry } from '../../definition/model/registry.ts'
import type { Scope } from '../../expression/tree/scope.ts'
import type { Field } from '../../fields/field.ts'

/** Field that is set, and those beside it. */
export interface SetTarget {
  readonly field: Field
  readonly beside: readonly Field[]
}

const BEGINS_LARGE = /^\p{Lu}/u

/** Expression of a value that is set, a constant as the literal it is: `Customer` → `"Customer"`; or what is wrong. */
export function sourceOf(
  written: string,
  { field, beside }: SetTarget,
  registry: Registry,
  { fields }: Scope,
): { readonly source?: string; readonly message?: string } {
  const meaning = meaningOf(written, {
    field,
    // Where it begins small, it is no name of a DocType.
    isDocType:
      BEGINS_LARGE.test(written) && namesDocType(field, beside)
        ? (name) => registry.byDoctype(name) !== undefined
        : undefined,
    isName: (word) => fields.has(word),
  })
  if (meaning.kind === 'mistake') return { message: meaning.message }
  return { source: meaning.kind === 'constant' ? JSON.stringify(meaning.value) : written }
}
