import type { Detail } from '../../engine/base/errors.ts'
import type { DocTypeDefinition, Field } from '../../engine/definition/definition.ts'

/** Fields a client can change, by name; of a table, the columns in question (all when empty). */
export type Inputs = ReadonlyMap<string, ReadonlySet<string>>

/**
 * What a client has to change to get rid of these problems: the fields they name, those the broken rule
 * reads, and, where one of them is computed, what it is computed from.
 */
export function inputsOfProblems(
  definition: DocTypeDefinition,
  problems: readonly Detail[],
): Inputs {
  const inputs = new Map<string, Set<string>>()
  const seen = new Set<string>()

  function blame(field: Field, table: Field | undefined): void {
    const path = table ? `${table.name}.${field.name}` : field.name
    if (seen.has(path)) return
    seen.add(path)
    const columns = inputs.get(table?.name ?? field.name) ?? new Set()
    if (table) columns.add(field.name)
    inputs.set(table?.name ?? field.name, columns)
    if (field.fetch) blameWords(field.fetch.link, table)
    if (field.linkFrom !== undefined) blameWords(field.linkFrom, table)
    if (field.formula !== undefined) blameWords(field.formula, table)
    if (field.requiredWhen !== undefined) blameWords(field.requiredWhen, table)
  }

  /** Fields an expression names: those of its own row, of the document, and of the rows it goes over. */
  function blameWords(source: string, table: Field | undefined): void {
    const words = new Set(source.match(/[a-z_]\w*/gi) ?? [])
    for (const field of definition.fields) {
      if (words.has(field.name)) blame(field, undefined)
      if (!field.child || !(words.has(field.name) || field === table)) continue
      for (const column of field.child.fields) if (words.has(column.name)) blame(column, field)
    }
  }

  for (const { field: path, message } of problems) {
    const [name = '', column] = path.replace(/\[\d+\]/, '').split('.')
    const field = definition.fields.find((one) => one.name === name)
    const inRow = field?.child?.fields.find((one) => one.name === column)
    if (inRow) blame(inRow, field)
    else if (field) blame(field, undefined)
    for (const rule of definition.behaviour.validate ?? []) {
      if (rule.field === path && rule.message === message) blameWords(rule.check, undefined)
    }
  }
  return inputs
}
