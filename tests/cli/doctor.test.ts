import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { beginRestore } from '../../cli/backup/restore-marker.ts'
import type { Check } from '../../cli/doctor/check.ts'
import { runChecks } from '../../cli/doctor/checks.ts'
import { SHIPPED_DOCTYPES } from '../../cli/package.ts'
import { settingsOf } from '../../cli/settings.ts'
import { locateWorkspace, openWorkspace } from '../../cli/workspace.ts'
import { SYSTEM_ACTOR } from '../../engine/access/actor.ts'
import { newLeaseName } from '../../engine/base/lease-name.ts'
import { createDocument } from '../../engine/documents/operations/create.ts'
import { openEngine } from '../../engine/index.ts'
import { hooks } from '../../hooks/index.ts'
import { enqueueMail } from '../../server/mail/mail.ts'
import { sealSecrets } from '../../webhooks/signing/secrets.ts'
import { insertWebhook, type WebhookRow } from '../../webhooks/store.ts'
import { createTestDatabase, testKinds, withClient } from '../helpers/databases.ts'
import { prepareData } from '../helpers/prepared.ts'
import { runHere } from './in-process.ts'
import { type Finished, type Folder, svc, temporaryFolder } from './process.ts'

const KEY = Buffer.alloc(32, 7)
const HOOK: WebhookRow = {
  id: 'whk_1',
  url: 'https://example.com',
  events: '["*"]',
  label: null,
  status: 'disabled',
  secrets: '',
  api_version: '1',
  created: '2026-01-01T00:00:00.000Z',
  created_by: 'x',
  scope: 'admin',
  modified: '2026-01-01T00:00:00.000Z',
  failing_since: null,
  login: null,
  paused_because: null,
}

const doctor = suite('svc doctor')
let folder: Folder

doctor.before.each(() => {
  folder = temporaryFolder()
})
doctor.after.each(() => folder.remove())

interface Report {
  readonly ok: boolean
  readonly checks: readonly { name: string; state: string; message: string; facts: object }[]
}

async function examine(env: Readonly<Record<string, string>> = {}): Promise<Finished & Report> {
  const ended = await runHere(['doctor', '--json', '--data', folder.path], env)
  return { ...ended, ...(JSON.parse(ended.stdout) as Report) }
}

const statesOf = ({ checks }: Report): Record<string, string> =>
  Object.fromEntries(checks.map(({ name, state }) => [name, state]))

doctor('says what waits, since when, and what is not set up', async () => {
  await prepareData(folder.path)
  const hoursAgo = Date.now() - 3 * 60 * 60 * 1000
  const engine = await openEngine({
    hooks,
    database: { kind: 'sqlite', file: join(folder.path, 'workspace.db') },
    doctypes: [SHIPPED_DOCTYPES],
    cacheFolder: join(folder.path, 'cache'),
    secretKey: Buffer.alloc(32, 7),
    clock: { now: () => hoursAgo },
  })
  const { database } = engine.services
  const mail = { to: 'ann@example.com', kind: 'test', subject: 'x', text: 'x' }
  await database.write((tx) => enqueueMail(tx, engine.services, mail))
  await engine.close()
  const report = await examine()
  assert.is(report.code, 1, 'the key that sealed the mail is not there')
  assert.equal(statesOf(report), {
    data_folder: 'ok',
    database: 'ok',
    migrations: 'ok',
    clock: 'ok',
    secret_key: 'failed',
    provider: 'ok',
    mail_server: 'attention',
    mail: 'attention',
    webhooks: 'ok',
    leases: 'ok',
    books: 'ok',
  })
  const waiting = report.checks.find(({ name }) => name === 'mail')
  assert.match(waiting?.message ?? '', /^1 \(oldest 3 h\) waiting, 0 given up$/)
  assert.equal(report.checks.find(({ name }) => name === 'webhooks')?.facts, {
    waiting: { count: 0, oldest_seconds: null },
    webhooks: 0,
    disabled: 0,
    failing: 0,
  })
  assert.not.match(report.stdout, 'ann@example.com')

  const set = await examine({
    SVC_SMTP_URL: 'smtp://us:canary@mail.example.com',
    SVC_BASE_URL: 'https://erp.example.com',
    SVC_STRIPE_SECRET_KEY: 'sk_canary',
    SVC_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
  })
  assert.equal([set.code, statesOf(set).secret_key], [0, 'ok'])
  assert.equal([statesOf(set).mail_server, statesOf(set).provider], ['ok', 'attention'])
  assert.not.match(set.stdout, 'canary')
})

doctor(
  'fails where there is no workspace, for a database that is none or is away, and makes nothing',
  async () => {
    const missing = await examine()
    assert.equal([missing.code, missing.ok, statesOf(missing).database], [1, false, 'failed'])
    writeFileSync(join(folder.path, 'workspace.db'), 'this is a letter, not a database')
    const broken = await examine()
    assert.equal([broken.code, broken.ok, statesOf(broken).database], [1, false, 'failed'])
    const { stdout } = await svc(['doctor', '--data', folder.path])
    assert.match(stdout, /^CHECK +STATE\n/)
    assert.match(stdout, /failed/)
    const away = await examine({ SVC_DATABASE_URL: 'postgres://svc:canary@127.0.0.1:1/svc' })
    assert.equal([away.code, statesOf(away).database], [1, 'failed'])
    assert.not.match(away.stdout, 'canary')
  },
)

/** The checks of a workspace by name, in this process. */
async function look(
  data: string,
  database?: string,
  secretKey: Buffer | undefined = KEY,
): Promise<Record<string, Check>> {
  const flags = { data, ...(database === undefined ? {} : { database }) }
  const { settings } = settingsOf(flags, {})
  const checks = await runChecks({ ...locateWorkspace(flags), secretKey }, settings)
  return Object.fromEntries(checks.map((check) => [check.name, check]))
}

for (const kind of testKinds()) {
  doctor(
    `finds what is wrong with folder, clock, key, receivers and leases on ${kind}`,
    async () => {
      const created = await createTestDatabase(kind)
      const url = created.database.kind === 'postgres' ? created.database.url : undefined
      const data = folder.path
      const location = {
        ...locateWorkspace({ data, ...(url === undefined ? {} : { database: url }) }),
      }
      await prepareData(data, kind === 'sqlite' ? undefined : created.database)
      const { engine } = await openWorkspace({ ...location, secretKey: KEY })
      try {
        const well = await look(data, url)
        // The servers of the tests are told not to wait for the disk, which it says.
        const notWell = Object.values(well).filter(
          ({ name, state }) => state !== 'ok' && name !== 'database',
        )
        assert.equal(
          notWell.map(({ name }) => name),
          ['mail_server'],
        )
        assert.is.not(well.database?.state, 'failed')
        assert.is(well.database?.facts?.kind, kind)

        if (kind === 'postgres') await examineServer(well, data, url)

        const { database, registry } = engine.services
        const definition = registry.byDoctype('UOM')
        assert.ok(definition)
        const context = engine.context(SYSTEM_ACTOR, 'free')
        await createDocument(context, definition, { uom_name: 'Ell' })
        await database.write(async (tx) => {
          await tx.updateTable('svc_events').set({ at: '2099-01-01T00:00:00.000Z' }).execute()
          await insertWebhook(tx, {
            ...HOOK,
            secrets: sealSecrets(Buffer.alloc(32, 1), HOOK.id, []),
          })
          await tx
            .insertInto('svc_deliveries')
            .values({
              ...{
                id: 'dlv_1',
                webhook_id: HOOK.id,
                event_id: 'evt_1',
                event: 'x',
                state: 'pending',
              },
              ...{ due: 1, leased_by: gone(), created: new Date().toISOString() },
            })
            .execute()
        })
        chmodSync(data, 0o755)
        writeFileSync(join(data, 'first-run.json'), '{}', { mode: 0o644 })
        const found = await look(data, url)
        assert.match(
          found.data_folder?.message ?? '',
          /others may read .*first-run\.json \(mode 0644\)/,
        )
        assert.match(found.clock?.message ?? '', /the newest event is \d+ days ahead of the clock/)
        assert.match(found.secret_key?.message ?? '', /^1 of 1 secret was sealed with another key/)
        assert.match(
          found.webhooks?.message ?? '',
          /waiting, 1 disabled because they failed for days/,
        )
        assert.match(found.leases?.message ?? '', /^1 held by processes that have ended/)
        const states = ['data_folder', 'clock', 'secret_key', 'webhooks', 'leases'].map(
          (name) => found[name]?.state,
        )
        assert.equal(states, ['attention', 'attention', 'failed', 'attention', 'attention'])
        rmSync(join(data, 'secret.key'), { force: true })
        const keyless = await runChecks(
          { ...location, secretKey: undefined },
          settingsOf({ data }, {}).settings,
        )
        assert.match(
          keyless.find(({ name }) => name === 'secret_key')?.message ?? '',
          /^there is none/,
        )
        beginRestore(data, { token: 't', kind })
        const cutOff = await look(data, url)
        assert.is(cutOff.data_folder?.state, 'failed')
      } finally {
        await engine.close()
        await created.remove()
      }
    },
  )
}

/** What PostgreSQL alone has: the way to it, the extension, and who waits for whom. */
async function examineServer(well: Record<string, Check>, data: string, url = ''): Promise<void> {
  assert.equal(
    [well.connections?.facts?.pooler, well.connections?.facts?.idle_ms, well.locks?.facts?.waiting],
    ['none', 15_000, 0],
  )
  assert.is(well.extensions?.message, 'pg_trgm in schema public')
  await withClient(url, async (client) => {
    await client.query('select pg_advisory_lock(1)')
    const env = { SVC_DATABASE_PREPARE: 'off', SVC_DATABASE_IDLE_MS: '0', SVC_DATABASE_POOL: '400' }
    const { settings } = settingsOf({ data, database: url }, env)
    const checks = await runChecks({ ...locateWorkspace({ data, database: url }) }, settings)
    const { connections, locks } = Object.fromEntries(checks.map((one) => [one.name, one]))
    assert.is(connections?.state, 'attention')
    for (const words of [
      /no pooler in between, but SVC_DATABASE_PREPARE is off/,
      /SVC_DATABASE_IDLE_MS is 0/,
      /may open 404 connections, and the server takes \d+/,
    ])
      assert.match(connections?.message ?? '', words)
    assert.match(locks?.message ?? '', /^1 locks were left behind in idle sessions/)
  })
}

/** The name of a process that had our number before us. */
function gone(): string {
  const [place, pid, , id] = JSON.parse(newLeaseName()) as unknown[]
  return JSON.stringify([place, pid, 0, id])
}

doctor('finds a database of SQLite that is damaged', async () => {
  await prepareData(folder.path)
  const { engine } = await openWorkspace({
    ...locateWorkspace({ data: folder.path }),
    secretKey: KEY,
  })
  await engine.close()
  const file = join(folder.path, 'workspace.db')
  const bytes = readFileSync(file)
  // Everything but the first page, which tells what the others are, and where.
  for (let at = 4096 * 3; at < bytes.length; at += 4096) bytes.fill(0xff, at, at + 8)
  writeFileSync(file, bytes)
  const { database } = await look(folder.path)
  assert.is(database?.state, 'failed')
  assert.match(database?.message ?? '', /is damaged .*restore the last backup/)
  const target = join(folder.path, 'damaged.backup')
  for (const args of [['verify'], ['backup', target], ['serve', '--port', '0']]) {
    const refused = await runHere([...args, '--data', folder.path], {
      SVC_SECRET_KEY: KEY.toString('base64'),
    })
    assert.is(refused.code, 1, args[0])
    assert.match(
      refused.stderr,
      /the database is damaged .* restore the last backup with `svc restore/,
    )
  }
})

doctor.run()
