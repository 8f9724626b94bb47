import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { IS_BINARY, PROGRAM_FOLDER } from './packaged-files.ts'

/** A process of ours that makes one thing of another: what it reads on stdin, what it makes on stdout. */
export interface Helper {
  /** Its first argument in the binary, which has no other file for it (`cli/main.ts`). */
  readonly word: string
  /** Its file in a checkout, from the folder of the program. */
  readonly file: string
  /** Longest time for it, in ms: then it is killed. */
  readonly mostMs: number
}

/** Variables that a helper needs; the others hold secrets, which are none of its business. */
const KEPT = ['PATH', 'HOME', 'TMPDIR', 'TMP', 'TEMP', 'SystemRoot', 'NODE_V8_COVERAGE']

/**
 * Runs a helper: what takes much memory or time is done beside the server, and goes with the process. Undefined where
 * it made nothing.
 */
export async function runHelper(
  { word, file, mostMs }: Helper,
  input: Readable | Buffer,
): Promise<Buffer | undefined> {
  const args = IS_BINARY ? [word] : [join(PROGRAM_FOLDER, file)]
  const child = spawn(process.execPath, args, {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: Object.fromEntries(KEPT.map((name) => [name, process.env[name]])),
    timeout: mostMs,
    killSignal: 'SIGKILL',
    windowsHide: true,
  })
  const ended = new Promise<boolean>((resolve) => {
    child.on('error', () => resolve(false))
    child.on('close', (code) => resolve(code === 0))
  })
  // It may have seen enough before it has all.
  const source = Buffer.isBuffer(input) ? Readable.from([input]) : input
  const sent = pipeline(source, child.stdin).catch(() => undefined)
  const [bytes, isDone] = await Promise.all([buffer(child.stdout), ended, sent])
  return isDone && bytes.length > 0 ? bytes : undefined
}
