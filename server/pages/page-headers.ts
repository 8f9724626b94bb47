import helmet from 'helmet'
import type { Handler } from '../http/request-state.ts'

/** Pages without scripts: what they load, and where their forms go, is this server. */
const directives = {
  defaultSrc: ["'none'"],
  styleSrc: ["'self'"],
  imgSrc: ["'self'", 'data:'],
  formAction: ["'self'"],
  baseUri: ["'none'"],
  frameAncestors: ["'none'"],
} as const

/** The security headers of pages; `style` is the source of a style that stands in the page itself. */
export function pageHeaders(style?: () => string): Handler {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: style ? { ...directives, styleSrc: [...directives.styleSrc, style] } : directives,
    },
    // With none at all a browser hides where a form came from, and the check for forgery needs to know.
    referrerPolicy: { policy: 'same-origin' },
  })
}
