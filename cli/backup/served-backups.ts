import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Logger } from 'pino'
import { isoDateTime, systemClock } from '../../engine/base/clock.ts'
import { AppError } from '../../engine/base/errors.ts'
import type { BackupFound, Backups } from '../../server/backup/backup-routes.ts'
import type { Settings } from '../../server/settings/settings.ts'
import { startOwn } from '../workspace-process.ts'

/** Folder in the data folder where the backups are that were made while it was served. */
const FOLDER = 'backups'

/** Names of their files; nothing else in the folder is shown, sent or removed. */
const NAME = /^workspace-\d{8}T\d{9}\.backup$/

/** Characters of what a command says that are kept. */
const MOST_SAID = 2_000

/** Backups of the workspace that this process serves, made and read by `svc backup` and `svc restore --dry-run` beside it. */
export function servedBackups(settings: Settings, logger: Pick<Logger, 'info' | 'error'>): Backups {
  const folder = join(resolve(settings.data), FOLDER)
  let isMaking = false
  let problem: string | undefined
  const fileOf = (id: string): string | undefined => {
    const file = join(folder, id)
    return NAME.test(id) && existsSync(file) ? file : undefined
  }

  async function made(file: string): Promise<void> {
    const { code, failed } = await ran(settings, ['backup', file, '--json'])
    problem = code === 0 ? undefined : failed
    if (code === 0) logger.info({ file }, 'a backup was made')
    else logger.error({ code, said: failed }, 'svc backup: it could not be made')
  }

  return {
    isMaking: () => isMaking,
    problem: () => problem,
    fileOf,
    list() {
      if (!existsSync(folder)) return []
      return readdirSync(folder)
        .filter((id) => NAME.test(id))
        .sort()
        .reverse()
        .map((id) => {
          const { size, mtimeMs } = statSync(join(folder, id))
          return { id, created: new Date(mtimeMs).toISOString(), bytes: size }
        })
    },
    make() {
      if (isMaking) throw new AppError('CONFLICT', 'a backup is being made; wait for its end')
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      const moment = isoDateTime(systemClock).replace(/[-:.Z]/g, '')
      isMaking = true
      made(join(folder, `workspace-${moment}.backup`))
        .catch((error: unknown) => {
          problem = String(error)
          logger.error({ err: error }, 'svc backup: it could not be made')
        })
        .finally(() => {
          isMaking = false
        })
    },
    async check(id) {
      const file = join(folder, id)
      const words = ['restore', file, '--force']
      const { code, said, failed } = await ran(settings, [...words, '--dry-run', '--json'])
      if (code !== 0) throw new AppError('CONFLICT', failed)
      const { kind, program, created, rows, tables, files } = JSON.parse(said) as BackupFound
      const command = ['svc', ...words, '--data', resolve(settings.data)]
      return { kind, program, created, rows, tables, files, command }
    },
    remove: (id) => rmSync(join(folder, id)),
  }
}

/** Runs a command of ours on the workspace; what it said where it failed, in one line. */
async function ran(
  settings: Settings,
  words: readonly string[],
): Promise<{ readonly code: number | null; readonly said: string; readonly failed: string }> {
  const child = startOwn(settings, words)
  child.stdin.end()
  let [said, failed] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => {
    said = (said + chunk).slice(-MOST_SAID)
  })
  child.stderr.on('data', (chunk: Buffer) => {
    failed = (failed + chunk).slice(-MOST_SAID)
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, said, failed: failed.trim().replace(/^svc: /, '') }
}
