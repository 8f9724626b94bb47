import { createHash } from 'node:crypto'
import type { Clock } from '../../engine/base/clock.ts'
import { AppError } from '../../engine/base/errors.ts'
import { newId } from '../../engine/base/ids.ts'
import { open, seal } from '../../engine/base/seal.ts'
import type { Engine } from '../../engine/index.ts'
import type { Db } from '../../engine/storage/database/database.ts'
import { type Answer, sendAnswer } from '../http/answer.ts'
import type {
  ApiResponse,
  ErrorHandler,
  Handler,
  IdempotentRequest,
} from '../http/request-state.ts'
import { canonicalJson } from './canonical-json.ts'
import { readIdempotencyKey } from './idempotency-key.ts'
import {
  findAnswer,
  keepAnswer,
  releaseStarted,
  removeAnswers,
  removeOldStarted,
  removeStarted,
  type StoredAnswer,
} from './idempotency-store.ts'
import { callStarter } from './idempotent-call.ts'

/** Time for which an answer is repeated (spec §8), in ms. */
const TIME_TO_LIVE = 24 * 60 * 60 * 1000

const KEYED_METHODS = new Set(['POST', 'PATCH', 'PUT'])

/** Prefix of the stored body of an answer that holds a one-time secret; JSON never begins so. */
const SEALED = 'sealed:'

/** Thrown where another request of this key committed first; this one's transaction was rolled back. */
class KeyTaken extends Error {}

export interface Idempotency {
  /** Reads the header and looks the key up; refuses another request's key (422) and a running one (409). */
  readonly stage: Handler
  /** Answers with what another process committed first. */
  readonly afterRoutes: ErrorHandler
  /**
   * Sends the stored answer when there is one, and tells so. A route asks after it has checked rights
   * again, and does nothing more then.
   */
  replay(response: ApiResponse): boolean
  /**
   * Keeps an answer within the transaction of its change, for `Context.beforeCommit`; does nothing without
   * a key. `holdsSecret` encrypts the body.
   */
  keep(tx: Db, response: ApiResponse, answer: Answer, holdsSecret?: boolean): Promise<void>
  /**
   * Runs what calls another service before its change is committed (contract §3). That the request began is
   * committed first; `job` gets the key to hand on, the same for each repeat of the request after a crash, or
   * after an error of which `isUnanswered` says that nobody knows whether the other service did it. Throws 409
   * while another process is at it.
   */
  callOut<T>(
    response: ApiResponse,
    job: (callKey: string) => Promise<T>,
    isUnanswered: (error: unknown) => boolean,
  ): Promise<T>
  /** Removes answers that are too old to be repeated; returns their number. */
  sweep(): Promise<number>
}

/**
 * Idempotency as contract §3 and reliability.md §2 have it: only 2xx answers are kept, in the transaction
 * of the change, by principal; so an answer exists exactly when its change does.
 */
export function createIdempotency(engine: Engine, secretKey: Buffer): Idempotency {
  const running = new Map<string, string>()
  const beginCall = callStarter(engine.services.database.kind)

  async function stage(...[request, response, next]: Parameters<Handler>): Promise<void> {
    const header = request.headers['idempotency-key']
    if (header === undefined || !KEYED_METHODS.has(request.method)) {
      next()
      return
    }
    const key = `${response.locals.actor.id}:${readIdempotencyKey(String(header))}`
    const fingerprint = fingerprintOf(request.method, request.originalUrl, response.locals.body)
    const other = running.get(key)
    if (other !== undefined) throw other === fingerprint ? stillRunning() : usedOtherwise()
    running.set(key, fingerprint)
    response.on('close', () => running.delete(key))
    const stored = await find(key, fingerprint)
    response.locals.idempotency = { key, fingerprint, stored }
    next()
  }

  async function find(key: string, fingerprint: string): Promise<Answer | undefined> {
    const { database, clock } = engine.services
    const row = await findAnswer(database.read, key, oldest(clock))
    if (!row) return undefined
    if (row.fingerprint !== fingerprint) throw usedOtherwise()
    return answerOf(row, secretKey)
  }

  async function begin({ key, fingerprint }: IdempotentRequest): Promise<string> {
    const { database, clock } = engine.services
    const begun = await database.write(async (tx) => {
      const notBefore = oldest(clock)
      if (await findAnswer(tx, key, notBefore)) throw new KeyTaken()
      return beginCall(tx, { key, fingerprint, now: clock.now(), notBefore })
    })
    if (begun === 'running') throw stillRunning()
    if (begun === 'used-otherwise') throw usedOtherwise()
    return begun.call
  }

  return {
    stage,
    async callOut(response, job, isUnanswered) {
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
    },
    async afterRoutes(error, _request, response, next) {
      const { idempotency } = response.locals
      if (!idempotency || idempotency.stored || !mayHaveLostRace(error)) {
        next(error)
        return
      }
      const stored = await find(idempotency.key, idempotency.fingerprint)
      if (stored) sendReplay(response, stored)
      else next(error instanceof KeyTaken ? stillRunning() : error)
    },
    replay(response) {
      const stored = response.locals.idempotency?.stored
      if (!stored) return false
      sendReplay(response, stored)
      return true
    },
    async keep(tx, response, { status, headers, body = '' }, holdsSecret = false) {
      const { idempotency } = response.locals
      if (!idempotency) return
      const { key, fingerprint } = idempotency
      const { clock } = engine.services
      const answer: StoredAnswer = {
        key,
        fingerprint,
        status,
        headers: JSON.stringify(headers),
        body: holdsSecret ? SEALED + seal(secretKey, purposeOf(key), body) : body,
        created: new Date(clock.now()).toISOString(),
      }
      if (!(await keepAnswer(tx, answer, oldest(clock)))) throw new KeyTaken()
      if (idempotency.hasCalled) await removeStarted(tx, key)
    },
    async sweep() {
      const { database, clock } = engine.services
      await database.write((tx) => removeOldStarted(tx, oldest(clock)))
      return removeAnswers(database, oldest(clock))
    },
  }
}

/**
 * True for an error by which the same request of another process, committed meanwhile, may show itself: as a taken
 * key, or before that as the conflict that doing a thing twice is.
 */
function mayHaveLostRace(error: unknown): boolean {
  return (
    error instanceof KeyTaken || (error instanceof AppError && [409, 412].includes(error.status))
  )
}

function answerOf({ key, status, headers, body }: StoredAnswer, secretKey: Buffer): Answer {
  const text = body.startsWith(SEALED)
    ? open(secretKey, purposeOf(key), body.slice(SEALED.length))
    : body
  return {
    status,
    headers: JSON.parse(headers) as Record<string, string>,
    body: text === '' ? undefined : text,
  }
}

function purposeOf(key: string): string {
  return `idempotency:${key}`
}

function sendReplay(response: ApiResponse, stored: Answer): void {
  response.setHeader('Idempotent-Replayed', 'true')
  sendAnswer(response, stored)
}

/** Answers made at this moment or before are no longer repeated. */
function oldest(clock: Clock): string {
  return new Date(clock.now() - TIME_TO_LIVE).toISOString()
}

function fingerprintOf(method: string, path: string, body: unknown): string {
  const text = `${method}\n${path}\n${body === undefined ? '' : canonicalJson(body)}`
  return createHash('sha256').update(text).digest('base64url')
}

function usedOtherwise(): AppError {
  return new AppError(
    'VALIDATION_ERROR',
    'this Idempotency-Key was used for another request (method, path or body differ); use a new key',
    { details: [{ field: 'Idempotency-Key', message: 'was used for another request' }] },
  )
}

function stillRunning(): AppError {
  return new AppError(
    'CONFLICT',
    'a request with this Idempotency-Key is still running; try again',
    {
      headers: { 'Retry-After': '1' },
    },
  )
}
