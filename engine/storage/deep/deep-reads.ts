import type { Errand, Lane, TakePage } from './errand.ts'
import { createTurns, type TurnLimits } from './turns.ts'
import type { WorkBudget } from './work-budget.ts'

/** Limits of long reads; each has its usual value. */
export interface DeepLimits extends TurnLimits {
  /** Longest time of one statement, in ms. */
  readonly budgetMs?: number
}

/** Longest time of one statement where nothing is said, in ms (contract §7.7). */
export const STATEMENT_BUDGET_MS = 5_000

/** Long reads: away from the serving thread, in fair turns, within a budget of each person. */
export interface DeepReads {
  /**
   * Runs a statement and hands its rows to `take`, page by page. Throws UNAVAILABLE for one that passes its budget or
   * does not get its turn, RATE_LIMITED where the person has no time left in this minute.
   */
  run(errand: Errand, text: string, parameters: readonly unknown[], take: TakePage): Promise<void>
}

/** Makes the long reads that these lanes run; without a budget nobody's work is counted. */
export function createDeepReads(
  lanes: readonly Lane[],
  budget?: WorkBudget,
  limits: TurnLimits = {},
): DeepReads {
  // Half of them: they work at the same time as the database itself does for everybody.
  const mostOfOne = Math.floor(lanes.length / 2)
  const turns = createTurns(lanes, { mostOfOne, ...limits })
  return {
    async run(errand, text, parameters, take) {
      budget?.assertLeft(errand.person)
      await turns.take(errand.person, async (lane) => {
        // Whoever waited in the row may have used up the minute meanwhile.
        budget?.assertLeft(errand.person)
        const began = performance.now()
        let worked: number | undefined
        try {
          worked = await lane.read(errand, text, parameters, take)
        } finally {
          budget?.use(errand.person, worked ?? performance.now() - began)
        }
      })
    },
  }
}
