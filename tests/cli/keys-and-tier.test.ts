import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { prepareData } from '../helpers/prepared.ts'
import { runHere } from './in-process.ts'
import { type Folder, svc, temporaryFolder } from './process.ts'

const workspace = suite('a workspace by the command line')
let folder: Folder
let data: string[] = []

workspace.before(async () => {
  folder = temporaryFolder()
  data = ['--data', `${folder.path}/data`]
  await prepareData(`${folder.path}/data`)
})
workspace.after(() => folder.remove())

workspace('is not set up for a country that does not exist, and can be after that', async () => {
  const refused = await runHere(['setup', ...data, '--country', 'Narnia'])
  assert.is(refused.code, 2)
  assert.match(refused.stderr, /^svc: --country: .*"Narnia"\n$/)
})

workspace('is set up once, with what was asked for', async () => {
  const args = ['--email', 'ann@example.com', '--company', 'Ann & Co', '--country', 'Germany']
  const more = [
    '--password',
    'correct horse',
    '--fiscal-year-start',
    '04-01',
    '--tier',
    'pro',
    '--json',
  ]
  const first = await svc(['setup', ...data, ...args, ...more])
  assert.is(first.code, 0, first.stderr)
  const { admin_key, ...rest } = JSON.parse(first.stdout) as Record<string, unknown>
  assert.match(String(admin_key), /^svc_live_\w{36}$/)
  assert.equal(rest, {
    user: 'ann@example.com',
    email: 'ann@example.com',
    password: 'correct horse',
    company: 'Ann & Co',
    country: 'Germany',
    currency: 'EUR',
    chart_of_accounts: 'Germany SKR04',
    fiscal_year_start: '04-01',
    tier: 'pro',
  })
  const second = await runHere(['setup', ...data, '--company', 'Eve & Co'])
  assert.is(second.code, 1)
  assert.match(second.stderr, /^svc: this workspace is set up already/)
})

workspace('tells who may do what with a record, and by which rule', async () => {
  const why = await runHere(['access', 'why', ...data, 'ann@example.com', 'companies/Ann & Co'])
  assert.is(why.code, 0, why.stderr)
  assert.match(why.stdout, /^read +yes +System Manager: everything$/m)
  const who = await runHere(['access', 'who', ...data, '--json', 'companies/Ann & Co', 'country'])
  const [ann] = JSON.parse(who.stdout) as { user: string; rights: { right: string }[] }[]
  assert.is(ann?.user, 'ann@example.com')
  assert.equal(
    ann?.rights.map(({ right }) => right),
    ['read', 'set'],
  )
  const nobody = await runHere(['access', 'why', ...data, 'eve@example.com', 'companies/Ann & Co'])
  assert.is(nobody.code, 1)
  assert.match(nobody.stderr, 'there is nobody called "eve@example.com"')
})

workspace('hands out keys that are shown once, lists and revokes them', async () => {
  const made = await runHere([
    'key',
    'create',
    ...data,
    '--scope',
    'write',
    '--env',
    'test',
    '--label',
    'CI',
    '--json',
  ])
  assert.is(made.code, 0, made.stderr)
  const created = JSON.parse(made.stdout) as Record<string, string>
  assert.equal(Object.keys(created), ['id', 'key', 'prefix', 'scope', 'env'])
  assert.match(created.key ?? '', /^svc_test_\w{36}$/)
  assert.ok(created.key?.startsWith(created.prefix ?? '?'))

  const listed = await runHere(['key', 'list', ...data, '--json'])
  assert.not.match(listed.stdout, created.key ?? '?')
  const keys = JSON.parse(listed.stdout) as { id: string; label: string; scope: string }[]
  assert.equal(
    keys.map(({ label, scope }) => [label, scope]),
    [
      ['CI', 'write'],
      ['Setup', 'admin'],
    ],
  )

  const id = created.id ?? ''
  const revoked = await runHere(['key', 'revoke', id, ...data, '--json'])
  assert.equal([revoked.code, JSON.parse(revoked.stdout)], [0, { id, revoked: true }])
  const again = await runHere(['key', 'revoke', id, ...data])
  assert.is(again.code, 1)
  assert.match(again.stderr, `there is no valid key "${id}"`)
  assert.not.match((await runHere(['key', 'list', ...data])).stdout, id)
})

workspace('prints the key alone on stdout, for scripts', async () => {
  const { stdout, stderr } = await runHere(['key', 'create', ...data, '--scope', 'read'])
  assert.match(stdout, /^svc_live_\w{36}\n$/)
  assert.match(stderr, 'it is not shown again')
})

workspace('shows and sets its tier, and refuses one that plans.yaml lacks', async () => {
  const refused = await runHere(['tier', 'set', 'gold', ...data])
  assert.is(refused.code, 1)
  assert.match(refused.stderr, /^svc: expected one of the tiers free, pro, business, got "gold"\n$/)
  const set = await runHere(['tier', 'set', 'business', ...data, '--json'])
  assert.equal(JSON.parse(set.stdout), { tier: 'business', source: 'override' })
  assert.equal(JSON.parse((await runHere(['tier', 'show', ...data, '--json'])).stdout), {
    tier: 'business',
    source: 'override',
    tiers: ['free', 'pro', 'business'],
  })
  assert.match(
    (await runHere(['tier', 'show', ...data])).stdout,
    'business was set by `svc tier set`',
  )
  const cleared = await runHere(['tier', 'clear', ...data])
  assert.equal([cleared.code, cleared.stdout], [0, 'the workspace is on tier free\n'])
  const { source } = JSON.parse((await runHere(['tier', 'show', ...data, '--json'])).stdout)
  assert.is(source, 'default')
})

workspace('limits keys to addresses only on the plan that has it', async () => {
  const args = ['key', 'create', ...data, '--scope', 'read', '--allow-ip', '10.0.0.0/8']
  assert.is((await runHere(['tier', 'set', 'free', ...data])).code, 0)
  const refused = await runHere(args)
  assert.is(refused.code, 1)
  assert.match(refused.stderr, 'IP allow lists need the plan Business')
  assert.is((await runHere(['tier', 'set', 'business', ...data])).code, 0)
  assert.is((await runHere([...args, '--allow-ip', '::1'])).code, 0)
  const wrong = await runHere(['key', 'create', ...data, '--scope', 'read', '--allow-ip', 'here'])
  assert.is(wrong.code, 1)
  assert.match(wrong.stderr, 'allow_ips[0]')
})

workspace.run()
