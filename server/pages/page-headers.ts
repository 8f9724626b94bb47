import helmet from 'helmet'
import type { Handler } from '../http/request-state.ts'

/** Pages without scripts: what they load, and where their forms go, is this server. */
const directives = {
  defaultSrc: ["'none'"],
  styleSrc: ["'self'"],
  imgSrc: ["'self'", 'data:'],
  fontSrc: ["'self'"],
  formAction: ["'self'"],
  baseUri: ["'none'"],
  frameAncestors: ["'none'"],
} as const

/** What a page may have besides text and our style sheet. */
interface PageSources {
  readonly style?: () => string
  readonly script?: boolean
}

/**
 * The security headers of pages; `style` is the source of a style that stands in the page itself. With `script`, what
 * this server has as a file may run, and nothing that stands in a page.
 */
export function pageHeaders({ style, script = false }: PageSources = {}): Handler {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        ...directives,
        ...(style ? { styleSrc: [...directives.styleSrc, style] } : {}),
        ...(script ? { scriptSrc: ["'self'"] } : {}),
      },
    },
    // With none at all a browser hides where a form came from, and the check for forgery needs to know.
    referrerPolicy: { policy: 'same-origin' },
  })
}
