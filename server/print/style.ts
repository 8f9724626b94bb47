import { hash } from 'node:crypto'
import { once } from '../../engine/base/once.ts'
import { pageAsset } from '../http/packaged-asset.ts'

/** The style that stands in every paper, so that it looks the same wherever the file is opened. */
export interface PrintStyle {
  readonly css: string
  /** Source of the style in a content policy: its hash. */
  readonly source: string
}

/** Read by the first paper. Throws where the installation lacks the file. */
export const printStyle = once((): PrintStyle => {
  const css = pageAsset('print.css').toString()
  return { css, source: `'sha256-${hash('sha256', css, 'base64')}'` }
})
