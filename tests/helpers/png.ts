import { inflateSync } from 'node:zlib'

/** A picture in gray, eight bits a dot. */
export interface GrayPicture {
  readonly width: number
  readonly height: number
  readonly dots: Buffer
}

/** Bytes of a dot by the kind of colors of a PNG: gray, or red, green and blue. */
const BYTES: Readonly<Record<number, number>> = { 0: 1, 2: 3 }

/** Reads a PNG of eight bits without interlacing, as `pdftoppm -gray -png` writes it. Throws Error for another. */
export function readGrayPng(png: Buffer): GrayPicture {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)]
  const bytes = BYTES[png[25] ?? -1]
  if (png[24] !== 8 || bytes === undefined || png[28] !== 0)
    throw new Error(`expected a PNG of 8 bits, got ${png.subarray(24, 29).toString('hex')}`)
  const parts: Buffer[] = []
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at)
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(png.subarray(at + 8, at + 8 + length))
    at += length + 12
  }
  const plain = unfiltered(inflateSync(Buffer.concat(parts)), width * bytes, height, bytes)
  // Drawn gray, its three colors are the same.
  const dots = Buffer.from(Array.from({ length: width * height }, (_, at) => plain[at * bytes]!))
  return { width, height, dots }
}

/** The lines of a PNG without the guesses by which they were made small (PNG, 9.2). */
function unfiltered(lines: Buffer, length: number, height: number, bytes: number): Buffer {
  const plain = Buffer.alloc(length * height)
  for (let y = 0; y < height; y += 1) {
    const filter = lines[y * (length + 1)] ?? 0
    for (let x = 0; x < length; x += 1) {
      const at = y * length + x
      const left = x >= bytes ? plain[at - bytes]! : 0
      const up = y > 0 ? plain[at - length]! : 0
      const corner = x >= bytes && y > 0 ? plain[at - length - bytes]! : 0
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter]!
      plain[at] = (lines[y * (length + 1) + 1 + x]! + guess) & 0xff
    }
  }
  return plain
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner
  const [a, b, c] = [left, up, corner].map((one) => Math.abs(guess - one)) as [
    number,
    number,
    number,
  ]
  return a <= b && a <= c ? left : b <= c ? up : corner
}

/** Share of the dots, of those that are not white in one of both, that differ by more than a shade of anti-aliasing. */
export function difference(one: GrayPicture, other: GrayPicture): number {
  if (one.width !== other.width || one.height !== other.height) return 1
  let [inked, differing] = [0, 0]
  for (const [at, dot] of one.dots.entries()) {
    const second = other.dots[at]!
    if (dot > 250 && second > 250) continue
    inked += 1
    if (Math.abs(dot - second) > 64) differing += 1
  }
  return inked === 0 ? 0 : differing / inked
}
