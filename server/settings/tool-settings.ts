import type { SettingRow } from './setting-row.ts'
import { readKey, readPlainUrl } from './setting-values.ts'

/** Settings of the tool server (`svc mcp`), which a server that runs does not read. */
export interface ToolSettings {
  readonly apiKey: string | undefined
  readonly apiBase: string | undefined
  readonly debug: boolean
}

/** The table of the tool server's settings (spec §4, Tool server), a part of the documented one. */
export const TOOL_SETTING_ROWS: {
  readonly [Key in keyof ToolSettings]: SettingRow<ToolSettings[Key]>
} = {
  apiKey: {
    variable: 'SVC_API_KEY',
    type: 'API key',
    default: '',
    meaning: 'API key of the workspace; without it every tool answers how to get one.',
    read: readKey,
  },
  apiBase: {
    variable: 'SVC_API_BASE',
    type: 'http(s) URL',
    default: '',
    meaning:
      'Address of the workspace, a `/v1` at its end does no harm; without it `SVC_INTEGRATE_URL`, else `http://127.0.0.1:8000`.',
    read: readPlainUrl,
  },
  debug: {
    variable: 'SVC_MCP_DEBUG',
    type: '1',
    default: '',
    meaning:
      '`1` says in one line on stderr, at the start, whether there is a key; nothing else does.',
    // No reason to refuse to work.
    read: (text) => text === '1',
  },
}
