/** The event of `POST /v1/webhooks/{id}/test`: sent to the endpoint that asks, never to others, and not logged. */
export const TEST_EVENT = 'webhooks.test'
