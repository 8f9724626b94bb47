import { json } from 'node:stream/consumers'
import { DefinitionErrors } from '../../engine/definition/yaml/problems.ts'
import { hooks } from '../../hooks/index.ts'
import type { CheckAnswer, CheckQuestion } from '../../server/studio/check-beside.ts'
import { checkDefinitions } from '../../server/studio/check-definitions.ts'

/** A process of its own that checks definitions: the folders as JSON on stdin, mistakes and warnings as JSON on stdout. */
export async function checkOnStdin(): Promise<void> {
  const { doctypes, cacheFolder } = (await json(process.stdin)) as CheckQuestion
  process.stdout.end(JSON.stringify(answerTo({ doctypes, cacheFolder })))
}

function answerTo(question: CheckQuestion): CheckAnswer {
  try {
    const { warnings } = checkDefinitions({ ...question, hooks })
    return { problems: [], warnings }
  } catch (error) {
    if (!(error instanceof DefinitionErrors)) throw error
    return { problems: error.problems, warnings: [] }
  }
}
