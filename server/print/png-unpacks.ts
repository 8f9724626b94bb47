import { inflateSync } from 'node:zlib'
import { pictureSize } from '../files/picture-size.ts'

/** Samples of a dot by the kind of colors of a PNG (PNG, 11.2.1). */
const SAMPLES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

/** Lines that interlacing adds: seven smaller pictures stand behind each other. */
const PASSES = 7

/**
 * Whether the dots of a PNG unpack to no more than its head says there are: two megabytes may be packed of two gigabytes.
 * What is no PNG has nothing to unpack so.
 */
export function unpacksAsItSays(png: Buffer): boolean {
  const size = pictureSize(png)
  if (!size || png.readUInt32BE(0) !== 0x89504e47) return true
  const bits = (png[24] ?? 0) * (SAMPLES[png[25] ?? -1] ?? 4)
  const line = 1 + Math.ceil((size.width * bits) / 8)
  const most = line * size.height + PASSES * (line + size.height)
  try {
    inflateSync(packedDots(png), { maxOutputLength: most })
    return true
  } catch (_tooMuchOrBroken) {
    return false
  }
}

function packedDots(png: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let at = 8; at + 8 <= png.length; ) {
    const length = png.readUInt32BE(at)
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(png.subarray(at + 8, at + 8 + length))
    at += length + 12
  }
  return Buffer.concat(parts)
}
