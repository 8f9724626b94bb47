import type { DocTypeDefinition } from './definition.ts'

/** The link by which records of a DocType form a tree; Frappe's trees name their parent in `parent_<doctype>`. */
export function parentLink({ doctype, fields }: DocTypeDefinition): string | undefined {
  return fields.find(({ name, link }) => link === doctype && name.startsWith('parent_'))?.name
}
