import PQueue from 'p-queue'
import { AppError } from '../../engine/base/errors.ts'
import { type Helper, runHelper } from '../../engine/base/helper-process.ts'
import type { DefinitionProblem } from '../../engine/definition/yaml/problems.ts'
import { CHECK_WORD } from './check-word.ts'

/** Folders of definitions, and where what passes is kept for who loads them next. */
export interface CheckQuestion {
  readonly doctypes: readonly string[]
  readonly cacheFolder: string
}

export interface CheckAnswer {
  readonly problems: readonly DefinitionProblem[]
  readonly warnings: readonly DefinitionProblem[]
}

const CHECK: Helper = {
  word: CHECK_WORD,
  file: 'cli/studio/definition-check-start.ts',
  mostMs: 60_000,
}

/** Checks that may wait for the one that runs. */
const MOST_WAITING = 10

/**
 * Checks definitions, one set after the other, each in a process of its own: it takes a second of a processor, in which nobody
 * else is to wait. What passes is kept in the cache folder, from where this process loads it in a moment.
 */
export function checksBeside(): (question: CheckQuestion) => Promise<CheckAnswer> {
  const queue = new PQueue({ concurrency: 1 })
  return async function checkBeside(question) {
    if (queue.size >= MOST_WAITING) throw tryAgain('many definitions wait to be checked')
    const bytes = await queue.add(() => runHelper(CHECK, Buffer.from(JSON.stringify(question))))
    if (bytes === undefined) throw tryAgain('the definitions could not be checked')
    return JSON.parse(bytes.toString()) as CheckAnswer
  }
}

function tryAgain(reason: string): AppError {
  return new AppError('UNAVAILABLE', `${reason}; try again`, { headers: { 'Retry-After': '2' } })
}
