import helmet from 'helmet'
import type { Handler } from './request-state.ts'

/** Where the API reference page lives; it alone is a document with scripts. */
const DOCS = '/docs'

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

/** Security headers of every answer (helmet), with a content policy for data and one for `/docs`. */
export function securityHeaders(): Handler {
  const api = helmet(apiHeaders)
  const docs = helmet(docsHeaders)
  return function securityHeadersStage(request, response, next) {
    const isDocs = request.path === DOCS || request.path.startsWith(`${DOCS}/`)
    const set = isDocs ? docs : api
    set(request, response, next)
  }
}
