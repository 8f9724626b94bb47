import helmet from 'helmet'
import { PAGE_PATHS } from './pages/page-paths.ts'
import type { Handler } from './request-state.ts'

/** Where the API reference page lives; it alone is a document with scripts. */
const DOCS = '/docs'

/** Where records are printed: pages, too. */
const PRINT = '/print/'

/** Answers of the API are data: nothing may be loaded, run or framed because of one. */
const apiHeaders = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
} as const

/** The reference page is self-hosted: everything comes from this server. */
const docsHeaders = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      imgSrc: ["'self'", 'data:'],
      fontSrc: ["'self'"],
      connectSrc: ["'self'"],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
} as const

/** Pages without scripts: what they load, and where their forms go, is this server. */
const pageHeaders = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      styleSrc: ["'self'"],
      imgSrc: ["'self'", 'data:'],
      formAction: ["'self'"],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
  // With none at all a browser hides where a form came from, and the check for forgery needs to know.
  referrerPolicy: { policy: 'same-origin' },
} as const

/** Security headers of every answer (helmet), with a content policy for data, one for pages and one for `/docs`. */
export function securityHeaders(): Handler {
  const api = helmet(apiHeaders)
  const docs = helmet(docsHeaders)
  const pages = helmet(pageHeaders)
  return function securityHeadersStage(request, response, next) {
    const { path } = request
    const isDocs = path === DOCS || path.startsWith(`${DOCS}/`)
    const isPage = PAGE_PATHS.has(path) || path.startsWith(PRINT)
    const set = isDocs ? docs : isPage ? pages : api
    set(request, response, next)
  }
}
