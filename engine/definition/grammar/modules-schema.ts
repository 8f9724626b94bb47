import type { JsonSchema } from '../../fields/field-type.ts'
import { FIELD_NAME, mapOf, object, text } from './schema-parts.ts'

/** JSON Schema of modules.yaml. */
export function modulesSchemaJson(): JsonSchema {
  const modules = mapOf('Name → heading.', text('Heading in menus.', { maxLength: 140 }))
  return object(
    'Modules, in the order of the menu.',
    { modules: { ...modules, propertyNames: { pattern: FIELD_NAME } } },
    ['modules'],
  )
}
