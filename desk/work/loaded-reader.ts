import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import program from 'zxing-wasm/reader/zxing_reader.wasm?url'
import type { CodeReader } from './code-reader.ts'

/** A reader of codes for browsers that have none of their own (Firefox, Safari on phones): ZXing, 400 KB that are loaded with the first look. */
export async function loadedReader(): Promise<CodeReader> {
  // From this server: its own default is a network of others.
  await prepareZXingModule({ overrides: { locateFile: () => program }, fireImmediately: true })
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d', { willReadFrequently: true })!
  return {
    async detect(source) {
      canvas.width = source.videoWidth
      canvas.height = source.videoHeight
      context.drawImage(source, 0, 0)
      const picture = context.getImageData(0, 0, canvas.width, canvas.height)
      const found = await readBarcodes(picture, { maxNumberOfSymbols: 1 })
      return found.map(({ text }) => ({ rawValue: text }))
    },
  }
}
