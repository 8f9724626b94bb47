import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileSystem, PROGRAM_FOLDER } from '../engine/base/packaged-files.ts'

/** Folder of the DocTypes that come with the program. */
export const SHIPPED_DOCTYPES = join(PROGRAM_FOLDER, 'doctypes')

/** Content of the program's package.json. */
export function packageFacts(): Readonly<Record<string, unknown>> {
  return JSON.parse(fileSystem.bytes(join(PROGRAM_FOLDER, 'package.json')).toString())
}

/** Line that `svc --version` prints: `svc 0.1.0 (3f2a91c)`. */
export function versionLine(): string {
  const { name, version, commit } = packageFacts()
  const built = typeof commit === 'string' ? commit : 'unknown'
  return `${String(name)} ${String(version)} (${gitCommit() ?? built})`
}

/** The commit of a checkout; an installed package has none of its own, even inside someone else's checkout. */
function gitCommit(): string | undefined {
  if (!existsSync(join(PROGRAM_FOLDER, '.git'))) return undefined
  try {
    const output = execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
      cwd: PROGRAM_FOLDER,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return output.trim()
  } catch (_noGit) {
    return undefined
  }
}
