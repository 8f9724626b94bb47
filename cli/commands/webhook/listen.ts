import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readPort } from '../../../server/settings/setting-values.ts'
import { newSecret, secretProblem } from '../../../webhooks/signing/signature.ts'
import { addressFailure } from '../../address-failure.ts'
import { UsageError } from '../../failure.ts'
import { printable } from '../../terminal/printable.ts'
import { forward, forwardedText } from './forward.ts'
import { asLine, asText, createReader, type Received } from './received.ts'
import { LISTENER_LABEL, type Registration, registerListener } from './register.ts'
import { type ApiFlags, openApi, type WorkspaceApi, workspaceUrl } from './workspace-api.ts'

/** The flags of `svc webhook listen`, as commander hands them over. */
export interface ListenFlags extends ApiFlags {
  readonly port: string
  readonly secret?: string
  readonly register?: boolean
  readonly events?: readonly string[]
  readonly forwardTo?: string
  readonly json?: boolean
}

const HOST = '127.0.0.1'
/** Deliveries stay far below; in bytes. */
const MOST_BODY = 5 * 1024 * 1024

/** Handling of each delivery. */
interface Receiving {
  readonly read: ReturnType<typeof createReader>
  /** Address to which verified deliveries are passed on. */
  readonly to: URL | undefined
  readonly json: boolean
}

/**
 * Receives deliveries, prints them and answers 204 when the signature holds, 401 when not. Runs until SIGINT or
 * SIGTERM. Events go to stdout; so does the line that says where it listens, except for programs (`--json`), which
 * get it on stderr. With `--register` the workspace is subscribed for as long, and with `--forward-to` the answer is
 * that of the receiver behind it.
 */
export async function listen(flags: ListenFlags): Promise<void> {
  const { port, secret, register = false, json = false } = flags
  assertSecret(secret)
  if (flags.events !== undefined && !register)
    throw new UsageError('--events: only --register subscribes to events; add it')
  const to = targetOf(flags.forwardTo)
  const api = register ? openApi(flags) : undefined
  const address = workspaceUrl(flags)
  const expected = secret ?? newSecret()
  const isGenerated = secret === undefined && !register
  const receiving = { read: createReader({ secret: expected, isGenerated }), to, json }
  const server = createServer((request, response) => {
    receive(request, response, receiving).catch((error: unknown) => {
      // A sender that hangs up is no reason to stop listening to the others.
      console.error(`svc: a request broke off: ${printable(String(error))}`)
      response.destroy()
    })
  })
  const url = `http://${HOST}:${await listenOn(server, portOf(port))}`
  const note = json ? console.error : console.log
  const events = eventsOf(flags.events)
  const registration = await subscribed(server, api, { url, events, secret: expected })
  endWithSignal(server, registration)
  note(`listening on ${url}`)
  if (registration && api)
    console.error(
      `registered ${registration.id} at ${api.url} for ${events.join(', ')}; it ends with this listener`,
    )
  if (isGenerated) console.error(howToRegister(address, url, expected))
}

/** `a,b` and `--events a --events b` are the same; all events without any. */
function eventsOf(given: readonly string[] | undefined): readonly string[] {
  if (given === undefined) return ['*']
  const events = given.flatMap((text) => text.split(',')).map((text) => text.trim())
  if (events.includes(''))
    throw new UsageError('--events: expected events such as sales-invoices.paid,customers.*')
  return events
}

function targetOf(text: string | undefined): URL | undefined {
  if (text === undefined) return undefined
  const url = URL.parse(text)
  if (url && /^https?:$/.test(url.protocol) && url.username === '') return url
  throw new UsageError(
    `--forward-to: expected an address such as http://localhost:3000/hook, got ${JSON.stringify(text)}`,
  )
}

/** Deliveries may come before it is made, so the listener is there already; it goes when it cannot be. */
async function subscribed(
  server: Server,
  api: WorkspaceApi | undefined,
  wanted: { readonly url: string; readonly events: readonly string[]; readonly secret: string },
): Promise<Registration | undefined> {
  try {
    return api && (await registerListener(api, wanted))
  } catch (error) {
    server.close()
    server.closeAllConnections()
    throw error
  }
}

function assertSecret(secret: string | undefined): void {
  const problem = secret === undefined ? undefined : secretProblem(secret)
  if (problem !== undefined) throw new UsageError(`--secret: ${problem}`)
}

function portOf(text: string): number {
  try {
    return readPort(text)
  } catch (error) {
    throw new UsageError(`--port: ${(error as Error).message}`, { cause: error })
  }
}

async function listenOn(server: Server, port: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject).listen(port, HOST, resolve)
  try {
    await promise
  } catch (error) {
    throw addressFailure(error, { host: HOST, port })
  }
  return (server.address() as AddressInfo).port
}

/** Ends a subscription that nobody listens to any more, then the server; a second signal ends at once. */
function endWithSignal(server: Server, registration: Registration | undefined): void {
  let isEnding = false
  const end = async (): Promise<void> => {
    if (isEnding) process.exit(1)
    isEnding = true
    try {
      await registration?.end()
    } catch (error) {
      console.error(`svc: ${registration?.id} is still registered: ${(error as Error).message}`)
    }
    server.close(() => process.exit(0))
    server.closeAllConnections()
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void end())
}

/** The call that makes the workspace send here, to copy and paste. */
function howToRegister(api: string, url: string, secret: string): string {
  const body = JSON.stringify({ url, events: ['*'], secret, label: LISTENER_LABEL })
  return `no --secret given, so deliveries are expected to be signed with ${secret}
\`svc webhook listen --register\` registers it by itself. To do it by hand (KEY is an API key of scope write):

  curl ${api}/v1/webhooks -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" \\
    -d '${body}'
`
}

/** One request from its first byte to the answer. Rejects when it breaks off. */
async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  { read, to, json }: Receiving,
): Promise<void> {
  if (request.method !== 'POST') {
    answer(response.setHeader('Allow', 'POST'), 405, 'expected POST: this receives webhooks')
    return
  }
  const body = await bodyOf(request)
  if (body === undefined) {
    const problem = `expected a body of at most ${MOST_BODY} bytes`
    console.error(`svc: refused a request: ${problem}`)
    answer(response, 413, problem)
    return
  }
  const received = read({ headers: request.headers, body, now: Date.now() })
  if (!to || received.problem !== null) {
    console.log(json ? asLine(received) : asText(received))
    answerTo(received, response)
    return
  }
  if (!json) console.log(asText(received))
  const forwarded = await forward(to, request.rawHeaders, body)
  console.log(json ? asLine(received, forwarded) : printable(forwardedText(to, forwarded)))
  // The workspace tries again, and its log tells, as if it had sent there itself.
  if ('status' in forwarded) response.writeHead(forwarded.status).end()
  else answer(response, 502, forwarded.problem)
}

function answerTo({ problem }: Received, response: ServerResponse): void {
  if (problem === null) response.writeHead(204).end()
  else answer(response, 401, problem)
}

/** The text shows up in the delivery log of the sender. */
function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' }).end(`${text}\n`)
}

/** The whole raw body; undefined when there is more of it than we take. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    // The rest is read too, though not kept: a sender that is still sending would not see our answer.
    if (bytes <= MOST_BODY) chunks.push(chunk)
  }
  return bytes <= MOST_BODY ? Buffer.concat(chunks) : undefined
}
