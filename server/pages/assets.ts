import { join } from 'node:path'
import type { Express } from 'express'
import { methodNotAllowed } from '../not-found.ts'
import { STYLE_PATH } from './layout.ts'

const STYLE_FILE = join(import.meta.dirname, 'assets/pages.css')

/** The style sheet of all pages; browsers ask whether it is still the same. */
export function styleRoute(app: Express): void {
  app.get(STYLE_PATH, (_request, response, next) => {
    response.setHeader('Cache-Control', 'no-cache')
    // The program may well be installed below a folder such as ~/.local.
    response.sendFile(STYLE_FILE, { dotfiles: 'allow', cacheControl: false }, (error: unknown) => {
      if (error) next(error)
    })
  })
  app.all(STYLE_PATH, methodNotAllowed('GET, HEAD'))
}
