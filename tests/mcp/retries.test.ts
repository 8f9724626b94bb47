import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type ApiAnswer, apiClient } from '../../mcp/api-client.ts'
import type { CallFailure } from '../../mcp/call-failure.ts'
import type { ApiRequest } from '../../mcp/request.ts'
import { behaves, type Receiver } from '../helpers/receivers.ts'

const retries = suite('retries of the tool server')
let api: Receiver | undefined

retries.after.each(async () => {
  await api?.close()
  api = undefined
})

const GET: ApiRequest = { method: 'GET', path: '/v1/tiers' }
const POST: ApiRequest = { method: 'POST', path: '/v1/leads', body: { lead_name: 'Ann' } }
const PATCH: ApiRequest = { method: 'PATCH', path: '/v1/leads/1', body: {} }
const DELETE: ApiRequest = { method: 'DELETE', path: '/v1/leads/1' }

const SETTINGS = {
  brand: 'Svc',
  version: '1.0.0',
  apiKey: 'svc_live_0123456789abcdef',
  timeoutMs: 60_000,
  isFull: false,
  debug: false,
}

/** A status with its Retry-After, or that the connection breaks without an answer. */
type Step = number | readonly [status: number, retryAfter: string] | 'breaks'

interface Tried {
  readonly outcome: ApiAnswer | CallFailure
  /** The waits between attempts, in ms; they are not waited for. */
  readonly waits: readonly number[]
  readonly keys: readonly (string | undefined)[]
}

/** Sends a request to an API that answers the attempts one after the other so, the last step for ever. */
async function tries(
  request: ApiRequest,
  steps: readonly Step[],
  timeoutMs = 60_000,
): Promise<Tried> {
  let at = 0
  api = await behaves((response, socket) => {
    const step = steps[Math.min(at, steps.length - 1)] ?? 200
    at += 1
    if (step === 'breaks') socket.destroy()
    else if (typeof step === 'number') response.writeHead(step).end(`{"status":${step}}`)
    else response.writeHead(step[0], { 'retry-after': step[1] }).end(`{"status":${step[0]}}`)
  })
  const waits: number[] = []
  const call = apiClient(
    { ...SETTINGS, apiBase: `http://127.0.0.1:${api.port}`, timeoutMs },
    async (ms) => waits.push(ms),
  )
  const outcome = await call(request, new AbortController().signal).catch((error) => error)
  return {
    outcome,
    waits,
    keys: api.requests().map(({ headers }) => headers['idempotency-key'] as string),
  }
}

const CASES: readonly (readonly [
  request: ApiRequest,
  steps: readonly Step[],
  waits: readonly number[],
  outcome: number | string,
])[] = [
  [GET, [200], [], 200],
  [GET, [500, 200], [1000], 200],
  [GET, [500, 500, 500, 200], [1000, 2000, 4000], 200],
  [GET, [500], [1000, 2000, 4000], 500],
  [GET, [[429, '7'], 200], [7000], 200],
  [GET, [429, 200], [1000], 200],
  [GET, [[429, '1']], [1000, 1000, 1000], 429],
  [GET, [[429, 'Tue, 01 Jan 2030 00:00:00 GMT'], 200], [1000], 200],
  [GET, [[503, '5'], 200], [5000], 200],
  [GET, [502, 504, 200], [1000, 2000], 200],
  [GET, ['breaks', 200], [1000], 200],
  [GET, ['breaks'], [1000, 2000, 4000], 'NETWORK_ERROR'],
  [POST, [500, 'breaks', 201], [1000, 2000], 201],
  [POST, [500, [409, '1'], 201], [1000, 1000], 201],
  [POST, ['breaks'], [1000, 2000, 4000], 'NETWORK_ERROR'],
  [PATCH, [[429, '2'], 200], [2000], 200],
  [DELETE, [500, [503, '1'], 204], [1000, 1000], 204],
  // What may have been done is not deleted again: the answer would be a 404.
  [DELETE, ['breaks'], [], 'NETWORK_ERROR'],
  [DELETE, [504], [], 504],
  ...[400, 401, 403, 404, 405, 409, 412, 413, 415, 422].map(
    (status) => [POST, [status], [], status] as const,
  ),
]

for (const [request, steps, waits, outcome] of CASES) {
  retries(`${request.method} answered ${steps.join(', ')} ends in ${outcome}`, async () => {
    const tried = await tries(request, steps)
    assert.is('status' in tried.outcome ? tried.outcome.status : tried.outcome.code, outcome)
    assert.equal(tried.waits, waits)
    assert.is(tried.keys.length, waits.length + 1)
    // One key for all attempts of a call: a repeated one changes nothing more.
    assert.is(new Set(tried.keys).size, 1)
    const isKeyed = request.method === 'POST' || request.method === 'PATCH'
    assert.is(typeof tried.keys[0], isKeyed ? 'string' : 'undefined')
  })
}

retries('end before the time of a call does: the answer there is comes at once', async () => {
  const { outcome, waits } = await tries(GET, [[429, '60'], 200], 50_000)
  assert.is((outcome as ApiAnswer).status, 429)
  assert.equal(waits, [])
})

retries('are not made where nothing was sent: no server, no trusted certificate', async () => {
  const secure = await behaves((response) => response.end('{}'), { tls: true })
  const gone = await behaves((response) => response.end('{}'))
  await gone.close()
  for (const [apiBase, message] of [
    [`https://127.0.0.1:${secure.port}`, /^no trusted TLS .*SELF_SIGNED.* NODE_EXTRA_CA_CERTS/],
    [`http://127.0.0.1:${secure.port}`, /^lost the connection/],
    [`https://127.0.0.1:${gone.port}`, /^cannot reach .*ECONNREFUSED; check/],
    ['http://nobody.invalid', /^cannot reach .*(ENOTFOUND|EAI_AGAIN)/],
  ] as const) {
    const waits: number[] = []
    const call = apiClient({ ...SETTINGS, apiBase }, async (ms) => waits.push(ms))
    const failure = await call(POST, new AbortController().signal).catch((error) => error)
    assert.match(failure.message, message)
    assert.is(waits.length, /lost/.test(failure.message) ? 3 : 0)
    assert.is(/unknown whether/.test(failure.message), waits.length > 0)
  }
  assert.equal(secure.requests(), [])
  await secure.close()
})

retries('have a key of their own for each call', async () => {
  const first = await tries(POST, [201])
  await api?.close()
  assert.is.not(first.keys[0], (await tries(POST, [201])).keys[0])
})

retries('that fail for a change say that nobody knows whether it was made', async () => {
  const { outcome } = await tries(DELETE, ['breaks'])
  assert.match((outcome as CallFailure).message, 'unknown whether the change was made')
  await api?.close()
  const read = await tries(GET, ['breaks'])
  assert.not.match((read.outcome as CallFailure).message, 'unknown whether')
})

retries('show the key nowhere, whatever the address sends back of what it was sent', async () => {
  const { apiKey } = SETTINGS
  api = await behaves((response) =>
    response
      .writeHead(400, { location: `http://x/?k=${apiKey}`, 'x-request-id': apiKey })
      .end(apiKey),
  )
  const call = apiClient({ ...SETTINGS, apiBase: `http://127.0.0.1:${api.port}` })
  const { headers, text } = await call(GET, new AbortController().signal)
  assert.is(headers.get('location'), 'http://x/?k=[API key]')
  assert.equal([headers.get('x-request-id'), text], ['[API key]', '[API key]'])
})

retries.run()
