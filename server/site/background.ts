import type { Logger } from 'pino'
import { isRefusal } from '../../engine/base/errors.ts'

/** Work that goes on after its request was answered, so that how long it takes tells nobody anything. */
export interface Background {
  /** Begins it in the next turn of the loop. What fails is logged; a refusal has nobody to be told to. */
  run(job: () => Promise<void>): void
  /** Resolves when nothing is under way. */
  settled(): Promise<void>
}

export function createBackground(logger: Pick<Logger, 'error'>): Background {
  const underWay = new Set<Promise<void>>()
  return {
    run(job) {
      const done = new Promise<void>((resolve) => setImmediate(resolve))
        .then(job)
        .catch((err: unknown) => {
          if (!isRefusal(err)) logger.error({ err }, 'work after an answer failed')
        })
        .finally(() => underWay.delete(done))
      underWay.add(done)
    },
    async settled() {
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}
