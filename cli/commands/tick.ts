import type { Command } from 'commander'
import { runTick } from '../../engine/documents/tick.ts'
import { printJson } from '../output.ts'
import { addWorkspaceOptions, type WorkspaceFlags, withWorkspace } from '../workspace.ts'

/** `svc tick`: what a new day changes, at once, e.g. from cron where no server runs at night. */
export function register(program: Command): void {
  addWorkspaceOptions(program.command('tick'))
    .description('derive statuses that depend on today again; the server does it every night')
    .option('--json', 'print {looked, changed, failed} as JSON')
    .action(run)
}

async function run({
  json,
  ...flags
}: WorkspaceFlags & { readonly json?: boolean }): Promise<void> {
  const result = await withWorkspace(flags, ({ services }) =>
    runTick(services, {
      ...(json ? {} : { onProgress: (line) => console.error(line) }),
      onFailure: (doctype, name, error) =>
        console.error(
          `${name === undefined ? doctype : `${doctype} ${name}`}: ${error instanceof Error ? error.message : error}`,
        ),
    }),
  )
  if (json) printJson(result)
  else {
    const { changed, looked, failed } = result
    console.log(`${changed} of ${looked} records changed, ${failed} failed`)
  }
  if (result.failed > 0) process.exitCode = 1
}
