import type { DocTypeDefinition } from '../definition/definition.ts'
import type { LoadedDefinitions } from '../definition/load.ts'
import type { DefinitionProblem } from '../definition/problems.ts'
import { locate } from '../expression/problem.ts'
import type { RuleProblem } from './steps.ts'

/** Mistakes in a DocType's expressions as `file:line:column` problems of its YAML. */
export function ruleErrors(
  { doctype, files }: DocTypeDefinition,
  problems: readonly RuleProblem[],
  positions: LoadedDefinitions['positions'],
): DefinitionProblem[] {
  return problems.map(({ path, source, offset, message }) => {
    const place = positions(doctype, path) ?? { file: files[0] ?? doctype, line: 1, column: 1 }
    return { ...locate(offset, source, place), message: `${message}  in  \`${source}\`` }
  })
}
