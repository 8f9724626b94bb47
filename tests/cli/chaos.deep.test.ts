import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Account, FaultAccount } from '../../cli/chaos/account.ts'
import { createTestDatabase, type RemovableDatabase, withClient } from '../helpers/databases.ts'
import { prepareStarted } from '../helpers/prepared-start.ts'
import { eventually, type Folder, launch, svc, temporaryFolder } from './process.ts'

const SECRET = { SVC_SECRET_KEY: Buffer.alloc(32, 9).toString('base64') }

let folder: Folder

/** A test's own TMPDIR, so that nothing that is left behind hides among what others leave. */
function environment(): Record<string, string> {
  return { TMPDIR: join(folder.path, 'tmp') }
}

function accountOf(stdout: string): Account {
  return JSON.parse(stdout) as Account
}

function verdicts({ faults }: Account): Record<string, FaultAccount['verdict']> {
  return Object.fromEntries(faults.map(({ fault, verdict }) => [fault, verdict]))
}

/** What was done was written, found and told. */
function assertHeld(account: Account): void {
  for (const one of account.faults) {
    if (one.verdict === 'not done') continue
    assert.is(one.verdict, 'held', JSON.stringify(one, null, 1))
    assert.ok(one.saw.acknowledged > 0, `${one.fault}: something was written`)
    assert.is(one.found, one.known, one.fault)
  }
  assert.equal(account.verify.worse, [])
  assert.is(account.verdict, 'held')
}

const sqlite = suite('svc chaos on sqlite')

sqlite.before(async () => {
  folder = temporaryFolder()
  mkdirSync(join(folder.path, 'tmp'))
  await prepareStarted(join(folder.path, 'data'))
})
sqlite.after(() => folder.remove())

/** Files by their content; what SQLite lays beside a database that somebody reads, and is empty, is none of it. */
function files(data: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(data, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((file) => !file.endsWith('-shm') && statSync(file).size > 0)
      .sort()
      .map((file) => [file, createHash('sha256').update(readFileSync(file)).digest('hex')]),
  )
}

sqlite(
  'hurts a copy, finds all that was answered, and leaves no byte of the original changed',
  async () => {
    const data = join(folder.path, 'data')
    const before = files(data)
    const args = ['chaos', '--data', data, '--yes', '--json', '--minutes', '0.2']
    const { code, stdout, stderr } = await svc(args, environment())
    assert.is(code, 0, `${stderr}\n${stdout}`)
    const account = accountOf(stdout)
    assertHeld(account)
    const told = verdicts(account)
    for (const fault of ['kill', 'freeze', 'clock', 'damage']) assert.is(told[fault], 'held', fault)
    assert.is(told.cut, 'not done', 'SQLite has no connections')
    assert.equal(files(data), before)
    assert.equal(readdirSync(join(folder.path, 'tmp')), [], 'nothing is left behind')
  },
)

sqlite(
  'says what it would do, asks for a yes, and keeps the copy where it is told to',
  async () => {
    const data = join(folder.path, 'data')
    const planned = await svc(['chaos', '--data', data, '--dry-run'], environment())
    assert.is(planned.code, 0, planned.stderr)
    assert.match(planned.stdout, /would copy the workspace/)
    assert.match(planned.stdout, /cut +not done: SQLite has no connections/)
    const unasked = await svc(['chaos', '--data', data], environment())
    assert.is(unasked.code, 2)
    assert.match(unasked.stderr, /asks before it begins: add --yes/)
    const wrong = await svc(['chaos', '--data', data, '--faults', 'kill,flood'], environment())
    assert.is(wrong.code, 2)
    assert.match(wrong.stderr, /expected some of kill, freeze, .* got flood/)
    const args = ['--yes', '--json', '--minutes', '0.01', '--faults', 'clock', '--keep']
    const kept = await svc(['chaos', '--data', data, ...args], environment())
    assert.is(kept.code, 0, kept.stderr)
    const account = accountOf(kept.stdout)
    assert.ok(existsSync(join(account.kept?.folder ?? '', 'data', 'workspace.db')))
  },
)

sqlite('leaves neither processes nor files nor disks behind when it is interrupted', async () => {
  const left = join(folder.path, 'left')
  mkdirSync(left)
  const args = ['--yes', '--minutes', '5', '--faults', 'disk-full']
  const running = launch(['chaos', '--data', join(folder.path, 'data'), ...args], { TMPDIR: left })
  await eventually(() => running.output().stderr.includes('disk-full:'))
  await new Promise((resolve) => setTimeout(resolve, 3000))
  const { code } = await running.end('SIGINT')
  assert.is(code, 1)
  assert.equal(readdirSync(left), [])
})

sqlite.run()

const postgres = suite('svc chaos on postgres')

let created: RemovableDatabase
let url = ''

postgres.before(async () => {
  folder = temporaryFolder()
  mkdirSync(join(folder.path, 'tmp'))
  created = await createTestDatabase('postgres')
  url = created.database.kind === 'postgres' ? created.database.url : ''
  await prepareStarted(join(folder.path, 'data'), created.database)
})
postgres.after(async () => {
  folder.remove()
  await created.remove()
})

/** Every row of every table of the workspace, as one text a table. */
function rowsOf(place: string): Promise<Record<string, string>> {
  return withClient(place, async (client) => {
    const tables = await client.query<{ name: string }>(
      `select table_name as name from information_schema.tables where table_schema = 'public' order by 1`,
    )
    const found: Record<string, string> = {}
    for (const { name } of tables.rows) {
      const { rows } = await client.query<{ text: string }>(
        `select coalesce(md5(string_agg(t::text, '|' order by t::text)), '') || count(*) as text from "${name}" t`,
      )
      found[name] = rows[0]?.text ?? ''
    }
    return found
  })
}

function scratches(place: string): Promise<readonly string[]> {
  return withClient(place, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `select datname as name from pg_database where datname like 'svc_chaos_%'
        union all select nspname from pg_namespace where nspname like 'svc_chaos_%'`,
    )
    return rows.map(({ name }) => name)
  })
}

async function run(place: string): Promise<Account> {
  const data = join(folder.path, 'data')
  const args = ['chaos', '--data', data, '--database', place, '--yes', '--json', '--minutes', '0.2']
  const { code, stdout, stderr } = await svc(args, { ...environment(), ...SECRET })
  assert.is(code, 0, `${stderr}\n${stdout}`)
  return accountOf(stdout)
}

postgres('hurts a database of its own, and leaves no row of the original changed', async () => {
  const before = await rowsOf(url)
  const account = await run(url)
  assertHeld(account)
  const told = verdicts(account)
  for (const fault of ['kill', 'freeze', 'cut', 'read-only', 'clock'])
    assert.is(told[fault], 'held', fault)
  assert.equal([told['disk-full'], told.damage], ['not done', 'not done'])
  assert.equal(await rowsOf(url), before)
  assert.equal(await scratches(url), [])
})

postgres('takes a schema of its own where the role may make no database', async () => {
  const role = `lowly_${process.pid}`
  const { pathname } = new URL(url)
  await withClient(url, async (client) => {
    await client.query(`create role ${role} login password 'x'`)
    await client.query(`grant create on database ${pathname.slice(1)} to ${role}`)
    await client.query(`grant all on schema public to ${role}`)
    await client.query(`grant all on all tables in schema public to ${role}`)
    await client.query(`grant all on all sequences in schema public to ${role}`)
  })
  const place = new URL(url)
  place.username = role
  place.password = 'x'
  try {
    const before = await rowsOf(url)
    const account = await run(place.href)
    assertHeld(account)
    const told = verdicts(account)
    assert.is(told['read-only'], 'not done')
    assert.is(told.cut, 'held')
    assert.equal(await rowsOf(url), before)
    assert.equal(await scratches(url), [])
  } finally {
    await withClient(url, async (client) => {
      await client.query(`drop owned by ${role} cascade`)
      await client.query(`drop role ${role}`)
    })
  }
})

postgres.run()
