import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { DOCUMENT, documentOf } from '../../definition/model/made-name.ts'
import type { Registry } from '../../definition/model/registry.ts'
import { splitDot } from '../../definition/normalise/normalise-field.ts'
import { type Parse, parseExpression } from '../../expression/syntax/parse.ts'
import {
  documentScope,
  type Fields,
  isFieldName,
  rowScope,
  type Scope,
  type ScopeField,
} from '../../expression/tree/scope.ts'
import type { TargetType } from '../../expression/tree/types.ts'
import type { Field, Find } from '../../fields/field.ts'
import { fieldType } from '../../fields/index.ts'

/** Names that the expressions of a DocType may use: the document's own scope and one for the rows of each table. */
export interface DocTypeScopes {
  readonly document: Scope
  readonly rows: ReadonlyMap<string, Scope>
}

/** The scopes of all DocTypes of a registry, each made at its first use. */
export interface Scopes {
  /**
   * Scopes of what is computed on every write: formulas, statuses, rollups. Behind links and finds they read what made
   * columns keep, or a submitted document would follow its masters.
   */
  of(definition: DocTypeDefinition): DocTypeScopes
  /**
   * Scopes of what is taken at one moment (defaults, checks, effects, actions, events): links lead to records as they
   * are now, `company.default_currency`.
   */
  momentOf(definition: DocTypeDefinition): DocTypeScopes
  readonly parse: Parse
}

export function createScopes(registry: Registry, parse: Parse = parseExpression): Scopes {
  const known = new Map<DocTypeDefinition, DocTypeScopes>()
  const moments = new Map<DocTypeDefinition, DocTypeScopes>()

  function of(definition: DocTypeDefinition): DocTypeScopes {
    const made = known.get(definition) ?? scopesOf(definition, fieldsBehind)
    known.set(definition, made)
    return made
  }

  const fieldsBehind: FieldsBehind = (from) => {
    const [doctype, table] = splitDot(from)
    const target = registry.byDoctype(doctype)
    if (!target) return NOTHING
    if (table === undefined) return withoutSecrets(of(target).document.fields, target.fields)
    const rows = target.fields.find(({ name }) => name === table)?.child
    return rows ? withoutSecrets(rowFields(of(target), table), rows.fields) : NOTHING
  }

  function withLinks(scope: Scope, fields: readonly Field[]): Scope {
    const records = new Map(scope.records)
    const links = new Set<string>()
    for (const { name, link, linkTable } of fields) {
      const target = link === undefined ? undefined : registry.byDoctype(link)
      // A field called like a record that is always there (user, old) cannot be looked through.
      if (!target || linkTable !== undefined || !isFieldName(name) || records.has(name)) continue
      records.set(name, of(target).document.fields)
      links.add(name)
    }
    return { ...scope, records, links }
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

  return { of, momentOf, parse }
}

/** Fields of what a link names or a find finds (`Item`, `Sales Order.items`); none of what is not there. */
type FieldsBehind = (from: string) => Fields

const NOTHING: Fields = new Map()

/** The scopes of a DocType by itself; without `behind` its links and finds are texts like others. */
export function scopesOf(definition: DocTypeDefinition, behind?: FieldsBehind): DocTypeScopes {
  const document = documentScope(levelFields(definition, behind))
  const tables = definition.fields.filter((field) => field.child)
  return { document, rows: new Map(tables.map(({ name }) => [name, rowScope(document, name)])) }
}

/** Fields as an expression may name them, e.g. the input of an action. */
export function scopeFields(fields: readonly Field[]): readonly ScopeField[] {
  return fields.map((field) => scopeField(field))
}

/** The known fields without those that hold a secret: from afar, and in messages, nobody reads one. */
export function withoutSecrets(known: Fields, fields: readonly Field[]): Fields {
  const secret = fields.filter(({ type }) => fieldType(type).secret).map(({ name }) => name)
  return secret.length === 0
    ? known
    : new Map([...known].filter(([name]) => !secret.includes(name)))
}

/** The fields a row of this table offers to expressions. Throws TypeError when there is no such table. */
export function rowFields({ document }: DocTypeScopes, table: string): Fields {
  const rows = document.fields.get(table)?.rows
  if (!rows) throw new TypeError(`${JSON.stringify(table)} is not a table`)
  return rows
}

/** Fields and finds of a DocType, or of the rows of a table. */
function levelFields(
  { fields, finds = [] }: { readonly fields: readonly Field[]; readonly finds?: readonly Find[] },
  behind?: FieldsBehind,
): readonly ScopeField[] {
  const known = fields.map((field) => scopeField(field, behind))
  return behind ? [...known, ...finds.flatMap((find) => findFields(find, behind))] : known
}

function scopeField(field: Field, behind?: FieldsBehind): ScopeField {
  const { child, made, link, linkTable } = field
  const { kind, scale, choices } = valueType(field)
  const names = made?.names ?? (linkTable === undefined ? link : undefined)
  return {
    name: field.name,
    kind,
    scale,
    values: choices?.values,
    rows: child && levelFields(child, behind),
    maxRows: child?.maxRows,
    target: behind && names !== undefined ? () => behind(names) : undefined,
    keeps: made,
  }
}

/** A find as a field whose parts are what is kept of the record; a found row has its document too. */
function findFields({ name, from }: Find, behind: FieldsBehind): readonly ScopeField[] {
  const [doctype, table] = splitDot(from)
  const find: ScopeField = { name, kind: 'record', target: () => behind(from) }
  if (table === undefined) return [find]
  const keeps = { of: name, field: DOCUMENT, path: `${name}.${DOCUMENT}` }
  const document = documentOf(name)
  return [find, { name: document, kind: 'record', target: () => behind(doctype), keeps }]
}

/** Kind, scale and choices of a field's values, as expressions see them. */
export function valueType(field: Field): TargetType {
  const { name, options: values } = field
  const { kind, scaleOf, optionsMean } = fieldType(field.type)
  const scale = scaleOf(field)
  if (optionsMean !== 'values' || !values) return { kind, scale }
  return { kind, scale, choices: { name, values } }
}
