import type { Logger } from 'pino'
import { fillSentence } from '../../engine/documents/start/filling.ts'
import type { Engine } from '../../engine/index.ts'

/** Interval at which a server looks how far its fields are, in ms. */
const LOOK_EVERY = 1_000
/** Time between two lines of the log about it, in ms. */
const LINE_EVERY = 10_000

/** What tells of fields that are given their values beside a server. */
export interface FillingWatch {
  /** Looks now. */
  look(): Promise<void>
  stop(): void
}

/**
 * Logs that fields are being given their values, how far that is every ten seconds, and when it is done, whichever process
 * does it; by each look the server itself learns of the end.
 */
export function watchFilling(
  engine: Pick<Engine, 'filling'>,
  logger: Pick<Logger, 'info'>,
  now: () => number = Date.now,
): FillingWatch {
  let told: number | undefined

  async function look(): Promise<void> {
    const state = await engine.filling()
    if (!state) {
      if (told !== undefined) logger.info('all fields have their values')
      told = undefined
      return
    }
    if (told !== undefined && now() - told < LINE_EVERY) return
    told = now()
    logger.info({ ...state.at, trouble: state.trouble }, fillSentence(state))
  }

  const lookNow = (): void => {
    // A database that is away is the business of who needs it; the next look tells.
    look().catch(() => undefined)
  }
  lookNow()
  const timer = setInterval(lookNow, LOOK_EVERY)
  timer.unref()
  return { look, stop: () => clearInterval(timer) }
}
