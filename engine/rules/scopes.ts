import type { DocTypeDefinition, Field } from '../definition/definition.ts'
import { documentScope, rowScope, type Scope, type ScopeField } from '../expression/scope.ts'
import type { ValueType } from '../expression/types.ts'
import { fieldType } from '../fields/index.ts'

/** What the expressions of a DocType may name: the document's own scope and one for the rows of each table. */
export interface DocTypeScopes {
  readonly document: Scope
  readonly rows: ReadonlyMap<string, Scope>
}

export function scopesOf(definition: DocTypeDefinition): DocTypeScopes {
  const document = documentScope(definition.fields.map(scopeField))
  const tables = definition.fields.filter((field) => field.child)
  return { document, rows: new Map(tables.map(({ name }) => [name, rowScope(document, name)])) }
}

function scopeField(field: Field): ScopeField {
  const { kind, scale } = valueType(field)
  return {
    name: field.name,
    kind,
    scale,
    ...(field.child
      ? { rows: field.child.fields.map(scopeField), maxRows: field.child.maxRows }
      : {}),
  }
}

/** Kind and scale of a field's values, as expressions see them. */
export function valueType(field: Field): ValueType {
  const { kind, scaleOf } = fieldType(field.type)
  return { kind, scale: scaleOf(field) }
}
