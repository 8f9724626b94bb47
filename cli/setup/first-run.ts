import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Engine } from '../../engine/index.ts'
import type { KeyEnvironment } from '../../server/auth/key-text.ts'
import { generatePassword } from '../../server/auth/passwords.ts'
import { firstRunFile } from '../data-folder.ts'
import type { Workspace } from '../workspace.ts'
import { isFirstPassword } from './administrator.ts'
import { type SetupResult, setUp, TEST_COMPANY } from './set-up.ts'

/** Result of the first start for the first person, to be announced once the address is known. */
export interface FirstRun {
  /**
   * Brings the address in `first-run.json` up to date and says on stderr where that is; on a terminal the first
   * start shows what is in it.
   */
  announce(url: string): void
}

/**
 * Sets up a workspace that is not, as user Administrator with a generated password and a test company, and
 * keeps what the first person needs in `DATA/first-run.json`. Of one that was set up before it is told as long as
 * that file is there; undefined when it is gone.
 */
export async function firstRun(
  engine: Engine,
  { dataFolder, doctypes }: Workspace,
  env: KeyEnvironment,
): Promise<FirstRun | undefined> {
  const file = firstRunFile(dataFolder)
  // Only the process that wins the claim gives the file its name; a crash before that loses nothing.
  const draft = `${file}.${process.pid}`
  const request = {
    ...TEST_COMPANY,
    user: 'Administrator',
    email: null,
    password: generatePassword(),
    tier: null,
    env,
  }
  const result = await setUp(engine, doctypes, request, (made) => keep(draft, made))
  if (!result) {
    rmSync(draft, { force: true })
    await finishDrafts(engine, dataFolder)
    return existsSync(file) ? { announce: (url) => announceAgain(file, url) } : undefined
  }
  // Written again, not renamed: a process that starts now may have finished the draft.
  keep(file, result)
  rmSync(draft, { force: true })
  return {
    announce(url) {
      keep(file, { ...result, url })
      console.error(`svc set up a new workspace: user, password and admin key are in ${file}`)
      if (process.stderr.isTTY) show({ ...result, url })
    },
  }
}

/** Brings the address in the file up to date, where programs take it from; a file changed otherwise is left alone. */
function announceAgain(file: string, url: string): void {
  const kept = readDraft(file)
  if (kept && kept.url !== url) keep(file, { ...kept, url })
  console.error(
    `svc: user, password and admin key of the first start are in ${file}; delete it once you have them`,
  )
}

/**
 * Finishes the draft of a process that was killed right after its claim, the only place where the first password
 * stands: it becomes the file. Drafts of other passwords are of no use to anybody, and go.
 */
async function finishDrafts(engine: Engine, dataFolder: string): Promise<void> {
  const file = firstRunFile(dataFolder)
  for (const name of readdirSync(dataFolder)) {
    if (!name.startsWith(`${basename(file)}.`)) continue
    const path = join(dataFolder, name)
    const draft = readDraft(path)
    if (draft && !existsSync(file) && (await isFirstPassword(engine, draft.password)))
      keep(file, draft)
    rmSync(path, { force: true })
  }
}

/** undefined for one that was not written to its end, or that its process has just removed. */
function readDraft(path: string): Kept | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Kept
  } catch {
    return undefined
  }
}

type Kept = SetupResult & { readonly url?: string }

function keep(file: string, content: Kept): void {
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 })
}

function show({ user, password, admin_key, url }: SetupResult & { readonly url: string }): void {
  console.error(`
  user       ${user}
  password   ${password}
  admin key  ${admin_key}

  curl ${url}/v1/resources -H "Authorization: Bearer ${admin_key}"
`)
}
