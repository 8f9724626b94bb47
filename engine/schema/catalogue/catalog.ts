import type {
  Behaviour,
  DocTypeDefinition,
  ViewsDeclaration,
} from '../../definition/model/definition.ts'
import { undeclaredKinds } from '../../definition/model/event-kinds.ts'
import { isKeptByEngine } from '../../definition/model/kept.ts'
import type { Registry } from '../../definition/model/registry.ts'
import { type Move, movesOf } from '../../definition/normalise/flow.ts'
import { isPublicPlace } from '../../fields/public-fields.ts'
import { type ResourceAction, resourceActions } from '../shapes/catalog-actions.ts'
import { shownFields } from '../shapes/doctype-schemas.ts'
import {
  type CatalogueField,
  known,
  ownerOf,
  type ResourceField,
  resourceField,
} from '../shapes/resource-field.ts'

/** Entry of a resource in the list of resources. */
export interface CatalogueEntry {
  readonly slug: string
  readonly doctype: string
  readonly label: string
  /** Lowest tier that has it; entries above the workspace's own tier are listed too. */
  readonly tier: string
  readonly module: string
  readonly submittable: boolean
  /** Mark of ledgers and balances, absent elsewhere: no caller creates, changes or deletes their records. */
  readonly read_only?: true
  /** Slug this one is another name of. */
  readonly alias_of?: string
  readonly fields: readonly CatalogueField[]
}

/** Description of one resource: what contract §3 names, and hints for lists and forms (desk.md §5). */
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
  /** Actions a caller may run; `system` ones are the server's own (docs/doctypes/reference.md). */
  readonly actions: readonly ResourceAction[]
  /** Moves of a chosen status; absent where there is none. */
  readonly flow?: {
    readonly field: string
    readonly initial?: string
    readonly moves: readonly Move[]
  }
  /** Full names of the events its records can cause. */
  readonly events: readonly string[]
  /** Fields of other resources that link to records of this one. */
  readonly connections: readonly {
    readonly resource: string
    readonly table?: string
    readonly field: string
  }[]
  /** Link to the record above, where the records form a tree. */
  readonly tree?: string
  readonly views?: ViewsDeclaration
  /** Fields that are still given their values, those of rows as `items.amount`; absent where none is. */
  readonly filling?: readonly string[]
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
    ...(isKeptByEngine(definition) ? { read_only: true as const } : {}),
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
  const of = ownerOf(definition)
  return {
    ...catalogEntry(definition, alias),
    label_plural: definition.labelPlural,
    ...known({
      description,
      icon,
      tree: definition.tree,
      views: behaviour.views,
      flow: flowOf(behaviour),
    }),
    aliases: definition.aliases,
    id_field: definition.idField,
    title_field: definition.titleField,
    search_fields: definition.searchFields,
    list_fields: definition.listFields,
    naming: toldNaming(definition.naming),
    actions: resourceActions(registry, definition),
    events: eventsOf(definition),
    connections: registry
      .linksTo(definition.doctype)
      .filter(
        ({ def, table, field, dynamic }) =>
          dynamic === undefined &&
          isPublicPlace(def, table === undefined ? field : `${table}.${field}`),
      )
      .map(({ def, table, field }) => ({ resource: def.slug, ...known({ table }), field })),
    fields: shownFields(definition).map((field) => resourceField(registry, field, of)),
  }
}

function flowOf({ status }: Behaviour): ResourceDetail['flow'] {
  if (!status?.flow) return undefined
  const { field, initial } = status
  return { field, ...known({ initial }), moves: movesOf(status) }
}

/** Full names of the events its records can cause: those without declaring any, and those its YAML declares. */
export function eventsOf(definition: DocTypeDefinition): readonly string[] {
  const { slug, behaviour } = definition
  const kinds = new Set([...undeclaredKinds(definition), ...Object.keys(behaviour.events ?? {})])
  return [...kinds].map((kind) => `${slug}.${kind}`)
}

/** How records are named, as callers hear of it: the check that chooses between a series and a field may be internal. */
function toldNaming(naming: DocTypeDefinition['naming']): DocTypeDefinition['naming'] {
  return naming.kind === 'series' ? { kind: naming.kind, pattern: naming.pattern } : naming
}
