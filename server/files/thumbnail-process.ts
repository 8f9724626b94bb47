import { buffer } from 'node:stream/consumers'
import { libraryBytes } from '../../engine/base/packaged-files.ts'
import { pictureSize } from './picture-size.ts'

/** Longest side of a thumbnail, in dots (contract §7.9). */
const SIDE = 256

/** Dots of a picture that is taken: unpacked, each has four bytes. */
const MOST_DOTS = 50_000_000

/**
 * A process of its own that makes one thumbnail: a picture on stdin, WebP on stdout. What unpacking it takes goes with
 * the process. Exits with 1 for what is no picture, or too large a one.
 */
export async function makeThumbnail(): Promise<void> {
  const picture = await buffer(process.stdin)
  const size = pictureSize(picture)
  if (!size || size.width * size.height === 0 || size.width * size.height > MOST_DOTS)
    process.exit(1)
  try {
    const thumbnail = await shrunk(picture, size)
    process.stdout.end(thumbnail)
  } catch (_unreadable) {
    process.exit(1)
  }
}

async function shrunk(
  picture: Buffer,
  { width, height }: { readonly width: number; readonly height: number },
): Promise<Uint8Array> {
  const { initPhoton, PhotonImage, resize, SamplingFilter } = await import('@cf-wasm/photon/others')
  const wasm = new Uint8Array(libraryBytes('@cf-wasm/photon/photon.wasm'))
  await initPhoton({ module_or_path: wasm })
  const image = PhotonImage.new_from_byteslice(picture)
  const scale = Math.min(1, SIDE / Math.max(width, height))
  const side = (length: number): number => Math.max(1, Math.round(length * scale))
  const small =
    scale === 1 ? image : resize(image, side(width), side(height), SamplingFilter.Lanczos3)
  return small.get_bytes_webp()
}
