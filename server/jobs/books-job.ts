import type { Logger } from 'pino'
import { lastProof } from '../../engine/documents/verify/proof.ts'
import type { Engine } from '../../engine/index.ts'
import type { DailyJob } from './daily-jobs.ts'

/**
 * Runs a verification of what was written since the last one, away from the server, and resolves when it has kept its
 * result; `signal` ends it. Throws an Error where it kept none.
 */
export type ProveBooks = (signal: AbortSignal) => Promise<void>

/** Job that proves the books every night. What differs is an error of the log at once, beside `GET /v1/proof`. */
export function booksJob(
  { services }: Engine,
  prove: ProveBooks,
  logger: Pick<Logger, 'error'>,
): DailyJob {
  return {
    name: 'books',
    async run(_day, signal) {
      await prove(signal)
      const proof = await lastProof(services.database.read)
      const { at, documents = 0, differences = 0 } = proof ?? {}
      if (differences > 0)
        logger.error({ documents, differences }, 'the books differ: `svc verify` names where')
      return { proven_at: at, documents, differences }
    },
  }
}
