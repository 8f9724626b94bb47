import { SETTING_ROWS } from './settings.ts'

/** `docs/configuration.md`, rendered from the table of settings; a test keeps the file equal to it. */
export function settingsPage(): string {
  const rows = Object.values(SETTING_ROWS).map((row) => {
    const { variable, type, meaning, flag } = row
    const flagText = flag === undefined ? '' : code(flag)
    const value = row.default === '' ? '' : code(row.default)
    return `| ${code(variable)} | ${flagText} | ${type} | ${value} | ${meaning} |`
  })
  return `${[
    '# Configuration',
    '',
    'Settings come from flags of `svc serve`, else from the environment, else from the defaults below. They are',
    'checked at start: a value that cannot be is refused with what was expected, a name with `SVC_` that is not',
    'in this table is warned about. An empty value counts as not set.',
    '',
    '| Variable | Flag | Value | Default | Meaning |',
    '|---|---|---|---|---|',
    ...rows,
    '',
    'Rate limits, prices and seats of the plans are data: `doctypes/plans.yaml`.',
  ].join('\n')}\n`
}

function code(text: string): string {
  return `\`${text}\``
}
