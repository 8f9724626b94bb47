import { newId } from '../../engine/base/ids.ts'
import type { Engine } from '../../engine/index.ts'
import type { IdempotentRequest, Reply } from '../http/request-state.ts'
import { findAnswer, releaseStarted, removeStarted } from './idempotency-store.ts'
import { callStarter } from './idempotent-call.ts'
import { oldestKept } from './kept-answer.ts'
import { KeyTaken, stillRunning, usedOtherwise } from './key-conflicts.ts'

/**
 * Runs what calls another service before its change is committed (contract §3). That the request began is
 * committed first; `job` gets the key to hand on, the same for each repeat of the request after a crash, or
 * after an error of which `isUnanswered` says that nobody knows whether the other service did it. Throws 409
 * while another process is at it.
 */
export type CallOut = <T>(
  response: Reply,
  job: (callKey: string) => Promise<T>,
  isUnanswered: (error: unknown) => boolean,
) => Promise<T>

export function outsideCaller(engine: Pick<Engine, 'services'>): CallOut {
  const beginCall = callStarter(engine.services.database.kind)

  async function begin({ key, fingerprint }: IdempotentRequest): Promise<string> {
    const { database, clock } = engine.services
    const begun = await database.write(async (tx) => {
      const notBefore = oldestKept(clock)
      if (await findAnswer(tx, key, notBefore)) throw new KeyTaken()
      return beginCall(tx, { key, fingerprint, now: clock.now(), notBefore })
    })
    if (begun === 'running') throw stillRunning()
    if (begun === 'used-otherwise') throw usedOtherwise()
    return begun.call
  }

  return async (response, job, isUnanswered) => {
    const { database, clock } = engine.services
    const { idempotency } = response.locals
    if (!idempotency) return job(newId('call', clock.now()))
    const callKey = await begin(idempotency)
    response.locals.idempotency = { ...idempotency, hasCalled: true }
    try {
      return await job(callKey)
    } catch (error) {
      const end = isUnanswered(error) ? releaseStarted : removeStarted
      await database.write((tx) => end(tx, idempotency.key))
      throw error
    }
  }
}
