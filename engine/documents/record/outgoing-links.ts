import { ALL_ROLE } from '../../access/roles.ts'
import type { Detail } from '../../base/errors.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Registry } from '../../definition/model/registry.ts'
import type { Field } from '../../fields/field.ts'
import { type Doc, type Row, rowsOf } from '../../storage/database/document.ts'
import type { DocTypeParts, LinkField, LinkFields } from '../work/context.ts'

/** A link of a record: where it stands and what it names. */
export interface OutgoingLink {
  readonly path: string
  /** Field as rules name it: `customer`, `items.item_code`. */
  readonly cell: string
  readonly doctype: string
  readonly table: string | undefined
  readonly name: string
  /** True where the value differs from the one before the change. */
  readonly changed: boolean
  /** True where the record belongs to what it names here (`permissions.follows`). */
  readonly isFollowed: boolean
  /** True where a submitted document may name a draft. */
  readonly isOfDrafts: boolean
  /** True where everybody may name records of kinds they choose. */
  readonly isOpen: boolean
  /** True where another link to the same was looked at: it is there, but who may read it is not asked. */
  isKnown: boolean
}

/** Images that a look at links compares, and names it need not look at. */
export interface Look {
  /** The image before the change. */
  readonly before: Doc | undefined
  /** An image whose links have been looked at: only what differs from it is. */
  readonly seen?: Doc
  /** Names (`DocType\0name`) that are known to be there, e.g. because the voucher of a ledger's row links to them. */
  readonly trusted?: ReadonlySet<string>
}

/** Place where links are looked for: a document or a row, as it is, as it was, and as it was looked at. */
interface Place {
  readonly prefix: string
  readonly cells: string
  readonly now: Doc | Row
  readonly old: Doc | Row | undefined
  readonly seen: Doc | Row | undefined
  /** At a second look: the links that rules fill with what other links say, which need none. */
  readonly taken: ReadonlySet<string> | undefined
  /** Takes in the names (`DocType\0name`) of links that a second look passes over. */
  readonly known: Set<string>
}

/**
 * The links of a document that a look is for. What is wrong with the DocType that one names is added to
 * `problems`, and it is left out.
 */
export function outgoingLinks(
  { links, behaviour }: DocTypeParts,
  after: Doc,
  { before, seen, trusted }: Look,
  registry: Registry,
  problems: Detail[],
): OutgoingLink[] {
  const found: OutgoingLink[] = []
  const known = new Set<string>()
  const taken = seen && behaviour.rules.takenLinks
  const top = { prefix: '', cells: '', now: after, old: before, seen, taken, known }
  addLinks(links.own, top, registry, found, problems)
  for (const { table, fields } of links.tables) {
    const rows = rowsOf(after, table)
    if (rows.length === 0) continue
    const oldRows = new Map(
      (before ? rowsOf(before, table) : []).map((row): [string, Row] => [row.row_id, row]),
    )
    const seenRows = seen ? rowsOf(seen, table) : []
    for (const [index, row] of rows.entries()) {
      const seenRow = seenRows[index]?.row_id === row.row_id ? seenRows[index] : undefined
      const inRow = {
        prefix: `${table}[${index}].`,
        cells: `${table}.`,
        now: row,
        old: oldRows.get(row.row_id),
        seen: seenRow,
        taken,
        known,
      }
      addLinks(fields, inRow, registry, found, problems)
    }
  }
  if (known.size > 0) for (const link of found) link.isKnown = known.has(nameKey(link))
  return trusted ? found.filter((link) => !trusted.has(nameKey(link))) : found
}

function addLinks(
  fields: readonly LinkField[],
  { prefix, cells, now, old, seen, taken, known }: Place,
  registry: Registry,
  found: OutgoingLink[],
  problems: Detail[],
): void {
  for (const one of fields) {
    const field = one.name
    const name = now[field] ?? null
    // Most links name nothing.
    if (name === null) continue
    const { link, linkFrom, linkTable, isFollowed, isOfDrafts, isOpen } = one
    const doctype = link ?? now[linkFrom!]
    if (typeof doctype !== 'string') {
      // A default may still say what it is.
      if (taken)
        problems.push({
          field: prefix + field,
          message: `expected ${linkFrom} to name the DocType first`,
          code: 'wrong_type',
        })
      continue
    }
    if (taken) {
      const isSame =
        (seen?.[field] ?? null) === name &&
        (linkFrom === undefined || seen?.[linkFrom] === now[linkFrom])
      if (isSame || taken.has(cells + field)) {
        known.add(nameKey({ doctype, table: linkTable, name: String(name) }))
        continue
      }
    }
    if (linkFrom !== undefined && !registry.byDoctype(doctype)) {
      problems.push({
        field: prefix + linkFrom,
        message: `expected a DocType, got ${JSON.stringify(doctype)}`,
        code: 'not_an_option',
      })
      continue
    }
    const changed =
      (old?.[field] ?? null) !== name ||
      (linkFrom !== undefined && (old?.[linkFrom] ?? null) !== doctype)
    found.push({
      path: prefix + field,
      cell: cells + field,
      doctype,
      name: String(name),
      changed,
      isFollowed,
      isOfDrafts,
      isOpen,
      isKnown: false,
      table: linkTable,
    })
  }
}

/** Names of all that a document links to, as `nameKey` has them: its rows in a ledger may name these without a look. */
export function namesIn({ links }: DocTypeParts, doc: Doc): ReadonlySet<string> {
  const names = new Set<string>()
  const add = (
    { name: field, link, linkFrom, linkTable }: LinkField,
    places: readonly (Doc | Row)[],
  ): void => {
    let last: unknown
    for (const values of places) {
      const name = values[field]
      // Most rows name what the one before them does.
      if (typeof name !== 'string' || (name === last && link !== undefined)) continue
      last = name
      const doctype = link ?? values[linkFrom!]
      if (typeof doctype === 'string') names.add(nameKey({ doctype, table: linkTable, name }))
    }
  }
  for (const field of links.own) add(field, [doc])
  for (const { table, fields } of links.tables) {
    const rows = rowsOf(doc, table)
    for (const field of fields) add(field, rows)
  }
  return names
}

/** `DocType\0name`, of a row `DocType.table\0row`. */
export function nameKey({
  doctype,
  table,
  name,
}: Pick<OutgoingLink, 'doctype' | 'name'> & { readonly table?: string | undefined }): string {
  return `${table === undefined ? doctype : `${doctype}.${table}`}\0${name}`
}

/** The link fields of a DocType and of its tables: most fields are none. */
export function linkFieldsOf({ fields, behaviour }: DocTypeDefinition): LinkFields {
  const { follows, roles = {} } = behaviour.permissions ?? {}
  const isForAll = (roles[ALL_ROLE] ?? []).some((right) => WRITING.has(right))
  return {
    own: fields.flatMap((field) =>
      linkField(field, { isFollowed: field.name === follows, isForAll }),
    ),
    tables: fields.flatMap(({ name, child }) => {
      const columns = child?.fields.flatMap((column) => linkField(column, { isForAll })) ?? []
      return columns.length === 0 ? [] : [{ table: name, fields: columns }]
    }),
  }
}

const WRITING: ReadonlySet<string> = new Set(['all', 'create', 'update'])

function linkField(
  field: Field,
  { isFollowed = false, isForAll }: { readonly isFollowed?: boolean; readonly isForAll: boolean },
): readonly LinkField[] {
  const { name, link, linkFrom, linkTable, drafts: isOfDrafts = false } = field
  if (link === undefined && linkFrom === undefined) return []
  const isOpen = isForAll && linkFrom !== undefined
  return [{ name, link, linkFrom, linkTable, isFollowed, isOfDrafts, isOpen }]
}
