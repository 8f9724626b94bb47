import type { Express } from 'express'
import { SYSTEM_ACTOR } from '../../engine/access/actor.ts'
import { type AppError, isRefusal } from '../../engine/base/errors.ts'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import { assertSameOrigin } from '../auth/forgery.ts'
import type { Files } from '../files/files.ts'
import { messageTeller, type Teller } from '../http/error-words.ts'
import { type Html, html } from '../http/html.ts'
import { methodNotAllowed } from '../http/not-found.ts'
import { takes } from '../http/query-parameters.ts'
import type { Handler } from '../http/request-state.ts'
import { assertTaken } from '../limits/rate-limit.ts'
import { failedPage, type PageDeps } from '../pages/pages.ts'
import { sendPage } from '../pages/send-page.ts'
import { sentence } from '../pages/sentence.ts'
import { readForm, readParameters } from '../pages/visit.ts'
import { drawSheet } from '../print/draw.ts'
import { readLabels } from '../print/labels.ts'
import { type ComposedPaper, chosen, composePaper } from '../print/paper.ts'
import type { PdfPrinter } from '../print/pdf.ts'
import { pdfOfPaper } from '../print/pdf-of-paper.ts'
import { sendPdf } from '../print/print.ts'
import type { Choice } from '../print/sheet.ts'
import { printStyle } from '../print/style.ts'
import { keepQuestion, takesQuestions } from './ask.ts'
import { type SharedRecord, sharedRecord } from './links.ts'

export type PublicDeps = Pick<PageDeps, 'site' | 'logger' | 'origins' | 'guests'> & {
  readonly pdf: PdfPrinter
  readonly files: Files | undefined
}

/**
 * `GET /p/{token}`: the paper of a record, its state and its PDF, for whoever has the link; a question sent there becomes
 * a comment on the record (contract §7.9).
 */
export function publicRoutes(app: Express, deps: PublicDeps): void {
  app.get('/p/:token', takes('lang', 'paper', 'format', 'asked'), limited(deps), show(deps))
  app.post('/p/:token', takes(), limited(deps), ask(deps))
  app.all('/p/:token', methodNotAllowed('GET, HEAD, POST'))
  app.use('/p', failedPage(deps))
}

/** Nobody knows who has a link. */
function limited({ guests, site }: PublicDeps): Handler {
  return (request, response, next) => {
    assertTaken(response, guests.take(request.ip ?? ''), site.engine.services.clock)
    next()
  }
}

function show(deps: PublicDeps): Handler {
  return async (request, response) => {
    const shared = await sharedRecord(deps.site.engine, String(request.params.token))
    const query = readParameters(request)
    const paper = await paperOf(deps, shared, query)
    if (chosen(query, 'format', ['html', 'pdf']) === 'pdf') {
      const system = deps.site.engine.context(SYSTEM_ACTOR, shared.context.tier)
      sendPdf(response, paper, await pdfOfPaper({ ...deps, system }, paper))
      return
    }
    const isAsked = query.get('asked') === '1'
    sendPage(response, { page: () => drawn(deps, shared.definition, paper, { isAsked }) }, '')
  }
}

function ask(deps: PublicDeps): Handler {
  return async (request, response) => {
    assertSameOrigin(request, deps.origins)
    const shared = await sharedRecord(deps.site.engine, String(request.params.token))
    const form = await readForm(request)
    try {
      const question = { name: form.get('name') ?? '', text: form.get('text') ?? '' }
      await keepQuestion(deps.site, shared, question)
    } catch (error) {
      if (!isRefusal(error)) throw error
      const paper = await paperOf(deps, shared, new Map())
      const page = (): Html => drawn(deps, shared.definition, paper, { error })
      sendPage(response, { status: error.status, page }, '')
      return
    }
    sendPage(response, { goTo: `${request.path}?asked=1` }, '')
  }
}

function paperOf(
  { site: { engine } }: PublicDeps,
  { context, definition, id }: SharedRecord,
  query: ReadonlyMap<string, string>,
): Promise<ComposedPaper> {
  const system = engine.context(SYSTEM_ACTOR, context.tier)
  return composePaper({ context, system }, definition, id, query)
}

interface Asked {
  readonly isAsked?: boolean
  readonly error?: AppError
}

function drawn(
  { site }: PublicDeps,
  definition: DocTypeDefinition,
  { sheet, printed, languages }: ComposedPaper,
  asked: Asked,
): Html {
  const { letterhead, ...rest } = sheet
  // The logo follows the rights of its record, which a stranger has none of.
  const { logo: _logo, ...card } = letterhead ?? { name: '', lines: [], reach: [], facts: [] }
  const state = printed.record[definition.behaviour.status?.field ?? '']
  const lang = (text: string): Choice =>
    text === sheet.language ? { text } : { text, address: `?lang=${text}` }
  const choices = [
    ...(typeof state === 'string' && state !== '' ? [[{ text: state }]] : []),
    [{ text: 'PDF', address: `?format=pdf&lang=${sheet.language}` }],
    languages.map(lang),
  ]
  const { folders } = site.engine.services
  const teller = messageTeller(readLabels(folders, sheet.language))
  const shown = { ...rest, ...(letterhead ? { letterhead: card } : {}), choices }
  return drawSheet(
    shown,
    printStyle().css,
    takesQuestions(site) ? questionForm(asked, teller) : undefined,
  )
}

function questionForm({ isAsked, error }: Asked, tell: Teller): Html {
  if (isAsked)
    return html`<section class="choices ask" role="status"><p>${tell('Thank you: your question has arrived.')}</p></section>`
  return html`<section class="choices ask"><form method="post">
${error && html`<p role="alert">${sentence(tell(error.details?.[0]?.message ?? error.message))}</p>`}
<label>${tell('Your name')} <input name="name" maxlength="140" autocomplete="name"></label>
<label>${tell('A question about this')} <textarea name="text" rows="3" maxlength="2000" required></textarea></label>
<button>${tell('Send')}</button>
</form></section>`
}
