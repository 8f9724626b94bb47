import type { IncomingMessage } from 'node:http'

type Headed = Pick<IncomingMessage, 'method' | 'headers'>

/**
 * Whether a person opens an address in a browser, and so wants to read a page. Programs say so too little to be
 * asked: who brings a key of its own is one, and so is what the browser itself calls no navigation (`fetch`).
 * Browsers send `Sec-Fetch-Mode` to safe origins only; for others `Accept` names HTML.
 */
export function isNavigation({ method, headers }: Headed): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  if (headers.authorization !== undefined || headers['x-api-key'] !== undefined) return false
  const mode = headers['sec-fetch-mode']
  if (mode !== undefined && mode !== 'navigate') return false
  return (headers.accept ?? '').split(',').some(isHtml)
}

function isHtml(part: string): boolean {
  const [type = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
  return type === 'text/html' && !parameters.some((text) => /^q=0(?:\.0*)?$/.test(text))
}
