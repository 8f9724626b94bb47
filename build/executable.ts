import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
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
export async function makeExecutable(options: ExecutableOptions): Promise<void> {
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
  execFileSync(node, ['--experimental-sea-config', config], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const unfinished = join(folder, 'svc')
  copyFileSync(node, unfinished)
  chmodSync(unfinished, 0o755)
  const stripped = stripSymbols(unfinished)
  if (!stripped) console.log('no `strip` here: the binary stays some 16 MB larger')
  await inject(unfinished, blob)
  renameSync(unfinished, output)
}

/** False where there is no `strip`, or one that does not know this kind of file. */
function stripSymbols(file: string): boolean {
  try {
    execFileSync('strip', [file], { stdio: 'ignore' })
    return true
  } catch (_notThere) {
    return false
  }
}

async function inject(executable: string, blob: string): Promise<void> {
  const { inject } = createRequire(import.meta.url)('postject') as Postject
  await inject(executable, 'NODE_SEA_BLOB', readFileSync(blob), { sentinelFuse: FUSE })
}

interface Postject {
  inject(
    file: string,
    name: string,
    content: Buffer,
    options: { readonly sentinelFuse: string },
  ): Promise<void>
}
