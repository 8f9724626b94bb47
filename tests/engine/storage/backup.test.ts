import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import Sqlite from 'better-sqlite3'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { AppError } from '../../../engine/base/errors.ts'
import { openDatabase } from '../../../engine/index.ts'
import { checkBackup, readContents } from '../../../engine/storage/backup/check.ts'
import {
  type ContentParts,
  contentsIn,
  writeContents,
} from '../../../engine/storage/backup/contents.ts'
import { digestWithout, overwrite } from '../../../engine/storage/backup/digest.ts'
import type { BackupFacts, BackupFile } from '../../../engine/storage/backup/manifest.ts'
import { takePostgresBackup } from '../../../engine/storage/backup/postgres-backup.ts'
import { postgresState, restorePostgres } from '../../../engine/storage/backup/postgres-restore.ts'
import { takeSqliteBackup } from '../../../engine/storage/backup/sqlite-backup.ts'
import { makeSqliteDatabase } from '../../../engine/storage/backup/sqlite-restore.ts'
import type { Database } from '../../../engine/storage/database/database.ts'
import { runSql } from '../../../engine/storage/database/statements.ts'
import { touchContent } from '../../../server/files/store.ts'
import { eventually } from '../../cli/process.ts'
import { createTestDatabase, forEachDatabase, type TestDatabase } from '../../helpers/databases.ts'
import { randomOf, rounds, seedsOf } from '../../helpers/random.ts'
import { openWorkspace, refusal, type Workspace } from '../documents/workspace.ts'

const SEEDS = seedsOf(import.meta.filename, [1])

const PROGRAM = 'svc 0.1.0 (abc)'
const FACTS: BackupFacts = { program: PROGRAM, created: '2026-11-21T17:00:00.000Z', keyCheck: 'x' }
const FILES: readonly BackupFile[] = [
  { path: 'doctypes/own.yaml', mode: 0o640, content: Buffer.from('doctype: Own\n') },
  { path: 'doctypes/empty.yaml', mode: 0o600, content: Buffer.alloc(0) },
]
const NOTE = `
doctype: Note
module: setup
tier: free
naming: "NOTE-{####}"
title: title
search: [title]
fields:
  title: {type: data, required: true}
  text: {type: text}
  amount: {type: float}
  lines: {type: table, options: Note Line}
---
doctype: Note Line
child: true
module: setup
tier: free
fields:
  text: {type: data}
`
/** What the text of COPY, JSON and SQL each would stumble over. */
const TEXTS = [
  '\\.',
  '\\N',
  'a\nb\r\nc\t\\',
  '"\'; drop table notes; --',
  '🦊 Ünï\u2028',
  ' ',
  null,
]

/** Contents of uploaded files: of several parts, of none, and one that is not where it should be. */
const LARGE = Buffer.alloc(1_100_000, 'large ')
const UPLOADS: Readonly<Record<string, Buffer>> = {
  ['a'.repeat(64)]: LARGE,
  ['b'.repeat(64)]: Buffer.alloc(0),
}
const MISSING = 'c'.repeat(64)
let uploads = ''
const parts: ContentParts = (hash) => contentsIn(uploads)(hash)

async function fill(workspace: Workspace): Promise<void> {
  uploads = mkdtempSync(join(tmpdir(), 'svc-uploads-'))
  for (const [hash, bytes] of Object.entries(UPLOADS)) writeContents(uploads)(hash, bytes)
  const { database } = workspace.engine.services
  for (const hash of [...Object.keys(UPLOADS), MISSING])
    await database.write((tx) => touchContent(tx, { hash, size: 1, now: 1 }))
  for (const [at, text] of TEXTS.entries()) {
    const lines = [{ text: `line ${at}` }, { text: '\\.' }]
    await workspace.create('Note', { title: `Kind${at}x`, text, amount: at / 4, lines })
  }
}

async function take(from: TestDatabase, target: string, facts: BackupFacts = FACTS): Promise<void> {
  writeFileSync(target, '')
  if (from.kind === 'sqlite')
    await takeSqliteBackup(from.file, target, facts, FILES, undefined, parts)
  else await takePostgresBackup(from.url, target, facts, FILES, undefined, parts)
}

function check(file: string): ReturnType<typeof checkBackup> {
  return checkBackup(file, PROGRAM)
}

async function restore(file: string, to: TestDatabase, aside?: string): Promise<void> {
  if (to.kind === 'sqlite') makeSqliteDatabase(file, to.file)
  else
    await restorePostgres({
      url: to.url,
      file,
      checked: await check(file),
      program: PROGRAM,
      token: 'token',
      aside,
      beforeCommit: () => undefined,
    })
}

/** All rows of all tables but the two that a restore writes into. */
async function contents(database: Database): Promise<Record<string, readonly string[]>> {
  const names = await runSql<{ name: string }>(
    database.read,
    database.kind === 'sqlite'
      ? "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' and name not like 'svc_search_%'"
      : "select tablename as name from pg_tables where schemaname = 'public'",
    [],
  )
  const kept = names.map(({ name }) => name).filter((name) => !/^svc_(schema|settings)$/.test(name))
  const rows = await Promise.all(
    kept.map((name) => runSql<object>(database.read, `select * from "${name}"`, [])),
  )
  const text = (_key: string, value: unknown): unknown =>
    typeof value === 'bigint' ? `${value}n` : value
  return Object.fromEntries(
    kept.map((name, at) => [name, (rows[at] ?? []).map((row) => JSON.stringify(row, text)).sort()]),
  )
}

forEachDatabase('a database without a workspace', ({ test, create, kind }) => {
  test('is not backed up', async () => {
    const database = await create()
    if (database.kind === 'sqlite') writeFileSync(database.file, '')
    const target = join(tmpdir(), `svc-nothing-${process.pid}-${kind}`)
    const { code, message } = await refusal(take(database, target))
    rmSync(target)
    assert.equal([code, /^there is no workspace/.test(message)], ['NOT_FOUND', true], message)
  })
})

forEachDatabase('a backup', ({ test, create, kind }) => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-backup-'))
  const file = join(folder, 'backup')
  let source: TestDatabase
  let workspace: Workspace

  test.before(async () => {
    source = await create()
    workspace = await openWorkspace(source, NOTE)
    await fill(workspace)
    const last = await workspace.create('Note', { title: 'Gone' })
    await workspace.remove('Note', last.id)
    await take(source, file)
  })
  test.after(async () => {
    await workspace.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test('has the contents of uploaded files, part by part', async () => {
    assert.is((await check(file)).contents, 2)
    const read: Record<string, Buffer> = {}
    await readContents(file, PROGRAM, (hash, part) => {
      read[hash] = Buffer.concat([read[hash] ?? Buffer.alloc(0), part])
    })
    assert.equal(Object.keys(read).toSorted(), Object.keys(UPLOADS).toSorted())
    for (const [hash, bytes] of Object.entries(UPLOADS)) assert.ok(read[hash]?.equals(bytes))
    assert.throws(() => writeContents(uploads)('../../etc/passwd', LARGE), /no checksum/)
  })

  test('has every row of every table, its files with their modes, and says so', async () => {
    const { manifest, files, rows } = await check(file)
    assert.equal(
      [manifest.kind, manifest.program, manifest.created],
      [kind, PROGRAM, FACTS.created],
    )
    assert.equal(
      files.toSorted((a, b) => (a.path > b.path ? -1 : 1)),
      [...FILES],
    )
    assert.equal([rows.notes, rows.notes__lines], [TEXTS.length, TEXTS.length * 2])

    const target = kind === 'sqlite' ? await emptyFile() : await create()
    if (target.kind === 'postgres') await assertOthersKept(target)
    await restore(file, target)
    const copy = await openDatabase(target)
    try {
      assert.equal(await contents(copy), await contents(workspace.engine.services.database))
    } finally {
      await copy.close()
    }
    const again = await openWorkspace(target, NOTE)
    try {
      const found = await again.list('Note', { q: 'kind3X' })
      assert.equal(
        found.data.map(({ title }) => title),
        ['Kind3x'],
      )
      const ridOf = async (one: Workspace, title: string): Promise<unknown> => {
        await one.create('Note', { title })
        const database = one.engine.services.database.read
        return (
          await runSql(
            database,
            `select max(rid) as rid, max(seq) as seq from notes, svc_events`,
            [],
          )
        )[0]
      }
      assert.equal(await ridOf(again, 'Next'), await ridOf(workspace, 'Next'))
    } finally {
      await again.close()
    }
  })

  /** What somebody else keeps in the database is left as it is. */
  async function assertOthersKept(target: TestDatabase): Promise<void> {
    const execute = async (statement: string): Promise<void> => {
      const database = await openDatabase(target)
      await runSql(database.read, statement, [])
      await database.close()
      await left(target)
    }
    await execute('create table notes (theirs text)')
    const { code, message } = await refusal(restore(file, target))
    assert.equal([code, /tables of something else .*notes/.test(message)], ['CONFLICT', true])
    await execute('drop table notes')
  }

  /** A connection that was closed is counted until its process has ended. */
  async function left(target: TestDatabase): Promise<void> {
    if (target.kind === 'sqlite') return
    const server = new URL(target.url)
    const name = server.pathname.slice(1)
    server.pathname = '/postgres'
    const database = await openDatabase({ kind: 'postgres', url: server.href })
    try {
      await eventually(async () => {
        const found = await runSql(
          database.read,
          'select 1 as there from pg_stat_activity where datname = $1',
          [name],
        )
        return found.length === 0
      })
    } finally {
      await database.close()
    }
  }

  async function emptyFile(): Promise<TestDatabase> {
    return { kind: 'sqlite', file: join(folder, 'restored.db') }
  }

  for (const seed of SEEDS)
    test(`that was changed or cut off anywhere is refused, or means the same (seed ${seed})`, async () => {
      const random = randomOf(seed)
      const bytes = readFileSync(file)
      const { sha256 } = await check(file)
      const hurt = join(folder, 'hurt')
      for (let round = 0; round < rounds(20); round += 1) {
        const place = random.chance(0.3) ? random.below(200) : random.below(bytes.length)
        const other = Buffer.from(bytes)
        if (round % 2 === 0) other[place] = (other[place] ?? 0) ^ (1 << random.below(8))
        writeFileSync(hurt, round % 2 === 0 ? other : bytes.subarray(0, place))
        const outcome = await check(hurt).then(
          (checked) => checked.sha256,
          (error: unknown) => error,
        )
        const said = `${round % 2 === 0 ? 'bit' : 'length'} ${place}: ${String(outcome)}`
        // A gzip file has a few bits that mean nothing: some of its head, and lengths of codes that nothing uses.
        if (outcome === sha256)
          assert.ok(kind === 'postgres' && gunzipSync(other).equals(gunzipSync(bytes)), said)
        else assert.ok(outcome instanceof AppError && outcome.code === 'VALIDATION_ERROR', said)
      }
    })

  if (kind === 'postgres')
    test('that somebody packed again with another content is refused', async () => {
      const text = gunzipSync(readFileSync(file)).toString()
      assert.ok(text.includes('Kind3x'))
      const forged = join(folder, 'forged')
      writeFileSync(forged, gzipSync(text.replace('Kind3x', 'Kind4x')))
      assert.match((await refusal(check(forged))).message, /its checksum is another one/)
      writeFileSync(forged, gzipSync(text.slice(0, text.lastIndexOf('{"end"'))))
      assert.match((await refusal(check(forged))).message, /its end is missing/)
      writeFileSync(forged, gzipSync(`${text}{"table":"notes"}\n`))
      assert.match((await refusal(check(forged))).message, /it goes on after its end/)
      const [manifest = ''] = text.split('\n', 1)
      for (const wrong of [
        manifest.replace(/"tables":.*/, '"tables":[null]}'),
        `${manifest}\nnull`,
        `${manifest}\n{"file":5}`,
        `${manifest}\n{"file":"doctypes/x","mode":"all"}`,
      ]) {
        writeFileSync(forged, gzipSync(`${wrong}\n`))
        assert.match((await refusal(check(forged))).message, /^the backup is damaged: /)
      }
    })

  if (kind === 'postgres')
    test('goes where a workspace is only when nobody is connected and that one is set aside', async () => {
      const target = await create()
      assert.ok(target.kind === 'postgres')
      const there = await openWorkspace(target, NOTE)
      await there.create('Note', { title: 'Old' })
      assert.match(
        (await refusal(restore(file, target))).message,
        /^others are connected .*: \S+ \(\d+\); stop/,
      )
      await there.close()
      await left(target)
      const before = await postgresState(target.url)
      assert.ok(before.tables.includes('notes'))
      assert.equal([before.sessions, before.restored], [[], undefined])
      await left(target)
      assert.match((await refusal(restore(file, target))).message, /^somebody has made a workspace/)
      await left(target)
      await restore(file, target, 'before')
      await left(target)
      assert.is((await postgresState(target.url)).restored, 'token')
      const copy = await openDatabase(target)
      try {
        const titles = await runSql<{ title: string }>(
          copy.read,
          'select title from notes order by rid',
          [],
        )
        assert.equal(
          titles.map(({ title }) => title),
          TEXTS.map((_, at) => `Kind${at}x`),
        )
        const old = await runSql(copy.read, 'select title from "before".notes', [])
        assert.equal(old, [{ title: 'Old' }])
      } finally {
        await copy.close()
      }
    })

  if (kind === 'postgres')
    test('that grows without end when it is unpacked is given up', async () => {
      const text = gunzipSync(readFileSync(file)).toString()
      const bomb = join(folder, 'bomb')
      const start = text.slice(0, text.indexOf('\n', text.indexOf('{"table":"notes"')) + 1)
      // Each part is packed alone: the parts of a file one behind the other are one text.
      const filling = gzipSync(Buffer.alloc(1 << 26, 'x'), { level: 1 })
      writeFileSync(bomb, Buffer.concat([gzipSync(start), ...Array(5).fill(filling)]))
      assert.match((await refusal(check(bomb))).message, /a line without end/)
    })

  test('of a newer program is refused with what to do', async () => {
    const newer = join(folder, 'newer')
    await take(source, newer, { ...FACTS, program: 'svc 0.10.0 (def)' })
    const { message } = await refusal(check(newer))
    assert.match(
      message,
      /made by svc 0\.10\.0 \(def\), this is svc 0\.1\.0 \(abc\): restore it with/,
    )
    const older = join(folder, 'older')
    await take(source, older, { ...FACTS, program: 'svc 0.0.9 (def)' })
    assert.is((await check(older)).manifest.program, 'svc 0.0.9 (def)')
  })
})

const sqlite = suite('a backup of SQLite')

sqlite(
  'is the moment it began, however much is written meanwhile, and never starts over',
  async () => {
    const { database, remove } = await createTestDatabase('sqlite')
    assert.ok(database.kind === 'sqlite')
    const writer = new Sqlite(database.file)
    try {
      writer.pragma('journal_mode = wal')
      writer.exec(
        'create table svc_schema (name text); create table big (id integer primary key, body blob)',
      )
      const insert = writer.prepare('insert into big (body) values (zeroblob(4000))')
      const write = writer.transaction((count: number) => {
        for (let n = 0; n < count; n += 1) insert.run()
      })
      write(4000)
      const target = `${database.file}.backup`
      writeFileSync(target, '')
      const steps: number[] = []
      await takeSqliteBackup(database.file, target, FACTS, [], (done) => {
        steps.push(done)
        write(10)
      })
      assert.ok(steps.length > 3, 'it was copied in one step')
      assert.equal(
        steps,
        steps.toSorted((a, b) => a - b),
      )
      const { rows } = await check(target)
      assert.equal(rows, { big: 4000, svc_schema: 0 })
      const plain = new Sqlite(target, { readonly: true })
      assert.is(plain.pragma('journal_mode', { simple: true }), 'delete')
      plain.close()
      assert.ok(statSync(target).size > 4000 * 4000)
    } finally {
      writer.close()
      await remove()
    }
  },
)

sqlite('is not what somebody copied by hand', async () => {
  const { database, remove } = await createTestDatabase('sqlite')
  assert.ok(database.kind === 'sqlite')
  const plain = new Sqlite(database.file)
  plain.exec('create table t (a)')
  plain.close()
  assert.match((await refusal(check(database.file))).message, /not one that `svc backup` made/)
  const letter = `${database.file}.txt`
  writeFileSync(letter, 'Dear Ann')
  assert.match((await refusal(check(letter))).message, /is no backup/)
  await remove()
})

/** A backup as somebody makes it who knows how: changed, and with a checksum that is right. */
async function forged(
  target: string,
  statements: string,
  from: Readonly<{ file: string }>,
): Promise<void> {
  writeFileSync(target, '')
  await takeSqliteBackup(from.file, target, FACTS, FILES)
  const copy = new Sqlite(target)
  const mark = 'e'.repeat(64)
  copy.prepare('update svc_backup_digest set sha256 = ?').run(mark)
  copy.exec(statements)
  copy.close()
  const { sha256, places } = digestWithout(target, mark)
  overwrite(target, places, sha256)
}

sqlite('brings rows into a workspace and nothing that runs later', async () => {
  const { database, remove } = await createTestDatabase('sqlite')
  assert.ok(database.kind === 'sqlite')
  const workspace = await openWorkspace(database, NOTE)
  const target = `${database.file}.backup`
  const restored = `${database.file}.restored`
  const programs = `create trigger "a ""b" after insert on notes begin update notes set title = 'x'; end;
    create view everything as select * from notes`
  await forged(target, programs, database)
  await check(target)
  makeSqliteDatabase(target, restored)
  const copy = new Sqlite(restored, { readonly: true })
  const left = copy.prepare("select name from sqlite_schema where type in ('trigger', 'view')")
  assert.equal(left.all(), [])
  copy.close()
  for (const wrong of [
    `drop table svc_backup; create view svc_backup as
      with recursive n(n) as (select 1 union all select n + 1 from n) select '{}' manifest, '{}' rows from n where n < 0`,
    `update svc_backup set rows = 'null'`,
    `update svc_backup set manifest = 'none'`,
    `drop table svc_backup_files; create table svc_backup_files (path, mode, content);
      insert into svc_backup_files values (5, 'x', null)`,
  ]) {
    await forged(target, wrong, database)
    assert.match((await refusal(check(target))).message, /^the backup is damaged: /, wrong)
  }
  await workspace.close()
  await remove()
})

sqlite.run()
