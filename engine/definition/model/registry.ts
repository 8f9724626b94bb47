import { hash } from 'node:crypto'
import { once } from '../../base/once.ts'
import type { ChildDefinition, Field } from '../../fields/field.ts'
import { isPublic, publicFields } from '../../fields/public-fields.ts'
import type { DocTypeDefinition, Service } from './definition.ts'
import { standardFields } from './standard-fields.ts'
import { NO_VOCABULARY, type Vocabulary } from './vocabulary.ts'

/** A field that names records of a DocType: what a delete or a cancel has to ask. */
export interface Reference {
  readonly def: DocTypeDefinition
  /** Table whose rows have the field; undefined for a field of the record itself. */
  readonly table?: string
  readonly field: string
  /** Dynamic link: the field beside it that names the DocType. */
  readonly dynamic?: string
}

/** A field that names rows of a DocType's table by their `row_id`. */
export interface RowReference extends Reference {
  /** Table of the DocType whose rows are named. */
  readonly targetTable: string
}

/** All DocTypes of a workspace, frozen, with what is asked about them. */
export interface Registry {
  /** DocTypes with records of their own, sorted by slug. */
  readonly all: readonly DocTypeDefinition[]
  /** A DocType by its name, child DocTypes too. */
  byDoctype(name: string): DocTypeDefinition | undefined
  /** The DocType whose records the workspace itself keeps something in, e.g. `users`. */
  serving(service: Service): DocTypeDefinition | undefined
  /** A DocType by its slug or alias. */
  bySlug(slug: string): DocTypeDefinition | undefined
  /** Rows by the name of their DocType, whether it has a file of its own or stands in its parent's; no internal tables. */
  child(name: string): ChildDefinition | undefined
  /** The DocTypes whose documents have rows of this one in a table that callers know. */
  parentsOf(child: string): readonly DocTypeDefinition[]
  /** A field of a DocType, the standard ones too. */
  fieldOf(definition: DocTypeDefinition, name: string): Field | undefined
  /** Fields that can link to records of this DocType; every dynamic link can. */
  linksTo(doctype: string): readonly Reference[]
  /** Fields that can link to rows of this DocType's tables. */
  rowLinksTo(doctype: string): readonly RowReference[]
  /** Names of internal fields that no DocType has as a field which callers know. */
  unheardNames(): ReadonlySet<string>
  /** What the DocTypes name beside one another. */
  readonly vocabulary: Vocabulary
  /** Changes when any definition, module or tier changes. */
  readonly checksum: string
}

/** The look-ups over checked definitions. */
export function createRegistry(
  definitions: readonly DocTypeDefinition[],
  vocabulary: Vocabulary = NO_VOCABULARY,
): Registry {
  const all = definitions
    .filter(({ isChild }) => !isChild)
    .sort((a, b) => (a.slug < b.slug ? -1 : 1))
  const byName = new Map(definitions.map((definition) => [definition.doctype, definition]))
  const slugs = new Map(
    all.flatMap((definition) =>
      [definition.slug, ...definition.aliases].map((slug) => [slug, definition]),
    ),
  )
  const services = new Map(all.map((definition) => [definition.serves, definition]))
  // A start asks for little of this, so each part is made when it is first asked for.
  const children = once(() => childDefinitions(definitions))
  const parents = once(() => parentDefinitions(all))
  const linking = once(() => references(all))
  const unheard = once(() => unheardNames(all))
  const fields = new Map<DocTypeDefinition, ReadonlyMap<string, Field>>()

  function fieldsOf(definition: DocTypeDefinition): ReadonlyMap<string, Field> {
    const known = fields.get(definition) ?? fieldMap(definition)
    fields.set(definition, known)
    return known
  }

  return Object.freeze({
    all: Object.freeze(all),
    byDoctype: (name) => byName.get(name),
    serving: (service) => services.get(service),
    bySlug: (slug) => slugs.get(slug),
    child: (name) => children().get(name),
    parentsOf: (child) => parents().get(child) ?? [],
    fieldOf: (definition, name) => fieldsOf(definition).get(name),
    linksTo: (doctype) => linking().links.get(doctype) ?? linking().dynamic,
    rowLinksTo: (doctype) => linking().rowLinks.get(doctype) ?? [],
    unheardNames: unheard,
    vocabulary,
    checksum: hash(
      'sha256',
      JSON.stringify([
        definitions.map(({ doctype, checksum }) => `${doctype}\0${checksum}`).sort(),
        [...vocabulary.modules],
        vocabulary.tiers,
      ]),
    ),
  } satisfies Registry)
}

function fieldMap(definition: DocTypeDefinition): ReadonlyMap<string, Field> {
  return new Map(
    [...standardFields(definition), ...definition.fields].map((field) => [
      field.name,
      Object.freeze(field),
    ]),
  )
}

function unheardNames(all: readonly DocTypeDefinition[]): ReadonlySet<string> {
  const fields = all.flatMap((definition) => namedFields(definition))
  const heard = new Set(fields.flatMap((field) => (isPublic(field) ? [field.name] : [])))
  return new Set(fields.flatMap(({ name }) => (heard.has(name) ? [] : [name])))
}

/** The fields of a DocType and of its rows. */
export function namedFields({ fields }: DocTypeDefinition): readonly Field[] {
  return fields.flatMap((field) => [field, ...(field.child?.fields ?? [])])
}

function childDefinitions(
  definitions: readonly DocTypeDefinition[],
): ReadonlyMap<string, ChildDefinition> {
  const children = new Map<string, ChildDefinition>()
  for (const { isChild, doctype, fields } of definitions) {
    if (isChild) children.set(doctype, { name: doctype, fields, minRows: 0, maxRows: 0 })
  }
  for (const definition of definitions) {
    for (const { child } of publicFields(definition))
      if (child && !children.has(child.name)) children.set(child.name, child)
  }
  return children
}

function parentDefinitions(
  all: readonly DocTypeDefinition[],
): ReadonlyMap<string, readonly DocTypeDefinition[]> {
  const parents = new Map<string, DocTypeDefinition[]>()
  for (const definition of all)
    for (const name of new Set(publicFields(definition).flatMap(({ child }) => child?.name ?? [])))
      append(parents, name, definition)
  return parents
}

interface References {
  readonly links: ReadonlyMap<string, readonly Reference[]>
  readonly rowLinks: ReadonlyMap<string, readonly RowReference[]>
  readonly dynamic: readonly Reference[]
}

function references(all: readonly DocTypeDefinition[]): References {
  const links = new Map<string, Reference[]>()
  const rowLinks = new Map<string, RowReference[]>()
  const dynamic: Reference[] = []
  for (const { def, table, field } of allFields(all)) {
    const at = { def, field: field.name, ...(table === undefined ? {} : { table }) }
    if (field.linkFrom !== undefined) dynamic.push({ ...at, dynamic: field.linkFrom })
    if (field.link === undefined) continue
    if (field.linkTable === undefined) append(links, field.link, at)
    else append(rowLinks, field.link, { ...at, targetTable: field.linkTable })
  }
  for (const list of links.values()) list.push(...dynamic)
  return { links, rowLinks, dynamic }
}

interface PlacedField {
  readonly def: DocTypeDefinition
  readonly table?: string
  readonly field: Field
}

function allFields(all: readonly DocTypeDefinition[]): PlacedField[] {
  return all.flatMap((def) =>
    def.fields.flatMap((field): PlacedField[] => [
      { def, field },
      ...(field.child?.fields ?? []).map((row) => ({ def, table: field.name, field: row })),
    ]),
  )
}

function append<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}
