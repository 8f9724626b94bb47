import { hash } from 'node:crypto'
import { join } from 'node:path'
import { once } from '../../engine/base/once.ts'
import { fileSystem, PROGRAM_FOLDER } from '../../engine/base/packaged-files.ts'

/** The style that stands in every paper, so that it looks the same wherever the file is opened. */
export interface PrintStyle {
  readonly css: string
  /** Source of the style in a content policy: its hash. */
  readonly source: string
}

/** Read by the first paper. Throws where the installation lacks the file. */
export const printStyle = once((): PrintStyle => {
  const css = fileSystem.bytes(join(PROGRAM_FOLDER, 'server/pages/assets/print.css')).toString()
  return { css, source: `'sha256-${hash('sha256', css, 'base64')}'` }
})
