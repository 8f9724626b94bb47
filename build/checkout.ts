import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Files that the binary is made of, and that make it; a change of anything else leaves it as it is. */
const SOURCES = [
  '{cli,demo,engine,hooks,server,webhooks,mcp,build}/**/*.{ts,js,cjs,css}',
  'desk/**/*.{ts,tsx,css,html}',
  'doctypes/**/*.yaml',
  'package.json',
  'package-lock.json',
]

/**
 * The commit of the checkout, `3f2a91c`; with `-dirty` when tracked files have changes that are not in it.
 * `unknown` for sources without git.
 */
export function commitOf(root: string): string {
  try {
    return execFileSync('git', ['describe', '--always', '--dirty', '--exclude=*'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch (_noGit) {
    return 'unknown'
  }
}

/** One checksum of all that the binary is made of. */
export function sourcesChecksum(root: string): string {
  const checksum = createHash('sha256').update(commitOf(root)).update(process.version)
  for (const name of SOURCES.flatMap((pattern) => globSync(pattern, { cwd: root })).sort())
    checksum.update(`\0${name}\0`).update(readFileSync(join(root, name)))
  return checksum.digest('hex')
}
