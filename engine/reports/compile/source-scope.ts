import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { splitDot } from '../../definition/normalise/normalise-field.ts'
import type { Path } from '../../definition/yaml/parse.ts'
import { type Fields, fieldsOf, type Scope } from '../../expression/tree/scope.ts'
import type { Field } from '../../fields/field.ts'
import { fieldType } from '../../fields/index.ts'
import { scopeFields } from '../../rules/base/scopes.ts'
import type { QueryPlan } from '../declare/report.ts'
import type { Site } from '../declare/site.ts'

/** Source that `from` names, and the names that expressions over it may use. */
export interface SourceScope {
  readonly definition: DocTypeDefinition | undefined
  readonly table: string | undefined
  readonly query: string | undefined
  readonly scope: Scope
  /** A field of the source by its name, `document.x` for that of the record a row belongs to. */
  field(name: string): Field | undefined
  /** The DocType a link of the source leads to. */
  linked(name: string): DocTypeDefinition | undefined
}

/** Finds a source; undefined where there is none of that name, which is reported. */
export function sourceScope(
  site: Site,
  from: string,
  path: Path,
  queries: readonly QueryPlan[],
  params: Fields,
): SourceScope | undefined {
  const query = queries.find(({ name }) => name === from)
  if (query) return queryScope(site, query, params)
  const [doctype, table] = splitDot(from)
  const definition = site.registry.byDoctype(doctype)
  const tableField = definition?.fields.find(({ name }) => name === table)
  if (!definition || definition.isChild || (table !== undefined && !tableField?.child)) {
    const named = queries.map(({ name }) => name).join(', ')
    site.complain(
      path,
      `expected a DocType with records, Doctype.table${named === '' ? '' : ` or one of ${named}`}, got ${JSON.stringify(from)}`,
    )
    return undefined
  }
  return recordScope(site, definition, tableField, params)
}

function queryScope(site: Site, { name, columns }: QueryPlan, params: Fields): SourceScope {
  const fields = new Map(columns.map((column) => [column.name, column.field]))
  const linked = (field: string): DocTypeDefinition | undefined => targetOf(site, fields.get(field))
  return {
    definition: undefined,
    table: undefined,
    query: name,
    scope: withLinks(
      site,
      fieldsOf(scopeFields([...fields.values()])),
      fields.keys(),
      linked,
      params,
    ),
    field: (field) => fields.get(field),
    linked,
  }
}

function recordScope(
  site: Site,
  definition: DocTypeDefinition,
  tableField: Field | undefined,
  params: Fields,
): SourceScope {
  const { document, rows } = site.scopes.of(definition)
  const child = tableField?.child
  const own = child ? rows.get(tableField.name)! : document
  const declared = child ? child.fields : definition.fields
  const known = plain(own.fields, declared, definition.submittable)
  const linked = (name: string): DocTypeDefinition | undefined =>
    targetOf(
      site,
      declared.find((field) => field.name === name),
    )
  const scope = withLinks(site, known, known.keys(), linked, params)
  const documentFields = plain(document.fields, definition.fields, definition.submittable)
  return {
    definition,
    table: tableField?.name,
    query: undefined,
    scope: child
      ? { ...scope, records: new Map(scope.records).set('document', documentFields) }
      : scope,
    field(name) {
      if (!child) return site.registry.fieldOf(definition, name)
      if (name.startsWith('document.'))
        return site.registry.fieldOf(definition, name.slice('document.'.length))
      return declared.find((field) => field.name === name)
    },
    linked,
  }
}

/** Fields that SQL can speak of: no tables and no JSON, and no secret, which nobody is shown. */
function plain(fields: Fields, declared: readonly Field[], submittable: boolean): Fields {
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

function withLinks(
  site: Site,
  fields: Fields,
  names: Iterable<string>,
  linked: (name: string) => DocTypeDefinition | undefined,
  params: Fields,
): Scope {
  const records = new Map<string, Fields>()
  for (const name of names) {
    const target = linked(name)
    if (!target) continue
    const { document } = site.scopes.of(target)
    records.set(name, plain(document.fields, target.fields, target.submittable))
  }
  // What other records keep for expressions of their own is none of a report's business.
  const bare = new Set(['document', ...records.keys()])
  return { fields, records: records.set('param', params), repeat: 1, bare }
}

function targetOf(site: Site, field: Field | undefined): DocTypeDefinition | undefined {
  return field?.link === undefined || field.linkTable !== undefined
    ? undefined
    : site.registry.byDoctype(field.link)
}
