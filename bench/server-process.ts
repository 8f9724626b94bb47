import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { openSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** Usage of a process since it began, as `report-usage.js` sends it. */
export interface Usage {
  readonly cpuMicroseconds: number
  readonly rssBytes: number
  /** Most memory since `watch()`, and most of it that is the process's own: pages of a mapped database are the system's. */
  readonly mostBytes: number
  readonly mostOwnBytes: number
  /** Longest time since `watch()` for which its thread let nobody in, in ms, and of that the most it worked itself. */
  readonly longest: number
  readonly busiest: number
  /** Most CPU time of its thread, in ms, between the coming and the end of a request since `watch()`, by its `x-bench-watched`. */
  readonly worked: Readonly<Record<string, number>>
}

export interface ServerProcess {
  readonly port: number
  /** Number of the process. */
  readonly pid: number
  usage(): Promise<Usage>
  /** Begins to look at its event loop. */
  watch(): Promise<void>
  /** Ends it with SIGTERM; throws unless it exits with 0. */
  stop(): Promise<void>
}

const PRELOAD = new URL('report-usage.js', import.meta.url).href
const SVC = fileURLToPath(new URL('../cli/svc.js', import.meta.url))
const HAND_WRITTEN = fileURLToPath(new URL('hand-written.ts', import.meta.url))

export type Durability = 'full' | 'normal'

/** Runs `svc` to its end and returns what it printed on stdout. Throws with its stderr when it fails. */
export function runSvc(args: readonly string[]): string {
  return execFileSync(process.execPath, [SVC, ...args], { encoding: 'utf8' })
}

/** Starts `svc serve` on a data folder, on a free port; on PostgreSQL where a URL of it is given. */
export function startSvc(
  dataFolder: string,
  durability: Durability,
  databaseUrl?: string,
): Promise<ServerProcess> {
  const args = ['serve', '--data', dataFolder, '--durability', durability, '--port', '0']
  if (databaseUrl !== undefined) args.push('--database', databaseUrl)
  return start([SVC, ...args], `${dataFolder}/requests.log`)
}

export interface HandWrittenOptions {
  readonly dataFolder: string
  readonly durability: Durability
  /** `group`: concurrent writes share a commit; `single`: each request commits for itself; `floor`: the first, on node:http alone. */
  readonly commit: 'group' | 'single' | 'floor'
  /** JSON file of those who are told of every event. */
  readonly endpoints?: string
}

/** Starts the hand-written server on a copy of the same data folder. */
export function startHandWritten(options: HandWrittenOptions): Promise<ServerProcess> {
  const { dataFolder, durability, commit, endpoints } = options
  const args = [`${dataFolder}/workspace.db`, durability, commit]
  if (endpoints !== undefined) args.push(endpoints)
  return start([HAND_WRITTEN, ...args], `${dataFolder}/requests.log`)
}

/** Its log goes to a file, as it would in production. */
async function start(args: readonly string[], logFile: string): Promise<ServerProcess> {
  const profile = process.env.BENCH_PROFILE
  const profiling = profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : []
  const child = spawn(process.execPath, [...profiling, '--import', PRELOAD, ...args], {
    stdio: ['ignore', 'pipe', openSync(logFile, 'a'), 'ipc'],
    // One person asks for everything here, and for more than one may.
    env: { ...process.env, SVC_WORK_PER_MINUTE_MS: '3600000' },
  })
  const asked = (message: 'usage' | 'watch'): Promise<Usage> =>
    new Promise((resolve, reject) => {
      child.once('message', (usage) => resolve(usage as Usage))
      child.send(message, (error) => error && reject(error))
    })
  return {
    ...(await listening(child, logFile)),
    usage: () => asked('usage'),
    watch: () => asked('watch').then(() => undefined),
  }
}

/** Resolves when the process has printed where it listens; it ends with ours at the latest. */
export async function listening(
  child: ChildProcess,
  logFile: string,
): Promise<Pick<ServerProcess, 'port' | 'pid' | 'stop'>> {
  const kill = (): void => void child.kill()
  process.once('exit', kill)
  child.once('exit', () => process.off('exit', kill))
  return {
    port: await listeningPort(child, logFile),
    pid: child.pid!,
    stop: () =>
      new Promise((resolve, reject) => {
        child.once('exit', (code, signal) => {
          const command = child.spawnargs.join(' ')
          if (code === 0) resolve()
          else reject(new Error(`${command} ended with ${signal ?? code}; see ${logFile}`))
        })
        child.kill('SIGTERM')
      }),
  }
}

function listeningPort(child: ChildProcess, logFile: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const lines = createInterface({ input: child.stdout! })
    lines.on('line', (line) => {
      const port = /listening on http:\/\/[\d.]+:(\d+)/.exec(line)?.[1]
      if (port !== undefined) resolve(Number(port))
    })
    child.once('exit', (code) =>
      reject(new Error(`the server ended with ${code} before it listened; see ${logFile}`)),
    )
  })
}
