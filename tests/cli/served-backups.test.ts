import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { folderOf } from '../../cli/backup/kept-files.ts'
import { writeState } from '../../cli/backup/kept-state.ts'
import { servedBackups } from '../../cli/backup/served-backups.ts'
import type { AppError } from '../../engine/base/errors.ts'
import type { Backups } from '../../server/backup/backup-routes.ts'
import { createLogger } from '../../server/observe/logger.ts'
import { readSettings } from '../../server/settings/settings.ts'
import { prepareData } from '../helpers/prepared.ts'
import { eventually } from './process.ts'

/* What a whole server does with them is in `served-backups.deep.test.ts`. */

const test = suite('backups of a workspace that is served')

let data: string
test.before(async () => {
  data = mkdtempSync(join(tmpdir(), 'svc-served-backups-'))
  await prepareData(data)
})
test.after(() => rmSync(data, { recursive: true, force: true }))

test('are made by a process beside, one at a time, and appear when they are whole', async () => {
  const backups = open()
  assert.equal(backups.state().data, [])
  backups.make('backup')
  assert.is(backups.state().making, 'backup')
  assert.throws(() => backups.make('backup'), /a backup is being made/)
  assert.throws(() => backups.restore('workspace-20260101T000000000.backup'), /is being made/)
  await eventually(() => !backups.state().making)
  const { data: kept, problem } = backups.state()
  assert.equal([kept.length, problem], [1, null])
  assert.ok((kept[0]?.bytes ?? 0) > 100_000)
  // A half-made one has another name.
  writeFileSync(join(folderOf({ data }), 'workspace-20260101T000000000.backup.77.partial'), 'half')
  assert.is(open().state().data.length, 1)
  backups.remove(kept[0]?.id ?? '')
  assert.equal(backups.state().data, [])
})

test('that are brought from elsewhere are kept only when they are one, and come whole', async () => {
  const backups = open()
  const before = readdirSync(folderOf({ data }))
  const refused = (stream: Readable): Promise<AppError> =>
    backups.bring(stream).then(
      () => assert.unreachable('it was kept'),
      (error) => error,
    ) as Promise<AppError>
  const none = await refused(Readable.from([Buffer.from('no backup of anything')]))
  assert.is(none.code, 'VALIDATION_ERROR')
  const cut = new Readable({ read: () => undefined })
  cut.push(Buffer.alloc(70_000))
  const waiting = refused(cut)
  cut.destroy(new Error('the connection broke'))
  assert.is((await waiting).message, 'the connection broke')
  assert.equal(readdirSync(folderOf({ data })), [...before, 'arriving'].toSorted())
  assert.equal(readdirSync(join(folderOf({ data }), 'arriving')), [])
})

test('that a process has not finished are told of by the next one', () => {
  const folder = folderOf({ data })
  const id = 'workspace-20260101T000000000.backup'
  mkdirSync(folder, { recursive: true })
  const told = (state: Parameters<typeof writeState>[1]): string | null => {
    writeState(folder, state)
    const { making, restoring, problem } = open().state()
    assert.equal([making, restoring], [null, null])
    return problem
  }
  assert.match(told({ making: id }) ?? '', 'stopped while a backup was being made')
  assert.match(
    told({ restoring: { id, phase: 'backing up' } }) ?? '',
    `stopped while ${id} was being restored: nothing was changed`,
  )
  assert.is(told({ restoring: { id, phase: 'opening' } }), null)
  writeFileSync(join(folder, id), '')
  assert.is(told({ making: id }), null, 'it was made all the same')
  assert.ok(existsSync(join(folder, id)))
})

/** The backups as a process that begins now has them. */
function open(): Backups {
  const never = async (): Promise<void> => assert.unreachable('the workspace was let go of')
  return servedBackups({
    settings: readSettings({ SVC_DATA: data }).settings,
    logger: createLogger({ level: 'silent' }),
    standing: { pause: never, resume: never },
    onLost: never,
  })
}

test.run()
