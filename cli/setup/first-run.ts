import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Engine } from '../../engine/index.ts'
import type { KeyEnvironment } from '../../server/auth/key-text.ts'
import type { Workspace } from '../workspace.ts'
import { generatePassword } from './administrator.ts'
import { type SetupResult, setUp, TEST_COMPANY } from './set-up.ts'

/** The first start of a workspace, to be announced once its address is known. */
export interface FirstRun {
  /** Completes `first-run.json` and says so on stderr; on a terminal shows what is in it. */
  announce(url: string): void
}

/**
 * Sets up a workspace that is not, as user Administrator with a generated password and a test company, and
 * keeps what the first person needs in `DATA/first-run.json`. Returns undefined when it was set up before.
 */
export async function firstRun(
  engine: Engine,
  { dataFolder, doctypes }: Workspace,
  env: KeyEnvironment,
): Promise<FirstRun | undefined> {
  const file = join(dataFolder, 'first-run.json')
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
    return undefined
  }
  renameSync(draft, file)
  return {
    announce(url) {
      keep(file, { ...result, url })
      console.error(`svc set up a new workspace: user, password and admin key are in ${file}`)
      if (process.stderr.isTTY) show({ ...result, url })
    },
  }
}

function keep(file: string, content: SetupResult & { readonly url?: string }): void {
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
