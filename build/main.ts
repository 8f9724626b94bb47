import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundle, shares } from './bundle.ts'
import { carriedFiles } from './carried.ts'
import { commitOf, sourcesChecksum } from './checkout.ts'
import { buildDesk, deskPackages } from './desk.ts'
import { emptyDatabase } from './empty-database.ts'
import { makeExecutable } from './executable.ts'
import { licenses } from './licenses.ts'
import { measure } from './measure.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const DIST = join(ROOT, 'dist')
const BINARY = join(DIST, process.platform === 'win32' ? 'svc.exe' : 'svc')
/** Says of which sources the binary beside it was made. */
const MADE_OF = join(DIST, 'svc.sources')

/** The largest the binary may be, in bytes. */
const MOST_BYTES = 130_000_000
const LARGEST_SHARES = 12

await main(process.argv.slice(2))

/**
 * Makes `dist/svc`; `--if-stale` only when the one that is there was made of other sources. Ends with what was
 * measured on the file, unless `--no-measure`.
 */
async function main(args: readonly string[]): Promise<void> {
  const checksum = sourcesChecksum(ROOT)
  if (args.includes('--if-stale') && isMadeOf(checksum)) return
  const commit = commitOf(ROOT)
  const target = `${process.platform}-${process.arch}`
  mkdirSync(DIST, { recursive: true })
  // Beside the result, so that it gets its name in one step.
  const folder = mkdtempSync(join(DIST, 'making-'))
  try {
    await buildDesk(ROOT)
    const { code, metafile } = await bundle(ROOT)
    const carried = {
      ...carriedFiles({ root: ROOT, folder, code, commit, target }),
      ...(await emptyDatabase(ROOT, folder)),
    }
    rmSync(MADE_OF, { force: true })
    await makeExecutable({ code, carried, folder, node: process.execPath, output: BINARY })
    writeFileSync(join(DIST, 'LICENSES.txt'), licenses(ROOT, metafile, deskPackages(ROOT)))
    printShares(code, shares(metafile), Object.keys(carried).length)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  const { size } = statSync(BINARY)
  console.log(`dist/svc ${commit}: ${megabytes(size)} MB (at most ${megabytes(MOST_BYTES)})`)
  if (size > MOST_BYTES) throw new Error(`dist/svc is larger than ${megabytes(MOST_BYTES)} MB`)
  writeFileSync(MADE_OF, checksum)
  if (!args.includes('--no-measure')) await measure(BINARY)
}

function isMadeOf(checksum: string): boolean {
  return existsSync(BINARY) && existsSync(MADE_OF) && readFileSync(MADE_OF, 'utf8') === checksum
}

function printShares(
  code: string,
  all: readonly (readonly [string, number])[],
  files: number,
): void {
  const largest = all
    .slice(0, LARGEST_SHARES)
    .map(([name, bytes]) => `${name} ${Math.round(bytes / 1000)}`)
  console.log(
    `bundle: ${megabytes(code.length)} MB and ${files} files; in KB: ${largest.join(', ')}`,
  )
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1)
}
