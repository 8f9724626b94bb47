import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Where Debian, and Chrome's own package, have it. */
const PROGRAMS = ['/usr/bin/chromium', '/usr/bin/google-chrome']

/** Whether there is a Chromium on this machine. */
export function hasChromium(): boolean {
  return PROGRAMS.some(existsSync)
}

/** One tab of a real browser without a window. */
export interface Tab {
  /** Calls a method of the DevTools protocol. Throws Error with what the browser says. */
  send(method: string, parameters?: object): Promise<Record<string, unknown>>
  /** Goes to an address and waits until its page is whole. */
  goTo(url: string): Promise<void>
  /** Value of an expression in the page, which may be a promise. */
  evaluate(expression: string): Promise<unknown>
  /** Runs what leads on to another page and waits until that is whole. */
  leads(expression: string): Promise<void>
  /** Picture of the page, as PNG. */
  picture(): Promise<Buffer>
  /** What pages have complained of: errors of scripts, and what their content policy refused. */
  readonly complaints: readonly string[]
  close(): Promise<void>
}

interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: Record<string, unknown>
  readonly result?: Record<string, unknown>
  readonly error?: { readonly message: string }
}

const MOST_MS = 120_000

/** Starts Chromium with a profile of its own, which goes with it. */
export async function openTab(): Promise<Tab> {
  const profile = mkdtempSync(join(tmpdir(), 'svc-chromium-'))
  const program = PROGRAMS.find(existsSync)!
  const browser = spawn(
    program,
    [
      '--headless=new',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--no-first-run',
      '--remote-debugging-port=0',
      `--user-data-dir=${profile}`,
      'about:blank',
    ],
    { stdio: 'ignore' },
  )
  const port = await portOf(profile, browser)
  const tabs = (await (await fetch(`http://127.0.0.1:${port}/json`)).json()) as {
    type: string
    webSocketDebuggerUrl: string
  }[]
  const socket = new WebSocket(tabs.find(({ type }) => type === 'page')!.webSocketDebuggerUrl)
  await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }))

  let last = 0
  const waiting = new Map<number, (message: Message) => void>()
  const listeners = new Set<(message: Message) => void>()
  const complaints: string[] = []
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Message
    if (message.id !== undefined) waiting.get(message.id)?.(message)
    const { level, text } = (message.params?.entry ?? {}) as { level?: string; text?: string }
    const isError = message.method === 'Log.entryAdded' && level === 'error'
    if (isError || message.method === 'Runtime.exceptionThrown')
      complaints.push(text ?? JSON.stringify(message.params))
    for (const listener of listeners) listener(message)
  })

  const tab: Tab = {
    complaints,
    async send(method, params = {}) {
      last += 1
      const id = last
      const answered = new Promise<Message>((resolve) => waiting.set(id, resolve))
      socket.send(JSON.stringify({ id, method, params }))
      const { result = {}, error } = await within(answered, method)
      waiting.delete(id)
      if (error) throw new Error(`${method}: ${error.message}`)
      return result
    },
    goTo: (url) => afterLoad(() => tab.send('Page.navigate', { url })),
    async evaluate(expression) {
      const { result, exceptionDetails } = (await tab.send('Runtime.evaluate', {
        expression,
        awaitPromise: true,
        returnByValue: true,
        userGesture: true,
      })) as { result: { value?: unknown }; exceptionDetails?: object }
      if (exceptionDetails) throw new Error(JSON.stringify(exceptionDetails))
      return result.value
    },
    leads: (expression) => afterLoad(() => tab.evaluate(expression)),
    async picture() {
      const { data } = await tab.send('Page.captureScreenshot', { captureBeyondViewport: true })
      return Buffer.from(String(data), 'base64')
    },
    async close() {
      socket.close()
      const gone = new Promise((resolve) => browser.once('exit', resolve))
      browser.kill()
      await gone
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }

  async function afterLoad(run: () => Promise<unknown>): Promise<void> {
    const loaded = new Promise<void>((resolve) => {
      const listener = ({ method }: Message): void => {
        if (method !== 'Page.loadEventFired') return
        listeners.delete(listener)
        resolve()
      }
      listeners.add(listener)
    })
    await run()
    await within(loaded, 'a page')
  }

  for (const domain of ['Page', 'Runtime', 'Log']) await tab.send(`${domain}.enable`)
  return tab
}

/** The port that the browser has written into its profile. */
async function portOf(profile: string, browser: ChildProcess): Promise<number> {
  const file = join(profile, 'DevToolsActivePort')
  for (let waited = 0; waited < MOST_MS && browser.exitCode === null; waited += 50) {
    const port = existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : 0
    if (port > 0) return port
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('Chromium did not start')
}

async function within<T>(promise: Promise<T>, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`waited for ${what} for too long`)), MOST_MS)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}
