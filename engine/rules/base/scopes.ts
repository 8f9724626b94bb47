import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Registry } from '../../definition/model/registry.ts'
import {
  documentScope,
  type Fields,
  isFieldName,
  rowScope,
  type Scope,
  type ScopeField,
} from '../../expression/tree/scope.ts'
import type { TargetType } from '../../expression/tree/types.ts'
import type { Field } from '../../fields/field.ts'
import { fieldType } from '../../fields/index.ts'

/** Names that the expressions of a DocType may use: the document's own scope and one for the rows of each table. */
export interface DocTypeScopes {
  readonly document: Scope
  readonly rows: ReadonlyMap<string, Scope>
}

/** The scopes of all DocTypes of a registry, each made at its first use. */
export interface Scopes {
  /** Scopes of what is computed on every write: formulas, statuses, rollups. */
  of(definition: DocTypeDefinition): DocTypeScopes
  /**
   * Scopes of what is taken at one moment (defaults, checks, effects, actions, events): links lead one step on,
   * `company.default_currency`. A formula may not, or a submitted document would follow its masters.
   */
  momentOf(definition: DocTypeDefinition): DocTypeScopes
}

export function createScopes(registry: Registry): Scopes {
  const known = new Map<DocTypeDefinition, DocTypeScopes>()
  const moments = new Map<DocTypeDefinition, DocTypeScopes>()

  function of(definition: DocTypeDefinition): DocTypeScopes {
    const made = known.get(definition) ?? scopesOf(definition)
    known.set(definition, made)
    return made
  }

  function withLinks(scope: Scope, fields: readonly Field[]): Scope {
    const records = new Map(scope.records)
    for (const { name, link, linkTable } of fields) {
      const target = link === undefined ? undefined : registry.byDoctype(link)
      // A field called like a record that is always there (user, old) cannot be looked through.
      if (target && linkTable === undefined && isFieldName(name) && !records.has(name))
        records.set(name, of(target).document.fields)
    }
    return { ...scope, records }
  }

  function momentOf(definition: DocTypeDefinition): DocTypeScopes {
    const made = moments.get(definition)
    if (made) return made
    const { document, rows } = of(definition)
    const withPaths: DocTypeScopes = {
      document: withLinks(document, definition.fields),
      rows: new Map(
        definition.fields
          .filter((field) => field.child)
          .map(({ name, child }) => [name, withLinks(rows.get(name)!, child!.fields)]),
      ),
    }
    moments.set(definition, withPaths)
    return withPaths
  }

  return { of, momentOf }
}

export function scopesOf(definition: DocTypeDefinition): DocTypeScopes {
  const document = documentScope(definition.fields.map(scopeField))
  const tables = definition.fields.filter((field) => field.child)
  return { document, rows: new Map(tables.map(({ name }) => [name, rowScope(document, name)])) }
}

/** Fields as an expression may name them, e.g. the input of an action. */
export function scopeFields(fields: readonly Field[]): readonly ScopeField[] {
  return fields.map(scopeField)
}

/** The fields a row of this table offers to expressions. Throws TypeError when there is no such table. */
export function rowFields({ document }: DocTypeScopes, table: string): Fields {
  const rows = document.fields.get(table)?.rows
  if (!rows) throw new TypeError(`${JSON.stringify(table)} is not a table`)
  return rows
}

function scopeField(field: Field): ScopeField {
  const { kind, scale, choices } = valueType(field)
  return {
    name: field.name,
    kind,
    scale,
    ...(choices ? { values: choices.values } : {}),
    ...(field.child
      ? { rows: field.child.fields.map(scopeField), maxRows: field.child.maxRows }
      : {}),
  }
}

/** Kind, scale and choices of a field's values, as expressions see them. */
export function valueType(field: Field): TargetType {
  const { name, options: values } = field
  const { kind, scaleOf, optionsMean } = fieldType(field.type)
  const scale = scaleOf(field)
  if (optionsMean !== 'values' || !values) return { kind, scale }
  return { kind, scale, choices: { name, values } }
}
