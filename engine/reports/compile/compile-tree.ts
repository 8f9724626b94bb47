import { fieldTypes } from '../../fields/index.ts'
import type { ColumnDeclaration, ReportDeclaration } from '../declare/declaration.ts'
import type { TreePlan } from '../declare/report.ts'
import type { Site } from '../declare/site.ts'
import type { OpenSource } from './compile-source.ts'

/** The tree that the rows are rolled up in: that of the DocType which the column links to. */
export function treeTarget(
  site: Site,
  { tree, columns }: ReportDeclaration,
  open: readonly OpenSource[],
): TreePlan | undefined {
  if (tree === undefined) return undefined
  const column = columns[tree]
  if (!column) {
    site.complain(['tree'], `no column ${JSON.stringify(tree)}`)
    return undefined
  }
  const link = linkOf(tree, column, open)
  const definition = link === undefined ? undefined : site.registry.byDoctype(link)
  const parent = definition?.tree
  if (definition && parent !== undefined) return { column: tree, definition, parent }
  site.complain(['tree'], 'expected a column that links to a DocType whose records form a tree')
  return undefined
}

/** The DocType a column links to: as it says itself, else as the field that it is. */
function linkOf(
  name: string,
  { type, options }: ColumnDeclaration,
  open: readonly OpenSource[],
): string | undefined {
  const values = open.flatMap((source) => source.values.get(name) ?? [])
  if (values.length === 0) return undefined
  if (type === undefined) return values.find(({ field }) => field)?.field?.link
  const isLink = fieldTypes.get(type)?.optionsMean === 'doctype'
  return isLink && typeof options === 'string' ? options : undefined
}
