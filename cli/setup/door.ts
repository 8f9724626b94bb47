import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { Logger } from 'pino'
import { AppError, type Detail, validationError } from '../../engine/base/errors.ts'
import type { Engine } from '../../engine/index.ts'
import type { Settings } from '../../server/settings/settings.ts'
import type { SetupDoor } from '../../server/setup-door.ts'
import { firstRunFile, setupTokenFile } from '../data-folder.ts'
import type { Workspace } from '../workspace.ts'
import { isSetUp } from './administrator.ts'
import { demoDoor } from './demo-door.ts'
import { setupOptions } from './options.ts'
import { CHECKS, checkSetup, type SetupInput } from './request.ts'
import { type SetupResult, setUp } from './set-up.ts'

const TOKEN_BYTES = 32

/** A door, and where its token is. */
export interface WaitingSetup extends SetupDoor {
  /** Says on stderr where the workspace waits, and leaves the link to its page in `first-run.json`; a terminal is told it. */
  announce(url: string): void
}

/**
 * Door of a workspace that is served before it is set up: leaves a one-time token in `DATA/setup-token` (mode 0600), so
 * that the first person is who can read the data folder and not who finds the port first. Each start makes another
 * token; the file goes when the workspace is set up. Undefined for one that is.
 */
export async function waitForSetup(
  engine: Engine,
  { dataFolder }: Workspace,
  { settings, logger }: { readonly settings: Settings; readonly logger: Logger },
): Promise<WaitingSetup | undefined> {
  const { database, folders, plans } = engine.services
  const file = setupTokenFile(dataFolder)
  const firstRun = firstRunFile(dataFolder)
  const forget = (): void => {
    rmSync(file, { force: true })
    if (isLinkAlone(firstRun)) rmSync(firstRun, { force: true })
  }
  const isDone = (): Promise<boolean> => isSetUp(database.read)
  if (await isDone()) {
    forget()
    return undefined
  }
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  writeFileSync(file, `${token}\n`, { mode: 0o600 })
  const digest = hash('sha256', token, 'buffer')
  let isRunning = false

  async function complete(input: Readonly<Record<string, unknown>>): Promise<ShownResult> {
    const checked = checkSetup(setupOptions(folders, plans), readInput(input), settings.env)
    if ('problems' in checked) throw validationError(checked.problems)
    const result = await setUp(engine, folders, checked.request)
    if (!result) throw second()
    forget()
    return shownTo(result, input.password !== undefined)
  }

  const demo = demoDoor({
    ...{ settings, logger, second },
    options: () => setupOptions(folders, plans),
    async claim() {
      if (isRunning || (await isDone())) throw second()
    },
  })

  return {
    demo: {
      ...demo,
      enter() {
        const person = demo.enter()
        if (person !== undefined) forget()
        return person
      },
    },
    accepts: (text) => timingSafeEqual(hash('sha256', text, 'buffer'), digest),
    isOpen: async () => demo.state() === 'playing' || !(await isDone()),
    options: () => setupOptions(folders, plans),
    async setUp(input) {
      if (isRunning || demo.state() !== 'none') throw second()
      isRunning = true
      try {
        return await complete(input)
      } finally {
        isRunning = false
      }
    },
    announce(url) {
      const setup_url = `${url}/setup?token=${token}`
      writeFileSync(firstRun, `${JSON.stringify({ url, setup_url }, null, 2)}\n`, { mode: 0o600 })
      console.error(`svc waits at ${url} to be set up: the token for it is in ${file}`)
      // Elsewhere what is printed is kept by whoever collects logs.
      if (process.stderr.isTTY) console.error(`open ${setup_url}`)
    },
  }
}

/** Whether `first-run.json` holds the link of a workspace that waited, and not what its first person needs. */
function isLinkAlone(file: string): boolean {
  if (!existsSync(file)) return false
  try {
    return 'setup_url' in JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return false
  }
}

function second(): AppError {
  return new AppError('CONFLICT', 'somebody else is setting this workspace up, or has done so')
}

/** Throws VALIDATION_ERROR for what is no text, and for what a setup does not know. */
function readInput(body: Readonly<Record<string, unknown>>): SetupInput {
  const known = Object.keys(CHECKS)
  const problems = Object.entries(body).flatMap(([field, value]): Detail[] => {
    if (!known.includes(field))
      return [
        {
          field,
          message: `is not part of a setup: expected ${known.join(', ')}`,
          code: 'unknown_field',
        },
      ]
    return typeof value === 'string'
      ? []
      : [{ field, message: 'expected a text', code: 'wrong_type' }]
  })
  if (problems.length > 0) throw validationError(problems)
  return body as SetupInput
}

type ShownResult = Omit<SetupResult, 'password'> & Partial<Pick<SetupResult, 'password'>>

/** Result as its caller gets it: who has chosen a password knows it. */
function shownTo(result: SetupResult, hasChosen: boolean): ShownResult {
  const { password, ...rest } = result
  return hasChosen ? rest : { ...rest, password }
}
