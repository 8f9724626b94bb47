import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { isReachable } from './postgres-binaries.ts'

/** A pooler in front of one database. */
export interface Bouncer {
  /** `postgres://…` of the database through it. */
  readonly url: string
  stop(): Promise<void>
}

/**
 * Starts PgBouncer in front of a database. Throws where it is not installed: what these tests say of it would be said of
 * nothing. `pool` is how many connections to the server it lends around.
 */
export async function startBouncer(
  url: string,
  mode: 'transaction' | 'session',
  pool: number,
): Promise<Bouncer> {
  const program = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', 'pgbouncer'].find(
    (path) => spawnSync(path, ['--version']).status === 0,
  )
  if (program === undefined)
    throw new Error('PgBouncer is not installed: `apt-get install pgbouncer` brings it')
  const { hostname, port, username, password, pathname } = new URL(url)
  const root = [tmpdir(), '/tmp', '/var/tmp'].find(isReachable)
  if (root === undefined) throw new Error('no temporary folder is open to other users')
  const folder = mkdtempSync(join(root, 'svc-bouncer-'))
  const own = await freePort()
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(
    file,
    `[databases]
${pathname.slice(1)} = host=${hostname} port=${port} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
auth_type = any
pool_mode = ${mode}
default_pool_size = ${pool}
unix_socket_dir =
`,
  )
  chmodSync(folder, 0o755)
  // It refuses to run as root.
  const nobody = 65_534
  const isRoot = process.getuid?.() === 0
  if (isRoot) chownSync(folder, nobody, nobody)
  const child = spawn(program, [file], {
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(isRoot ? { uid: nobody, gid: nobody, cwd: '/' } : {}),
  })
  const place = new URL(url)
  place.port = String(own)
  await new Promise<void>((resolve, reject) => {
    let log = ''
    child.stderr.on('data', (chunk: Buffer) => {
      log += chunk.toString()
      if (log.includes('process up')) resolve()
    })
    child.on('exit', (code) => reject(new Error(`PgBouncer ended with ${code}:\n${log}`)))
  })
  return {
    url: place.href,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'exit')
        child.kill('SIGKILL')
        await ended
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
