import { delimiter } from 'node:path'
import {
  readSettings,
  SETTING_ROWS,
  type Settings,
  SettingsError,
} from '../server/settings/settings.ts'
import { UsageError } from './failure.ts'

/** Flags that stand for a setting, as commander hands them over. */
export interface SettingFlags {
  readonly port?: string
  readonly host?: string
  readonly data?: string
  readonly doctypes?: readonly string[]
  readonly database?: string
  readonly durability?: string
}

/**
 * The settings of this call: a flag goes before its environment variable, that before the default. Throws
 * UsageError that names each wrong one as it was given, by flag or by variable.
 */
export function settingsOf(
  flags: SettingFlags,
  env: NodeJS.ProcessEnv,
): { readonly settings: Settings; readonly warnings: readonly string[] } {
  const given = new Map<string, { readonly flag: string; readonly text: string }>()
  for (const { variable, flag } of Object.values(SETTING_ROWS)) {
    const value = flag === undefined ? undefined : flags[flag.slice(2) as keyof SettingFlags]
    if (flag === undefined || value === undefined) continue
    given.set(variable, { flag, text: typeof value === 'string' ? value : value.join(delimiter) })
  }
  for (const { flag, text } of given.values())
    if (text === '') throw new UsageError(`${flag}: expected a value, got nothing`)
  const merged = { ...env }
  for (const [variable, { text }] of given) merged[variable] = text
  try {
    return readSettings(merged)
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    const problems = error.problems.map((problem) =>
      problem.replace(/^SVC_\w+/, (variable) => given.get(variable)?.flag ?? variable),
    )
    throw new UsageError(problems.join('; '), { cause: error })
  }
}
