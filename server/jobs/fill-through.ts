import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '../../engine/base/errors.ts'
import { fillSentence } from '../../engine/documents/start/filling.ts'
import type { Engine } from '../../engine/index.ts'
import { FILL } from '../../engine/storage/workspace/fill-jobs.ts'
import { fillJob } from './fill-job.ts'
import { startJobWorker } from './job-worker.ts'

/** Records of one transaction: nobody waits for the next one. */
const PAGE = 500
/** Interval at which it is looked whether all is filled, by this process or another, in ms. */
const LOOK_EVERY = 10
/** Time between two lines about how far it is, in ms. */
const LINE_EVERY = 10_000

/**
 * Sees to it that all fields have their values before anybody works with an open workspace: by a worker that knows this one
 * kind of job, or by the process that holds it. Throws what keeps it from going on, here or (UNAVAILABLE, with the
 * reason) there; who opens the workspace next tries again.
 */
export async function fillThrough(
  engine: Engine,
  onProgress: (line: string) => void = () => undefined,
): Promise<void> {
  if (!(await engine.filling())) return
  const kinds = { [FILL]: fillJob({ pageSize: PAGE, restMs: 0, onProgress }) }
  let failure: unknown
  const noted = ({ err }: { readonly err?: unknown }): void => {
    failure ??= err
  }
  const logger = { info: noted, warn: noted, error: noted }
  const worker = startJobWorker({ engine, logger, kinds })
  let told = performance.now()
  try {
    for (;;) {
      if (failure !== undefined)
        throw failure instanceof AppError ? (failure.cause ?? failure) : failure
      // Newer definitions hold: what waits is theirs to fill.
      if (await engine.newer()) return
      const state = await engine.filling()
      if (!state) return await worker.settled()
      if (state.trouble !== undefined) throw new AppError('UNAVAILABLE', fillSentence(state))
      if (performance.now() - told > LINE_EVERY) {
        told = performance.now()
        onProgress(fillSentence(state))
      }
      await sleep(LOOK_EVERY)
    }
  } finally {
    await worker.stop()
  }
}
