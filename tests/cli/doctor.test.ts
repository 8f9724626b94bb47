import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { SHIPPED_DOCTYPES } from '../../cli/package.ts'
import { openEngine } from '../../engine/index.ts'
import { enqueueMail } from '../../server/mail/mail.ts'
import { type Finished, type Folder, svc, temporaryFolder } from './process.ts'

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
  const ended = await svc(['doctor', '--json', '--data', folder.path], env)
  return { ...ended, ...(JSON.parse(ended.stdout) as Report) }
}

const statesOf = ({ checks }: Report): Record<string, string> =>
  Object.fromEntries(checks.map(({ name, state }) => [name, state]))

doctor('says what waits, since when, and what is not set up', async () => {
  const hoursAgo = Date.now() - 3 * 60 * 60 * 1000
  const engine = await openEngine({
    database: { kind: 'sqlite', file: join(folder.path, 'workspace.db') },
    doctypes: [SHIPPED_DOCTYPES],
    secretKey: Buffer.alloc(32, 7),
    clock: { now: () => hoursAgo },
  })
  const { database } = engine.services
  const mail = { to: 'ann@example.com', kind: 'test', subject: 'x', text: 'x' }
  await database.write((tx) => enqueueMail(tx, engine.services, mail))
  await engine.close()
  const report = await examine()
  assert.is(report.code, 0)
  assert.equal(statesOf(report), {
    database: 'ok',
    migrations: 'ok',
    provider: 'ok',
    mail_server: 'attention',
    mail: 'attention',
    webhooks: 'ok',
  })
  const waiting = report.checks.find(({ name }) => name === 'mail')
  assert.match(waiting?.message ?? '', /^1 \(oldest 3 h\) waiting, 0 given up$/)
  assert.equal(report.checks.find(({ name }) => name === 'webhooks')?.facts, {
    waiting: { count: 0, oldest_seconds: null },
  })
  assert.not.match(report.stdout, 'ann@example.com')

  const set = await examine({
    SVC_SMTP_URL: 'smtp://us:canary@mail.example.com',
    SVC_BASE_URL: 'https://erp.example.com',
    SVC_STRIPE_SECRET_KEY: 'sk_canary',
  })
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

doctor.run()
