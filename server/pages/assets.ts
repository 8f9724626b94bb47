import type { Express } from 'express'
import { methodNotAllowed } from '../http/not-found.ts'
import { pageAsset } from '../http/packaged-asset.ts'
import { packagedFile } from '../http/packaged-file.ts'
import { takes } from '../http/query-parameters.ts'
import { ICON_PATH, SCRIPT_PATH, STYLE_PATH } from './layout.ts'

/** Icon that browsers ask for without being told to, in a site whose pages name none. */
const OLD_ICON_PATH = '/favicon.ico'

interface Asset {
  readonly name: string
  readonly cacheControl: string
}

const STYLE: Asset = { name: 'pages.css', cacheControl: 'no-cache' }

/** Path → file in `assets`; the manifest says how the Desk is installed as an app. Browsers keep an icon for a day, and ask each time whether the style is the same. */
const ASSETS: Readonly<Record<string, Asset>> = {
  [SCRIPT_PATH]: { name: 'passkeys.js', cacheControl: 'no-cache' },
  [ICON_PATH]: { name: 'favicon.svg', cacheControl: 'public, max-age=86400' },
  '/manifest.webmanifest': { name: 'manifest.webmanifest', cacheControl: 'no-cache' },
  '/icon-192.png': { name: 'icon-192.png', cacheControl: 'public, max-age=86400' },
  '/icon-512.png': { name: 'icon-512.png', cacheControl: 'public, max-age=86400' },
  [OLD_ICON_PATH]: { name: 'favicon.ico', cacheControl: 'public, max-age=86400' },
}

/** Path of the Desk's font, which serves it (`desk/desk-routes.ts`): pages do not know the name of its file. */
export const FONT_PATH = '/assets/inter.woff2'

/** Paths of the style sheet, the script, the icons and the font. */
export const ASSET_PATHS: readonly string[] = [STYLE_PATH, ...Object.keys(ASSETS), FONT_PATH]

export interface AssetDeps {
  /** Whether somebody serves the font: a style sheet that names what is not there is a complaint of every page. */
  readonly hasFont: boolean
}

/** The style sheet, the script, the icons and the manifest of all pages. */
export function assetRoutes(app: Express, { hasFont }: AssetDeps): void {
  function serve(path: string, { name, cacheControl }: Asset, parts = [name]): void {
    const content = (): Buffer => Buffer.concat(parts.map(pageAsset))
    app.get(path, takes(), packagedFile({ name, content, cacheControl }))
    app.all(path, methodNotAllowed('GET, HEAD'))
  }
  serve(STYLE_PATH, STYLE, hasFont ? ['font.css', STYLE.name] : [STYLE.name])
  for (const [path, asset] of Object.entries(ASSETS)) serve(path, asset)
}
