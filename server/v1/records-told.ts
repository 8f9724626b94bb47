import type { Preview, WireRecord } from '../../engine/documents/work/present.ts'
import type { Engine } from '../../engine/index.ts'
import type { Teller } from '../http/error-words.ts'
import type { Asked, Reply } from '../http/request-state.ts'
import { createWords } from './catalog-words.ts'

/** Teller of what is said to the caller of a request; undefined for English. */
export type CallersTeller = (request: Asked, response: Reply) => Teller | undefined

/** Makes what finds the teller of a caller: of their own language, else one that the request accepts. */
export function callersTeller(engine: Pick<Engine, 'services'>): CallersTeller {
  const words = createWords()
  return (request, response) => {
    response.vary('Accept-Language')
    return words.teller(engine.services, response.locals.actor.user?.language, request)
  }
}

/** A preview whose problems are told. */
export function toldPreview(preview: Preview, tell: Teller): Preview {
  const problems = preview.problems.map((one) => ({ ...one, message: tell(one.message) }))
  return { ...preview, problems }
}

/** A record whose `_can` says in the reader's words why something is not possible. */
export function toldCan(record: WireRecord, tell: Teller): WireRecord {
  const { _can } = record
  return typeof _can === 'object' && _can !== null
    ? { ...record, _can: toldWhys(_can, tell) }
    : record
}

function toldWhys(can: object, tell: Teller): object {
  return Object.fromEntries(
    Object.entries(can).map(([name, why]: [string, unknown]) => {
      if (typeof why === 'string') return [name, tell(why)]
      const isActions = typeof why === 'object' && why !== null && !Array.isArray(why)
      return [name, isActions ? toldWhys(why, tell) : why]
    }),
  )
}
