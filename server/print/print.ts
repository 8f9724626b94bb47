import { type Express, Router } from 'express'
import { SYSTEM_ACTOR } from '../../engine/access/actor.ts'
import { validationError } from '../../engine/base/errors.ts'
import type { Context } from '../../engine/documents/work/context.ts'
import type { Engine } from '../../engine/index.ts'
import { firstCompany } from '../../engine/storage/workspace/company.ts'
import { isNavigation } from '../http/navigation.ts'
import { methodNotAllowed } from '../http/not-found.ts'
import { takes } from '../http/query-parameters.ts'
import type { Handler } from '../http/request-state.ts'
import { PATHS } from '../pages/page-paths.ts'
import { failedPage, type PageDeps } from '../pages/pages.ts'
import { sendPage } from '../pages/send-page.ts'
import { withTarget } from '../pages/target.ts'
import { type Fields, readParameters } from '../pages/visit.ts'
import { callOf, parameter } from '../v1/call.ts'
import { regionOf, textIn } from './card.ts'
import { composeSheet, isDeclared } from './compose.ts'
import { drawSheet } from './draw.ts'
import { formatsOf } from './formats.ts'
import { languagesOf, readLabels, SOURCE_LANGUAGE } from './labels.ts'
import { type Printed, readLinked, readNamed, readPrinted } from './printed.ts'
import type { Choice, Paper, Sheet } from './sheet.ts'
import { printStyle } from './style.ts'

export interface PrintDeps extends Pick<PageDeps, 'site' | 'logger'> {
  readonly engine: Engine
  /** Stages after which it is known who asks; a guest is sent to sign in. */
  readonly stages: readonly Handler[]
}

/** Countries whose papers are Letter and not A4 (CLDR, measurementData). */
const LETTER: ReadonlySet<string> = new Set('BZ CA CL CO CR GT MX NI PA PH PR SV US VE'.split(' '))
const PAPERS: Readonly<Record<Paper, string>> = { a4: 'A4', letter: 'Letter' }

/**
 * `GET /print/{resource}/{id}`: a record as a page to print, for whom `GET /v1/{resource}/{id}` answers. With
 * `?lang=` and `?paper=` in another language and size.
 */
export function printRoutes(app: Express, deps: PrintDeps): void {
  const router = Router({ caseSensitive: true })
  router.use(...deps.stages)
  router.get('/:resource/:id', toSignIn, takes('lang', 'paper'), print(deps))
  router.all('/:resource/:id', methodNotAllowed('GET, HEAD'))
  router.use(failedPage(deps))
  app.use('/print', router)
}

const toSignIn: Handler = (request, response, next) => {
  if (response.locals.actor.kind !== 'guest') return next()
  sendPage(response, { goTo: withTarget(PATHS.login, request.originalUrl) }, '')
}

function print({ engine, site }: PrintDeps): Handler {
  return async (request, response) => {
    const { definition, context } = callOf(engine, request, response)
    const printed = await readPrinted(context, definition, parameter(request, 'id'))
    const system = engine.context(SYSTEM_ACTOR, response.locals.tier)
    const company = await companyOf(system, printed)
    const home = company && (await regionOf(system, company))
    const { folders } = engine.services
    const languages = languagesOf(folders)
    const query = readParameters(request)
    const language =
      chosen(query, 'lang', languages) ??
      (await languageOf(system, printed, company, home, languages))
    const paper = chosen(query, 'paper', Object.keys(PAPERS) as Paper[]) ?? paperOf(home)
    const formats = formatsOf(language, home, readLabels(folders, language))
    const body = await composeSheet({ context, system, formats, printed, company, home })
    const sheet = { ...body, language, paper }
    // Other languages and sizes lead on from here only; what a program keeps is the paper alone, wherever it is opened.
    const shown = isNavigation(request)
      ? { ...sheet, choices: choicesOf(language, paper, languages) }
      : { ...withLogoFrom(site.baseUrl(), sheet), choices: [] }
    sendPage(response, { page: () => drawSheet(shown, printStyle().css) }, '')
  }
}

/** The logo by its whole address. */
function withLogoFrom<T extends Pick<Sheet, 'letterhead'>>(origin: string, sheet: T): T {
  const { letterhead } = sheet
  if (letterhead?.logo === undefined) return sheet
  return { ...sheet, letterhead: { ...letterhead, logo: origin + letterhead.logo } }
}

/** The company whose paper it is: the one the record names, else that of the workspace. */
async function companyOf(system: Context, printed: Printed): Promise<Printed | undefined> {
  const { registry, database } = system.services
  const companies = registry.serving('companies')
  if (!companies || printed.definition.doctype === companies.doctype) return undefined
  const link = printed.definition.fields.find((field) => field.link === companies.doctype)
  const own = link && (await readLinked(system, printed, link.name))
  return own ?? readNamed(system, companies.doctype, await firstCompany(database.read, companies))
}

/**
 * The language of whom it is for, else of the company, else of its country, as far as there are labels in it. What
 * is printed as its form is has the labels of forms, in English. A paper is in the same language for whoever prints it.
 */
async function languageOf(
  system: Context,
  printed: Printed,
  company: Printed | undefined,
  home: string | undefined,
  languages: readonly string[],
): Promise<string> {
  if (!isDeclared(printed)) return SOURCE_LANGUAGE
  const [party] = printed.print.parties ?? []
  const link = typeof party === 'object' ? party.link : party
  const linked = link === undefined ? undefined : await readLinked(system, printed, link)
  const spoken = home && new Intl.Locale(`und-${home}`).maximize().language
  const wanted = [ownLanguage(linked), ownLanguage(company), spoken]
  return wanted.find((one) => one && languages.includes(one)) ?? SOURCE_LANGUAGE
}

function ownLanguage(printed: Printed | undefined): string | undefined {
  const field = printed?.print.card?.language
  return field === undefined ? undefined : textIn(printed?.record[field])
}

function paperOf(home: string | undefined): Paper {
  return home !== undefined && LETTER.has(home) ? 'letter' : 'a4'
}

/** A parameter of the address that is one of these. Throws 422 for another one. */
function chosen<T extends string>(query: Fields, name: string, among: readonly T[]): T | undefined {
  const given = query.get(name)
  if (given === undefined) return undefined
  const found = among.find((one) => one === given)
  if (found !== undefined) return found
  const message = `expected one of ${among.join(', ')}, got ${JSON.stringify(given)}`
  throw validationError([{ field: name, message, code: 'wrong_type' }])
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
