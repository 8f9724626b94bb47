import type { LoadedDefinitions, TextMistake } from '../../definition/load/load.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { DefinitionProblem } from '../../definition/yaml/problems.ts'
import type { RuleProblem } from '../base/compiled-rule.ts'

type Find = LoadedDefinitions['mistakeAt']

/** Mistakes in a DocType's expressions as `file:line:column` problems of its YAML. */
export function ruleErrors(
  definition: DocTypeDefinition,
  problems: readonly RuleProblem[],
  find: Find,
): DefinitionProblem[] {
  return problems.map(({ path, source, offset, length = 0, message }) => {
    const mistake = { source, offset, length }
    const inRows = placeInRows(definition, path, mistake, find)
    const { doctype, files } = definition
    const { source: written, ...place } = inRows?.place ??
      find(doctype, path, mistake) ?? { file: files[0] ?? doctype, line: 1, column: 1, source }
    const where = inRows ? `, as rows of ${inRows.table}` : ''
    const shown = written.replace(/\s+/g, ' ').trim()
    const quoted = shown === '' ? '' : `  in  \`${shown}\``
    return { ...place, message: `${message}${quoted}${where}` }
  })
}

/** Place of a mistake in rows whose DocType has a file of its own: their rules stand there, not in the table's file. */
function placeInRows(
  { doctype, fields }: DocTypeDefinition,
  [, table, ...inRow]: RuleProblem['path'],
  mistake: TextMistake,
  find: Find,
): { readonly place: ReturnType<Find>; readonly table: string } | undefined {
  const child = fields.find(({ name }) => name === table)?.child
  const isOfRows = inRow[0] === 'fields' || inRow[0] === 'find'
  const place = child && isOfRows ? find(child.name, inRow, mistake) : undefined
  return place && { place, table: `${doctype}.${table}` }
}
