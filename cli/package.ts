import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Folder of the program itself, with package.json in it. */
export const PACKAGE_FOLDER = fileURLToPath(new URL('..', import.meta.url))

/** Folder of the DocTypes that come with the program. */
export const SHIPPED_DOCTYPES = join(PACKAGE_FOLDER, 'doctypes')

/** What package.json says of the program. */
export function packageFacts(): Readonly<Record<string, unknown>> {
  return JSON.parse(readFileSync(join(PACKAGE_FOLDER, 'package.json'), 'utf8'))
}

/** What `svc --version` prints: `svc 0.1.0 (3f2a91c)`. */
export function versionLine(): string {
  const { name, version, commit } = packageFacts()
  const built = typeof commit === 'string' ? commit : 'unknown'
  return `${String(name)} ${String(version)} (${gitCommit() ?? built})`
}

/** The commit of a checkout; an installed package has none of its own, even inside someone else's checkout. */
function gitCommit(): string | undefined {
  if (!existsSync(join(PACKAGE_FOLDER, '.git'))) return undefined
  try {
    const output = execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
      cwd: PACKAGE_FOLDER,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return output.trim()
  } catch (_noGit) {
    return undefined
  }
}
