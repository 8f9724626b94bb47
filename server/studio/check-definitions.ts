import { uncountedPostings } from '../../engine/definition/check/uncounted-postings.ts'
import { recordSetProblems } from '../../engine/definition/load/check-record-sets.ts'
import type { DefinitionSources } from '../../engine/definition/load/load-cached.ts'
import type { Registry } from '../../engine/definition/model/registry.ts'
import { DefinitionErrors, type DefinitionProblem } from '../../engine/definition/yaml/problems.ts'
import { loadChecked } from '../../engine/index.ts'
import { labelProblems } from '../print/labels.ts'

/** Definitions without a mistake, and what is doubtful about them. */
export interface CheckedDefinitions {
  readonly registry: Registry
  readonly warnings: readonly DefinitionProblem[]
}

/** All that `svc doctype check` looks at. Throws DefinitionErrors with every mistake. */
export function checkDefinitions(sources: DefinitionSources): CheckedDefinitions {
  const { doctypes: folders } = sources
  const { registry, positions } = loadChecked(sources)
  const wrong = [...recordSetProblems(folders, registry), ...labelProblems(folders)]
  if (wrong.length > 0) throw new DefinitionErrors(wrong)
  return { registry, warnings: uncountedPostings(registry, positions) }
}
