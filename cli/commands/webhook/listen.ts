import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readPort } from '../../../server/setting-values.ts'
import { newSecret, secretProblem } from '../../../webhooks/signature.ts'
import { addressFailure } from '../../address-failure.ts'
import { UsageError } from '../../failure.ts'
import { printable } from '../../printable.ts'
import { settingsOf } from '../../settings.ts'
import { asLine, asText, createReader, type Received } from './received.ts'

/** The flags of `svc webhook listen`, as commander hands them over. */
export interface ListenFlags {
  readonly port: string
  readonly secret?: string
  readonly json?: boolean
}

const HOST = '127.0.0.1'
/** Deliveries stay far below; in bytes. */
const MOST_BODY = 5 * 1024 * 1024

/**
 * A receiver that prints what it gets and answers 204 when the signature holds, 401 when not. Runs until
 * SIGINT or SIGTERM. Events go to stdout; so does the line that says where it listens, except for programs
 * (`--json`), which get it on stderr.
 */
export async function listen({ port, secret, json = false }: ListenFlags): Promise<void> {
  assertSecret(secret)
  const api = workspaceUrl()
  const expected = secret ?? newSecret()
  const read = createReader({ secret: expected, isGenerated: secret === undefined })
  const server = createServer((request, response) => {
    receive(request, response, read, json).catch((error: unknown) => {
      // A sender that hangs up is no reason to stop listening to the others.
      console.error(`svc: a request broke off: ${printable(String(error))}`)
      response.destroy()
    })
  })
  const url = `http://${HOST}:${await listenOn(server, portOf(port))}`
  const note = json ? console.error : console.log
  endWithSignal(server)
  note(`listening on ${url}`)
  if (secret === undefined) console.error(howToRegister(api, url, expected))
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

function endWithSignal(server: Server): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      server.close(() => process.exit(0))
      server.closeAllConnections()
    })
  }
}

/** Where the workspace of this environment answers; it is not asked. */
function workspaceUrl(): string {
  const { apiUrl, baseUrl, port } = settingsOf({}, process.env).settings
  return apiUrl ?? baseUrl ?? `http://${HOST}:${port}`
}

/** The call that makes the workspace send here, to copy and paste. */
function howToRegister(api: string, url: string, secret: string): string {
  const body = JSON.stringify({ url, events: ['*'], secret, label: 'svc webhook listen' })
  return `no --secret given, so deliveries are expected to be signed with ${secret}
To register it with the workspace (KEY is an API key of scope write):

  curl ${api}/v1/webhooks -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" \\
    -d '${body}'
`
}

/** One request from its first byte to the answer. Rejects when it breaks off. */
async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  read: ReturnType<typeof createReader>,
  json: boolean,
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
  console.log(json ? asLine(received) : asText(received))
  answerTo(received, response)
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
