import { nearest } from '../../base/suggest.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Path } from '../../definition/yaml/parse.ts'
import { isMap } from '../../definition/yaml/source.ts'
import type { Field } from '../../fields/field.ts'
import { PAGE_KINDS, type PartKind } from './page-kinds.ts'
import type { Page, PagePart } from './workspace.ts'
import { filterOf, mapOf, type Reading, resourceOf } from './workspace-parts.ts'

/** Reads a page of work with the resources and fields that its parts are; undefined where there is no such page. */
export function readPage(reading: Reading, value: unknown, path: Path): Page | undefined {
  const given = mapOf(reading, value, path, ['page', 'label', 'icon', 'parts'])
  if (!given) return undefined
  const kinds = Object.keys(PAGE_KINDS)
  const name = String(given.page)
  const kind = Object.hasOwn(PAGE_KINDS, name) ? PAGE_KINDS[name] : undefined
  if (!kind) {
    const message = `there is no page ${JSON.stringify(given.page)}${nearest(name, kinds)}; expected one of ${kinds.join(', ')}`
    reading.tell([...path, 'page'], message)
    return undefined
  }
  const parts = isMap(given.parts) ? given.parts : {}
  const at = [...path, 'parts']
  for (const part of Object.keys(parts))
    if (!Object.hasOwn(kind, part))
      reading.tell(
        [...at, part],
        `unknown key; expected one of ${Object.keys(kind).join(', ')}`,
        'key',
      )
  const read = Object.entries(kind).flatMap(([part, needs]) => {
    const found = Object.hasOwn(parts, part)
      ? readPart(reading, parts[part], [...at, part], needs)
      : undefined
    if (found) return [[part, found] as const]
    if (!needs.isOptional && !Object.hasOwn(parts, part))
      reading.tell(
        given.parts === undefined ? path : at,
        `expected ${part}, a part of the page ${name}`,
      )
    return []
  })
  return {
    page: name,
    label: String(given.label ?? name),
    icon: String(given.icon ?? 'layout-grid'),
    parts: Object.fromEntries(read),
  }
}

function readPart(
  reading: Reading,
  value: unknown,
  path: Path,
  { roles }: PartKind,
): PagePart | undefined {
  const given = mapOf(reading, value, path, ['resource', 'filter', 'fields', 'set'])
  if (!given) return undefined
  const definition = resourceOf(reading, given.resource, [...path, 'resource'])
  if (!definition) return undefined
  const filter = filterOf(reading, definition, given.filter, [...path, 'filter'])
  const sent = isMap(given.set) ? given.set : {}
  for (const name of Object.keys(sent)) fieldAt(reading, definition, name, [...path, 'set', name])
  return {
    resource: definition.slug,
    fields: readRoles(reading, definition, given.fields, [...path, 'fields'], roles),
    ...(filter === undefined ? {} : { filter }),
    ...(given.set === undefined ? {} : { set: sent }),
  }
}

/** The field of each role: the one that is said, else the one of the same name; of a column in the table of its role. */
function readRoles(
  reading: Reading,
  definition: DocTypeDefinition,
  value: unknown,
  path: Path,
  roles: readonly string[],
): Readonly<Record<string, string>> {
  const said = isMap(value) ? value : {}
  for (const role of Object.keys(said))
    if (!roles.includes(role))
      reading.tell([...path, role], `unknown key; expected one of ${roles.join(', ')}`, 'key')
  const fields: Record<string, string> = {}
  for (const role of roles) {
    const [table, column] = role.split('.') as [string, string?]
    const name = String(said[role] ?? column ?? role)
    const inTable = column === undefined ? undefined : fields[table]
    const whole = inTable === undefined ? name : `${inTable}.${name}`
    const at = said[role] === undefined ? path : [...path, role]
    if (fieldAt(reading, definition, whole, at)) fields[role] = name
  }
  return fields
}

/** A field of the DocType, or a column of a table of it: `items.qty`; tells where there is none. */
function fieldAt(
  { tell }: Reading,
  { doctype, fields }: DocTypeDefinition,
  name: string,
  path: Path,
): Field | undefined {
  const [first, column] = name.split('.') as [string, string?]
  const field = fields.find((one) => one.name === first)
  const found =
    column === undefined ? field : field?.child?.fields.find((one) => one.name === column)
  if (!found) {
    const names = fields.map((one) => one.name)
    tell(path, `${doctype} has no field ${JSON.stringify(name)}${nearest(first, names)}`)
  }
  return found
}
