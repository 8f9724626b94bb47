import type { SettingRow } from './setting-row.ts'
import { SETTING_ROWS } from './settings.ts'
import { TOOL_SETTING_ROWS } from './tool-settings.ts'

/** `docs/configuration.md`, rendered from the table of settings; a test keeps the file equal to it. */
export function settingsPage(): string {
  return `${[
    '# Configuration',
    '',
    'Settings come from flags of `svc serve`, else from the environment, else from the defaults below. They are',
    'checked at start: a value that cannot be is refused with what was expected, a name with `SVC_` that is not',
    'in this table is warned about. An empty value counts as not set.',
    '',
    ...table(Object.values(SETTING_ROWS)),
    '',
    'Rate limits, prices and seats of the plans are data: `doctypes/plans.yaml`.',
    '',
    '## Tool server',
    '',
    '`svc mcp` ([agents.md](agents.md)) reads these alone. A value that cannot be does not end it: every tool answers',
    'what to correct.',
    '',
    ...table(Object.values(TOOL_SETTING_ROWS)),
  ].join('\n')}\n`
}

function table(rows: readonly SettingRow[]): string[] {
  return [
    '| Variable | Flag | Value | Default | Meaning |',
    '|---|---|---|---|---|',
    ...rows.map(({ variable, type, meaning, flag, default: value }) => {
      const [flagText, valueText] = [flag ?? '', value].map((text) => text && code(text))
      return `| ${code(variable)} | ${flagText} | ${type} | ${valueText} | ${meaning} |`
    }),
  ]
}

function code(text: string): string {
  return `\`${text}\``
}
