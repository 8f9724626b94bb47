import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Field, MadeRows } from '../../fields/field.ts'
import type { Value } from '../../fields/field-type.ts'
import type { Rules } from '../../rules/program/compute.ts'
import { followingCells } from '../../rules/program/kept-cells.ts'
import type { Program } from '../../rules/program/program.ts'
import { type Doc, rowsOf, valueIn } from '../../storage/database/document.ts'

/** A formula or the derived status: what follows from the rest of its document. */
export interface ComputedCell {
  readonly table: string | undefined
  readonly field: Field
  /** True where it changes without a person writing its document: by a rollup, or as the status. */
  readonly isFollowing: boolean
}

/** Cells that a DocType computes, as far as they can be computed again from what is stored. */
export interface ComputedCells {
  readonly rules: Rules
  readonly cells: readonly ComputedCell[]
  /** Tables made of other rows (`rows`) that nothing changes after the submit. */
  readonly made: readonly MadeTable[]
}

/** A table made of the rows of another, or within the records that a link of these names. */
export interface MadeTable {
  readonly name: string
  readonly sources: readonly MadeSource[]
}

/** One table whose rows it is made of. */
export interface MadeSource {
  readonly each: string
  readonly within?: { readonly link: string; readonly doctype: string }
}

/** A cell that does not hold what follows from its document. */
export interface CellDifference {
  readonly cell: ComputedCell
  /** Place of the row, from 0. */
  readonly index: number | undefined
  readonly stored: Value
  readonly expected: Value
}

/** Names that only the write itself knew: the value before it, the person. */
const OF_THE_WRITE = /\b(old|user)\s*\.|\bchanged\s*\(/

export function computedCells(program: Program, definition: DocTypeDefinition): ComputedCells {
  const { plan: rules, nodes } = program.partsOf(definition).rules()
  const following = followingCells(definition, nodes)
  const unrepeatable = new Set<string>()
  const cells: ComputedCell[] = []
  // Nodes come in the order of their dependencies.
  for (const { path, reads } of nodes) {
    const [table, field] = cellAt(definition, path)
    const texts = textsOf(definition, path, field)
    if (!field || texts.length === 0) continue
    if (
      reads.some((read) => unrepeatable.has(read)) ||
      texts.some((text) => OF_THE_WRITE.test(text))
    )
      unrepeatable.add(path)
    else cells.push({ table, field, isFollowing: following.has(path) })
  }
  const made = definition.fields.filter(({ rows }) =>
    rows?.every((source) => isRepeatable(source, following)),
  )
  for (const { name, rows, child } of made)
    for (const field of child!.fields)
      if (rows!.some(({ set }) => Object.hasOwn(set, field.name)))
        cells.push({ table: name, field, isFollowing: false })
  return { rules, cells, made: made.map((field) => madeTableOf(definition, field)) }
}

/** Whether rows can be made again as they were: nothing they are made of changes without a person writing it. */
function isRepeatable(
  { each, as, within, if: condition, set }: MadeRows,
  following: ReadonlySet<string>,
): boolean {
  const texts = [...Object.values(set), ...(condition === undefined ? [] : [condition])]
  if (texts.some((text) => OF_THE_WRITE.test(text))) return false
  // What is behind links of parts is not kept.
  const behind = within && new RegExp(`(?<![\\w.])${within.as}\\.\\w+\\.`)
  if (behind && texts.some((text) => behind.test(text))) return false
  const names = texts.flatMap((text) => text.match(/[a-z_][\w.]*/gi) ?? [])
  return names.every((name) => !following.has(name.replace(`${as}.`, `${each}.`)))
}

/** The table that a field with `rows` is, as far as it can be made again. */
function madeTableOf({ fields }: DocTypeDefinition, { name, rows }: Field): MadeTable {
  const sources = rows!.map(({ each, within }): MadeSource => {
    if (!within) return { each }
    const [link = ''] = within.each.split('.')
    const columns = fields.find((field) => field.name === each)?.child?.fields
    const doctype = columns?.find((column) => column.name === link)?.link ?? ''
    return { each, within: { link, doctype } }
  })
  return { name, sources }
}

function cellAt(
  { fields }: DocTypeDefinition,
  path: string,
): readonly [table: string | undefined, field: Field | undefined] {
  const [first = '', column] = path.split('.')
  const field = fields.find(({ name }) => name === first)
  if (column === undefined) return [undefined, field]
  return [first, field?.child?.fields.find(({ name }) => name === column)]
}

/** The expressions a cell follows from; none for a status that is chosen. */
function textsOf(
  { behaviour: { status } }: DocTypeDefinition,
  path: string,
  field: Field | undefined,
): readonly string[] {
  if (field?.formula !== undefined) return [field.formula]
  return status?.field === path ? Object.values(status.derive ?? {}) : []
}

/** The computed cells in which two images of a document differ; both have the same rows. */
export function cellDifferences(
  cells: readonly ComputedCell[],
  stored: Doc,
  expected: Doc,
): readonly CellDifference[] {
  const found: CellDifference[] = []
  const add = (cell: ComputedCell, index: number | undefined, a: Value, b: Value): void => {
    if (a !== b) found.push({ cell, index, stored: a, expected: b })
  }
  for (const cell of cells) {
    const { table, field } = cell
    if (table === undefined) {
      add(cell, undefined, valueIn(stored, field.name), valueIn(expected, field.name))
      continue
    }
    const wanted = rowsOf(expected, table)
    for (const [index, row] of rowsOf(stored, table).entries())
      add(cell, index, row[field.name] ?? null, wanted[index]?.[field.name] ?? null)
  }
  return found
}

/** Value of the same cell in another image of its document. */
export function valueAt({ cell, index }: CellDifference, doc: Doc): Value {
  const { table, field } = cell
  if (table === undefined || index === undefined) return valueIn(doc, field.name)
  return rowsOf(doc, table)[index]?.[field.name] ?? null
}

/** Path of the cell: `outstanding`, `items[2].amount`. */
export function cellName({ cell: { table, field }, index }: CellDifference): string {
  return table === undefined ? field.name : `${table}[${index}].${field.name}`
}
