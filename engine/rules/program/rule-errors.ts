import type { LoadedDefinitions } from '../../definition/load/load.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { DefinitionProblem } from '../../definition/yaml/problems.ts'
import { locate } from '../../expression/tree/problem.ts'
import type { RuleProblem } from '../base/compiled-rule.ts'

type Positions = LoadedDefinitions['positions']

/** Mistakes in a DocType's expressions as `file:line:column` problems of its YAML. */
export function ruleErrors(
  definition: DocTypeDefinition,
  problems: readonly RuleProblem[],
  positions: Positions,
): DefinitionProblem[] {
  return problems.map(({ path, source, offset, message }) => {
    const inRows = placeInRows(definition, path, positions)
    const { doctype, files } = definition
    const place = inRows?.place ??
      positions(doctype, path) ?? { file: files[0] ?? doctype, line: 1, column: 1 }
    const where = inRows ? `, as rows of ${inRows.table}` : ''
    const shown = source.replace(/\s+/g, ' ').trim()
    const quoted = shown === '' ? '' : `  in  \`${shown}\``
    const { unwritten = 0, ...start } = place
    const written = Math.max(0, offset - unwritten)
    return { ...locate(written, source, start), message: `${message}${quoted}${where}` }
  })
}

/** Place of a mistake in rows whose DocType has a file of its own: their rules stand there, not in the table's file. */
function placeInRows(
  { doctype, fields }: DocTypeDefinition,
  [, table, ...inRow]: RuleProblem['path'],
  positions: Positions,
): { readonly place: ReturnType<Positions>; readonly table: string } | undefined {
  const child = fields.find(({ name }) => name === table)?.child
  const isOfRows = inRow[0] === 'fields' || inRow[0] === 'find'
  const place = child && isOfRows ? positions(child.name, inRow) : undefined
  return place && { place, table: `${doctype}.${table}` }
}
