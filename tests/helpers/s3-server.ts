import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { S3Options } from '../../server/files/s3-store.ts'
import { freePort } from './free-port.ts'

/** A server that speaks as S3 does and checks every signature, and what is signed of a body; built by Go, once a machine. */
const PROGRAM = 'github.com/versity/versitygw/cmd/versitygw@v1.8.0'
const BUILT = join(tmpdir(), 'svc-tests-versitygw-1.8.0')

const BUCKET = 'papers'
const MOST_MS = 20_000

/** A server of contents on this machine, its objects in a folder. */
export interface S3Server {
  /** How it is reached by who may write there. */
  readonly options: S3Options
  /** The same, as a server of ours is told. */
  readonly env: Readonly<Record<string, string>>
  /** Folder of the bucket: each object is a file. */
  readonly folder: string
  close(): Promise<void>
}

/** Starts it on a folder that is there; the first start on a machine builds it. Throws where there is no Go. */
export async function startS3Server(folder: string): Promise<S3Server> {
  const program = join(BUILT, 'versitygw')
  if (!existsSync(program))
    execFileSync('go', ['install', PROGRAM], {
      env: { ...process.env, GOBIN: BUILT },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
  const [objects, notes] = [join(folder, 'objects'), join(folder, 'notes')]
  mkdirSync(join(objects, BUCKET), { recursive: true })
  mkdirSync(notes, { recursive: true })
  const port = await freePort()
  const keys = { accessKey: 'tests', secretKey: 'a secret of the tests' }
  const child = spawn(
    program,
    ['--port', `127.0.0.1:${port}`, '--quiet', 'posix', '--sidecar', notes, objects],
    {
      env: { ...process.env, ROOT_ACCESS_KEY: keys.accessKey, ROOT_SECRET_KEY: keys.secretKey },
      stdio: 'ignore',
    },
  )
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const endpoint = `http://127.0.0.1:${port}`
  await answers(endpoint, () => child.exitCode !== null)
  return {
    options: { bucket: BUCKET, prefix: 'svc/one', endpoint, region: 'us-east-1', ...keys },
    env: {
      SVC_FILES_URL: `s3://${BUCKET}/svc/one`,
      SVC_S3_ENDPOINT: endpoint,
      SVC_S3_ACCESS_KEY: keys.accessKey,
      SVC_S3_SECRET_KEY: keys.secretKey,
    },
    folder: join(objects, BUCKET),
    async close() {
      child.kill()
      await ended
    },
  }
}

/** Waits until somebody answers there, whatever it says. Throws when it has ended. */
async function answers(url: string, hasEnded: () => boolean): Promise<void> {
  for (const until = Date.now() + MOST_MS; Date.now() < until && !hasEnded(); ) {
    const answer = await fetch(url).catch(() => undefined)
    if (answer) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error('the S3 server did not start')
}
