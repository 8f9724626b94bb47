import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { publicFields } from '../../fields/public-fields.ts'

/** What knows which columns wait for their values. */
export interface Waiting {
  has(definition: DocTypeDefinition, table: string | undefined, field: string): boolean
}

/** Fields of a DocType whose stored values are not all what they should be yet: `margin`, `items.amount`. */
export function waitingFields(waiting: Waiting, definition: DocTypeDefinition): readonly string[] {
  return publicFields(definition).flatMap(({ name, child }) => [
    ...(waiting.has(definition, undefined, name) ? [name] : []),
    ...(child
      ? publicFields(child).flatMap((column) =>
          waiting.has(definition, name, column.name) ? [`${name}.${column.name}`] : [],
        )
      : []),
  ])
}
