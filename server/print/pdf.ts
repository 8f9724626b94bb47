import PQueue from 'p-queue'
import { AppError } from '../../engine/base/errors.ts'
import { type Helper, runHelper } from '../../engine/base/helper-process.ts'
import { PAPER_WORD } from './paper-word.ts'
import type { PdfSheet } from './pdf-definition.ts'

const PAPER: Helper = { word: PAPER_WORD, file: 'server/print/pdf-start.ts', mostMs: 60_000 }

/** Papers that are drawn at the same time, and those that may wait. */
const AT_ONCE = 1
const MOST_WAITING = 30

/** Draws papers as PDF, each in a process of its own: a long one takes a second, and nobody waits for it. */
export type PdfPrinter = (sheet: PdfSheet) => Promise<Buffer>

/** A printer of this server. Its papers throw UNAVAILABLE where too many wait, or one cannot be drawn in a minute. */
export function createPdfPrinter(): PdfPrinter {
  const queue = new PQueue({ concurrency: AT_ONCE })
  return async (sheet) => {
    if (queue.size > MOST_WAITING) throw unavailable('too many papers are being drawn')
    const input = Buffer.from(JSON.stringify(sheet))
    const pdf = await queue.add(() => runHelper(PAPER, input))
    if (!pdf) throw unavailable('the paper could not be drawn as PDF')
    return pdf
  }
}

function unavailable(message: string): AppError {
  return new AppError('UNAVAILABLE', `${message}; try again in a moment`, {
    headers: { 'Retry-After': '5' },
  })
}
