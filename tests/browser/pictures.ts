import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'

/** Where the pictures of the Desk are kept; they are drawn anew with DESK_PICTURES=1. */
const PICTURES = fileURLToPath(new URL('../../docs/desk', import.meta.url))

/** Width of a picture on a film strip, in pixels, and what is between two of them. */
const STRIP = { width: 480, gap: 12 } as const

/** Keeps what a page shows, as WebP, which the browser itself makes of it. */
export async function picture(name: string, page: Page): Promise<void> {
  if (process.env.DESK_PICTURES !== '1') return
  await keep(name, page, [await shotOf(page)])
}

/** Pictures of steps one after the other, kept as one wide one beneath each other in rows of this many. */
export interface FilmStrip {
  /** Takes the next picture. */
  take(page: Page): Promise<void>
  keep(name: string, page: Page): Promise<void>
}

export function filmStrip(perRow: number): FilmStrip {
  const shots: string[] = []
  return {
    async take(page) {
      if (process.env.DESK_PICTURES === '1') shots.push(await shotOf(page))
    },
    async keep(name, page) {
      if (shots.length > 0) await keep(name, page, shots, perRow)
    },
  }
}

async function shotOf(page: Page): Promise<string> {
  await page.evaluate(() => document.fonts.ready.then(() => true))
  return (await page.screenshot()).toString('base64')
}

/** Writes pictures as one: a single one in its own size, several small and side by side. */
async function keep(
  name: string,
  page: Page,
  shots: readonly string[],
  perRow?: number,
): Promise<void> {
  const blank = await page.context().newPage()
  const webp = await blank.evaluate(
    async ({ all, row, strip }) => {
      const images = await Promise.all(
        all.map(async (png) => {
          const image = new Image()
          image.src = `data:image/png;base64,${png}`
          await image.decode()
          return image
        }),
      )
      const [first] = images
      if (!first) return ''
      const width = row === undefined ? first.naturalWidth : strip.width
      const height = Math.round((width * first.naturalHeight) / first.naturalWidth)
      const gap = row === undefined ? 0 : strip.gap
      const columns = row ?? 1
      const canvas = document.createElement('canvas')
      canvas.width = columns * (width + gap) - gap
      canvas.height = Math.ceil(images.length / columns) * (height + gap) - gap
      const pen = canvas.getContext('2d')
      if (!pen) return ''
      pen.imageSmoothingQuality = 'high'
      for (const [at, image] of images.entries())
        pen.drawImage(
          image,
          (at % columns) * (width + gap),
          Math.floor(at / columns) * (height + gap),
          width,
          height,
        )
      return canvas.toDataURL('image/webp', 0.9)
    },
    { all: shots, row: perRow, strip: STRIP },
  )
  await blank.close()
  mkdirSync(PICTURES, { recursive: true })
  writeFileSync(`${PICTURES}/${name}.webp`, Buffer.from(webp.split(',')[1] ?? '', 'base64'))
}
