import { type ToolServerSettings, withoutVersion } from '../mcp/settings.ts'
import type { SettingRow } from '../server/settings/setting-row.ts'
import { SETTING_ROWS } from '../server/settings/settings.ts'
import { TOOL_SETTING_ROWS } from '../server/settings/tool-settings.ts'

/** Address of a workspace that was started without any settings. */
const HERE = `http://${SETTING_ROWS.host.default}:${SETTING_ROWS.port.default}`

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Settings of the tool server from the environment. Nothing throws: a server that ends at once is shown by most
 * clients without its reason, so what cannot be is told by `problem`, in the answer to each call.
 */
export function toolServerSettings(
  env: Environment,
): Pick<ToolServerSettings, 'apiKey' | 'apiBase' | 'debug' | 'problem'> {
  const { apiKey, apiBase, debug } = TOOL_SETTING_ROWS
  const integrateUrl = { ...SETTING_ROWS.integrateUrl, read: apiBase.read }
  const problems: string[] = []
  const read = <T>(row: SettingRow<T>): T | undefined => {
    const text = env[row.variable] || row.default
    if (text === '') return undefined
    try {
      return row.read(text)
    } catch (problem) {
      problems.push(`${row.variable}: ${(problem as Error).message}`)
      return undefined
    }
  }
  const key = read(apiKey)
  const base = read(apiBase) ?? (env[apiBase.variable] ? undefined : read(integrateUrl))
  const isDebug = read(debug) ?? false
  return {
    // A key that cannot be is there all the same: what to do about it is another thing.
    apiKey: key ?? (env[apiKey.variable] ? '' : undefined),
    apiBase: withoutVersion(base ?? HERE),
    debug: isDebug,
    ...(problems.length === 0 ? {} : { problem: problems.join('; ') }),
  }
}
