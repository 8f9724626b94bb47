import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Field } from '../../fields/field.ts'

/** The rollup fields of a DocType, those of its rows too. */
export function rollupFields({
  fields,
}: DocTypeDefinition): readonly { readonly table: string | undefined; readonly field: Field }[] {
  const found: { readonly table: string | undefined; readonly field: Field }[] = []
  for (const field of fields) {
    if (field.rollup) found.push({ table: undefined, field })
    if (!field.child) continue
    for (const column of field.child.fields)
      if (column.rollup) found.push({ table: field.name, field: column })
  }
  return found
}
