import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { serve, temporaryFolder } from './process.ts'

const waiting = suite('svc serve --wait-for-setup')
const folder = temporaryFolder()
waiting.after(() => folder.remove())

waiting('is set up once, by who can read the data folder', async () => {
  const data = join(folder.path, 'data')
  const file = join(data, 'setup-token')
  const first = await serve(data, ['--wait-for-setup'])
  const call = async (
    { url }: { readonly url: string },
    method: string,
    headers: Record<string, string>,
    body?: object,
  ) => {
    const response = await fetch(`${url}/api/method/svc_brand.setup.${method}`, {
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
      headers: { 'content-type': 'application/json', ...headers },
    })
    const text = await response.text()
    return { status: response.status, text, message: JSON.parse(text).message }
  }
  try {
    const token = readFileSync(file, 'utf8').trim()
    const firstRun = join(data, 'first-run.json')
    for (const one of [file, firstRun]) assert.is(statSync(one).mode & 0o777, 0o600)
    const { setup_url } = JSON.parse(readFileSync(firstRun, 'utf8')) as { setup_url: string }
    assert.is(setup_url, `${first.url}/setup?token=${token}`)
    assert.match(first.output().stderr, `the token for it is in ${file}`)
    assert.not.match(first.output().stderr, token)

    for (const wrong of [{}, { 'x-setup-token': '' }, { 'x-setup-token': `${token}x` }])
      for (const body of [undefined, { company: 'Thief Ltd' }])
        assert.is((await call(first, body ? 'complete' : 'get_options', wrong, body)).status, 403)
    assert.is((await call(first, `get_options?token=${token}`, {})).status, 403)

    for (const path of [
      'login',
      'signup',
      'v1/users',
      'api/method/ping',
      'docs',
      '?cmd=ping',
      'hooks/x',
    ]) {
      const answer = await fetch(`${first.url}/${path}`)
      assert.is(answer.status, 503, path)
      assert.match(await answer.text(), 'waits to be set up', path)
    }
    const stranger = { email: 'ann@example.com', full_name: 'S', svc_datacenter: 'eu' }
    const signUp = await fetch(`${first.url}/api/method/svc_brand.auth.signup.sign_up`, {
      method: 'POST',
      body: JSON.stringify(stranger),
      headers: { 'content-type': 'application/json' },
    })
    assert.is(signUp.status, 503)
    for (const path of ['healthz', 'readyz', 'metrics', 'favicon.ico'])
      assert.is((await fetch(`${first.url}/${path}`)).status, 200, path)

    // Its page is there for who has the link.
    const asked = { redirect: 'manual' } as const
    assert.is((await fetch(`${first.url}/setup?token=${token}x`)).status, 403)
    const page = await fetch(setup_url)
    assert.equal([page.status, page.headers.get('cache-control')], [200, 'no-store'])
    assert.match(
      await page.text(),
      '<option value="India">India · INR · General · GST 18 %</option>',
    )
    const form = (fields: object) =>
      fetch(`${first.url}/setup`, {
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams({ token, ...fields }),
      })
    const narnia = await form({ company: 'A', country: 'Narnia', email: 'nobody', password: 'x' })
    assert.is(narnia.status, 422)
    assert.match(await narnia.text(), /id="country-error"/)
    const nobody = await form({ company: ' ' })
    const missing = [...(await nobody.text()).matchAll(/id="(\w+)-error"/g)].map(([, name]) => name)
    assert.equal([nobody.status, ...missing], [422, 'company', 'email', 'password'])
    // A picture is taken of nobody who lacks the token.
    const picture = new FormData()
    for (const [name, value] of [
      ['token', 'x'],
      ['logo', new Blob(['x'])],
    ] as const)
      picture.append(name, value)
    const thief = await fetch(`${first.url}/setup`, { method: 'POST', body: picture })
    assert.equal([thief.status, existsSync(join(data, 'files/incoming'))], [403, false])
    const foreign = { 'sec-fetch-site': 'cross-site', origin: 'https://elsewhere.example' }
    const forged = await fetch(`${first.url}/setup`, {
      method: 'POST',
      headers: foreign,
      body: new URLSearchParams({ token, company: 'A' }),
    })
    assert.is(forged.status, 403)
    // What is proposed is what the country has, in the words and the order of the browser.
    for (const [language, option] of [
      ['de-DE', 'value="Germany" selected>Deutschland · EUR · Germany SKR04 · USt 19 % / 7 %'],
      [
        'de-AT,de;q=0.9',
        'value="Austria" selected>Österreich · EUR · General · USt 20 % / 13 % / 10 %',
      ],
      ['de-CH', 'value="Switzerland" selected>Schweiz · CHF · General · USt 8.1 % / 3.8 % / 2.6 %'],
      ['fr-FR', 'value="France" selected>France · EUR · General · TVA 20 % / 10 % / 5.5 % / 2.1 %'],
      ['es-ES', 'value="Spain" selected>España · EUR · General · IVA 21 % / 10 % / 4 %'],
      ['es-MX', 'value="Mexico" selected>México · MXN · General · IVA 16 %'],
      ['en-US', 'value="United States" selected>United States · USD · United States · Tax Free'],
      ['en-GB', 'value="United Kingdom" selected>United Kingdom · GBP · General · VAT 20 % / 5 %'],
      ['en-IN', 'value="India" selected>India · INR · General · GST 18 %'],
      ['it-IT', 'value="Italy" selected>Italy · EUR · General · VAT 22 % / 10 % / 5 % / 4 %'],
      ['nl', 'value="Netherlands" selected>Netherlands · EUR · General · VAT 21 % / 9 %'],
      ['pl', 'value="Poland" selected>Poland · PLN · General · VAT 23 % / 8 % / 5 %'],
      ['pt-BR', 'value="Brazil" selected>Brazil · BRL · General'],
      ['ja', 'value="Japan" selected>Japan · JPY · General · Consumption Tax 10 % / 8 %'],
    ] as const) {
      const headers = { 'accept-language': language }
      assert.match(await (await fetch(setup_url, { headers })).text(), option)
    }
    assert.is((await form({ token: 'x' })).status, 403)

    const known = { 'x-setup-token': token }
    const { message: options } = await call(first, 'get_options', known)
    assert.is(options.countries.length, 249)
    assert.equal(
      options.countries.find(({ code }: { code: string }) => code === 'IN'),
      {
        name: 'India',
        code: 'IN',
        currency: 'INR',
        chart_of_accounts: 'General',
        fiscal_year_start: '04-01',
        time_zone: 'Asia/Kolkata',
        taxes: 'GST 18 %',
      },
    )
    assert.equal(options.tiers, ['free', 'pro', 'business'])

    const wrong = { country: 'Narnia', currency: 7, admin: 'yes' }
    const refused = await call(first, 'complete', known, wrong)
    assert.is(refused.status, 417)
    for (const word of ['currency', 'admin', 'is not part of a setup'])
      assert.match(refused.text, word)
    const input = {
      email: 'Ann@example.com',
      password: 'correct horse',
      company: 'Ann & Co',
      country: 'IN',
    }
    const answers = await Promise.all([
      call(first, 'complete', known, input),
      call(first, 'complete', known, input),
    ])
    assert.equal(answers.map(({ status }) => status).toSorted(), [200, 417])
    const { admin_key, ...made } = answers.find(({ status }) => status === 200)!.message
    assert.equal(made, {
      user: 'ann@example.com',
      email: 'Ann@example.com',
      company: 'Ann & Co',
      country: 'India',
      currency: 'INR',
      chart_of_accounts: 'General',
      fiscal_year_start: '04-01',
      tier: 'free',
    })
    assert.not.ok(existsSync(file) || existsSync(firstRun), 'the token is spent')
    assert.is((await fetch(setup_url, asked)).headers.get('location'), '/login?done=spent')
    assert.is((await call(first, 'complete', known, input)).status, 417)
    assert.is((await call(first, 'get_options', known)).status, 417)

    const headers = { authorization: `Bearer ${admin_key}` }
    const read = async (path: string) => {
      const answer = await fetch(`${first.url}/v1/${path}`, { headers })
      return ((await answer.json()) as { data: Readonly<Record<string, string>>[] }).data
    }
    const years = await read('fiscal-years?sort=year&order=desc&limit=1')
    assert.match(years[0]?.year_start_date ?? '', /-04-01$/)
    assert.match(years[0]?.id ?? '', /^\d{4}-\d{4}$/)
    const [company] = await read('companies?fields=time_zone,default_receivable_account')
    assert.equal(
      [company?.time_zone, company?.default_receivable_account],
      ['Asia/Kolkata', 'Debtors'],
    )
    const titles = (await read('sales-taxes-and-charges-templates?limit=100')).map(({ id }) => id)
    assert.ok(titles.includes('GST 18 %') && !titles.includes('VAT 20 %'), titles.join(', '))
    assert.is((await fetch(`${first.url}/login`)).status, 200, 'and the doors are open')
    await first.end()

    // Once it is set up, the flag changes nothing and the methods are not there.
    const second = await serve(data, ['--wait-for-setup'])
    try {
      assert.not.ok(existsSync(file))
      assert.match((await call(second, 'get_options', known)).text, 'there is no such method')
    } finally {
      await second.end()
    }
  } finally {
    await first.end('SIGKILL')
  }
})

waiting.run()
