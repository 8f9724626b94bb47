import helmet from 'helmet'
import type { Handler, Stage } from './http/request-state.ts'
import { pageHeaders } from './pages/page-headers.ts'
import { PAGE_PATHS, SCRIPT_PATHS } from './pages/page-paths.ts'
import { printStyle } from './print/style.ts'

/** Path of the API reference; its pages are below. */
const DOCS = '/docs'

/** Path below which records are printed: pages that carry their style. */
const PRINT = '/print/'

/** Path below which strangers see one by a link. */
const PUBLIC = '/p/'

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
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
    },
  },
} as const

/** Security headers of what is no page: the same on each answer, so helmet is asked once. */
export function dataHeaders(): Stage {
  const block: (readonly [name: string, value: string])[] = []
  const recorder = {
    setHeader: (name: string, value: string) => block.push([name, value]),
    removeHeader: () => undefined,
  }
  helmet(apiHeaders)(undefined as never, recorder as never, () => undefined)
  return function dataHeadersStage(_request, response, next) {
    for (const [name, value] of block) response.setHeader(name, value)
    next()
  }
}

/** Security headers of every answer (helmet), with a content policy for data, for pages, for papers and for `/docs`. */
export function securityHeaders(data = dataHeaders()): Handler {
  const docs = helmet(docsHeaders)
  const pages = pageHeaders()
  const scripted = pageHeaders({ script: true })
  const papers = pageHeaders({ style: () => printStyle().source })
  return function securityHeadersStage(request, response, next) {
    const { path } = request
    const isDocs = path === DOCS || path.startsWith(`${DOCS}/`)
    const own = SCRIPT_PATHS.has(path) ? scripted : PAGE_PATHS.has(path) ? pages : undefined
    const set = isDocs ? docs : path.startsWith(PRINT) || path.startsWith(PUBLIC) ? papers : own
    if (set) set(request, response, next)
    else data(request, response, next)
  }
}
