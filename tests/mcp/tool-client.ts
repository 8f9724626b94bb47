import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { ENTRY, type Finished, watched } from '../cli/process.ts'
import type { TestApp } from '../server/test-app.ts'

/** What a tool answered. */
export interface Answer {
  readonly content: readonly { readonly type: string; readonly text: string }[]
  readonly structuredContent: Readonly<Record<string, unknown>>
  readonly isError?: boolean
}

/** `svc mcp` in a process of its own, and the official client that speaks to it. */
export interface ToolClient {
  readonly client: Client
  call(name: string, args?: Readonly<Record<string, unknown>>): Promise<Answer>
  /** All of its stderr so far. */
  stderr(): string
  close(): Promise<void>
}

/** Starts `svc mcp` with these settings and no others. */
export async function connectTools(
  env: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Promise<ToolClient> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [ENTRY, 'mcp', ...args],
    env: { ...env },
    stderr: 'pipe',
  })
  let stderr = ''
  transport.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString()
  })
  const client = new Client({ name: 'tests', version: '1.0.0' })
  await client.connect(transport)
  return {
    client,
    call: async (name, given = {}) =>
      (await client.callTool({ name, arguments: given })) as unknown as Answer,
    stderr: () => stderr,
    close: () => client.close(),
  }
}

/** Everything `svc mcp` wrote until it ended. */
export interface Spoken extends Finished {
  /** Each line of stdout, by the id of the request it answers. */
  readonly answers: ReadonlyMap<number, Readonly<Record<string, unknown>>>
}

/** Gives `svc mcp` a greeting and these lines, closes its stdin, and waits for its end. */
export async function speak(
  env: Readonly<Record<string, string>>,
  lines: readonly string[],
  args: readonly string[] = [],
): Promise<Spoken> {
  const child = spawn(process.execPath, [ENTRY, 'mcp', ...args], { env: { ...env } })
  const { ended } = watched(child)
  child.stdin.end([GREETING, ...lines, ''].join('\n'))
  const finished = await ended
  const answers = finished.stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  return { ...finished, answers: new Map(answers.map((answer) => [Number(answer.id), answer])) }
}

const GREETING = [
  '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"tests","version":"1"}}}',
  '{"jsonrpc":"2.0","method":"notifications/initialized"}',
].join('\n')

/** A line that calls a tool; the arguments are JSON as it stands. */
export function callLine(id: number, name: string, json = '{}'): string {
  return `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${name}","arguments":${json}}}`
}

/** The first text of the answer to this call. */
export function textOf({ answers }: Pick<Spoken, 'answers'>, id: number): string {
  const { result } = (answers.get(id) ?? {}) as { readonly result?: Answer }
  return result?.content[0]?.text ?? JSON.stringify(answers.get(id))
}

/** One exchange over HTTP. */
export interface Exchange {
  readonly method: string
  readonly path: string
  readonly status: number
  /** The body of the answer as a client reads it. */
  readonly text: string
}

/** The real app behind a real socket, with what it was asked and what it answered. */
export interface RecordedServer {
  readonly url: string
  /** The last exchange. */
  last(): Exchange
  close(): Promise<void>
}

export async function serveRecorded({ app }: Pick<TestApp, 'app'>): Promise<RecordedServer> {
  const exchanges: Exchange[] = []
  const server = createServer((request, response) => {
    const sent: Buffer[] = []
    const { method = '', url: path = '' } = request
    const { write, end } = response
    const keep = (chunk: unknown) => {
      if (typeof chunk === 'string' || chunk instanceof Uint8Array) sent.push(Buffer.from(chunk))
    }
    response.write = (...args: unknown[]) => {
      keep(args[0])
      return write.apply(response, args as never)
    }
    response.end = (...args: unknown[]) => {
      keep(args[0])
      const body = Buffer.concat(sent)
      const isZipped = response.getHeader('content-encoding') === 'gzip'
      exchanges.push({
        method,
        path,
        status: response.statusCode,
        text: (isZipped ? gunzipSync(body) : body).toString(),
      })
      return end.apply(response, args as never)
    }
    app(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    last() {
      const last = exchanges.at(-1)
      if (!last) throw new Error('expected a request, there was none')
      return last
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
