import { once } from 'node:events'
import type { Logger } from 'pino'
import { type AppError, validationError } from '../../engine/base/errors.ts'
import type { Settings } from '../../server/settings/settings.ts'
import type { DemoDoor } from '../../server/setup-door.ts'
import { startOwn } from '../workspace-process.ts'
import type { SetupOptions } from './options.ts'
import { CHECKS } from './request.ts'

/** Months of history that are played: some half a minute. */
const MONTHS = '3'

/** Characters of what it says that are kept for the log. */
const MOST_SAID = 2_000

export interface DemoDoorDeps {
  readonly settings: Settings
  readonly logger: Pick<Logger, 'info' | 'error'>
  options(): SetupOptions
  /** Throws CONFLICT where somebody is setting the workspace up. */
  claim(): Promise<void>
  second(): AppError
}

/** Plays the demo company into the workspace that is waiting, by `svc demo` in a process of its own. */
export function demoDoor({ settings, logger, options, claim, second }: DemoDoorDeps): DemoDoor {
  let state: ReturnType<DemoDoor['state']> = 'none'
  let person = ''

  async function played(first: object): Promise<void> {
    const words = ['demo', '--months', MONTHS, '--person-on-stdin', '--json']
    const child = startOwn(settings, words)
    let said = ''
    child.stdout.resume()
    child.stderr.on('data', (chunk: Buffer) => {
      said = (said + chunk).slice(-MOST_SAID)
    })
    child.stdin.end(JSON.stringify(first))
    const [code] = (await once(child, 'close')) as [number | null]
    state = code === 0 ? 'ready' : 'failed'
    if (code === 0) logger.info('the demo company is in the workspace')
    else logger.error({ code, said: said.trim() }, 'svc demo: the demo company could not be played')
  }

  return {
    state: () => state,
    async begin({ email, password }) {
      const details = (['email', 'password'] as const).flatMap((field) => {
        const message = CHECKS[field]({ email, password }[field], options())
        return message === undefined ? [] : [{ field, message, code: 'wrong_type' as const }]
      })
      if (details.length > 0) throw validationError(details)
      if (state !== 'none') throw second()
      await claim()
      state = 'playing'
      person = email.toLowerCase()
      played({ email, password }).catch((err: unknown) => {
        state = 'failed'
        logger.error({ err }, 'svc demo: the demo company could not be played')
      })
    },
    enter() {
      if (state !== 'ready') return undefined
      state = 'none'
      return person
    },
  }
}
