import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { splitDot } from '../../definition/normalise/normalise-field.ts'
import type { Path } from '../../definition/yaml/parse.ts'
import { type Fields, fieldsOf, type Scope } from '../../expression/tree/scope.ts'
import type { Field } from '../../fields/field.ts'
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
  const links = new Map<string, DocTypeDefinition>()
  for (const [column, field] of fields) {
    const target = targetOf(site, field)
    if (target) links.set(column, target)
  }
  return {
    definition: undefined,
    table: undefined,
    query: name,
    scope: withLinks(site, fieldsOf(scopeFields([...fields.values()])), links, params),
    field: (field) => fields.get(field),
    linked: (field) => links.get(field),
  }
}

function recordScope(
  site: Site,
  definition: DocTypeDefinition,
  tableField: Field | undefined,
  params: Fields,
): SourceScope {
  const child = tableField?.child
  const declared = child ? child.fields : definition.fields
  const known = site.plain(definition, tableField)
  const linked = (name: string): DocTypeDefinition | undefined =>
    targetOf(
      site,
      declared.find((field) => field.name === name),
    )
  const links = new Map<string, DocTypeDefinition>()
  for (const field of declared) {
    const target = known.has(field.name) ? targetOf(site, field) : undefined
    if (target) links.set(field.name, target)
  }
  const scope = withLinks(site, known, links, params)
  return {
    definition,
    table: tableField?.name,
    query: undefined,
    scope: child
      ? { ...scope, records: new Map(scope.records).set('document', site.plain(definition)) }
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

/** Names of a source, of what its links lead to, and of the parameters. */
function withLinks(
  site: Site,
  fields: Fields,
  links: ReadonlyMap<string, DocTypeDefinition>,
  params: Fields,
): Scope {
  const records = new Map<string, Fields>()
  for (const [name, target] of links) records.set(name, site.plain(target))
  // What other records keep for expressions of their own is none of a report's business.
  const bare = new Set(['document', ...records.keys()])
  return { fields, records: records.set('param', params), repeat: 1, bare }
}

function targetOf(site: Site, field: Field | undefined): DocTypeDefinition | undefined {
  return field?.link === undefined || field.linkTable !== undefined
    ? undefined
    : site.registry.byDoctype(field.link)
}
