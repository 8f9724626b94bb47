import { lookBackOn } from '../history/look-back.ts'
import type { LookBackInput } from '../history/look-later.ts'
import { cascade } from '../work/cascade.ts'
import type { Context } from '../work/context.ts'
import type { Written } from '../work/work.ts'
import { runTogether } from './operation.ts'

/**
 * Goes on with a looking back that was left to a job, by at least `most` difference rows in one transaction; returns how
 * many it posted, 0 where nothing is left. Throws VALIDATION_ERROR where the ledgers do not take them.
 */
export async function lookOn(
  context: Context,
  input: LookBackInput,
  most: number,
): Promise<number> {
  let posted = 0
  await runTogether(context, async (work) => {
    const writes: Written[] = []
    posted = await lookBackOn(work, input, most, writes)
    await cascade(work, writes)
    return []
  })
  return posted
}
