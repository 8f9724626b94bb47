import type { Guards } from './guard.ts'

const HOSTILE = 'tests/mcp/hostile-arguments'
const PROCESS = 'tests/mcp/process'
const RETRIES = 'tests/mcp/retries'

/** What keeps arguments in their place and the key inside (reliability.md W2). */
export const MCP_GUARDS: Guards = {
  'mcp/request.ts': [
    ['an argument leaves its path', [`value === '.' || value === '..'`, `value === '.'`], HOSTILE],
    [
      'an argument has paths and queries in it',
      ['return encodeURIComponent(wellFormed(argument, value))', 'return value'],
      HOSTILE,
    ],
  ],
  'mcp/tool-arguments.ts': [
    [
      'tools make keys and webhooks',
      ['if (!SYSTEM_ROUTES.has(resource)) return', 'if (resource !== undefined) return'],
      HOSTILE,
    ],
    [
      'numbers become others',
      [`  assertFaithful(data, 'data', 1)\n  return data`, '  return data'],
      HOSTILE,
    ],
  ],
  'mcp/api-client.ts': [
    ['the key goes where it is redirected', [`redirect: 'manual'`, `redirect: 'follow'`], PROCESS],
    ['answers hold the key', [`value.replaceAll(key, '[API key]')`, 'value'], HOSTILE],
    ['a change is made again by a retry', [`{ 'Idempotency-Key': randomUUID() }`, '{}'], RETRIES],
  ],
  'mcp/server.ts': [['calls are made without a key', ['      readyKey(settings)\n', ''], PROCESS]],
  'server/settings/setting-values.ts': [
    [
      'a message repeats a key that a header cannot hold',
      [
        `throw new Error('expected an API key: one`,
        `throw new Error(key + 'expected an API key: one`,
      ],
      PROCESS,
    ],
  ],
}
