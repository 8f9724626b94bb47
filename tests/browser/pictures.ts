import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'

/** Where the pictures of the Desk are kept; they are drawn anew with DESK_PICTURES=1. */
const PICTURES = fileURLToPath(new URL('../../docs/desk', import.meta.url))

/** Keeps what a page shows, as WebP, which the browser itself makes of it. */
export async function picture(name: string, page: Page): Promise<void> {
  if (process.env.DESK_PICTURES !== '1') return
  await page.evaluate(() => document.fonts.ready.then(() => true))
  const shot = (await page.screenshot()).toString('base64')
  const blank = await page.context().newPage()
  const webp = await blank.evaluate(async (png) => {
    const image = new Image()
    image.src = `data:image/png;base64,${png}`
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = image.naturalWidth
    canvas.height = image.naturalHeight
    canvas.getContext('2d')?.drawImage(image, 0, 0)
    return canvas.toDataURL('image/webp', 0.9)
  }, shot)
  await blank.close()
  mkdirSync(PICTURES, { recursive: true })
  writeFileSync(`${PICTURES}/${name}.webp`, Buffer.from(webp.split(',')[1] ?? '', 'base64'))
}
