import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Finished, type Served, served } from '../cli/process.ts'

const BUILT = fileURLToPath(new URL('../../dist/svc', import.meta.url))

/** Nobody: a user without rights, which needs no entry in any list of users. */
const NOBODY = 65_534

/** Where somebody without Node, settings or rights has put the binary. */
export interface Installation {
  /** Current folder of whatever is started here; belongs to the user. */
  readonly home: string
  /** The user that commands run as: another one where we may choose, else ours. */
  readonly user: number
  /** Runs the binary to its end; `input` is what it reads on stdin. */
  svc(args: readonly string[], env?: Readonly<Record<string, string>>, input?: string): Finished
  /** Starts `svc serve --port 0` with its data in `home/data` and waits until it listens. */
  serve(args?: readonly string[], env?: Readonly<Record<string, string>>): Promise<Served>
  /** Makes a file or folder of `home` belong to the user. */
  give(path: string): void
  remove(): void
}

/** The binary alone in a new folder. Throws when it was not built. */
export function installBinary(): Installation {
  if (!existsSync(BUILT)) throw new Error('there is no dist/svc: npm run test:binary makes one')
  // The temporary folder of a test run is closed to other users.
  const parent = mkdtempSync(join(process.platform === 'win32' ? tmpdir() : '/tmp', 'svc-binary-'))
  chmodSync(parent, 0o755)
  const program = join(parent, 'svc')
  copyFileSync(BUILT, program)
  const home = join(parent, 'home')
  mkdirSync(home)
  const other = process.getuid?.() === 0
  const user = other ? NOBODY : (process.getuid?.() ?? 0)
  const give = (path: string): void => {
    if (other) chownSync(path, NOBODY, NOBODY)
  }
  give(home)
  const options = (env: Readonly<Record<string, string>>) => ({
    cwd: home,
    env: { ...env },
    ...(other ? { uid: NOBODY, gid: NOBODY } : {}),
  })
  const running = new Set<ChildProcess>()

  return {
    home,
    user,
    svc(args, env = {}, input = '') {
      const { status, stdout, stderr, error } = spawnSync(program, args, {
        ...options(env),
        input,
        encoding: 'utf8',
        maxBuffer: 64 * 1024 * 1024,
      })
      if (error) throw error
      return { code: status, stdout, stderr }
    },
    serve(args = [], env = {}) {
      const child = spawn(program, ['serve', '--port', '0', ...args], {
        ...options(env),
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      running.add(child)
      return served(child)
    },
    give,
    remove() {
      for (const child of running) child.kill('SIGKILL')
      rmSync(parent, { recursive: true, force: true })
    },
  }
}
