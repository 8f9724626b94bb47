import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import {
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const SOURCES = join(ROOT, 'bench/react-admin')
/** Where react-admin is installed and built: nothing of it is in the project's own dependencies. */
const FOLDER = join(ROOT, 'dist/react-admin')
/** Path of react-admin's page on the server of both sides. */
export const REACT_ADMIN = '/react-admin/'
const INSTALL_MS = 300_000

/** Installs react-admin from its lock, once, and builds the same list with it as it is built for production. */
export async function buildReactAdmin(): Promise<ReadonlyMap<string, Buffer>> {
  mkdirSync(FOLDER, { recursive: true })
  const lock = readFileSync(join(SOURCES, 'package-lock.json'))
  const isInstalled =
    existsSync(join(FOLDER, 'node_modules/react-admin')) &&
    readFileSync(join(FOLDER, 'package-lock.json')).equals(lock)
  for (const name of readdirSync(SOURCES)) cpSync(join(SOURCES, name), join(FOLDER, name))
  if (!isInstalled)
    execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], {
      cwd: FOLDER,
      stdio: ['ignore', 'ignore', 'inherit'],
      timeout: INSTALL_MS,
    })
  const { build } = await import('vite')
  const out = join(FOLDER, 'built')
  rmSync(out, { recursive: true, force: true })
  await build({
    configFile: false,
    root: FOLDER,
    base: REACT_ADMIN,
    logLevel: 'error',
    // Its JSX names React's own factory, which need not stand in each file.
    oxc: { jsx: { runtime: 'automatic' } },
    build: { outDir: out, target: 'es2023', reportCompressedSize: false },
  })
  const names = readdirSync(out, { recursive: true, encoding: 'utf8' }).filter((name) =>
    extname(name),
  )
  const quality = { [constants.BROTLI_PARAM_QUALITY]: 10 }
  return new Map(
    names.map((name) => [
      `${REACT_ADMIN}${name.replaceAll('\\', '/')}`,
      brotliCompressSync(readFileSync(join(out, name)), { params: quality }),
    ]),
  )
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
}

/** Both sides behind one address, so that they have the same session and the same way to the API. */
export async function serveBoth(
  port: number,
  files: ReadonlyMap<string, Buffer>,
): Promise<{ readonly url: string; close(): void }> {
  const server: Server = createServer((incoming, response) => {
    const path = (incoming.url ?? '').split('?')[0] ?? ''
    const file = files.get(path === REACT_ADMIN ? `${REACT_ADMIN}index.html` : path)
    if (!file) return pass(port, incoming, response)
    const type = TYPES[extname(path)] ?? 'text/html; charset=utf-8'
    response.writeHead(200, { 'Content-Type': type, 'Content-Encoding': 'br' }).end(file)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port: own } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${own}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

function pass(port: number, incoming: IncomingMessage, response: ServerResponse): void {
  const { method, url, headers } = incoming
  const onward = request({ host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
  })
  onward.on('error', () => response.destroy())
  incoming.pipe(onward)
}
