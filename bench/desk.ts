import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium } from 'playwright-core'
import { buildDesk } from '../build/desk.ts'
import { deskSize, overBudget } from '../build/desk-budget.ts'
import { buildReactAdmin, REACT_ADMIN, serveBoth } from './desk-sides.ts'
import { openFiller } from './fill.ts'
import { median } from './load.ts'
import type { Options } from './options.ts'
import { startSvc } from './server-process.ts'
import { printTable, type Verdict } from './verdict.ts'
import { type BenchWorkspace, createWorkspace, inFolder } from './workspace.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const PROGRAMS = ['/usr/bin/chromium', '/usr/bin/google-chrome']
const ROWS = 100_000
/** Links of rows that can be focused: then the list is usable (desk.md §9). */
const LINKS = 30
const FASTER = 1.5
const LIGHTER = 0.6
const MOST_MS = 60_000

/** A side and the page of it that is measured. */
interface Side {
  readonly name: string
  readonly path: string
  /** Finds the links of its rows. */
  readonly links: string
}

const SIDES: readonly Side[] = [
  { name: 'Desk', path: '/items?limit=100', links: 'a[data-row]' },
  { name: 'react-admin', path: REACT_ADMIN, links: 'tbody tr a' },
]

/** One cold start of a page: the time until its list is usable, and the bytes that came for it, those of fonts apart. */
interface Visit {
  readonly usableMs: number
  readonly bytes: number
  readonly fontBytes: number
}

/** A list of 100 of 100,000 records in the Desk beside the same list by react-admin, on the same API, turn by turn. */
export function measureDesk({ rounds }: Options): Promise<Verdict[]> {
  return inFolder(async (parent) => {
    await buildDesk(ROOT)
    const files = await buildReactAdmin()
    const { folder, databaseFile, person } = createWorkspace(parent)
    const filler = openFiller(databaseFile)
    filler.fillTo(ROWS)
    filler.close()
    const server = await startSvc(folder, 'full')
    const both = await serveBoth(server.port, files)
    const browser = await launch()
    try {
      const storageState = await signIn(browser, both.url, person)
      const visits = new Map<string, Visit[]>(SIDES.map(({ name }) => [name, []]))
      // The first round warms the server and the program's own caches, and is not counted.
      for (let round = 0; round <= rounds; round += 1)
        for (const side of SIDES) {
          const visit = await visitOnce(browser, both.url, side, storageState)
          if (round > 0) visits.get(side.name)!.push(visit)
        }
      return report(visits)
    } finally {
      await browser.close()
      both.close()
      await server.stop()
    }
  })
}

async function launch(): Promise<Browser> {
  for (const executablePath of PROGRAMS)
    try {
      return await chromium.launch({
        executablePath,
        args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run'],
      })
    } catch (error) {
      if (!/executable doesn't exist/i.test(String(error))) throw error
    }
  throw new Error(`expected a Chromium at ${PROGRAMS.join(' or ')}: apt-get install chromium`)
}

async function signIn(
  browser: Browser,
  baseURL: string,
  { user, password }: BenchWorkspace['person'],
) {
  const context = await browser.newContext({ baseURL })
  const page = await context.newPage()
  await page.goto('/login')
  await page.getByLabel('E-mail or user name').fill(user)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('navigation', { name: 'Menu' }).waitFor()
  const state = await context.storageState()
  await context.close()
  return state
}

/** Notes in the page, at each frame, when so many links of rows are there and the last of them has taken the focus. */
function watcher(links: string): string {
  return `(() => {
    const look = () => {
      const found = document.querySelectorAll(${JSON.stringify(links)})
      const last = found[${LINKS - 1}]
      if (last) {
        last.focus()
        if (document.activeElement === last) {
          window.usableAt = performance.now()
          return
        }
      }
      requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })()`
}

async function visitOnce(
  browser: Browser,
  baseURL: string,
  { path, links }: Side,
  storageState: Awaited<ReturnType<typeof signIn>>,
): Promise<Visit> {
  const context = await browser.newContext({ baseURL, storageState })
  try {
    const page = await context.newPage()
    page.setDefaultTimeout(MOST_MS)
    const wire = await context.newCDPSession(page)
    await wire.send('Network.enable')
    let bytes = 0
    let fontBytes = 0
    const fonts = new Set<string>()
    wire.on('Network.responseReceived', ({ requestId, type }) => {
      if (type === 'Font') fonts.add(requestId)
    })
    wire.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      if (fonts.has(requestId)) fontBytes += encodedDataLength
      else bytes += encodedDataLength
    })
    await page.addInitScript({ content: watcher(links) })
    await page.goto(path)
    const read = 'window.usableAt'
    const usableMs = await poll(async () => (await page.evaluate(read)) as number | undefined)
    await page.waitForLoadState('networkidle')
    return { usableMs, bytes, fontBytes }
  } finally {
    await context.close()
  }
}

/** Asks until there is an answer. Throws after a minute. */
async function poll(ask: () => Promise<number | undefined>): Promise<number> {
  const end = Date.now() + MOST_MS
  while (Date.now() < end) {
    const answer = await ask()
    if (answer !== undefined) return answer
    await new Promise((next) => setTimeout(next, 50))
  }
  throw new Error(`expected ${LINKS} rows within ${MOST_MS} ms`)
}

function report(visits: ReadonlyMap<string, readonly Visit[]>): Verdict[] {
  const middle = (name: string, key: keyof Visit): number =>
    median((visits.get(name) ?? []).map((visit) => visit[key]))
  console.log(
    `\nA list of 100 of ${ROWS.toLocaleString('en')} records, cold, until ${LINKS} of its rows can be focused`,
  )
  printTable(
    ['', 'usable ms', 'range', 'KB', 'fonts KB'],
    SIDES.map(({ name }) => {
      const times = (visits.get(name) ?? []).map(({ usableMs }) => usableMs)
      return [
        name,
        middle(name, 'usableMs').toFixed(0),
        `${Math.min(...times).toFixed(0)} to ${Math.max(...times).toFixed(0)}`,
        (middle(name, 'bytes') / 1024).toFixed(1),
        (middle(name, 'fontBytes') / 1024).toFixed(1),
      ]
    }),
  )
  const size = deskSize(join(ROOT, 'dist/desk'))
  console.log('\nWhat the Desk weighs, packed')
  printTable(
    ['', 'KB'],
    Object.entries(size).map(([name, bytes]) => [name, (bytes / 1024).toFixed(1)]),
  )
  const faster = middle('react-admin', 'usableMs') / middle('Desk', 'usableMs')
  const lighter = middle('Desk', 'bytes') / middle('react-admin', 'bytes')
  const over = overBudget(size)
  return [
    {
      part: 'desk',
      what: 'usable beside react-admin',
      measured: `${faster.toFixed(2)} x faster`,
      wanted: `at least ${FASTER} x`,
      passed: faster >= FASTER,
    },
    {
      part: 'desk',
      what: 'bytes beside react-admin, fonts apart',
      measured: `${lighter.toFixed(2)} of them`,
      wanted: `at most ${LIGHTER}`,
      passed: lighter <= LIGHTER,
    },
    {
      part: 'desk',
      what: 'budgets of its files',
      measured: over.length === 0 ? 'kept' : over.join('; '),
      wanted: 'kept',
      passed: over.length === 0,
    },
  ]
}
