import { validationError } from '../engine/base/errors.ts'
import type { Registry } from '../engine/definition/model/registry.ts'
import { resourceEvents } from '../engine/schema/catalogue/event-catalogue.ts'
import { workspaceEvents } from '../engine/schema/catalogue/workspace-events.ts'
import type { Test } from './redeliver.ts'
import type { ShownWebhook } from './shown-webhook.ts'

/** Event sent to the endpoint that asks for a test, never to others, and not logged. */
const TEST_EVENT = 'webhooks.test'

/**
 * Content of a test: the subscription itself, or, for the name of an event, the example of the catalogue. Aliases
 * work here as they do in patterns. Throws 422 for an event that does not exist.
 */
export function testOf(registry: Registry, webhook: ShownWebhook, event: string | undefined): Test {
  if (event === undefined || event === TEST_EVENT)
    return { event: TEST_EVENT, data: JSON.stringify(webhook) }
  const dot = event.indexOf('.')
  const definition = registry.bySlug(event.slice(0, dot))
  const entries = definition
    ? resourceEvents(registry, definition)
    : workspaceEvents(registry.vocabulary)
  const name = definition ? definition.slug + event.slice(dot) : event
  const found = entries.find((entry) => entry.event === name)
  if (found) return { event: found.event, data: JSON.stringify(found.example) }
  throw validationError([
    {
      field: 'event',
      message: `there is no event ${JSON.stringify(event.slice(0, 80))}; GET /v1/webhooks/events lists them`,
      code: 'not_an_option',
    },
  ])
}
