import { isUtf8 } from 'node:buffer'
import { open } from 'node:fs/promises'

/** Types that browsers may show in their place: pictures of dots, which hold no program, and PDF. */
const SHOWN: ReadonlySet<string> = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'application/pdf',
])

/** Types that a browser would run, or read as a page: nothing is ever sent as one of them. */
const ACTIVE = /html|xml|svg|javascript|ecmascript|xslt|mhtml|flash/

const UNKNOWN = 'application/octet-stream'
const TEXT = 'text/plain; charset=utf-8'

/** Bytes from the start of a file that tell whether it is text. */
const LOOKED_AT = 64 * 1024

/**
 * Media type of a file by what is in it, whatever it is called: `file-type` knows the binary ones; what is UTF-8 from its
 * beginning is text. What could run in a browser is called a text, or bytes.
 */
export async function typeOfContent(path: string): Promise<string> {
  const { fileTypeFromFile } = await import('file-type')
  const found = await fileTypeFromFile(path).catch(() => undefined)
  if (found && !ACTIVE.test(found.mime)) return found.mime
  return (await isText(path)) ? TEXT : UNKNOWN
}

async function isText(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(LOOKED_AT), 0, LOOKED_AT, 0)
    const bytes = buffer.subarray(0, bytesRead)
    if (bytes.includes(0)) return false
    // A sign of several bytes may be cut at the end.
    return [0, 1, 2, 3].some((cut) => isUtf8(bytes.subarray(0, Math.max(0, bytesRead - cut))))
  } finally {
    await file.close()
  }
}

/** Whether a browser may show a content of this type in its place. */
export function isShownInPlace(type: string): boolean {
  return SHOWN.has(type)
}

/** Whether it is a picture that a thumbnail can be made of. */
export function isPicture(type: string): boolean {
  return SHOWN.has(type) && type.startsWith('image/') && type !== 'image/avif'
}

/** Type that a content is sent as: what is unknown, or could run, goes as bytes. */
export function sentType(type: string): string {
  return ACTIVE.test(type) ? UNKNOWN : type
}
