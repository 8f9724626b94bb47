import { type ChildProcess, spawn } from 'node:child_process'
import { getCompileCacheDir } from 'node:module'
import { join } from 'node:path'
import { IS_BINARY, PROGRAM_FOLDER } from '../../base/packaged-files.ts'
import { READER_WORD } from './messages.ts'

const READER_FILE = 'engine/storage/database/sqlite-reader-start.ts'

/** Memory for JavaScript, in MB: a page of rows and the functions that expressions call, no more. */
const HEAP_MB = 256

/** Variables that a reader needs; the others hold secrets, which are none of its business. */
const KEPT = ['PATH', 'HOME', 'TMPDIR', 'TMP', 'TEMP', 'SystemRoot', 'TZ', 'NODE_V8_COVERAGE']

/** Starts a process that reads (engine/storage/database/sqlite-reader.ts); it ends when this one does. */
export function spawnReader(): ChildProcess {
  const args = IS_BINARY
    ? [READER_WORD]
    : [`--max-old-space-size=${HEAP_MB}`, join(PROGRAM_FOLDER, READER_FILE)]
  return spawn(process.execPath, args, {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    serialization: 'advanced',
    env: environment(),
    windowsHide: true,
  })
}

function environment(): NodeJS.ProcessEnv {
  const cache = getCompileCacheDir()
  return {
    ...Object.fromEntries(KEPT.map((name) => [name, process.env[name]])),
    ...(cache === undefined ? {} : { NODE_COMPILE_CACHE: cache }),
    ...(IS_BINARY ? { NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}` } : {}),
  }
}
