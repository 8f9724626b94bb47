import { randomBytes, randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { isoDateTime, systemClock } from '../../engine/base/clock.ts'
import { checkBackup } from '../../engine/storage/backup/check.ts'
import type { BackupFacts } from '../../engine/storage/backup/manifest.ts'
import type { PostgresScratch } from '../../engine/storage/backup/postgres-scratch.ts'
import { keyCheckOf, presentKey } from '../backup/key-check.ts'
import { collectFiles, placeFiles } from '../backup/workspace-files.ts'
import { Failure } from '../failure.ts'
import { SHIPPED_DOCTYPES, versionLine } from '../package.ts'
import { readableWorkspace } from '../read-only-copy.ts'
import type { Workspace } from '../workspace.ts'

/** Copy of a workspace that may be hurt: the workspace itself is only read for it. */
export interface ChaosCopy {
  /** Folder of all that belongs to it. */
  readonly folder: string
  /** The copy as a workspace, with a data folder below `folder`. */
  readonly workspace: Workspace
  readonly scratch: PostgresScratch | undefined
  /** Settings of processes that work on it; no other setting of this process counts for them. */
  readonly env: Readonly<Record<string, string>>
  /** Has something undone before the copy is removed: a process ended, a disk unmounted. */
  beforeRemoval(undo: () => unknown): void
  remove(): Promise<void>
}

/** Room that a copy, the backup it is made of and what the faults add need, as a multiple of the database. */
const ROOM = 3

/** The most that work on the copy may take: what is asked of it is asked by us alone. */
const LIMITS = { SVC_RATE_LIMIT: 'off', SVC_LOG_LEVEL: 'warn', SVC_STATEMENT_BUDGET_MS: '60000' }

/**
 * Copies a workspace as it is at one moment, by a backup of it: into the temporary folder, and on PostgreSQL into a
 * database, or a schema, that is made for it. The workspace may be served meanwhile. Throws Failure where there is no room.
 */
export async function copyWorkspace(original: Workspace): Promise<ChaosCopy> {
  assertRoom(original)
  const folder = mkdtempSync(join(tmpdir(), 'svc-chaos-'))
  let scratch: PostgresScratch | undefined
  const undone: (() => unknown)[] = []
  const remove = async (): Promise<void> => {
    for (const undo of undone.splice(0)) await undo()
    await scratch?.drop()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const dataFolder = join(folder, 'data')
    const key = presentKey(original) ?? randomBytes(32)
    const facts = {
      program: versionLine(),
      created: isoDateTime(systemClock),
      keyCheck: keyCheckOf(key),
    }
    const backup = join(folder, 'backup')
    const place = { dataFolder, backup, facts, files: collectFiles(original.dataFolder) }
    const { database } = original
    if (database.kind === 'postgres') {
      const { makePostgresScratch } = await import(
        '../../engine/storage/backup/postgres-scratch.ts'
      )
      scratch = await makePostgresScratch(database.url)
      await copyPostgres(database.url, scratch, place)
    } else await copySqlite(readableWorkspace(original), place)
    rmSync(backup, { force: true })
    const copied = { ...original, dataFolder, secretKey: key }
    const doctypes = ownLast(original, dataFolder)
    return {
      folder,
      scratch,
      beforeRemoval: (undo) => void undone.push(undo),
      remove,
      env: { ...LIMITS, ...settingsOfCopy(doctypes, key, scratch) },
      workspace: {
        ...copied,
        doctypes,
        database:
          database.kind === 'sqlite'
            ? { ...database, file: join(dataFolder, 'workspace.db') }
            : { ...database, url: scratch?.url ?? '' },
      },
    }
  } catch (error) {
    await remove()
    throw error
  }
}

interface Place {
  readonly dataFolder: string
  readonly backup: string
  readonly facts: BackupFacts
  readonly files: ReturnType<typeof collectFiles>
}

async function copySqlite(
  { database }: Workspace,
  { dataFolder, backup, facts, files }: Place,
): Promise<void> {
  if (database.kind !== 'sqlite') return
  const { takeSqliteBackup } = await import('../../engine/storage/backup/sqlite-backup.ts')
  const { makeSqliteDatabase } = await import('../../engine/storage/backup/sqlite-restore.ts')
  writeFileSync(backup, '', { mode: 0o600 })
  await takeSqliteBackup(database.file, backup, facts, files)
  makeFolder(dataFolder, files)
  makeSqliteDatabase(backup, join(dataFolder, 'workspace.db'))
}

async function copyPostgres(
  url: string,
  scratch: PostgresScratch,
  { dataFolder, backup, facts, files }: Place,
): Promise<void> {
  const { takePostgresBackup } = await import('../../engine/storage/backup/postgres-backup.ts')
  const { restorePostgres } = await import('../../engine/storage/backup/postgres-restore.ts')
  await takePostgresBackup(url, backup, facts, files)
  const checked = await checkBackup(backup, facts.program)
  makeFolder(dataFolder, files)
  await restorePostgres({
    url: scratch.url,
    file: backup,
    checked,
    program: facts.program,
    token: randomUUID(),
    aside: undefined,
    // Nobody but us knows the place.
    isUnknown: true,
    beforeCommit: () => undefined,
  })
}

function makeFolder(dataFolder: string, files: Place['files']): void {
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 })
  placeFiles(files, dataFolder)
}

/** The same folders, with the copy's own in place of that of the workspace. */
function ownLast({ doctypes, dataFolder }: Workspace, copied: string): readonly string[] {
  const own = join(dataFolder, 'doctypes')
  return doctypes.map((folder) => (folder === own ? join(copied, 'doctypes') : folder))
}

/** No mail server, no payment provider, no address of the workspace: the copy reaches nobody. */
function settingsOfCopy(
  doctypes: readonly string[],
  key: Buffer,
  scratch: PostgresScratch | undefined,
): Record<string, string> {
  const between = doctypes.slice(0, -1).filter((folder) => folder !== SHIPPED_DOCTYPES)
  return {
    SVC_SECRET_KEY: key.toString('base64'),
    ...(between.length > 0 ? { SVC_DOCTYPES: between.join(delimiter) } : {}),
    ...(scratch ? { SVC_DATABASE_URL: scratch.url } : {}),
  }
}

function assertRoom({ database }: Workspace): void {
  if (database.kind !== 'sqlite') return
  const needed = ROOM * statSync(database.file).size
  const { bavail, bsize } = statfsSync(tmpdir())
  if (bavail * bsize >= needed) return
  throw new Failure(
    `there is no room for a copy in ${tmpdir()}: it takes ${Math.ceil(needed / 1024 / 1024)} MB; set TMPDIR to a folder that has it`,
  )
}
