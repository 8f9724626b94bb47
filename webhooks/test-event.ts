import { validationError } from '../engine/base/errors.ts'
import type { Registry } from '../engine/definition/registry.ts'
import { eventsOf } from '../engine/schema/catalog.ts'
import { recordExample } from '../engine/schema/openapi-examples.ts'
import type { Test } from './redeliver.ts'
import type { ShownWebhook } from './shown-webhook.ts'
import { TEST_EVENT } from './workspace-events.ts'

/**
 * What a test sends: the subscription itself, or, for the name of an event, the example of its data. Throws
 * 422 for an event that does not exist.
 */
export function testOf(registry: Registry, webhook: ShownWebhook, event: string | undefined): Test {
  if (event === undefined || event === TEST_EVENT)
    return { event: TEST_EVENT, data: JSON.stringify(webhook) }
  const dot = event.indexOf('.')
  const definition = registry.bySlug(event.slice(0, dot))
  // Aliases work here as they do in patterns.
  const name = `${definition?.slug}${event.slice(dot)}`
  if (!definition || !eventsOf(definition).includes(name))
    throw validationError([
      {
        field: 'event',
        message: `there is no event ${JSON.stringify(event.slice(0, 80))}; GET /v1/webhooks/events lists them`,
      },
    ])
  return { event: name, data: JSON.stringify(recordExample(definition)) }
}
