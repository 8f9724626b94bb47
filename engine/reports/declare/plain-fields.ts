import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Fields } from '../../expression/tree/scope.ts'
import type { Field } from '../../fields/field.ts'
import { fieldType } from '../../fields/index.ts'
import type { Scopes } from '../../rules/base/scopes.ts'

/**
 * Names of a DocType, or of the rows of one of its tables, that SQL can speak of: no tables and no JSON, and no secret,
 * which nobody is shown.
 */
export type PlainFields = (definition: DocTypeDefinition, table?: Field) => Fields

/** The plain names of all DocTypes, each list made once for all reports. */
export function plainFields(scopes: Scopes): PlainFields {
  const made = new Map<object, Fields>()
  return (definition, table) => {
    const owner = table?.child ?? definition
    const known = made.get(owner)
    if (known) return known
    const { document, rows } = scopes.of(definition)
    const { fields } = table?.child ? rows.get(table.name)! : document
    const plain = plainOf(fields, owner.fields, definition.submittable)
    made.set(owner, plain)
    return plain
  }
}

function plainOf(fields: Fields, declared: readonly Field[], submittable: boolean): Fields {
  const secret = new Set(
    declared.filter(({ type }) => fieldType(type).secret).map(({ name }) => name),
  )
  return new Map(
    [...fields].filter(
      ([name, { kind }]) =>
        kind !== 'rows' &&
        kind !== 'json' &&
        !secret.has(name) &&
        (submittable || name !== 'amended_from'),
    ),
  )
}
