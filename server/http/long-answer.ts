import { once } from 'node:events'
import { AppError } from '../../engine/base/errors.ts'
import { heldAnswers } from './held-bytes.ts'
import { type SpooledBytes, spoolBytes } from './long-answer-spool.ts'
import type { ApiResponse } from './request-state.ts'

/** Text of an answer is kept in pieces of about so many characters, which are turned into bytes one by one. */
const PIECE = 65_536

/** Most bytes of one answer. */
const MOST_BYTES = 64 * 1024 * 1024

/** Bytes of one answer that are kept in memory; what is beyond goes to a file. */
const IN_MEMORY = 1024 * 1024

/** Longest time a client may take to read an answer, in ms. */
const READING_TIME = 60_000

/** Time for which a loop over many rows may hold the thread, in ms; then others have their turn. */
const TURN_MS = 5

/**
 * Answer that is written piece by piece while its rows are read, and sent when all of them are there: so its status is
 * right, it never is one huge text, and no reader of it holds the database. Its first megabyte is kept in memory, and counted
 * there with those of all other answers until they are sent; the rest in the temporary folder. Once nothing is left that could
 * refuse it, it is sent behind that megabyte while it is written; what fails then breaks the connection off.
 */
export interface LongAnswer {
  /** Adds some text. Throws UNAVAILABLE for an answer that gets too long. */
  add(text: string): void
  /** Says that no other status can come any more: what is longer than a megabyte need not be whole to be sent. */
  begin(): void
  /** Sends it, or what is left of it; slow clients are waited for, but not for ever. */
  send(): Promise<void>
}

/** Begins a long answer; what it holds is given back when the response ends, whatever becomes of it. */
export function longAnswer(response: ApiResponse, contentType: string): LongAnswer {
  const held = heldAnswers(response)
  const pieces: Buffer[] = []
  let hasBegun = false
  let sending: Promise<void> | undefined
  let spool: SpooledBytes | undefined
  let part = ''
  let inMemory = 0
  let bytes = 0
  let isOver = false
  response.once('close', () => {
    isOver = true
    pieces.length = 0
    held.give(inMemory)
    inMemory = 0
    spool?.end()
  })

  function keep(piece: Buffer): void {
    // Nobody waits for it any more: nothing would give back what is kept now.
    if (isOver) return
    if (!spool && inMemory + piece.length > IN_MEMORY) spool = spoolBytes()
    if (spool) {
      addTo(spool, piece)
      if (hasBegun && !sending) {
        sending = sendAll()
        // Whoever writes the answer hears of it at its end.
        sending.catch(() => undefined)
      }
      return
    }
    held.take(piece.length)
    inMemory += piece.length
    pieces.push(piece)
  }

  function cut(): void {
    const piece = Buffer.from(part)
    part = ''
    if (bytes + piece.length > MOST_BYTES) throw tooLong()
    keep(piece)
    bytes += piece.length
  }

  function sendAll(): Promise<void> {
    response.statusCode = 200
    response.setHeader('Content-Type', contentType)
    return sendPieces(response, allOf([...pieces], spool))
  }

  return {
    add(text) {
      part += text
      if (part.length >= PIECE) cut()
    },
    begin() {
      hasBegun = true
    },
    async send() {
      cut()
      spool?.finish()
      if (!sending) response.setHeader('Content-Length', bytes)
      await (sending ?? sendAll())
    },
  }
}

function addTo(spool: SpooledBytes, piece: Buffer): void {
  try {
    spool.add(piece)
  } catch (cause) {
    throw new AppError(
      'UNAVAILABLE',
      'the disk has no room for a long answer: ask for fewer fields, set filters or a limit',
      { headers: { 'Retry-After': '10' }, cause },
    )
  }
}

/** What is in memory, then what is in the file. */
async function* allOf(
  pieces: readonly Buffer[],
  spool: SpooledBytes | undefined,
): AsyncGenerator<Buffer> {
  yield* pieces
  if (spool) yield* spool.pieces()
}

/** Sends pieces as fast as the client takes them, but waits no longer than it may take to read. */
async function sendPieces(response: ApiResponse, pieces: AsyncIterable<Buffer>): Promise<void> {
  const late = setTimeout(() => response.destroy(), READING_TIME)
  const closed = once(response, 'close')
  try {
    for await (const piece of pieces) {
      if (response.destroyed) return
      if (!response.write(piece)) await Promise.race([once(response, 'drain'), closed])
    }
    response.end()
  } finally {
    clearTimeout(late)
  }
}

function tooLong(): AppError {
  return new AppError(
    'UNAVAILABLE',
    `the answer would be longer than ${MOST_BYTES / 1024 / 1024} MB: ask for fewer fields, set filters or a limit`,
    { headers: { 'Retry-After': '10' } },
  )
}

/** Goes through many values, in turns with everybody else: no loop holds the thread for longer than a few ms. */
export async function inTurns<T>(values: Iterable<T>, each: (value: T) => void): Promise<void> {
  let began = performance.now()
  for (const value of values) {
    each(value)
    if (performance.now() - began < TURN_MS) continue
    await new Promise((resolve) => setImmediate(resolve))
    began = performance.now()
  }
}
