/** An event of the workspace itself, beside those of its resources. */
export interface WorkspaceEvent {
  readonly event: string
  readonly resource: string
  readonly kind: string
  readonly description: string
}

/** What one can subscribe to beside what the definitions declare. `webhooks` is a reserved slug (contract §1). */
export const WORKSPACE_EVENTS: readonly WorkspaceEvent[] = [
  {
    event: 'webhooks.disabled',
    resource: 'webhooks',
    kind: 'disabled',
    description:
      'An endpoint was disabled because every delivery to it was given up for five days.',
  },
]

/** The event of `POST /v1/webhooks/{id}/test`: sent to the endpoint that asks, never to others. */
export const TEST_EVENT = 'webhooks.test'
