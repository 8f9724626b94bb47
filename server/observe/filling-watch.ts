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
  look(): void
  stop(): void
}

/** Logs that fields are being given their values, how far that is every ten seconds, and when it is done. */
export function watchFilling(
  engine: Pick<Engine, 'filling'>,
  logger: Pick<Logger, 'info'>,
  now: () => number = Date.now,
): FillingWatch {
  let told: number | undefined

  function look(): void {
    const state = engine.filling()
    if (!state) {
      if (told !== undefined) logger.info('all fields have their values')
      told = undefined
      return
    }
    if (told !== undefined && now() - told < LINE_EVERY) return
    told = now()
    const { task, record, records } = state
    logger.info({ task, record, records }, fillSentence(state))
  }

  look()
  const timer = setInterval(look, LOOK_EVERY)
  timer.unref()
  return { look, stop: () => clearInterval(timer) }
}
