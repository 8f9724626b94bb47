import type { Command } from 'commander'
import { bringToToday } from '../../engine/documents/schedule/scheduled.ts'
import type { TickOptions } from '../../engine/documents/schedule/tick.ts'
import { printJson } from '../terminal/output.ts'
import { addWorkspaceOptions, type WorkspaceFlags, withWorkspace } from '../workspace.ts'

/** `svc tick`: what a new day changes, at once, e.g. from cron where no server runs at night. */
export function register(program: Command): void {
  addWorkspaceOptions(program.command('tick'))
    .description(
      'derive statuses that depend on today again and run scheduled actions; the server does both by itself',
    )
    .option('--json', 'print {looked, changed, ran, failed} as JSON')
    .action(run)
}

async function run({
  json,
  ...flags
}: WorkspaceFlags & { readonly json?: boolean }): Promise<void> {
  const options: TickOptions = {
    ...(json ? {} : { onProgress: (line) => console.error(line) }),
    onFailure: (doctype, name, error) =>
      console.error(
        `${name === undefined ? doctype : `${doctype} ${name}`}: ${error instanceof Error ? error.message : error}`,
      ),
  }
  const result = await withWorkspace(flags, ({ services }) => bringToToday(services, options))
  if (json) printJson(result)
  else {
    const { changed, looked, ran, failed } = result
    console.log(`${changed} of ${looked} records changed, ${ran} actions ran, ${failed} failed`)
  }
  if (result.failed > 0) process.exitCode = 1
}
