import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import { isoDateTime, systemClock } from '../../engine/base/clock.ts'
import { checkBackup } from '../../engine/storage/backup/check.ts'
import { type CheckedBackup, totalRows } from '../../engine/storage/backup/manifest.ts'
import { type OpenFlags, openWith } from '../backup/backup-keys.ts'
import { decryptFile, encryptionOf } from '../backup/encrypted-file.ts'
import { isSameKey, presentKey } from '../backup/key-check.ts'
import { type Placing, placeOnPostgres, placeOnSqlite } from '../backup/place-backup.ts'
import { withPlainFile } from '../backup/plain-copy.ts'
import { removeAside } from '../backup/remove-aside.ts'
import { readMarker } from '../backup/restore-marker.ts'
import { settle } from '../backup/settle.ts'
import { assertInside, OWN_DOCTYPES } from '../backup/workspace-files.ts'
import { secretKeyFile } from '../data-folder.ts'
import { Failure } from '../failure.ts'
import { versionLine } from '../package.ts'
import { settingsOf } from '../settings.ts'
import { counted, printJson } from '../terminal/output.ts'
import { startProgress } from '../terminal/progress.ts'
import {
  addWorkspaceOptions,
  locateWorkspace,
  type Workspace,
  type WorkspaceFlags,
} from '../workspace.ts'
import { storeAt } from '../workspace-uploads.ts'

interface RestoreFlags extends WorkspaceFlags, OpenFlags {
  readonly force?: boolean
  readonly removeOld?: boolean
  readonly anyKey?: boolean
  readonly dryRun?: boolean
  readonly json?: boolean
}

/** `svc restore`: the workspace of a backup in place of none, or of one that is kept aside (contract §2). */
export function register(program: Command): void {
  addWorkspaceOptions(program.command('restore <file>'))
    .description('make the workspace of a backup that `svc backup` wrote')
    .option('--force', 'replace the workspace that is there; it is kept under another name')
    .option('--remove-old', 'with --force: keep nothing of the workspace that is replaced')
    .option('--any-key', 'restore without the secret key of the backup: stored secrets are lost')
    .option('--identity <file>', 'file with the private key of age that opens an encrypted backup')
    .option('--passphrase-file <file>', 'file with the passphrase of the backup; else it is asked')
    .option('--dry-run', 'check the backup, say what would be done and change nothing')
    .option(
      '--json',
      'print {file, kind, program, created, rows, tables, files, applied, kept} as JSON',
    )
    .action(run)
}

async function run(file: string, flags: RestoreFlags): Promise<void> {
  const workspace = locateWorkspace(flags)
  const source = resolve(file)
  if (!statSync(source, { throwIfNoEntry: false })?.isFile())
    throw new Failure(`there is no file ${source}`)
  const encryption = encryptionOf(source)
  if (encryption === undefined) return restore(workspace, source, source, flags)
  const key = await openWith(flags, encryption === 'passphrase')
  await withPlainFile(workspace.dataFolder, async (plain) => {
    await decryptFile(source, plain, key)
    await restore(workspace, plain, source, flags)
  })
}

/** Restores from `plain`, which is what the file that was `named` holds. */
async function restore(
  workspace: Workspace,
  plain: string,
  named: string,
  flags: RestoreFlags,
): Promise<void> {
  const program = versionLine()
  const checked = await checkBackup(plain, program)
  assertInside(checked.files)
  assertSameKind(workspace, checked)
  const remarks = keyRemarks(workspace, checked, flags.anyKey === true)
  await putInOrder(workspace, flags.dryRun === true)
  const tables = await tablesThere(workspace, flags.dryRun === true)
  const replaces = tables || hasFiles(workspace)
  if (replaces && !flags.force) {
    const where =
      tables && workspace.database.kind === 'postgres' ? 'the database' : workspace.dataFolder
    throw new Failure(
      `there is a workspace in ${where} already: --force replaces it and keeps it under another name`,
    )
  }
  const progress = startProgress({ label: 'restoring' })
  const placing: Placing = {
    dataFolder: workspace.dataFolder,
    file: plain,
    checked,
    program,
    token: randomUUID(),
    aside: `before-restore-${isoDateTime(systemClock).replace(/[-:.Z]/g, '')}`,
    store: storeAt(settingsOf(flags, process.env).settings),
    onProgress: progress.show,
  }
  const kept = flags.dryRun ? [] : await place(workspace, placing, tables).finally(progress.clear)
  if (flags.removeOld) await removeAside(workspace, placing.aside)
  report(
    { ...placing, file: named },
    { applied: !flags.dryRun, replaces, kept: flags.removeOld ? [] : kept },
    flags.json === true,
  )
  for (const remark of remarks) console.error(remark)
}

function assertSameKind({ database }: Workspace, { manifest }: CheckedBackup): void {
  if (database.kind === manifest.kind) return
  throw new Failure(
    manifest.kind === 'sqlite'
      ? 'the backup is one of SQLite, and --database or SVC_DATABASE_URL names PostgreSQL: leave that out'
      : 'the backup is one of PostgreSQL: name an empty database with --database postgres://…',
  )
}

/** Remarks about the secret key: without the one of the backup a workspace works on, but stored secrets stay closed. */
function keyRemarks(
  workspace: Workspace,
  { manifest: { keyCheck } }: CheckedBackup,
  anyKey: boolean,
): string[] {
  if (keyCheck === null) return []
  const key = presentKey(workspace)
  if (key && isSameKey(key, keyCheck)) return []
  const lost = 'stored secrets (of webhooks, mail and other services) cannot be read without it'
  const file = secretKeyFile(workspace.dataFolder)
  const what = key ? 'the secret key here is not that of the backup' : 'there is no secret key here'
  if (anyKey) return [`${what}: ${lost}`]
  throw new Failure(
    `${what}, and ${lost}: put the right one into ${file} or SVC_SECRET_KEY first, or restore with --any-key`,
  )
}

async function putInOrder(workspace: Workspace, isDry: boolean): Promise<void> {
  if (isDry) {
    if (readMarker(workspace.dataFolder))
      console.error('a restore was cut off here: it would be put in order first')
    return
  }
  const done = await settle(workspace)
  if (done !== undefined) console.error(done)
}

/** Whether the database is there. Throws Failure where somebody on PostgreSQL works with it, unless nothing is changed. */
async function tablesThere({ database }: Workspace, isDry: boolean): Promise<boolean> {
  if (database.kind === 'sqlite') return existsSync(database.file)
  const { inUse, postgresState } = await import('../../engine/storage/backup/postgres-restore.ts')
  const { tables, sessions } = await postgresState(database.url)
  if (sessions.length > 0 && !isDry) throw inUse(sessions)
  return tables.length > 0
}

/** DocTypes of somebody's own are part of a workspace, also where its database is missing. */
function hasFiles({ dataFolder }: Workspace): boolean {
  const own = join(dataFolder, OWN_DOCTYPES)
  return existsSync(own) && readdirSync(own).length > 0
}

function place({ database }: Workspace, placing: Placing, tables: boolean): Promise<string[]> {
  return database.kind === 'sqlite'
    ? placeOnSqlite(placing, database.file)
    : placeOnPostgres(placing, database.url, tables)
}

function report(
  { file, checked, dataFolder }: Placing,
  done: { readonly applied: boolean; readonly replaces: boolean; readonly kept: readonly string[] },
  json: boolean,
): void {
  const { manifest, rows, files } = checked
  const { kind, program, created } = manifest
  const [total, tables] = [totalRows(rows), Object.keys(rows).length]
  const { applied, replaces, kept } = done
  if (json) {
    const found = { rows: total, tables, files: files.length }
    printJson({ file, kind, program, created, ...found, applied, kept })
    return
  }
  console.log(
    `${applied ? 'restored' : 'would restore'} ${counted(total, 'row')} of ${counted(tables, 'table')} and ${counted(files.length, 'DocType file')} into ${dataFolder}: the workspace of ${created}, backed up by ${program}`,
  )
  if (!applied && replaces) console.log('would keep the workspace that is there under another name')
  for (const path of kept) console.log(`kept what was there before: ${path}`)
  if (applied)
    console.log(
      'the next start brings its tables to the definitions; `svc verify` checks the books',
    )
}
