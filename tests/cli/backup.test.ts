import { hash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { placeOnSqlite, sqliteMoves } from '../../cli/backup/place-backup.ts'
import { beginRestore, moveForward, planMoves } from '../../cli/backup/restore-marker.ts'
import { settle } from '../../cli/backup/settle.ts'
import { assertInside, collectFiles, placeFiles } from '../../cli/backup/workspace-files.ts'
import { versionLine } from '../../cli/package.ts'
import { locateWorkspace, withWorkspace } from '../../cli/workspace.ts'
import { checkBackup } from '../../engine/storage/backup/check.ts'
import { contentPath } from '../../engine/storage/backup/contents.ts'
import { prepareStarted } from '../helpers/prepared-start.ts'
import { runHere } from './in-process.ts'
import { type Finished, type Folder, svc, temporaryFolder } from './process.ts'

const backup = suite('svc backup and svc restore')
/** Where a backup lies while it is being encrypted, and after it was decrypted. */
const PLAIN = 'backup.plain'
const CONTENT = 'what somebody uploaded'
let folder: Folder
let data: string
let file: string

backup.before(async () => {
  folder = temporaryFolder()
  data = join(folder.path, 'data')
  file = join(folder.path, 'monday.db')
  await prepareStarted(data)
  mkdirSync(join(data, 'doctypes/own'))
  writeFileSync(join(data, 'doctypes/own/x.txt'), 'monday')
  keepContent(data, CONTENT)
  const made = await svc(['backup', file, '--data', data])
  assert.is(made.code, 0, made.stderr)
  assert.match(
    made.stdout,
    /^wrote .*monday\.db: \d+ rows of \d+ tables and 1 DocType file, 1 uploaded file, /,
  )
})
backup.after(() => folder.remove())

const restoreInto = (target: string, ...more: string[]): Promise<Finished> =>
  runHere(['restore', file, '--data', target, ...more])

/** Keeps a text as the content of an uploaded file, as the server does. */
function keepContent(folder: string, text: string): void {
  const digest = hash('sha256', text)
  mkdirSync(dirname(contentPath(join(folder, 'files'), digest)), { recursive: true })
  writeFileSync(contentPath(join(folder, 'files'), digest), text)
  const database = new Sqlite(join(folder, 'workspace.db'))
  database.prepare('insert into svc_file_contents values (?, ?, 0)').run(digest, text.length)
  database.close()
}

/** All files of a folder with what is in them. */
function snapshot(path: string): Record<string, string> {
  if (!existsSync(path)) return {}
  const names = readdirSync(path, { recursive: true, withFileTypes: true })
  return Object.fromEntries(
    names
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((name) => [name, readFileSync(name, 'latin1')]),
  )
}

backup('never replaces a file without being told, nor the workspace itself', async () => {
  const before = readFileSync(file)
  const again = await runHere(['backup', file, '--data', data])
  assert.is(again.code, 1)
  assert.match(again.stderr, /^svc: .*monday\.db is there already: --force replaces it\n$/)
  assert.equal(readFileSync(file), before)
  const way = join(folder.path, 'another-way')
  symlinkSync(data, way)
  for (const own of [join(data, 'secret.key'), join(way, 'workspace.db')]) {
    const { code, stderr } = await runHere(['backup', own, '--force', '--data', data])
    assert.equal([code, /is part of the workspace/.test(stderr)], [2, true], stderr)
  }
  const away = await runHere(['backup', join(folder.path, 'no/where.db'), '--data', data])
  assert.equal([away.code, away.stderr.split('\n').length], [1, 2], away.stderr)
})

backup('asks for the secret key of the backup, and does without only when told', async () => {
  const target = join(folder.path, 'keyless')
  const without = await restoreInto(target)
  assert.is(without.code, 1)
  assert.match(without.stderr, /^svc: there is no secret key here, .* --any-key\n$/)
  const wrong = await runHere(['restore', file, '--data', target], {
    SVC_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
  })
  assert.is(wrong.code, 1)
  assert.match(wrong.stderr, /^svc: the secret key here is not that of the backup, /)
  assert.not.ok(existsSync(target))
  const told = await restoreInto(target, '--any-key')
  assert.equal([told.code, existsSync(join(target, 'workspace.db'))], [0, true], told.stderr)
  assert.match(told.stderr, /cannot be read without it/)
})

backup('replaces a workspace only when told, and keeps the old one', async () => {
  const target = join(folder.path, 'again')
  mkdirSync(target)
  copyFileSync(join(data, 'secret.key'), join(target, 'secret.key'))
  const key = snapshot(target)
  const dry = await restoreInto(target, '--dry-run')
  assert.match(dry.stdout, /^would restore \d+ rows/)
  assert.equal(snapshot(target), key)
  assert.is((await svc(['restore', file, '--data', target])).code, 0)
  writeFileSync(join(target, 'doctypes/own/x.txt'), 'tuesday')
  const before = snapshot(target)

  const refused = await restoreInto(target)
  assert.is(refused.code, 1)
  assert.match(refused.stderr, /^svc: there is a workspace in .* already: --force replaces it/)
  assert.equal(snapshot(target), before)

  const open = new Sqlite(join(target, 'workspace.db'))
  open.pragma('journal_mode = wal')
  open.prepare('select * from svc_settings').all()
  const inUse = await restoreInto(target, '--force')
  assert.is(inUse.code, 1)
  assert.match(inUse.stderr, /^svc: another process has .* open: stop the server first\n$/)
  assert.equal(
    [open.prepare('select 1 as one').get(), existsSync(`${target}/restoring`)],
    [{ one: 1 }, false],
  )
  open.close()

  const forced = await restoreInto(target, '--force', '--json')
  assert.is(forced.code, 0, forced.stderr)
  const { kept, applied } = JSON.parse(forced.stdout) as { kept: string[]; applied: boolean }
  assert.equal([kept.length, applied], [3, true])
  const [doctypes = '', files = '', database = ''] = kept
  for (const place of [files, join(target, 'files')])
    assert.is(readFileSync(contentPath(place, hash('sha256', CONTENT)), 'utf8'), CONTENT)
  assert.is(readFileSync(join(doctypes, 'own/x.txt'), 'utf8'), 'tuesday')
  assert.is(readFileSync(join(target, 'doctypes/own/x.txt'), 'utf8'), 'monday')
  const old = new Sqlite(database, { readonly: true })
  assert.equal(old.pragma('integrity_check', { simple: true }), 'ok')
  old.close()

  writeFileSync(join(target, 'workspace.db'), 'not a database any more')
  assert.is((await restoreInto(target, '--force')).code, 0)
  assert.is((await svc(['key', 'list', '--data', target])).code, 0)
})

backup('says what is wrong with the other database, a damaged file and no file', async () => {
  const target = join(folder.path, 'none')
  const other = await runHere(['restore', file, '--database', 'postgres://x@127.0.0.1:1/x'])
  assert.match(other.stderr, /^svc: the backup is one of SQLite, and --database/)
  const hurt = join(folder.path, 'hurt.db')
  const bytes = readFileSync(file)
  bytes[bytes.length - 9] = (bytes[bytes.length - 9] ?? 0) ^ 1
  writeFileSync(hurt, bytes)
  const damaged = await runHere(['restore', hurt, '--data', target])
  assert.match(damaged.stderr, /^svc: the backup is damaged: its checksum is another one/)
  const missing = await runHere(['restore', join(folder.path, 'nothing'), '--data', target])
  assert.match(missing.stderr, /^svc: there is no file /)
  assert.equal([other.code, damaged.code, missing.code, existsSync(target)], [1, 1, 1, false])
})

backup('is encrypted to public keys, and opened by one of theirs alone', async () => {
  const { generateX25519Identity, identityToRecipient } = await import('age-encryption')
  const [own, other] = [await generateX25519Identity(), await generateX25519Identity()]
  const sealed = join(folder.path, 'monday.age')
  const target = join(folder.path, 'opened')
  const keyFile = (name: string, key: string): string => {
    const path = join(folder.path, name)
    writeFileSync(path, `# created: today\n${key}\n`)
    return path
  }
  const to = await identityToRecipient(own)
  const made = await runHere(['backup', sealed, '--data', data, '--encrypt', '--recipient', to])
  assert.is(made.code, 0, made.stderr)
  assert.match(made.stdout, /^wrote .*monday\.age: .*, read again and found whole, encrypted\n$/)
  const bytes = readFileSync(sealed)
  assert.is(bytes.toString('latin1', 0, 22), 'age-encryption.org/v1\n')
  assert.not.match(bytes.toString('latin1'), /SQLite format|create table/i)
  assert.equal([statSync(sealed).mode & 0o777, existsSync(join(data, PLAIN))], [0o600, false])

  const open = (path: string, ...more: string[]): Promise<Finished> =>
    runHere(['restore', path, '--data', target, '--any-key', ...more])
  const identity = ['--identity', keyFile('own.key', own)]
  const cut = join(folder.path, 'cut.age')
  const refuses = async (
    path: string,
    flags: string[],
    message: RegExp,
    code = 1,
  ): Promise<void> => {
    const finished = await open(path, ...flags)
    assert.match(finished.stderr, message)
    assert.equal([finished.code, existsSync(target)], [code, false], finished.stderr)
  }
  await refuses(sealed, [], /encrypted to a public key of age: expected --identity FILE/, 2)
  await refuses(sealed, ['--identity', keyFile('other', other)], /to another key than that of/)
  await refuses(sealed, ['--identity', keyFile('none', 'x')], /got one that is no key of age/)
  for (const length of [bytes.length - 1, bytes.length - 70_000, 150, 30]) {
    writeFileSync(cut, bytes.subarray(0, length))
    await refuses(cut, identity, /the backup is damaged: it was changed or cut off/)
  }
  const hurt = Buffer.from(bytes)
  hurt[100_000] = (hurt[100_000] ?? 0) ^ 1
  writeFileSync(cut, hurt)
  await refuses(cut, identity, /the backup is damaged: it was changed or cut off/)

  const opened = await open(sealed, ...identity)
  assert.is(opened.code, 0, opened.stderr)
  assert.match(opened.stdout, /^restored \d+ rows/)
  assert.is(readFileSync(join(target, 'doctypes/own/x.txt'), 'utf8'), 'monday')
  assert.equal(
    [existsSync(join(target, PLAIN)), existsSync(join(target, 'workspace.db'))],
    [false, true],
  )
  assert.is((await svc(['key', 'list', '--data', target])).code, 0)

  const both = await runHere(['backup', sealed, '--data', data, '--recipient', to])
  assert.match(both.stderr, /belong to --encrypt/)
  const none = await runHere([
    'backup',
    join(folder.path, 'n'),
    '--data',
    data,
    '--encrypt',
    '--recipient',
    'age1x',
  ])
  assert.match(none.stderr, /--recipient: expected a public key of age/)
  assert.equal([none.code, existsSync(join(data, PLAIN))], [2, false])
})

const PATHS: readonly string[] = [
  '../secret.key',
  'doctypes/../../x',
  'doctypes/..',
  '/etc/x',
  'doctypes//x',
  'doctypes/./x',
  'doctypes\\..\\..\\x',
  'doctypes/a\\..\\b',
  'doctypes',
  'doctypes/a\0b',
  'secret.key',
  '',
]

backup('takes no file that would lie elsewhere', () => {
  for (const path of PATHS) {
    const files = [{ path, mode: 0o600, content: Buffer.from('x') }]
    assert.throws(() => assertInside(files), /was not made by svc, nothing was restored/, path)
    const stage = join(folder.path, 'stage')
    assert.throws(() => placeFiles(files, stage), /nothing was restored/)
    assert.not.ok(existsSync(stage))
  }
})

backup('keeps DocTypes as the loader sees them, and follows no link back', () => {
  const from = join(folder.path, 'linked')
  mkdirSync(join(from, 'doctypes/.git'), { recursive: true })
  writeFileSync(join(from, 'doctypes/.git/config'), 'hidden')
  writeFileSync(join(from, 'shared.yaml'), 'doctype: Shared')
  symlinkSync(join(from, 'shared.yaml'), join(from, 'doctypes/shared.yaml'))
  symlinkSync(from, join(from, 'doctypes/loop'))
  const files = collectFiles(from)
  assert.equal(
    files.map(({ path, content }) => [path, String(content)]),
    [['doctypes/shared.yaml', 'doctype: Shared']],
  )
})

backup('that fails before everything is made leaves what is there', async () => {
  const root = join(folder.path, 'failing')
  mkdirSync(join(root, 'doctypes'), { recursive: true })
  writeFileSync(join(root, 'doctypes/x'), 'old')
  writeFileSync(join(root, 'workspace.db'), 'old')
  const before = snapshot(root)
  const program = versionLine()
  const checked = await checkBackup(file, program)
  const content = Buffer.from('new')
  const clash = ['doctypes/a', 'doctypes/a/b'].map((path) => ({ path, mode: 0o600, content }))
  const placing = { dataFolder: root, program, token: 't', aside: 'before-restore-1' }
  for (const failing of [
    { ...placing, file, checked: { ...checked, files: clash } },
    { ...placing, file: join(folder.path, 'nothing'), checked },
  ]) {
    const outcome = await placeOnSqlite(failing, join(root, 'workspace.db')).catch(
      (error: unknown) => error,
    )
    assert.instance(outcome, Error)
    assert.equal(snapshot(root), before)
  }
})

backup(
  'that is cut off between any two moves leaves the old workspace or the new one',
  async () => {
    const root = join(folder.path, 'cut')
    const moves = sqliteMoves('workspace.db', 'before-restore-1')
    for (let count = 0; count <= moves.length; count += 1) {
      rmSync(root, { recursive: true, force: true })
      const files: Record<string, string> = {
        'workspace.db': 'old',
        'workspace.db-wal': 'old',
        'doctypes/x': 'old',
        'restoring/workspace.db': 'new',
        'restoring/doctypes/x': 'new',
      }
      for (const [name, content] of Object.entries(files)) {
        mkdirSync(join(root, name, '..'), { recursive: true })
        writeFileSync(join(root, name), content)
      }
      beginRestore(root, { token: 't', kind: 'sqlite' })
      planMoves(root, moves)
      moveForward(root, moves.slice(0, count))
      const workspace = locateWorkspace({ data: root })
      // As long as its process lives nobody touches anything.
      assert.match(String(await settle(workspace).catch(String)), /another process is restoring/)
      const refused = await withWorkspace({ data: root }, async () => 'open').catch(String)
      assert.match(refused, /a restore into .* is under way or was cut off: run `svc restore`/)

      const marker = join(root, 'restore.json')
      const content = JSON.parse(readFileSync(marker, 'utf8')) as { holder: string }
      const [place, pid, , id] = JSON.parse(content.holder) as unknown[]
      writeFileSync(
        marker,
        JSON.stringify({ ...content, holder: JSON.stringify([place, pid, 0, id]) }),
      )
      await settle(workspace)
      const now = snapshot(root)
      const contents = ['workspace.db', 'doctypes/x'].map((name) => now[join(root, name)])
      const isNew = count === moves.length
      assert.equal(contents, isNew ? ['new', 'new'] : ['old', 'old'], `after ${count} moves`)
      const log = now[join(root, isNew ? 'workspace.db.before-restore-1-wal' : 'workspace.db-wal')]
      assert.equal(
        [log, existsSync(marker), existsSync(join(root, 'restoring'))],
        ['old', false, false],
      )
    }
  },
)

backup.run()
