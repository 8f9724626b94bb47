import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'

/**
 * Forms of a text in a column: plain JSON, which begins with a brace, or packed as `z7:` and base64, which names the
 * dictionary it was compressed by. Text on both databases, so that whatever copies the column need not know.
 */
const PACKED = /^z(\d+):/

/** Bytes that many texts of one kind have in common; `number` names it for ever. */
export interface Dictionary {
  readonly number: number
  readonly bytes: Buffer
}

/** Strength of the compression: above it takes much more time for little. */
const LEVEL = 3

/** Number of the dictionary that a text was packed by; undefined for a plain one. */
export function dictionaryOf(text: string): number | undefined {
  const [, number] = PACKED.exec(text) ?? []
  return number === undefined ? undefined : Number(number)
}

/** A plain text packed by a dictionary; the text itself where that makes it no shorter. */
export function packed(text: string, { number, bytes }: Dictionary): string {
  const plain = Buffer.from(text)
  const compressed = zstdCompressSync(plain, {
    params: { [constants.ZSTD_c_compressionLevel]: LEVEL },
    pledgedSrcSize: plain.length,
    dictionary: bytes,
  })
  const result = `z${number}:${compressed.toString('base64')}`
  return result.length < text.length ? result : text
}

/** The plain text again. Throws an Error for one that was packed by another dictionary. */
export function unpacked(text: string, { number, bytes }: Dictionary): string {
  const mark = `z${number}:`
  if (!text.startsWith(mark)) throw new Error(`expected a text that begins with ${mark}`)
  const compressed = Buffer.from(text.slice(mark.length), 'base64')
  return zstdDecompressSync(compressed, { dictionary: bytes }).toString()
}
