import type { DocTypeDefinition } from '../definition/model/definition.ts'
import type { Registry } from '../definition/model/registry.ts'
import type { ChildDefinition } from '../fields/field.ts'
import { publicFields } from '../fields/public-fields.ts'
import type { Rights } from './can.ts'
import { keptFor } from './known-fields.ts'
import { knownTo } from './known-to.ts'

/** The DocTypes as callers know them: the same object for all who know the same. */
export type KnownRegistry = (rights: Pick<Rights, 'actor' | 'grants'>) => Registry

/** Makes the views of a registry (`knownTo`), each at its first use: what is derived from one can be kept by it. */
export function knownRegistries(registry: Registry): KnownRegistry {
  const limited = registry.all.filter((definition) => keptFor(definition).length > 0)
  const views = new Map<string, Registry>()
  const numbers = new Map<DocTypeDefinition, number>()
  const numberOf = (definition: DocTypeDefinition): number => {
    const number = numbers.get(definition) ?? numbers.size
    numbers.set(definition, number)
    return number
  }
  return (rights) => {
    const known = limited.map((definition) => knownTo(rights, definition))
    if (known.every((view, index) => view === limited[index])) return registry
    const key = known.map(numberOf).join()
    const view = views.get(key) ?? viewOf(registry, known)
    views.set(key, view)
    return view
  }
}

function viewOf(registry: Registry, views: readonly DocTypeDefinition[]): Registry {
  const byName = new Map(views.map((view) => [view.doctype, view]))
  const known = (definition: DocTypeDefinition): DocTypeDefinition =>
    byName.get(definition.doctype) ?? definition
  const maybe = (definition: DocTypeDefinition | undefined): DocTypeDefinition | undefined =>
    definition && known(definition)
  return Object.freeze({
    ...registry,
    all: Object.freeze(registry.all.map(known)),
    byDoctype: (name) => maybe(registry.byDoctype(name)),
    serving: (service) => maybe(registry.serving(service)),
    bySlug: (slug) => maybe(registry.bySlug(slug)),
    child: (name) => childIn(registry.parentsOf(name).map(known), name) ?? registry.child(name),
    parentsOf: (child) => registry.parentsOf(child).map(known),
    fieldOf: (definition, name) => registry.fieldOf(known(definition), name),
    linksTo: (doctype) =>
      registry.linksTo(doctype).map((link) => ({ ...link, def: known(link.def) })),
    rowLinksTo: (doctype) =>
      registry.rowLinksTo(doctype).map((link) => ({ ...link, def: known(link.def) })),
  } satisfies Registry)
}

/** Rows as the parent shows them that keeps most of their columns to itself. */
function childIn(parents: readonly DocTypeDefinition[], name: string): ChildDefinition | undefined {
  return parents
    .flatMap(({ fields }) => fields.flatMap(({ child }) => (child?.name === name ? child : [])))
    .sort((a, b) => publicFields(a).length - publicFields(b).length)[0]
}
