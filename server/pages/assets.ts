import { join } from 'node:path'
import type { Express } from 'express'
import { PROGRAM_FOLDER } from '../../engine/base/packaged-files.ts'
import { methodNotAllowed } from '../not-found.ts'
import { packagedFile } from '../packaged-file.ts'
import { STYLE_PATH } from './layout.ts'

const styleFile = (): string => join(PROGRAM_FOLDER, 'server/pages/assets/pages.css')

/** The style sheet of all pages; browsers ask whether it is still the same. */
export function styleRoute(app: Express): void {
  app.get(STYLE_PATH, packagedFile({ path: styleFile, cacheControl: 'no-cache' }))
  app.all(STYLE_PATH, methodNotAllowed('GET, HEAD'))
}
