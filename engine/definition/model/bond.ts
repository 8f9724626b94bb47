import type { Field } from '../../fields/field.ts'
import type { DocTypeDefinition } from './definition.ts'
import type { Registry } from './registry.ts'

/**
 * Bond of a link whose records belong to one of another DocType (`belongs_to`): only those of the same may be named.
 *
 *     { doctype: 'Account', theirs: 'company', owner: 'Company', ours: 'company', isOfRow: false }
 */
export interface Bond {
  /** DocType of the records that the link names. */
  readonly doctype: string
  /** Link of theirs that says what they belong to. */
  readonly theirs: string
  /** DocType of what they belong to. */
  readonly owner: string
  /** Field that says what the naming record belongs to. */
  readonly ours: string
  /** Whether `ours` stands in the row of the link; else in the record. */
  readonly isOfRow: boolean
}

/**
 * The bond of a field of a DocType, or of `columns` of one of its tables; undefined where the link names what belongs to
 * nobody, or the record says not what it belongs to itself. What it belongs to stands in the field that is called as
 * over there, in the row or else in the record, else in another link to the same; an owner stands for itself.
 */
export function bondOf(
  registry: Registry,
  definition: Pick<DocTypeDefinition, 'doctype' | 'fields' | 'idField'>,
  field: Field,
  columns?: readonly Field[],
): Bond | undefined {
  if (field.link === undefined || field.linkTable !== undefined) return undefined
  const target = registry.byDoctype(field.link)
  const theirs = target?.belongsTo
  if (!target || theirs === undefined) return undefined
  const owner = registry.fieldOf(target, theirs)?.link
  if (owner === undefined) return undefined
  const { doctype } = target
  const inRow = columns && ownerLink(columns, theirs, owner)
  if (inRow !== undefined) return { doctype, theirs, owner, ours: inRow, isOfRow: true }
  const ours =
    definition.doctype === owner ? definition.idField : ownerLink(definition.fields, theirs, owner)
  return ours === undefined ? undefined : { doctype, theirs, owner, ours, isOfRow: false }
}

function ownerLink(fields: readonly Field[], theirs: string, owner: string): string | undefined {
  let first: string | undefined
  for (const { name, link, linkTable } of fields) {
    if (link !== owner || linkTable !== undefined) continue
    if (name === theirs) return name
    first ??= name
  }
  return first
}
