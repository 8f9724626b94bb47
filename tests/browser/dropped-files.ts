import type { Page } from 'playwright-core'

/** A file as somebody drops it. */
export interface DroppedFile {
  readonly name: string
  readonly type: string
  readonly content: string | Buffer
}

/** Drops files on a part of a page, its form where none is named, as a hand does. */
export async function dropFiles(
  page: Page,
  files: readonly DroppedFile[],
  where = '.record-main',
): Promise<void> {
  const sent = files.map(({ content, ...file }) => ({
    ...file,
    bytes: Buffer.from(content).toString('base64'),
  }))
  await page.locator(where).evaluate((part, all) => {
    const dataTransfer = new DataTransfer()
    for (const { name, type, bytes } of all) {
      const content = Uint8Array.from(atob(bytes), (sign) => sign.charCodeAt(0))
      dataTransfer.items.add(new File([content], name, { type }))
    }
    for (const kind of ['dragover', 'drop'])
      part.dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }))
    // A browser does this by itself for what a hand drops.
    if (part instanceof HTMLInputElement) {
      part.files = dataTransfer.files
      part.dispatchEvent(new Event('change', { bubbles: true }))
    }
  }, sent)
}
