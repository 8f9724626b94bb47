import { crc32, deflateSync } from 'node:zlib'

/** A color as red, green, blue. */
export type Rgb = readonly [number, number, number]

export const GREEN: Rgb = [31, 122, 60]

/** A PNG of one color, 640 × 400 unless said otherwise. */
export function picture(color: Rgb = [40, 90, 200], width = 640, height = 400): Buffer {
  const line = Buffer.concat([
    Buffer.from([0]),
    ...Array.from({ length: width }, () => Buffer.from(color)),
  ])
  return pngOf(width, height, Buffer.concat(Array.from({ length: height }, () => line)))
}

/** A PNG that says it has four dots, and unpacks to so many bytes. */
export function swellingPicture(bytes: number): Buffer {
  return pngOf(2, 2, Buffer.alloc(bytes))
}

function pngOf(width: number, height: number, lines: Buffer): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 2, 0, 0, 0], 8)
  const dots = deflateSync(lines)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    chunk('IDAT', dots),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
