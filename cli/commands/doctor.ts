import type { Command } from 'commander'
import { runChecks } from '../doctor/checks.ts'
import { readableWorkspace } from '../read-only-copy.ts'
import { settingsOf } from '../settings.ts'
import { printJson, printTable } from '../terminal/output.ts'
import { addWorkspaceOptions, type WorkspaceFlags, workspaceOf } from '../workspace.ts'

/** `svc doctor`: what is well with a workspace and what is not; it changes nothing. */
export function register(program: Command): void {
  addWorkspaceOptions(program.command('doctor'))
    .description('check database, migrations, provider, mail and what waits to go out')
    .option('--json', 'print {ok, checks: [{name, state, message, facts}]} as JSON')
    .action(run)
}

/** Exits with 1 when something has failed; what only needs attention is no failure. */
async function run({
  json,
  ...flags
}: WorkspaceFlags & { readonly json?: boolean }): Promise<void> {
  const { settings } = settingsOf(flags, process.env)
  const checks = await runChecks(readableWorkspace(workspaceOf(settings)), settings)
  const ok = checks.every(({ state }) => state !== 'failed')
  if (json) printJson({ ok, checks })
  else {
    printTable(
      ['CHECK', 'STATE', ''],
      checks.map(({ name, state, message }) => [name, state, message]),
      'nothing to check',
    )
  }
  if (!ok) process.exitCode = 1
}
