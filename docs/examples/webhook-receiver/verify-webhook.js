import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * True when a delivery comes from the workspace: `rawBody` is the body as it came in (Buffer or string,
 * before JSON.parse), `header` is the value of X-Svc-Signature, `secret` that of the subscription.
 *
 *   app.post('/hook', express.raw({ type: 'application/json' }), (request, response) => {
 *     const header = request.get('X-Svc-Signature')
 *     if (!verifyWebhook(request.body, header, process.env.WEBHOOK_SECRET)) return response.sendStatus(401)
 *     response.sendStatus(204) // within 5 seconds; do the work later
 *   })
 */
export function verifyWebhook(rawBody, header, secret, toleranceSeconds = 300) {
  const parts = String(header ?? '')
    .split(',')
    .map((part) => part.trim())
  const [timestamp = ''] = valuesOf(parts, 't=')
  const age = Math.abs(Date.now() / 1000 - Number(timestamp || Number.NaN))
  if (!(age <= toleranceSeconds)) return false
  const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(rawBody).digest()
  // While the secret is being rotated there are several v1; any that matches will do.
  return valuesOf(parts, 'v1=')
    .map((hex) => Buffer.from(hex, 'hex'))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected))
}

function valuesOf(parts, name) {
  return parts.filter((part) => part.startsWith(name)).map((part) => part.slice(name.length))
}
