import type { Logger } from 'pino'
import { appErrorOf } from '../http/error-handler.ts'
import { html } from '../http/html.ts'
import type { BrowserWords } from '../site/browser-words.ts'
import { cardPage } from './layout.ts'
import { sentence } from './sentence.ts'
import type { PageAnswer } from './visit.ts'

const TITLES: Readonly<Record<number, string>> = {
  403: 'Not allowed',
  404: 'Nothing is here',
  413: 'Too much at once',
  429: 'Too many attempts',
  503: 'Not available right now',
}

/** A page for what was thrown; nothing is told of what was not meant to be (reliability.md H4). */
export function errorPage(
  error: unknown,
  { tell, language }: BrowserWords,
  logger: Pick<Logger, 'error'>,
  requestId: string,
): PageAnswer {
  const known = appErrorOf(error)
  const { status, message, headers } = known
  if (status >= 500) logger.error({ request_id: requestId, err: error }, message)
  const title = TITLES[status] ?? (status >= 500 ? 'Something went wrong' : 'That did not work')
  const page = cardPage(tell(title), {
    language,
    intro: html`<p>${sentence(tell(message))}</p>`,
    body: html`<p><a class="button" href="/">${tell('Back to the start')}</a></p>
<p class="hint">${tell(`Request ${requestId}`)}</p>`,
  })
  return { status, headers: { ...headers }, page }
}
