import type { Outcome } from './ask.ts'
import type { Deed } from './client.ts'
import { isOk, type Recipe } from './recipes.ts'
import { type Counting, noneSeen } from './seen.ts'
import { takeIn } from './written.ts'

/** What is kept of all answers. */
export interface Judge {
  readonly counts: Counting
  /** Sentences about answers that should not have come. */
  readonly problems: readonly string[]
  /** Refused creations of a recipe. */
  refusals(recipe: Recipe): number
  /** Takes in the outcome of a change; false where it has to be asked for again. */
  change(deed: Deed, outcome: Outcome): boolean
  read(slug: string, outcome: Outcome): void
}

const MOST_PROBLEMS = 20

export function createJudge(): Judge {
  const counts = noneSeen()
  const problems: string[] = []
  const refusals = new Map<Recipe, number>()

  function complain(problem: string): void {
    if (problems.length < MOST_PROBLEMS) problems.push(problem)
  }

  function done({ document, request, step }: Deed, body: Readonly<Record<string, unknown>>): true {
    counts.acknowledged += 1
    const problem = takeIn(document, step, request, body)
    if (problem !== undefined) complain(problem)
    return true
  }

  function refused({ document, step }: Deed): true {
    const { recipe } = document
    counts.refused += 1
    document.open = undefined
    if (step === 'create') refusals.set(recipe, (refusals.get(recipe) ?? 0) + 1)
    return true
  }

  function wrong(what: string, { status, body }: Exclude<Outcome, string>): false {
    counts.wrong += 1
    const message = (body?.error as { message?: string } | undefined)?.message ?? 'no message'
    complain(`${what} was answered ${status}: ${message}`)
    return false
  }

  return {
    counts,
    problems,
    refusals: (recipe) => refusals.get(recipe) ?? 0,
    change(deed, outcome) {
      const { document, request, step } = deed
      if (outcome === 'silence' || outcome === 'closed') {
        counts.silence += 1
        if (outcome === 'silence' && step === 'create') document.wasOpen = true
        return false
      }
      const { status, body = {}, isTooEarly } = outcome
      // Whoever removes it again finds that it is gone.
      const isGone = step === 'remove' && status === 404 && document.open !== undefined
      if (isOk(outcome) || isGone) return done(deed, body)
      if (isTooEarly) return false
      if (status === 503) {
        counts.unavailable += 1
        return false
      }
      if (status < 500) return refused(deed)
      return wrong(`${request.method} /v1/${document.recipe.slug}`, outcome)
    },
    read(slug, outcome) {
      if (outcome === 'silence' || outcome === 'closed') counts.silence += 1
      else if (isOk(outcome)) counts.read += 1
      else if (outcome.status === 503) counts.unavailable += 1
      else wrong(`GET /v1/${slug}`, outcome)
    },
  }
}
