import type { BackupFound } from '../../server/backup/backup-routes.ts'
import type { Settings } from '../../server/settings/settings.ts'
import { runOwn } from './run-own.ts'

/** What a backup holds, but for the command that restores it. */
export type FoundBackup = Omit<BackupFound, 'command'>

/** Reads a backup whole again, by `svc restore --dry-run`: what it holds, or what is wrong with it. */
export async function lookInto(
  settings: Settings,
  file: string,
): Promise<
  | { readonly found: FoundBackup; readonly problem?: undefined }
  | { readonly found?: undefined; readonly problem: string }
> {
  const words = ['restore', file, '--force', '--dry-run', '--json']
  const { code, said, failed } = await runOwn(settings, words)
  if (code !== 0) return { problem: failed || `svc restore ended with ${code}` }
  const { kind, program, created, rows, tables, files } = JSON.parse(said) as FoundBackup
  return { found: { kind, program, created, rows, tables, files } }
}
