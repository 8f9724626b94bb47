import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CarriedFiles } from './carried.ts'

/** Marks the place in Node's executable that says whether something is in it; postject turns it on. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

export interface ExecutableOptions {
  readonly code: string
  readonly carried: CarriedFiles
  /** For files that are needed on the way. */
  readonly folder: string
  /** The Node to put everything into; it has to be the one that runs this. */
  readonly node: string
  /** Path of the result, which is replaced when it is whole. */
  readonly output: string
}

/** Makes a single executable application of Node: its executable with our script and files in it. */
export function makeExecutable(options: ExecutableOptions): void {
  const { code, carried, folder, node, output } = options
  const script = join(folder, 'svc.cjs')
  const config = join(folder, 'sea.json')
  const blob = join(folder, 'svc.blob')
  writeFileSync(script, code)
  writeFileSync(
    config,
    JSON.stringify({
      main: script,
      output: blob,
      disableExperimentalSEAWarning: true,
      // Compiling 2 MB of script at each start would take longer than all the rest of it.
      useCodeCache: true,
      assets: carried,
    }),
  )
  run(node, ['--experimental-sea-config', config])
  const unfinished = join(folder, 'svc')
  copyFileSync(node, unfinished)
  chmodSync(unfinished, 0o755)
  const stripped = stripSymbols(unfinished)
  if (!stripped) console.log('no `strip` here: the binary stays some 16 MB larger')
  inject(node, unfinished, blob)
  renameSync(unfinished, output)
}

/** False where there is no `strip`, or one that does not know this kind of file. */
function stripSymbols(file: string): boolean {
  try {
    run('strip', [file])
    return true
  } catch (_notThere) {
    return false
  }
}

/** postject's own command, because it warns at length about sections that `strip` has taken away. */
function inject(node: string, executable: string, blob: string): void {
  const postject = fileURLToPath(import.meta.resolve('postject/dist/cli.js'))
  run(node, [postject, executable, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', FUSE])
}

/** Runs a command whose output only matters when it fails; the error has it then. */
function run(command: string, args: readonly string[]): void {
  execFileSync(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
}
