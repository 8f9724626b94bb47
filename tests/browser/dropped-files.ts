import type { Page } from 'playwright-core'

/** A file as somebody drops it. */
export interface DroppedFile {
  readonly name: string
  readonly type: string
  readonly content: string | Buffer
}

/** Drops files on the form of a page, as a hand does. */
export async function dropFiles(page: Page, files: readonly DroppedFile[]): Promise<void> {
  const sent = files.map(({ content, ...file }) => ({
    ...file,
    bytes: Buffer.from(content).toString('base64'),
  }))
  await page.locator('.record-main').evaluate((form, all) => {
    const dataTransfer = new DataTransfer()
    for (const { name, type, bytes } of all) {
      const content = Uint8Array.from(atob(bytes), (sign) => sign.charCodeAt(0))
      dataTransfer.items.add(new File([content], name, { type }))
    }
    for (const kind of ['dragover', 'drop'])
      form.dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }))
  }, sent)
}
