import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type DeskSite, openDeskSite, violations } from './desk-site.ts'
import { picture } from './pictures.ts'

const test = suite('people and their rights, in the Desk')

let site: DeskSite
test.before(async () => {
  site = await openDeskSite()
})
test.after(() => site.close())

const VIEW = { viewport: { width: 1440, height: 900 } }

test('somebody is invited, has another role, and leaves', async () => {
  const { page, quiet, close } = await site.open('/settings/users', VIEW)
  await page.getByRole('button', { name: 'Invite somebody' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('E-mail').fill('ann@example.com')
  await form.getByLabel('Name').fill('Ann Lee')
  await form.getByRole('checkbox', { name: /^Sales User/ }).check()
  assert.equal(await violations(page), [])
  await form.getByRole('button', { name: 'Send the invitation' }).click()
  const row = page.getByRole('row', { name: /Ann Lee/ })
  await row.getByText('Sales User').waitFor()
  await page.getByText('A link to choose a password goes to ann@example.com').waitFor()
  assert.equal(await violations(page), [])
  const choose = async (name: string): Promise<void> => {
    await row.getByRole('button', { name: /^What can be done/ }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  await choose('Change roles')
  await form.getByRole('checkbox', { name: /^Stock User/ }).check()
  await form.getByRole('button', { name: 'Save' }).click()
  await row.getByText('Stock User').waitFor()
  await choose('Leaves the workspace')
  await form.getByRole('button', { name: 'Leaves the workspace' }).click()
  await row.getByText('Off').waitFor()
  const ann = await site.api<{ enabled: boolean }>('GET', '/v1/users/ann@example.com')
  assert.is(ann.enabled, false)
  quiet('somebody')
  await close()
})

test('what a role may is shown as it is, and why somebody may', async () => {
  await site.api('POST', '/v1/users', {
    email: 'bob@example.com',
    full_name: 'Bob Ray',
    roles: [{ role: 'Sales User' }],
  })
  const customer = await site.api<{ id: string }>('POST', '/v1/customers', {
    customer_name: 'Blue',
  })
  const { page, quiet, close } = await site.open('/settings/roles', VIEW)
  await page.getByLabel('The role').selectOption('Sales User')
  const { data } = await site.api<{
    data: readonly { slug: string; rights: Record<string, readonly string[]> }[]
  }>('GET', '/v1/access')
  const own = data.filter(({ rights }) => rights['Sales User'])
  assert.ok(own.length > 20, String(own.length))
  assert.is(await page.locator('.rights tbody tr:not(.module-row)').count(), own.length)
  const marks = own.reduce((sum, { rights }) => sum + rights['Sales User']!.length, 0)
  assert.is(await page.locator('.rights td .icon').count(), marks)
  await picture('25-roles', page)
  const why = page.getByRole('region', { name: 'Why may somebody, or why not?' })
  await why.getByRole('combobox').fill('Bob')
  await page.getByRole('option', { name: /Bob Ray/ }).click()
  await why.getByLabel(/^Record/).fill(`customers/${customer.id}`)
  await why.getByRole('button', { name: 'Ask' }).click()
  await why
    .getByText(/Sales User/)
    .first()
    .waitFor()
  assert.is(await why.locator('li[data-may=false]').count(), 1)
  assert.equal(await violations(page), [])
  quiet('roles')
  await close()
})

test('who is no System Manager is told nothing of it', async () => {
  const { api_key, api_secret } = await site.api<{ api_key: string; api_secret: string }>(
    'POST',
    '/v1/api-keys',
    {
      type: 'pair',
      user: 'bob@example.com',
      scope: 'read',
      label: 'Shop',
    },
  )
  for (const path of ['/v1/access', '/v1/access/why?person=Administrator&record=customers/x']) {
    const response = await fetch(`${site.url}${path}`, {
      headers: { Authorization: `token ${api_key}:${api_secret}` },
    })
    assert.is(response.status, 403, path)
  }
})

test('somebody sees where they are signed in, and ends one session, all others and a program', async () => {
  const { page, quiet, close } = await site.open('/settings/sessions', VIEW)
  const rows = page.locator('.devices').first().getByRole('listitem')
  await rows.first().getByText('This one').waitFor()
  assert.match((await rows.first().textContent()) ?? '', 'Chrome · Linux')
  const before = await rows.count()
  const { user, password } = site.first
  const signIn = async (agent: string): Promise<string> => {
    const response = await fetch(`${site.url}/api/method/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'User-Agent': agent },
      body: JSON.stringify({ usr: user, pwd: password }),
    })
    assert.is(response.status, 200)
    return response.headers
      .getSetCookie()
      .map((cookie) => cookie.split(';')[0])
      .join('; ')
  }
  const PHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Safari/604.1'
  const phone = await signIn(PHONE)
  await signIn('Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0')
  await signIn('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0')
  await site.api('POST', '/v1/api-keys', { type: 'pair', user, scope: 'read', label: 'My till' })
  await page.reload()
  await rows.filter({ hasText: 'Safari · iOS' }).waitFor()
  assert.is(await rows.count(), before + 3)
  assert.equal(await violations(page), [])
  await picture('28-where-you-are-signed-in', page)
  await page.getByRole('button', { name: 'End Safari · iOS' }).click()
  await rows.filter({ hasText: 'Safari · iOS' }).waitFor({ state: 'detached' })
  const asked = await fetch(`${site.url}/v1/me/sessions`, { headers: { Cookie: phone } })
  assert.is(asked.status, 401)
  await page.getByRole('button', { name: 'End My till' }).click()
  await page.getByText('No program has a key and secret of yours.').waitFor()
  quiet('sessions')
  await page.getByRole('button', { name: 'End all others' }).click()
  await rows.filter({ hasText: 'Firefox' }).first().waitFor({ state: 'detached' })
  assert.is(await rows.count(), 1)
  await close()
})

test('the workspace is backed up, the backup looked into, brought home, restored and taken away', async () => {
  const { page, quiet, close } = await site.open('/settings/backup', VIEW)
  await page.getByText('There is no backup yet.').waitFor()
  await page.getByRole('button', { name: 'Back up now' }).click()
  const row = page.locator('.devices li')
  await row.waitFor()
  // It stands in the folder while it is written.
  await page.getByText('A backup is being made').waitFor({ state: 'detached' })
  await row.getByRole('button', { name: 'What is in it' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('It was read whole again', { exact: false }).waitFor()
  await dialog.getByText(/rows of \d+ tables/).waitFor()
  assert.match((await dialog.locator('pre').textContent()) ?? '', /^svc restore .* --force/)
  assert.equal(await violations(page), [])
  await picture('30-a-backup', page)
  await dialog.getByRole('button', { name: 'Back' }).click()
  const download = page.waitForEvent('download')
  await row.getByRole('link', { name: /^Download/ }).click()
  assert.match((await download).suggestedFilename(), /^workspace-.*\.backup$/)
  assert.is(await (await download).failure(), null)
  const name = (await download).suggestedFilename()

  await row.getByRole('button', { name: 'Restore', exact: true }).click()
  const restore = dialog.getByRole('button', { name: 'Restore' })
  assert.ok(await restore.isDisabled())
  await dialog.getByText(/^Everything that was made or changed after/).waitFor()
  await dialog.getByLabel(`Type ${name}`).fill(name)
  assert.equal(await violations(page), [])
  await picture('35-restore-a-backup', page)
  quiet('a backup')
  await restore.click()
  await page.getByText('A backup is made of what is there now.').waitFor()
  // It is the same page, loaded anew once the server answers again.
  await page.getByText(`${name} was restored`).waitFor()
  assert.is(await row.count(), 2)
  await close()
  await takenAway(name)
})

/** Takes a backup away on a page of its own: that of a restore was refused what it asked meanwhile. */
async function takenAway(name: string): Promise<void> {
  const { page, quiet, close } = await site.open('/settings/backup', VIEW)
  const row = page.locator('.devices li')
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: `Take ${name} away` }).click()
  const sure = dialog.getByRole('button', { name: 'Delete' })
  assert.ok(await sure.isDisabled())
  await dialog.getByLabel(`Type ${name}`).fill(name)
  await sure.click()
  await row.nth(1).waitFor({ state: 'detached' })

  await page.getByRole('button', { name: 'Take everything with you' }).click()
  const everything = row.filter({ hasText: 'Everything' })
  await everything.waitFor()
  assert.is(await everything.getByRole('button', { name: 'Restore' }).count(), 0)
  const download = page.waitForEvent('download')
  await everything.getByRole('link', { name: /^Download/ }).click()
  assert.match((await download).suggestedFilename(), /^everything-.*\.zip$/)
  assert.equal(await violations(page), [])
  await picture('35-everything', page)
  quiet('a backup that is taken away')
  await close()
}

for (const part of ['users', 'roles', 'plan', 'backup', 'sessions'])
  test(`${part} fit a phone, in the dark`, async () => {
    const { page, quiet, close } = await site.open(`/settings/${part}`, {
      viewport: { width: 390, height: 844 },
      colorScheme: 'dark',
    })
    await page.locator('.part h1').waitFor()
    await page.locator('.part-table, .plans, .devices, .part-head').first().waitFor()
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
    assert.equal(await violations(page), [])
    quiet(part)
    await close()
  })

test.run()
