import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { constants, zstdCompressSync } from 'node:zlib'
import type { CarriedFiles } from './carried.ts'
import { withServer } from './server.ts'

/** Marks the place in Node's executable that says whether something is in it; postject turns it on. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

export interface ExecutableOptions {
  readonly code: string
  readonly carried: CarriedFiles
  /** Folder for files that are needed on the way. */
  readonly folder: string
  /** The Node to put everything into; it has to be the one that runs this. */
  readonly node: string
  /** Path of the result, which is replaced when it is whole. */
  readonly output: string
}

/** The first code of the executable. */
const LOADER = readFileSync(new URL('loader.cjs', import.meta.url), 'utf8')

/** V8's own settings, where a server has others (`boundHeap`). */
const DEFAULT_FLAGS = ['--heap-growing-percent=0', '--semi-space-growth-factor=2']

/**
 * How it is told to record what V8 has made of the program: with V8's own settings, for what was recorded with others is
 * of no use to a start, which has those.
 */
const recordInto = (file: string): string => `process.on('exit', () => {
  require('node:v8').setFlagsFromString(${JSON.stringify(DEFAULT_FLAGS.join(' '))})
  require('node:fs').writeFileSync(${JSON.stringify(file)}, script.createCachedData())
})`

/**
 * Makes a single executable application of Node: its executable with our script and files in it. It is made
 * twice: the first one serves a request, to learn which functions a start needs.
 */
export async function makeExecutable(options: ExecutableOptions): Promise<void> {
  const { code, carried, folder, node, output } = options
  const program = join(folder, 'program.js')
  writeFileSync(program, packed(`(function (exports, require, module, __filename) {${code}\n})`))
  const base = join(folder, 'node')
  copyFileSync(node, base)
  chmodSync(base, 0o755)
  if (!stripSymbols(base)) console.log('no `strip` here: the binary stays some 16 MB larger')

  const first = join(folder, 'first')
  const cache = join(folder, 'svc.cache')
  const files = { ...carried, 'program/svc.js': program }
  assemble({ node, base, folder, script: `${LOADER}${recordInto(cache)}`, files, output: first })
  await withServer(first, join(folder, 'data'), () => undefined)
  writeFileSync(cache, packed(readFileSync(cache)))

  const second = join(folder, 'second')
  const withCache = { ...files, 'program/svc.cache': cache }
  assemble({ node, base, folder, script: LOADER, files: withCache, output: second })
  renameSync(second, output)
}

/** As `loader.cjs` unpacks it. */
function packed(content: string | Buffer): Buffer {
  const params = { [constants.ZSTD_c_compressionLevel]: 19 }
  return zstdCompressSync(content, { params })
}

interface Assembly {
  readonly node: string
  /** The executable to put everything into. */
  readonly base: string
  readonly folder: string
  readonly script: string
  readonly files: CarriedFiles
  readonly output: string
}

function assemble({ node, base, folder, script, files, output }: Assembly): void {
  const main = join(folder, 'main.cjs')
  const config = join(folder, 'sea.json')
  const blob = join(folder, 'svc.blob')
  writeFileSync(main, script)
  writeFileSync(
    config,
    JSON.stringify({ main, output: blob, disableExperimentalSEAWarning: true, assets: files }),
  )
  run(node, ['--experimental-sea-config', config])
  copyFileSync(base, output)
  inject(node, output, blob)
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
