import { writeFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { hasChromium, openTab, type Tab } from '../../helpers/chromium.ts'
import { addPerson, PASSWORD } from '../auth/people.ts'
import { openTestApp, type TestApp } from '../test-app.ts'

/* The pages of second factors in a real browser, with a device of its own making; where there is Chromium. */

const test = suite('a passkey in a browser')

const ANN = 'ann@example.com'
/** Folder for pictures of the pages, for who wants to look at them. */
const PICTURES = process.env.SVC_TEST_PICTURES

let api: TestApp
let server: Server
let tab: Tab
let base = ''

if (hasChromium()) {
  test.before(async () => {
    let app: RequestListener = (_request, response) => response.end()
    server = createServer((request, response) => app(request, response))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    base = `http://localhost:${(server.address() as AddressInfo).port}`
    api = await openTestApp({ settings: { baseUrl: base } })
    app = api.app
    await addPerson(api.engine, ANN, ['Sales User'])
    tab = await openTab()
    await tab.send('WebAuthn.enable')
    await tab.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
  })
  test.after(async () => {
    await tab.close()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await api.close()
  })

  const path = async (): Promise<string> => String(await tab.evaluate('location.pathname'))
  const text = async (): Promise<string> => String(await tab.evaluate('document.body.innerText'))
  /** Fills in the form that has this button and presses it. */
  const press = (button: string, fields: Readonly<Record<string, string>> = {}): Promise<void> =>
    tab.leads(`{
      const button = [...document.querySelectorAll('button')]
        .find((one) => one.textContent === ${JSON.stringify(button)} && one.offsetParent !== null)
      for (const [name, value] of Object.entries(${JSON.stringify(fields)}))
        button.form.elements.namedItem(name).value = value
      button.click()
    }`)
  async function picture(name: string): Promise<void> {
    if (PICTURES) writeFileSync(join(PICTURES, `${name}.png`), await tab.picture())
  }

  test('is made, and asked for after the password, under a strict content policy', async () => {
    await tab.goTo(`${base}/login`)
    await press('Sign in', { usr: ANN, pwd: PASSWORD })
    await tab.goTo(`${base}/settings/second-factor`)
    await picture('1-none')
    await press('Go on', { action: 'app', proof: PASSWORD })
    assert.match(await text(), /New app/)
    await picture('2-app')
    await press('Go on', { action: 'passkey', proof: PASSWORD })
    await picture('3-passkey')
    await press('Make a passkey', { name: 'Laptop' })
    assert.match(await text(), /Recovery codes/)
    await picture('4-codes')
    await tab.goTo(`${base}/settings/second-factor`)
    assert.match(await text(), /Laptop\s+Passkey/)
    await picture('5-list')

    await press('Sign out')
    await press('Sign in', { usr: ANN, pwd: PASSWORD })
    assert.is(await path(), '/second-factor')
    await picture('6-asked')
    await press('Use a passkey')
    assert.is(await path(), '/')
    assert.match(await text(), /Signed in as/)
    assert.equal(tab.complaints, [])
  })
}

test.run()
