import { isRefusal } from '../../engine/base/errors.ts'
import type { Engine } from '../../engine/index.ts'
import { toldError } from '../http/error-words.ts'
import { hasState } from '../http/request-id.ts'
import type { ErrorHandler } from '../http/request-state.ts'
import { createWords } from './catalog-words.ts'

/** Says refusals in the language of who asks: the one they chose, else one of `Accept-Language`; English where neither is. */
export function refusalsInWords(engine: Engine): ErrorHandler {
  const words = createWords()
  return function refusalStage(error, request, response, next) {
    if (!isRefusal(error)) return next(error)
    const own = hasState(response) ? response.locals.actor?.user?.language : undefined
    const tell = words.teller(engine.services, own, request)
    if (tell) response.vary('Accept-Language')
    next(tell ? toldError(error, tell) : error)
  }
}
