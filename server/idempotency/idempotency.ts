import { createHash } from 'node:crypto'
import type { Engine } from '../../engine/index.ts'
import type { Db } from '../../engine/storage/database/database.ts'
import { type Answer, sendAnswer } from '../http/answer.ts'
import { wantsPreview } from '../http/query-flags.ts'
import type { ErrorHandler, Reply, Stage } from '../http/request-state.ts'
import { canonicalJson } from './canonical-json.ts'
import { readIdempotencyKey } from './idempotency-key.ts'
import {
  findAnswer,
  keepAnswer,
  removeAnswers,
  removeOldStarted,
  removeStarted,
} from './idempotency-store.ts'
import { fromStored, oldestKept, toStored } from './kept-answer.ts'
import { KeyTaken, mayHaveLostRace, stillRunning, usedOtherwise } from './key-conflicts.ts'
import { type CallOut, outsideCaller } from './outside-call.ts'

const KEYED_METHODS = new Set(['POST', 'PATCH', 'PUT'])

export interface Idempotency {
  /** Reads the header and looks the key up; refuses another request's key (422) and a running one (409). */
  readonly stage: Stage
  /** Answers with what another process committed first. */
  readonly afterRoutes: ErrorHandler
  /**
   * Sends the stored answer when there is one, and tells so. A route asks after it has checked rights
   * again, and does nothing more then.
   */
  replay(response: Reply): boolean
  /**
   * Keeps an answer within the transaction of its change, for `Context.beforeCommit`; does nothing without
   * a key. `holdsSecret` encrypts the body.
   */
  keep(tx: Db, response: Reply, answer: Answer, holdsSecret?: boolean): Promise<void>
  readonly callOut: CallOut
  /** Removes answers that are too old to be repeated; returns their number. */
  sweep(): Promise<number>
}

/**
 * Idempotency as contract §3 and reliability.md §2 have it: only 2xx answers are kept, in the transaction
 * of the change, by principal; so an answer exists exactly when its change does.
 */
export function createIdempotency(engine: Engine, secretKey: Buffer): Idempotency {
  const running = new Map<string, string>()

  async function stage(...[request, response, next]: Parameters<Stage>): Promise<void> {
    const header = request.headers['idempotency-key']
    if (header === undefined || !KEYED_METHODS.has(request.method)) {
      next()
      return
    }
    const sent = readIdempotencyKey(String(header))
    // What is only tried takes no key, nor is it answered from one.
    if (wantsPreview(request.url)) {
      next()
      return
    }
    const key = `${response.locals.actor.id}:${sent}`
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
    const row = await findAnswer(database.read, key, oldestKept(clock))
    if (!row) return undefined
    if (row.fingerprint !== fingerprint) throw usedOtherwise()
    return fromStored(row, secretKey)
  }

  return {
    stage,
    callOut: outsideCaller(engine),
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
    async keep(tx, response, answer, holdsSecret = false) {
      const { idempotency } = response.locals
      if (!idempotency) return
      const { clock } = engine.services
      const kept = toStored(idempotency, answer, clock, holdsSecret ? secretKey : undefined)
      if (!(await keepAnswer(tx, kept, oldestKept(clock)))) throw new KeyTaken()
      if (idempotency.hasCalled) await removeStarted(tx, idempotency.key)
    },
    async sweep() {
      const { database, clock } = engine.services
      await database.write((tx) => removeOldStarted(tx, oldestKept(clock)))
      return removeAnswers(database, oldestKept(clock))
    },
  }
}

function sendReplay(response: Reply, stored: Answer): void {
  response.setHeader('Idempotent-Replayed', 'true')
  sendAnswer(response, stored)
}

function fingerprintOf(method: string, path: string, body: unknown): string {
  const text = `${method}\n${path}\n${body === undefined ? '' : canonicalJson(body)}`
  return createHash('sha256').update(text).digest('base64url')
}
