/** Width and height of a picture, in dots. */
export interface PictureSize {
  readonly width: number
  readonly height: number
}

/**
 * The size that the head of a PNG, JPEG, GIF or WebP says it has; undefined for anything else. It is asked before a
 * picture is unpacked: a file of some kilobytes may be one of gigabytes.
 */
export function pictureSize(bytes: Buffer): PictureSize | undefined {
  if (bytes.length < 30) return undefined
  if (bytes.readUInt32BE(0) === 0x89504e47)
    return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
  if (bytes.toString('latin1', 0, 4) === 'GIF8') return gifSize(bytes)
  if (bytes.readUInt16BE(0) === 0xffd8) return jpegSize(bytes)
  if (bytes.toString('latin1', 8, 12) === 'WEBP') return webpSize(bytes)
  return undefined
}

/** Sizes of the blocks of a GIF that say how large their table of colors is (GIF89a, 18 and 20). */
function colorBytes(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1)
}

/** The larger of the screen of a GIF and its first picture, which may say more than the screen; undefined without a picture. */
function gifSize(bytes: Buffer): PictureSize | undefined {
  let at = 13 + colorBytes(bytes[10] ?? 0)
  while (at + 9 < bytes.length) {
    const block = bytes[at]
    if (block === 0x2c)
      return {
        width: Math.max(bytes.readUInt16LE(6), bytes.readUInt16LE(at + 5)),
        height: Math.max(bytes.readUInt16LE(8), bytes.readUInt16LE(at + 7)),
      }
    if (block !== 0x21) return undefined
    // An extension: its label, then parts with their lengths, the last of which has none.
    at += 2
    while (at < bytes.length && bytes[at] !== 0) at += 1 + (bytes[at] ?? 0)
    at += 1
  }
  return undefined
}

/** Walks the segments of a JPEG to the one that begins a frame (ITU T.81, B.2.2). */
function jpegSize(bytes: Buffer): PictureSize | undefined {
  let at = 2
  while (at + 9 < bytes.length) {
    if (bytes[at] !== 0xff) return undefined
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xff) {
      at += 1
      continue
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) }
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  return undefined
}

function webpSize(bytes: Buffer): PictureSize | undefined {
  const kind = bytes.toString('latin1', 12, 16)
  if (kind === 'VP8X')
    return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
  if (kind === 'VP8 ')
    return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
  if (kind !== 'VP8L') return undefined
  const bits = bytes.readUInt32LE(21)
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}
