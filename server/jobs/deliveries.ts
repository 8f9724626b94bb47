import type { Logger } from 'pino'
import type { Engine } from '../../engine/index.ts'
import { createBackoff, DEFAULT_BASE } from '../../webhooks/backoff.ts'
import { DISABLE_AFTER, Dispatcher, type DispatcherStats } from '../../webhooks/dispatcher.ts'
import { createSender } from '../../webhooks/sending/send.ts'
import type { TargetPolicy } from '../../webhooks/sending/target.ts'
import { ownersOf } from '../auth/people.ts'
import { header } from '../observe/metrics.ts'

export interface DeliveryOptions {
  readonly engine: Engine
  readonly secretKey: Buffer
  readonly logger: Logger
  readonly policy: TargetPolicy
  /** Wait before the second attempt, in ms; the schedule and all that is measured by it scale with it. */
  readonly retryBaseMs?: number | undefined
}

/** Starts what delivers the workspace's webhooks; of several processes on one database each takes its share. */
export function startDeliveries({
  engine,
  secretKey,
  logger,
  policy,
  retryBaseMs = DEFAULT_BASE,
}: DeliveryOptions): Dispatcher {
  return new Dispatcher({
    engine,
    secretKey,
    logger,
    sender: createSender({ policy }),
    findOwner: (login, tx) => ownersOf(engine.services)(login, tx),
    backoff: createBackoff({ baseMs: retryBaseMs }),
    disableAfterMs: (DISABLE_AFTER * retryBaseMs) / DEFAULT_BASE,
  })
}

/** The dispatcher's counters in the text format of Prometheus. */
export function deliveryLines({ delivered, failed, underWay }: DispatcherStats): string[] {
  const attempts = 'svc_webhook_attempts_total'
  const current = 'svc_webhook_attempts_in_flight'
  return [
    ...header(attempts, 'counter', 'Attempts to deliver webhooks, by how they ended.'),
    `${attempts}{outcome="ok"} ${delivered}`,
    `${attempts}{outcome="failed"} ${failed}`,
    ...header(current, 'gauge', 'Attempts to deliver webhooks under way now.'),
    `${current} ${underWay}`,
  ]
}
