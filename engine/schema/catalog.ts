import type { DocTypeDefinition, Field } from '../definition/definition.ts'
import type { Registry } from '../definition/registry.ts'
import { titleCase } from '../definition/slug.ts'
import type { Operator } from '../fields/field-type.ts'
import { fieldType } from '../fields/index.ts'
import { shownFields } from './doctype-schemas.ts'
import { operatorsOf } from './openapi-filters.ts'

/** A field as the list of resources tells it (contract §3, Catalogue entry). */
export interface CatalogueField {
  readonly name: string
  readonly type: string
  readonly filterable: boolean
  readonly createOnly: boolean
}

/** A resource as the list of resources tells it. */
export interface CatalogueEntry {
  readonly slug: string
  readonly doctype: string
  readonly label: string
  /** Lowest tier that has it; entries above the workspace's own tier are listed too. */
  readonly tier: string
  readonly module: string
  readonly submittable: boolean
  /** The slug this one is another name of. */
  readonly alias_of?: string
  readonly fields: readonly CatalogueField[]
}

/** All a client needs to show, filter and fill a field; what does not apply is left out. */
export interface ResourceField extends CatalogueField {
  readonly label: string
  readonly description?: string
  readonly required: boolean
  readonly readOnly: boolean
  readonly unique: boolean
  readonly hidden: boolean
  /** Filter operators; none when it is not filterable. */
  readonly operators: readonly Operator[]
  readonly widget: string
  /** Shown in lists that name no fields. */
  readonly in_list: boolean
  readonly allow_on_submit?: boolean
  readonly options?: readonly string[]
  readonly default?: string | number | boolean
  /** Evaluated on create when nothing was sent. */
  readonly default_expression?: string
  /** Slug of the resource a link points to. */
  readonly resource?: string
  /** Table of that resource whose rows are meant. */
  readonly resource_table?: string
  /** The field beside it that names the DocType a dynamic link points to. */
  readonly resource_from?: string
  /** Fields of the rows of a table. */
  readonly fields?: readonly ResourceField[]
  readonly min_rows?: number
  readonly max_rows?: number
  readonly min?: number
  readonly max?: number
  readonly length?: number
  readonly scale?: number
  readonly pattern?: string
  readonly currency_field?: string
  readonly fetch?: string
  readonly formula?: string
  readonly visible_when?: string
  readonly required_when?: string
  readonly section?: string
  readonly width?: number
  readonly placeholder?: string
}

/** Everything about one resource: what contract §3 names, and hints for lists and forms (desk.md §5). */
export interface ResourceDetail extends Omit<CatalogueEntry, 'fields'> {
  readonly label_plural: string
  readonly description?: string
  readonly icon?: string
  readonly aliases: readonly string[]
  readonly id_field: string
  readonly title_field: string
  readonly search_fields: readonly string[]
  readonly list_fields: readonly string[]
  readonly naming: DocTypeDefinition['naming']
  readonly actions: readonly {
    readonly name: string
    readonly label: string
    readonly description?: string
  }[]
  /** Full names of the events its records can cause. */
  readonly events: readonly string[]
  /** Fields of other resources that link to records of this one. */
  readonly connections: readonly {
    readonly resource: string
    readonly table?: string
    readonly field: string
  }[]
  readonly views?: Readonly<Record<string, unknown>>
  readonly fields: readonly ResourceField[]
}

/**
 * The entry of a resource in `GET /v1/resources`, under its own slug or one of its aliases. Standard fields
 * are listed with the others: clients show, filter and sort by them.
 */
export function catalogEntry(definition: DocTypeDefinition, alias?: string): CatalogueEntry {
  const { slug, doctype, label, tier, module, submittable } = definition
  return {
    slug: alias ?? slug,
    doctype,
    label,
    tier,
    module,
    submittable,
    ...(alias === undefined ? {} : { alias_of: slug }),
    fields: shownFields(definition).map(({ name, type, filterable, createOnly }) => ({
      name,
      type,
      filterable,
      createOnly,
    })),
  }
}

/** All entries, those of aliases too, by slug. */
export function catalogEntries(definitions: readonly DocTypeDefinition[]): CatalogueEntry[] {
  return definitions
    .flatMap((definition) => [
      catalogEntry(definition),
      ...definition.aliases.map((alias) => catalogEntry(definition, alias)),
    ])
    .sort((a, b) => (a.slug < b.slug ? -1 : 1))
}

/** The answer of `GET /v1/resources/{slug}`, under the resource's own slug or an alias. */
export function resourceDetail(
  registry: Registry,
  definition: DocTypeDefinition,
  alias?: string,
): ResourceDetail {
  const { description, icon, behaviour } = definition
  return {
    ...catalogEntry(definition, alias),
    label_plural: definition.labelPlural,
    ...known({ description, icon, views: behaviour.views }),
    aliases: definition.aliases,
    id_field: definition.idField,
    title_field: definition.titleField,
    search_fields: definition.searchFields,
    list_fields: definition.listFields,
    naming: definition.naming,
    actions: actionsOf(definition),
    events: eventsOf(definition),
    connections: registry
      .linksTo(definition.doctype)
      .filter(({ dynamic }) => dynamic === undefined)
      .map(({ def, table, field }) => ({ resource: def.slug, ...known({ table }), field })),
    fields: shownFields(definition).map((field) => resourceField(registry, field)),
  }
}

/** Events of every resource, of documents that are submitted, and those its YAML declares. */
export function eventsOf({ slug, submittable, behaviour }: DocTypeDefinition): readonly string[] {
  const kinds = new Set([
    'created',
    'updated',
    'deleted',
    ...(submittable ? ['submitted', 'cancelled'] : []),
    ...Object.keys(behaviour.events ?? {}),
  ])
  return [...kinds].map((kind) => `${slug}.${kind}`)
}

function resourceField(registry: Registry, field: Field): ResourceField {
  const type = fieldType(field.type)
  const target = field.link === undefined ? undefined : registry.byDoctype(field.link)
  return {
    name: field.name,
    type: field.type,
    label: field.label,
    filterable: field.filterable,
    createOnly: field.createOnly,
    required: field.required,
    readOnly: field.readOnly,
    unique: field.unique,
    hidden: field.hidden,
    operators: operatorsOf(field),
    widget: type.widget,
    in_list: type.inList && !type.secret && !field.hidden,
    ...known({
      description: field.description,
      allow_on_submit: field.allowOnSubmit || undefined,
      options: field.options,
      default: field.defaultValue,
      default_expression: field.defaultValue === undefined ? field.default : undefined,
      resource: target?.slug,
      resource_table: field.linkTable,
      resource_from: field.linkFrom,
      fields: field.child?.fields.map((column) => resourceField(registry, column)),
      min_rows: field.child?.minRows,
      max_rows: field.child?.maxRows,
      min: field.min,
      max: field.max,
      length: field.length,
      scale: field.scale,
      pattern: field.pattern,
      currency_field: field.currencyField,
      fetch: field.fetch && `${field.fetch.link}.${field.fetch.field}`,
      formula: field.formula,
      visible_when: field.visibleWhen,
      required_when: field.requiredWhen,
      section: field.section,
      width: field.width,
      placeholder: field.placeholder,
    }),
  }
}

/** What a caller may run; `system` actions are the server's own (doctypes/README.md, Actions). */
function actionsOf({ behaviour }: DocTypeDefinition): ResourceDetail['actions'] {
  return Object.entries(behaviour.actions ?? {}).flatMap(([name, declared]) => {
    const { system, label, description } = declared
    if (system === true) return []
    return [
      {
        name,
        label: label ?? titleCase(name),
        ...known({ description }),
      },
    ]
  })
}

type Known<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> }

/** The object without the keys that are undefined. */
function known<T extends object>(values: T): Known<T> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as Known<T>
}
