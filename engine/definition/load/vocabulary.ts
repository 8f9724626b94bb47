import { modulesSchemaJson } from '../grammar/modules-schema.ts'
import { createShapeCheck } from '../grammar/shape.ts'
import { type Hooks, NO_VOCABULARY, type Vocabulary } from '../model/vocabulary.ts'
import { DefinitionErrors, type DefinitionProblem } from '../yaml/problems.ts'
import { createPlaces, isMap, readSource, type SourceFile } from '../yaml/source.ts'
import { type ReadFolders, readFolders, readVocabularyFiles } from './folders.ts'

/** The vocabulary of these folders. Throws DefinitionErrors with every mistake in the files that declare it. */
export function loadVocabulary(
  folders: readonly string[],
  hooks: Hooks = NO_VOCABULARY.hooks,
): Vocabulary {
  const files = readVocabularyFiles(folders)
  const problems = [...files.problems]
  const vocabulary = vocabularyOf(files, hooks, problems)
  if (problems.length > 0) throw new DefinitionErrors(problems)
  return vocabulary
}

/** The files of these folders, with what they and the hooks let DocTypes name. */
export function readWithVocabulary(
  folders: readonly string[],
  hooks: Hooks,
): ReadFolders & { readonly vocabulary: Vocabulary } {
  const files = readFolders(folders)
  const problems = [...files.problems]
  const vocabulary = vocabularyOf(files, hooks, problems)
  return { ...files, vocabulary, problems }
}

/**
 * What files declare, later ones over earlier ones. Mistakes go to `problems`; nobody is held to a list with a
 * mistake in it, which would be told again at every DocType.
 */
function vocabularyOf(
  { modules, plans }: Pick<ReadFolders, 'modules' | 'plans'>,
  hooks: Hooks,
  problems: DefinitionProblem[],
): Vocabulary {
  const mistakes: DefinitionProblem[] = []
  const declared = new Map(modules.flatMap((file) => modulesIn(file, mistakes)))
  problems.push(...mistakes)
  return {
    hooks,
    modules: mistakes.length > 0 ? NO_VOCABULARY.modules : declared,
    tiers: plans === undefined ? [] : tiersIn(plans, problems),
  }
}

function modulesIn(file: SourceFile, problems: DefinitionProblem[]): [string, string][] {
  const { data, problems: syntax } = readSource(file)
  problems.push(...syntax)
  if (syntax.length > 0) return []
  const shape = createShapeCheck(modulesSchemaJson())(data)
  const places = createPlaces()
  for (const { path, part, message } of shape)
    problems.push({ file: file.path, ...places.at(file, path, part), message })
  if (shape.length > 0) return []
  const { modules } = data as { readonly modules: Readonly<Record<string, string>> }
  return Object.entries(modules)
}

/** Only their names: what else is wrong with plans.yaml is told by who reads the plans (engine/access). */
function tiersIn(file: SourceFile, problems: DefinitionProblem[]): string[] {
  const { data, problems: syntax } = readSource(file)
  problems.push(...syntax)
  const plans: unknown = isMap(data) ? data.plans : undefined
  if (!Array.isArray(plans)) return []
  return plans.flatMap((plan: unknown) =>
    isMap(plan) && typeof plan.slug === 'string' ? [plan.slug] : [],
  )
}
