import { statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import { isoDateTime, systemClock } from '../../engine/base/clock.ts'
import { checkBackup } from '../../engine/storage/backup/check.ts'
import { type ContentParts, contentsIn } from '../../engine/storage/backup/contents.ts'
import {
  type BackupFacts,
  type BackupFile,
  type CheckedBackup,
  totalRows,
} from '../../engine/storage/backup/manifest.ts'
import { filesFolder } from '../../server/files/files.ts'
import { type EncryptFlags, encryptTo } from '../backup/backup-keys.ts'
import { encryptFile } from '../backup/encrypted-file.ts'
import { keyCheckOf, presentKey } from '../backup/key-check.ts'
import { withPlainFile } from '../backup/plain-copy.ts'
import { contentsOf } from '../backup/store-contents.ts'
import { collectFiles, OWN_DOCTYPES } from '../backup/workspace-files.ts'
import { firstRunFile, secretKeyFile } from '../data-folder.ts'
import { UsageError } from '../failure.ts'
import { writeNewFile } from '../new-file.ts'
import { SHIPPED_DOCTYPES, versionLine } from '../package.ts'
import { readableWorkspace } from '../read-only-copy.ts'
import { settingsOf } from '../settings.ts'
import { counted, printJson } from '../terminal/output.ts'
import { startProgress } from '../terminal/progress.ts'
import {
  addWorkspaceOptions,
  assertExists,
  collect,
  locateWorkspace,
  type Workspace,
  type WorkspaceFlags,
} from '../workspace.ts'
import { storeAt } from '../workspace-uploads.ts'

interface BackupFlags extends WorkspaceFlags, EncryptFlags {
  readonly force?: boolean
  readonly json?: boolean
}

/** `svc backup`: the workspace as it is at one moment, in one file, while it is served (contract §2). */
export function register(program: Command): void {
  addWorkspaceOptions(program.command('backup <file>'))
    .description('write the workspace into one file, also while it is served')
    .option('--force', 'replace the file when it is there already')
    .option('--encrypt', 'encrypt it in the format of age: to public keys, or with a passphrase')
    .option(
      '--recipient <key>',
      'public key of age that can open it, age1…; may be repeated',
      collect,
    )
    .option(
      '--passphrase-file <file>',
      'file with the passphrase in its first line; else it is asked',
    )
    .option(
      '--json',
      'print {file, kind, created, bytes, rows, tables, files, uploads, sha256, encrypted} as JSON',
    )
    .action(run)
}

async function run(file: string, flags: BackupFlags): Promise<void> {
  const workspace = locateWorkspace(flags)
  assertExists(workspace)
  const target = resolve(file)
  assertNoPartOf(workspace, target)
  const lock = await encryptTo(flags)
  const key = presentKey(workspace)
  const facts: BackupFacts = {
    program: versionLine(),
    created: isoDateTime(systemClock),
    keyCheck: keyCheckOf(key),
  }
  const files = collectFiles(workspace.dataFolder)
  const store = storeAt(settingsOf(flags, process.env).settings)
  const contents = store ? contentsOf(store) : contentsIn(filesFolder(workspace.dataFolder))
  const checked = await writeNewFile(target, flags.force === true, async (temporary) => {
    const takeInto = async (path: string): Promise<CheckedBackup> => {
      await take(readableWorkspace(workspace), path, facts, { files, contents })
      return checkBackup(path, facts.program)
    }
    if (lock === undefined) return takeInto(temporary)
    return withPlainFile(workspace.dataFolder, async (plain) => {
      writeFileSync(plain, '', { mode: 0o600, flag: 'wx' })
      const found = await takeInto(plain)
      await encryptFile(plain, temporary, lock)
      return found
    })
  })
  const summary = { ...summaryOf(target, checked), encrypted: lock !== undefined }
  if (flags.json) printJson(summary)
  else console.log(sentenceOf(summary))
  for (const remark of remarksOf(workspace, key !== undefined)) console.error(remark)
}

/** `--force` must not put a backup in the place of what it is made of. */
function assertNoPartOf({ database, dataFolder }: Workspace, target: string): void {
  const own = [secretKeyFile(dataFolder), firstRunFile(dataFolder)]
  if (database.kind === 'sqlite')
    for (const end of ['', '-wal', '-shm']) own.push(`${database.file}${end}`)
  // The same file by another path, or by another name.
  const there = statSync(target, { throwIfNoEntry: false })
  const isTarget = (path: string): boolean => {
    const one = statSync(path, { throwIfNoEntry: false })
    return one !== undefined && one.ino === there?.ino && one.dev === there.dev
  }
  if (own.some((path) => resolve(path) === target || isTarget(path)))
    throw new UsageError(`${target} is part of the workspace: name another file`)
}

async function take(
  { database }: Workspace,
  target: string,
  facts: BackupFacts,
  { files, contents }: { files: readonly BackupFile[]; contents: ContentParts },
): Promise<void> {
  const progress = startProgress({ label: 'backing up' })
  try {
    if (database.kind === 'sqlite') {
      const { takeSqliteBackup } = await import('../../engine/storage/backup/sqlite-backup.ts')
      await takeSqliteBackup(database.file, target, facts, files, progress.show, contents)
    } else {
      const { takePostgresBackup } = await import('../../engine/storage/backup/postgres-backup.ts')
      await takePostgresBackup(database.url, target, facts, files, progress.show, contents)
    }
  } finally {
    progress.clear()
  }
}

/** Summary of a backup: the same numbers for people and for programs. */
function summaryOf(
  file: string,
  { manifest, files, contents, rows, sha256 }: CheckedBackup,
): Summary {
  return {
    file,
    kind: manifest.kind,
    created: manifest.created,
    bytes: statSync(file).size,
    rows: totalRows(rows),
    tables: Object.keys(rows).length,
    files: files.length,
    uploads: contents,
    sha256,
  }
}

interface Summary {
  readonly file: string
  readonly kind: string
  readonly created: string
  readonly bytes: number
  readonly rows: number
  readonly tables: number
  readonly files: number
  /** Contents of uploaded files. */
  readonly uploads: number
  readonly sha256: string
}

function sentenceOf(summary: Summary & { readonly encrypted: boolean }): string {
  const { file, rows, tables, files, uploads, bytes, encrypted } = summary
  return `wrote ${file}: ${counted(rows, 'row')} of ${counted(tables, 'table')} and ${counted(files, 'DocType file')}${uploads === 0 ? '' : `, ${counted(uploads, 'uploaded file')}`}, ${counted(bytes, 'byte')}, read again and found whole${encrypted ? ', encrypted' : ''}`
}

/** Remarks that somebody must know to be able to use the backup one day. */
function remarksOf({ dataFolder, doctypes, secretKey }: Workspace, hasKey: boolean): string[] {
  const key = secretKey === undefined ? secretKeyFile(dataFolder) : 'SVC_SECRET_KEY'
  const own = join(dataFolder, OWN_DOCTYPES)
  const others = doctypes.filter((folder) => folder !== SHIPPED_DOCTYPES && folder !== own)
  return [
    hasKey
      ? `the secret key is not in it: keep ${key} elsewhere, without it the secrets of webhooks, mail and passwords of other services cannot be read again`
      : 'no secret key was found here: keep the one the servers use, without it stored secrets cannot be read again',
    ...others.map((folder) => `not in it either: the DocTypes of ${folder}`),
  ]
}
