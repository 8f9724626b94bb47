import { Router } from 'express'
import type { Logger } from 'pino'
import type { Engine } from '../engine/index.ts'
import type { Billing } from './billing/billing.ts'
import { receiveEvent } from './billing/receive.ts'
import { readBytes } from './http/body.ts'
import { heldOfGuests } from './http/held-bytes.ts'
import { methodNotAllowed } from './http/not-found.ts'
import { takes } from './http/query-parameters.ts'

/**
 * `/hooks`: where the payment provider's signed events arrive (contract §4); no part of the public interface. The
 * body is read as bytes, because the signature is over them. Every event that is genuine is answered with 200,
 * so that the provider sends again only what could not be followed.
 */
export function paymentEventRoutes(engine: Engine, { provider }: Billing, logger: Logger): Router {
  const router = Router({ caseSensitive: true })
  if (!provider?.hearsEvents) return router
  router.post(`/${provider.name}`, takes(), async (request, response) => {
    const signature = request.headers[`${provider.name}-signature`]
    const body = await readBytes(request, { held: heldOfGuests(request) })
    const received = await receiveEvent(
      engine.services,
      provider,
      body,
      typeof signature === 'string' ? signature : undefined,
    )
    logger.info(received, 'an event of the payment provider')
    response.status(200).json({ received: true })
  })
  router.all(`/${provider.name}`, methodNotAllowed('POST'))
  return router
}
