import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { toolServerSettings } from '../../cli/tool-server-settings.ts'
import { answers, behaves, hangs, type Receiver, redirectsTo } from '../helpers/receivers.ts'
import { callLine, connectTools, type Spoken, speak, textOf } from './tool-client.ts'

const mcp = suite('the process of svc mcp')
const KEY = 'svc_live_0123456789abcdef0123456789abcdef'
const open: Receiver[] = []

mcp.after.each(async () => {
  for (const one of open.splice(0)) await one.close()
})

async function opened(
  one: Promise<Receiver>,
): Promise<{ api: Receiver; env: Record<string, string> }> {
  const api = await one
  open.push(api)
  return { api, env: { SVC_API_KEY: KEY, SVC_API_BASE: `http://127.0.0.1:${api.port}` } }
}

const EVERY_TOOL = [
  ['list_resources', '{}'],
  ['list_records', '{"resource":"a"}'],
  ['get_record', '{"resource":"a","id":"b"}'],
  ['create_record', '{"resource":"a","data":{}}'],
  ['update_record', '{"resource":"a","id":"b","data":{}}'],
  ['delete_record', '{"resource":"a","id":"b"}'],
  ['submit_record', '{"resource":"a","id":"b"}'],
  ['list_addons', '{}'],
  ['list_tiers', '{}'],
  ['subscribe_tier', '{"slug":"pro"}'],
  ['list_events', '{}'],
  ['list_webhook_subscriptions', '{}'],
] as const

/** The error of the answer to this call: code and message. */
function errorOf(spoken: Spoken, id: number): { readonly code: string; readonly message: string } {
  const { error } = JSON.parse(textOf(spoken, id))
  const { result } = spoken.answers.get(id) as { result: { structuredContent: unknown } }
  assert.equal(result.structuredContent, { error })
  return error
}

mcp(
  'without a key answers each tool, and the resources, with what to set, and calls nobody',
  async () => {
    const { api, env } = await opened(answers(200, '{}'))
    const { SVC_API_KEY: _, ...keyless } = env
    const spoken = await speak({ ...keyless, SVC_MCP_DEBUG: '1' }, [
      ...EVERY_TOOL.map(([name], index) => callLine(index + 1, name)),
      '{"jsonrpc":"2.0","id":90,"method":"resources/read","params":{"uri":"svc://resources"}}',
      '{"jsonrpc":"2.0","id":91,"method":"tools/list"}',
    ])
    assert.is(spoken.code, 0)
    EVERY_TOOL.forEach((_each, index) => {
      const { code, message } = errorOf(spoken, index + 1)
      assert.is(code, 'NO_API_KEY')
      assert.match(message, /set SVC_API_KEY .*`svc key create/)
    })
    assert.match(JSON.stringify(spoken.answers.get(90)?.error), 'set SVC_API_KEY')
    assert.ok(spoken.answers.get(91)?.result)
    assert.is(spoken.stderr, 'svc mcp: API key missing\n')
    assert.equal(api.requests(), [])
  },
)

mcp('with SVC_MCP_DEBUG=1 says in one line that there is a key; else nothing', async () => {
  const [loud, quiet] = await Promise.all([
    speak({ SVC_API_KEY: KEY, SVC_MCP_DEBUG: '1' }, []),
    speak({ SVC_API_KEY: KEY, SVC_MCP_DEBUG: '0' }, []),
  ])
  assert.equal([loud.code, loud.stderr], [0, 'svc mcp: API key present\n'])
  assert.equal([quiet.code, quiet.stderr], [0, ''])
})

mcp(
  'writes nothing but JSON-RPC to stdout, a line for each request, and never the key',
  async () => {
    const echo = behaves((response, _socket, { headers, body }) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ data: [headers, body, '\n'], next_cursor: 'x' }))
    })
    const { api, env } = await opened(echo)
    const calls = EVERY_TOOL.map(([name, json], index) => callLine(index + 1, name, json))
    const spoken = await speak({ ...env, SVC_MCP_DEBUG: '1' }, [
      'no JSON',
      '{"jsonrpc":"2.0"}',
      '[]',
      ...calls,
      callLine(80, 'no_such_tool'),
      callLine(81, 'list_records', '"text"'),
      '{"jsonrpc":"2.0","id":82,"method":"prompts/list"}',
      '{"jsonrpc":"2.0","id":83,"method":"resources/templates/list"}',
      '{"jsonrpc":"2.0","id":84,"method":"ping"}',
      '{"jsonrpc":"2.0","method":"notifications/unheard-of"}',
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}',
    ])
    assert.is(spoken.code, 0)
    const lines = spoken.stdout.split('\n')
    assert.is(lines.pop(), '')
    for (const line of lines) assert.is(JSON.parse(line).jsonrpc, '2.0')
    const ids = lines.map((line) => Number(JSON.parse(line).id)).toSorted((a, b) => a - b)
    assert.equal(ids, [0, ...calls.map((_, index) => index + 1), 80, 81, 82, 83, 84])
    assert.is(api.requests().length, EVERY_TOOL.length)
    assert.ok(api.requests().every(({ headers }) => headers.authorization === `Bearer ${KEY}`))
    assert.not.match(spoken.stdout + spoken.stderr, KEY.slice(0, 20))
  },
)

mcp('answers what cannot be set without repeating it, and sends nothing', async () => {
  const { api, env } = await opened(answers(200, '{}'))
  const setting = { SVC_API_KEY: `${KEY}\r\nX-Evil: 1` }
  const spoken = await speak({ ...env, ...setting }, [callLine(1, 'list_tiers')])
  assert.is(spoken.code, 0)
  const { code, message } = errorOf(spoken, 1)
  assert.is(code, 'WRONG_SETTINGS')
  assert.match(message, 'SVC_API_KEY: expected an API key')
  assert.not.match(spoken.stdout + spoken.stderr, KEY)
  assert.equal(api.requests(), [])
})

const WRONG: readonly (readonly [env: Record<string, string>, problem: string])[] = [
  [{ SVC_API_KEY: 'schlüssel-geheim' }, 'SVC_API_KEY: expected an API key'],
  [{ SVC_API_BASE: 'ftp://geheim:word@h' }, 'SVC_API_BASE: expected an http:// or https:// URL'],
  [{ SVC_API_BASE: 'http://geheim:word@h' }, 'SVC_API_BASE: expected a URL without user'],
  [{ SVC_API_BASE: 'https://h/?a=geheim' }, 'SVC_API_BASE: expected a URL without user'],
  [{ SVC_INTEGRATE_URL: 'nowhere' }, 'SVC_INTEGRATE_URL: expected an http:// or https:// URL'],
]

mcp('takes no setting that cannot be', () => {
  for (const [env, expected] of WRONG) {
    const { problem = '' } = toolServerSettings({ SVC_API_KEY: KEY, ...env })
    assert.ok(problem.startsWith(expected), problem)
    assert.not.match(problem, 'geheim')
  }
  const { problem, apiKey } = toolServerSettings({ SVC_API_KEY: ` ${KEY}\n` })
  assert.equal([problem, apiKey], [undefined, KEY])
  for (const text of ['', '0', 'true', ' 1']) {
    const { debug, problem: none } = toolServerSettings({ SVC_MCP_DEBUG: text })
    assert.equal([debug, none], [false, undefined])
  }
})

mcp('finds the workspace at SVC_API_BASE with or without /v1, else at SVC_INTEGRATE_URL', () => {
  const baseOf = (env: Record<string, string>) => toolServerSettings(env).apiBase
  assert.is(baseOf({}), 'http://127.0.0.1:8000')
  assert.is(baseOf({ SVC_INTEGRATE_URL: 'https://i.example/' }), 'https://i.example')
  for (const end of ['', '/', '/v1', '/v1/', '/v1//']) {
    const env = {
      SVC_API_BASE: `https://h.example/erp${end}`,
      SVC_INTEGRATE_URL: 'https://i.example',
    }
    assert.is(baseOf(env), 'https://h.example/erp')
  }
})

mcp('says how it failed to get an answer of a workspace', async () => {
  const elsewhere = await opened(answers(200, '{}'))
  const moved = await opened(redirectsTo(`http://127.0.0.1:${elsewhere.api.port}/v1/tiers`))
  const proxy = await opened(answers(502, '<html>', { 'content-type': 'text/html' }))
  const page = await opened(answers(200, '<html>', { 'content-type': 'text/html' }))
  const list = await opened(answers(200, '[]', { 'content-type': 'application/json' }))
  const slow = await opened(hangs())
  const gone = await opened(answers(200))
  await gone.api.close()
  const ask = async ({ env }: { env: Record<string, string> }, ...args: readonly string[]) => {
    // Of all tools this one's requests are repeated least.
    const line = callLine(1, 'delete_record', '{"resource":"a","id":"b"}')
    const spoken = await speak(env, [line], args)
    const { code, message } = errorOf(spoken, 1)
    assert.not.match(spoken.stdout + spoken.stderr, KEY)
    return `${code}: ${message}`
  }
  const [a, b, c, d, e, f] = await Promise.all([
    ask(moved),
    ask(proxy),
    ask(page),
    ask(list),
    ask(slow, '--timeout', '1'),
    ask(gone),
  ])
  assert.match(
    a ?? '',
    /^UNEXPECTED_ANSWER: .* a redirect to ".*\/v1\/tiers", which is not followed/,
  )
  assert.equal(elsewhere.api.requests(), [], 'the key went nowhere else')
  assert.match(
    b ?? '',
    /^UNEXPECTED_ANSWER: .* status 502 with "text\/html"; check that SVC_API_BASE .* It is unknown whether/,
  )
  assert.match(c ?? '', /^UNEXPECTED_ANSWER: .* status 200 with "text\/html"/)
  assert.match(d ?? '', /^UNEXPECTED_ANSWER: /)
  assert.match(e ?? '', /^TIMEOUT: no answer of http:\/\/127\.0\.0\.1:\d+ within 1 s/)
  assert.match(
    f ?? '',
    /^NETWORK_ERROR: cannot reach .*ECONNREFUSED; check that the workspace runs/,
  )
})

mcp('gives up a call that the client cancels, and goes on', async () => {
  const cut: boolean[] = []
  const slow = behaves((response, socket, { path }) => {
    if (path !== '/v1/tiers') socket.once('close', () => cut.push(true))
    else response.writeHead(200).end('{}')
  })
  const { api, env } = await opened(slow)
  const tool = await connectTools(env)
  const cancel = new AbortController()
  const called = tool.client
    .callTool({ name: 'list_resources' }, undefined, { signal: cancel.signal })
    .catch((error: Error) => error)
  while (api.requests().length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  cancel.abort()
  assert.instance(await called, Error)
  await api.idle()
  assert.equal(cut, [true])
  assert.equal((await tool.call('list_tiers')).structuredContent, {})
  await tool.close()
})

mcp.run()
