import { type Express, Router } from 'express'
import { SYSTEM_ACTOR } from '../../engine/access/actor.ts'
import type { Engine } from '../../engine/index.ts'
import { contentDisposition } from '../files/content-disposition.ts'
import type { Files } from '../files/files.ts'
import { isNavigation } from '../http/navigation.ts'
import { methodNotAllowed } from '../http/not-found.ts'
import { takes } from '../http/query-parameters.ts'
import type { ApiResponse, Handler } from '../http/request-state.ts'
import { PATHS } from '../pages/page-paths.ts'
import { failedPage, type PageDeps } from '../pages/pages.ts'
import { sendPage } from '../pages/send-page.ts'
import { withTarget } from '../pages/target.ts'
import { readParameters } from '../pages/visit.ts'
import { callOf, parameter } from '../v1/call.ts'
import { drawSheet } from './draw.ts'
import { type ComposedPaper, chosen, composePaper, PAPERS } from './paper.ts'
import type { PdfPrinter } from './pdf.ts'
import { pdfOfPaper } from './pdf-of-paper.ts'
import type { Choice, Paper, Sheet } from './sheet.ts'
import { printStyle } from './style.ts'

export interface PrintDeps extends Pick<PageDeps, 'site' | 'logger'> {
  readonly engine: Engine
  /** Stages after which it is known who asks; a guest is sent to sign in. */
  readonly stages: readonly Handler[]
  readonly pdf: PdfPrinter
  /** Where the logo is. */
  readonly files: Files | undefined
}

/** Parameters of a paper. */
const PARAMETERS = ['lang', 'paper', 'format'] as const

/**
 * `GET /print/{resource}/{id}`: a record as a page to print, for whom `GET /v1/{resource}/{id}` answers. With
 * `?lang=` and `?paper=` in another language and size, with `?format=pdf` as PDF.
 */
export function printRoutes(app: Express, deps: PrintDeps): void {
  const router = Router({ caseSensitive: true })
  router.use(...deps.stages)
  router.get('/:resource/:id', toSignIn, takes(...PARAMETERS), print(deps))
  router.all('/:resource/:id', methodNotAllowed('GET, HEAD'))
  router.use(failedPage(deps))
  app.use('/print', router)
}

const toSignIn: Handler = (request, response, next) => {
  if (response.locals.actor.kind !== 'guest') return next()
  sendPage(response, { goTo: withTarget(PATHS.login, request.originalUrl) }, '')
}

function print({ engine, site, pdf, files }: PrintDeps): Handler {
  return async (request, response) => {
    const { definition, context } = callOf(engine, request, response)
    const system = engine.context(SYSTEM_ACTOR, response.locals.tier)
    const query = readParameters(request)
    const format = chosen(query, 'format', ['html', 'pdf'])
    const id = parameter(request, 'id')
    const paper = await composePaper({ context, system }, definition, id, query)
    if (format === 'pdf') {
      sendPdf(response, paper, await pdfOfPaper({ system, pdf, files }, paper))
      return
    }
    const { sheet, languages } = paper
    // Other languages and sizes lead on from here only; what a program keeps is the paper alone, wherever it is opened.
    const shown = isNavigation(request)
      ? { ...sheet, choices: choicesOf(sheet.language, sheet.paper, languages) }
      : { ...withLogoFrom(site.baseUrl(), sheet), choices: [] }
    sendPage(response, { page: () => drawSheet(shown, printStyle().css) }, '')
  }
}

/** Sends the PDF of a paper, shown in place by who can. */
export function sendPdf(response: ApiResponse, paper: ComposedPaper, bytes: Buffer): void {
  response.setHeader('Content-Type', 'application/pdf')
  response.setHeader('Content-Disposition', contentDisposition('inline', pdfName(paper)))
  response.setHeader('Cache-Control', 'no-store')
  response.setHeader('Content-Length', bytes.length)
  response.end(bytes)
}

/** Name of the file of a paper: `Invoice SINV-2026-00001.pdf`. */
export function pdfName({ sheet: { title, number } }: ComposedPaper): string {
  return `${title} ${number}.pdf`.replace(/[\\/]/g, '-')
}

/** The logo by its whole address. */
function withLogoFrom<T extends Pick<Sheet, 'letterhead'>>(origin: string, sheet: T): T {
  const { letterhead } = sheet
  if (letterhead?.logo === undefined) return sheet
  return { ...sheet, letterhead: { ...letterhead, logo: origin + letterhead.logo } }
}

function choicesOf(
  language: string,
  paper: Paper,
  languages: readonly string[],
): readonly (readonly Choice[])[] {
  const choice = (text: string, lang: string, size: string): Choice =>
    lang === language && size === paper
      ? { text }
      : { text, address: `?${new URLSearchParams({ lang, paper: size })}` }
  return [
    languages.map((lang) => choice(nameOf(lang), lang, paper)),
    Object.entries(PAPERS).map(([size, text]) => choice(text, language, size)),
  ]
}

/** A language as it calls itself. */
function nameOf(language: string): string {
  return new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language
}
