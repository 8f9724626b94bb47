import { once } from '../../base/once.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { type Doc, rowsOf } from '../../storage/database/document.ts'
import { type ComputedSince, rowTable } from '../../storage/migration/computed-columns.ts'
import type { GraphNode } from '../base/graph.ts'
import { rollupFields } from '../rollups/rollup-fields.ts'

/** Paths of cells that stay as they are. */
export type KeptCells = ReadonlySet<string>

const NONE: KeptCells = new Set()

/** What says which cells of a document were made under an earlier definition and stay so. */
export type KeptCellsOf = (doc: Doc, since: ComputedSince | undefined) => KeptCells

/**
 * Makes what finds the formulas of a document that stay as its submit has made them: it was made before they were
 * changed, and is a book since (docs/decisions/0064). What follows from rollups, and the status, goes on following.
 * `cells` are formulas and status in the order of their dependencies.
 */
export function keptCellsOf(
  definition: DocTypeDefinition,
  cells: readonly GraphNode[],
): KeptCellsOf {
  const own = once(() => ownColumns(definition, cells))
  return (doc, since) => {
    if (!since || since.size === 0) return NONE
    if (doc.docstatus === 0 && !definition.behaviour.ledger) return NONE
    const kept = own().flatMap(({ path, column }) => {
      const changed = since.get(column)
      return changed !== undefined && doc.created <= changed ? [path] : []
    })
    return kept.length === 0 ? NONE : new Set(kept)
  }
}

/** Paths of what changes without a person writing the document: what reads rollups, and the status. */
export function followingCells(
  definition: DocTypeDefinition,
  cells: readonly GraphNode[],
): ReadonlySet<string> {
  const following = new Set(
    rollupFields(definition).map(({ table, field }) =>
      table === undefined ? field.name : `${table}.${field.name}`,
    ),
  )
  const { status } = definition.behaviour
  for (const { path, reads } of cells)
    if ((status?.derive && path === status.field) || reads.some((read) => following.has(read)))
      following.add(path)
  return following
}

/** Whether something that a cell reads differs between two images. */
export function hasOtherInput({ reads }: GraphNode, doc: Doc, before: Doc): boolean {
  return reads.some((read) => {
    const [field = '', column] = read.split('.')
    const now = rowsOf(doc, field)
    const then = rowsOf(before, field)
    if (column === undefined && !Array.isArray(doc[field]))
      return (doc[field] ?? null) !== (before[field] ?? null)
    return (
      now.length !== then.length ||
      (column !== undefined &&
        now.some((row, index) => (row[column] ?? null) !== (then[index]?.[column] ?? null)))
    )
  })
}

function ownColumns(
  definition: DocTypeDefinition,
  cells: readonly GraphNode[],
): readonly { readonly path: string; readonly column: string }[] {
  const following = followingCells(definition, cells)
  return cells
    .filter(({ path }) => !following.has(path))
    .map(({ path }) => {
      const [first = '', column] = path.split('.')
      const table = rowTable(definition.table, column === undefined ? undefined : first)
      return { path, column: `${table}.${column ?? first}` }
    })
}
