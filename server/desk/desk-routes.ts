import type { Express, Request } from 'express'
import helmet from 'helmet'
import { AppError } from '../../engine/base/errors.ts'
import type { Engine } from '../../engine/index.ts'
import { PAGE_KINDS } from '../../engine/reports/workspaces/page-kinds.ts'
import { isNavigation } from '../http/navigation.ts'
import { methodNotAllowed } from '../http/not-found.ts'
import type { ApiResponse, Handler } from '../http/request-state.ts'
import { FONT_PATH } from '../pages/assets.ts'
import { PATHS } from '../pages/page-paths.ts'
import { DESK_ASSETS, type DeskFile, type DeskFiles } from './desk-files.ts'

/** Parts that the Desk is served with. */
export interface DeskDeps {
  readonly engine: Engine
  readonly desk: DeskFiles
  /** Whether a request is of somebody who is signed in, in this browser. */
  readonly isSignedIn: (request: Request) => Promise<boolean>
}

/** Path of the script that keeps the Desk's files in a browser: at the root, so that it is asked for every address. */
const WORKER_PATH = '/service-worker.js'

/** First words of the Desk's addresses beside the resources (desk.md 4.0). */
const OWN_ADDRESSES: ReadonlySet<string> = new Set([
  'r',
  'w',
  'all',
  'inbox',
  'bank',
  ...Object.keys(PAGE_KINDS),
  'developer',
  'settings',
  'studio',
])

/**
 * The Desk runs its own scripts and asks this server; styles may stand in the page, as its library puts them there. A file
 * that somebody has chosen is shown before it is sent anywhere: as a picture, or by the browser's viewer of papers in a frame
 * (`blob:`). What is in such a frame has this very policy, so it runs nothing either.
 */
const headers = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'self'"],
      // What reads codes of a camera is WebAssembly, of this server like all else; text becomes no script by it.
      scriptSrc: ["'self'", "'wasm-unsafe-eval'"],
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'data:', 'blob:'],
      frameSrc: ['blob:'],
      objectSrc: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
    },
  },
  referrerPolicy: { policy: 'same-origin' },
})

/** The files of the Desk for everybody; `/` and where somebody is signed in for who is, others go on to the page there. */
export function deskRoutes(app: Express, { desk, isSignedIn }: DeskDeps): void {
  app.get(`${DESK_ASSETS}:name`, sendAsset(desk))
  app.all(`${DESK_ASSETS}:name`, methodNotAllowed('GET, HEAD'))
  app.get(WORKER_PATH, sendWorker(desk))
  app.all(WORKER_PATH, methodNotAllowed('GET, HEAD'))
  app.get(FONT_PATH, sendFont(desk))
  app.all(FONT_PATH, methodNotAllowed('GET, HEAD'))
  const start: Handler = async (request, response, next) => {
    // `/?cmd=…` is a call of surface A.
    const isCall = /[?&]cmd=/.test(request.url)
    if (isCall || !isNavigation(request) || !(await isSignedIn(request))) return next()
    showDesk(desk, request, response)
  }
  app.get('/', start)
  // Without the Desk, or who is not signed in, a page of the server's own stands there.
  app.get(PATHS.sessions, start)
}

/**
 * Behind all other routes: an address of the Desk that somebody opens in a browser, `/{resource}/{id}` and those of its
 * own. Throws UNAUTHORIZED for who is not signed in; what is none of its addresses goes on.
 */
export function deskAddresses({ engine, desk, isSignedIn }: DeskDeps): Handler {
  return async function deskAddressStage(request, response, next) {
    const [, first = ''] = request.path.split('/')
    const isOurs = OWN_ADDRESSES.has(first) || engine.services.registry.bySlug(first) !== undefined
    if (!isOurs || !isNavigation(request)) return next()
    if (!(await isSignedIn(request))) throw new AppError('UNAUTHORIZED', 'sign in to see this')
    showDesk(desk, request, response)
  }
}

function showDesk({ page }: DeskFiles, request: Request, response: ApiResponse): void {
  headers(request, response, () => {
    response.setHeader('Cache-Control', 'private, no-cache')
    sendFile(page, request, response)
  })
}

function sendAsset({ assets }: DeskFiles): Handler {
  return (request, response, next) => {
    const file = assets.get(request.path)
    if (!file) return next()
    const send = (): void => {
      response.setHeader('Cache-Control', 'public, max-age=31536000, immutable')
      sendFile(file, request, response)
    }
    // The page as a browser keeps it: there is nothing of anybody in it.
    if (file.type === '.html') headers(request, response, send)
    else send()
  }
}

/** Browsers ask for it at each visit: another one is another build. */
function sendWorker({ worker }: DeskFiles): Handler {
  return (request, response) =>
    headers(request, response, () => {
      response.setHeader('Cache-Control', 'no-cache')
      sendFile(worker, request, response)
    })
}

/** Browsers keep the font for a day. */
function sendFont({ assets }: DeskFiles): Handler {
  return (request, response, next) => {
    const [, file] = [...assets].find(([path]) => path.endsWith('.woff2')) ?? []
    if (!file) return next()
    response.setHeader('Cache-Control', 'public, max-age=86400')
    sendFile(file, request, response)
  }
}

function sendFile(file: DeskFile, request: Request, response: ApiResponse): void {
  response.setHeader('ETag', file.tag)
  response.setHeader('Vary', 'Accept-Encoding')
  response.type(file.type)
  if (request.fresh) {
    response.status(304).end()
    return
  }
  const { bytes, encoding } = file.in(request.acceptsEncodings())
  if (encoding) response.setHeader('Content-Encoding', encoding)
  response.end(bytes)
}
