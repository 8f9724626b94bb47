import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import axe from 'axe-core'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { Agent, fetch } from 'undici'
import * as assert from 'uvu/assert'
import { serve, temporaryFolder } from '../cli/process.ts'
import { type FirstPerson, prepareSite } from './prepared-site.ts'

/** Where Debian, and Chrome's own package, have it. */
const PROGRAMS = ['/usr/bin/chromium', '/usr/bin/google-chrome']

/** Longest wait for anything in the page, in ms (`SVC_BROWSER_WAIT_MS`, to find out quickly what is not there); tests wait for what they want to see, never for a time. */
export const MOST_MS = Number(process.env.SVC_BROWSER_WAIT_MS ?? 120_000)

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** A camera that may be used without asking, and what it sees. */
const CAMERA = ['--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream']
const CAMERA_SEES = '--use-file-for-fake-video-capture'

/** A real server on a new workspace, with a browser that is signed in as its first person. */
export interface DeskSite {
  readonly url: string
  /** Who is signed in, and in a demo company everybody else who works there. */
  readonly first: FirstPerson
  /** Answer of the API to the workspace's admin key. Throws for what is none of success. */
  api<T = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<T>
  /** Writes a file of definitions beside those the workspace began with. */
  drop(name: string, yaml: string): void
  /** Text of a file of definitions of the workspace. */
  own(name: string): string
  /** A page of a person of the workspace; its complaints fail the test that calls `quiet`. */
  open(path: string, options?: Parameters<Browser['newContext']>[0]): Promise<DeskPage>
  /** The start of somebody else, who signs in. */
  openAs(
    person: Pick<FirstPerson, 'user' | 'password'>,
    options?: Parameters<Browser['newContext']>[0],
  ): Promise<DeskPage>
  close(): Promise<void>
}

/** A page with what it has complained of. */
export interface DeskPage {
  readonly page: Page
  /** Throws where the page has complained since the last time: errors of scripts, refused loads, failed requests. */
  quiet(where: string): void
  close(): Promise<void>
}

/** What a workspace begins with. */
export interface SiteOptions {
  /** Files of definitions of its own, by their names. */
  readonly doctypes?: Readonly<Record<string, string>>
  /** Whether the demo company's last months are played in it; its owner is signed in then. */
  readonly demo?: boolean
  /** Whether the server looks for changes of its files of definitions. */
  readonly isWatching?: boolean
  /** A picture that the browser's camera sees (Y4M); without it there is no camera. */
  readonly seen?: string
}

/** Starts the server and the browser. Throws where there is no Chromium: `.ci/run` installs one. */
export async function openDeskSite({
  doctypes = {},
  demo = false,
  isWatching = false,
  seen,
}: SiteOptions = {}): Promise<DeskSite> {
  const folder = temporaryFolder()
  const data = join(folder.path, 'data')
  const first = await prepareSite(data, demo ? 'demo' : 'empty')
  mkdirSync(join(data, 'doctypes'), { recursive: true })
  for (const [name, yaml] of Object.entries(doctypes))
    writeFileSync(join(data, 'doctypes', name), yaml)
  const server = await serve(data, [
    ...['--durability', 'normal'],
    ...(isWatching ? ['--watch'] : []),
  ])
  const browser = await launch(seen)
  // A connection that lay idle between two calls may be closed by the server as it is used again: each call has its own.
  const dispatcher = new Agent({ pipelining: 0 })
  const context = await browser.newContext({ baseURL: server.url })
  await signIn(await context.newPage(), first)
  const storageState = await context.storageState()
  await context.close()
  return {
    url: server.url,
    first,
    async api<T>(method: string, path: string, body?: unknown) {
      const response = await fetch(`${server.url}${path}`, {
        dispatcher,
        method,
        headers: { Authorization: `Bearer ${first.admin_key}`, 'Content-Type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
      return (text === '' ? undefined : JSON.parse(text)) as T
    },
    drop(name, yaml) {
      writeFileSync(join(data, 'doctypes', name), yaml)
    },
    own: (name) => readFileSync(join(data, 'doctypes', name), 'utf8'),
    async open(path, options = {}) {
      const own = await browser.newContext({ baseURL: server.url, storageState, ...options })
      return openPage(own, path)
    },
    async openAs(person, options = {}) {
      const own = await browser.newContext({ baseURL: server.url, ...options })
      const desk = await openPage(own, '/healthz')
      await signIn(desk.page, person)
      return desk
    },
    async close() {
      await browser.close()
      await dispatcher.close()
      await server.end()
      folder.remove()
    },
  }
}

async function signIn(
  page: Page,
  { user, password }: Pick<FirstPerson, 'user' | 'password'>,
): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('E-mail or user name').fill(user)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('navigation', { name: 'Menu' }).waitFor()
}

/** Starts Chromium; with a picture (Y4M) a camera is there that sees it. Throws where there is none. */
export async function launch(seen?: string): Promise<Browser> {
  const args = seen === undefined ? FLAGS : [...FLAGS, ...CAMERA, `${CAMERA_SEES}=${seen}`]
  for (const executablePath of PROGRAMS) {
    try {
      return await chromium.launch({ executablePath, args, timeout: MOST_MS })
    } catch (error) {
      if (!/executable doesn't exist/i.test(String(error))) throw error
    }
  }
  throw new Error(`expected a Chromium at ${PROGRAMS.join(' or ')}: apt-get install chromium`)
}

async function openPage(context: BrowserContext, path: string): Promise<DeskPage> {
  const page = await context.newPage()
  page.setDefaultTimeout(MOST_MS)
  const complaints: string[] = []
  page.on('pageerror', ({ message }) => complaints.push(message))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`${message.text()} ${message.location().url}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 400) complaints.push(`${response.status()} ${response.url()}`)
  })
  await page.goto(path)
  return {
    page,
    quiet(where) {
      assert.equal(complaints.splice(0), [], where)
    },
    close: () => context.close(),
  }
}

/** What axe finds against WCAG 2.2 AA on the page as it is, as `rule: element`; by these rules alone where some are named. */
export async function violations(
  page: Page,
  rules?: readonly string[],
): Promise<readonly string[]> {
  // The content policy lets no script into the page; the debugger is not asked.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  return page.evaluate(async (only) => {
    const { run } = (window as unknown as { axe: { run: typeof axe.run } }).axe
    const { violations: found } = await run(document, {
      runOnly: only ?? ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
      resultTypes: ['violations'],
    })
    return found.flatMap(({ id, nodes }) =>
      nodes.slice(0, 3).map(({ html }) => `${id}: ${html.slice(0, 160)}`),
    )
  }, rules)
}
