import { canSee } from '../../engine/access/can.ts'
import type { Context } from '../../engine/documents/work/context.ts'
import type { Engine } from '../../engine/index.ts'
import { waitingFields } from '../../engine/schema/shapes/waiting-fields.ts'
import type { LastHeaders } from '../http/request-state.ts'

/** Fields that are named at most; then how many more there are. */
const MOST_NAMED = 20

/**
 * Says on each answer of somebody known which fields do not have all their values yet: `X-Filling:
 * customers.lifetime_value, items.margin`. A record alone has them; lists, counts, reports and sums are of what is stored.
 */
export function fillingHeader(engine: Pick<Engine, 'services' | 'context'>): LastHeaders {
  return function putFillingHeader(response) {
    if (engine.services.unfilled.now.columns.size === 0) return
    const { actor, tier } = response.locals
    const fields = actor ? fieldsOf(engine.context(actor, tier)) : []
    if (fields.length > 0) response.setHeader('X-Filling', shortened(fields))
  }
}

/** Fields that wait for their values, of what the caller may see: `customers.lifetime_value`. */
function fieldsOf(context: Context): readonly string[] {
  const { services } = context
  const waiting = services.unfilled.now
  return services
    .knownRegistry(context)
    .all.filter((definition) => waiting.waits(definition) && canSee(context, definition))
    .flatMap((definition) =>
      waitingFields(waiting, definition).map((field) => `${definition.slug}.${field}`),
    )
}

function shortened(fields: readonly string[]): string {
  const named = fields.slice(0, MOST_NAMED).join(', ')
  const more = fields.length - MOST_NAMED
  return more > 0 ? `${named}, and ${more} more` : named
}
