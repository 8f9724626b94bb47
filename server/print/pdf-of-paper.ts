import { buffer } from 'node:stream/consumers'
import type { Context } from '../../engine/documents/work/context.ts'
import type { Files } from '../files/files.ts'
import { pictureSize } from '../files/picture-size.ts'
import { findStored } from '../files/store.ts'
import type { ComposedPaper } from './paper.ts'
import type { PdfPrinter } from './pdf.ts'
import type { Card } from './sheet.ts'

export interface PdfDeps {
  /** The workspace itself: the logo is on everybody's paper. */
  readonly system: Context
  readonly pdf: PdfPrinter
  readonly files: Files | undefined
}

/** Types of pictures that a PDF can hold, and bytes of the largest. */
const PICTURES = ['image/png', 'image/jpeg']
const MOST_BYTES = 2_000_000

/** Dots of the largest picture: unpacked, each has four bytes. */
const MOST_DOTS = 16_000_000

/** A paper as PDF, its logo in it where that is a PNG or a JPEG among the workspace's files, which can be read and is not too large. Throws UNAVAILABLE. */
export async function pdfOfPaper(
  { system, pdf, files }: PdfDeps,
  { sheet, printed }: ComposedPaper,
): Promise<Buffer> {
  const { letterhead, ...rest } = sheet
  const made = String(printed.record.modified)
  if (!letterhead) return pdf({ ...rest, made })
  const { logo, ...card } = letterhead
  const picture = logo === undefined ? undefined : await pictureOf(system, files, logo)
  const shown: Card = { ...card, ...(picture === undefined ? {} : { logo: picture }) }
  return pdf({ ...rest, letterhead: shown, made })
}

/** A stored picture as an address that holds it. */
async function pictureOf(
  { services }: Context,
  files: Files | undefined,
  logo: string,
): Promise<string | undefined> {
  const id = /^\/(?:private\/)?files\/([0-9a-f-]{36})\//.exec(logo)?.[1]
  const stored = id === undefined ? undefined : await findStored(services.database.read, id)
  if (!stored || !PICTURES.includes(stored.type) || stored.size > MOST_BYTES) return undefined
  const stream = await files?.contents.open(stored.hash)
  if (!stream) return undefined
  const bytes = await buffer(stream)
  const size = pictureSize(bytes)
  if (!size || size.width * size.height > MOST_DOTS) return undefined
  return `data:${stored.type};base64,${bytes.toString('base64')}`
}
