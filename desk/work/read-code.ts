import { WORK } from '../words/work/en.ts'
import type { CodeReader } from './code-reader.ts'

/** A browser's own reader of codes (Chrome on Android, macOS); the types of pages have none of it yet. */
interface BarcodeDetector {
  new (): CodeReader
  getSupportedFormats(): Promise<readonly string[]>
}

/** Between two looks at what the camera sees, in ms. */
const PAUSE = 150

/** The first code that the camera sees. Throws an Error for people where there is no camera or nothing that reads codes. */
export async function readCode(
  video: HTMLVideoElement,
  signal: AbortSignal,
): Promise<string | undefined> {
  const stream = await navigator.mediaDevices
    ?.getUserMedia({ video: { facingMode: 'environment' } })
    .catch(() => undefined)
  if (!stream) throw new Error(WORK.noCamera)
  const end = (): void => {
    for (const track of stream.getTracks()) track.stop()
  }
  signal.addEventListener('abort', end)
  try {
    if (signal.aborted) return undefined
    video.srcObject = stream
    const [reader] = await Promise.all([openReader(), video.play()])
    while (!signal.aborted) {
      const [found] = await reader.detect(video)
      if (found) return found.rawValue
      await new Promise((next) => setTimeout(next, PAUSE))
    }
    return undefined
  } finally {
    end()
  }
}

/** A browser may have a reader that knows no kind of code, as Chrome on Linux has. */
async function openReader(): Promise<CodeReader> {
  const { BarcodeDetector: Own } = globalThis as { BarcodeDetector?: BarcodeDetector }
  if (Own && (await Own.getSupportedFormats()).length > 0) return new Own()
  return import('./loaded-reader.ts').then(
    ({ loadedReader }) => loadedReader(),
    () => {
      throw new Error(WORK.noReader)
    },
  )
}
