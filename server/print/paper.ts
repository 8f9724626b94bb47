import { validationError } from '../../engine/base/errors.ts'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import type { Context } from '../../engine/documents/work/context.ts'
import { firstCompany } from '../../engine/storage/workspace/company.ts'
import type { Fields } from '../pages/visit.ts'
import { regionOf, textIn } from './card.ts'
import { composeSheet, isDeclared } from './compose.ts'
import { formatsOf } from './formats.ts'
import { languagesOf, readLabels, SOURCE_LANGUAGE } from './labels.ts'
import { type Printed, readLinked, readNamed, readPrinted } from './printed.ts'
import type { Paper, Sheet } from './sheet.ts'

/** Countries whose papers are Letter and not A4 (CLDR, measurementData). */
const LETTER: ReadonlySet<string> = new Set('BZ CA CL CO CR GT MX NI PA PH PR SV US VE'.split(' '))
/** Sizes of paper by what they are called. */
export const PAPERS: Readonly<Record<Paper, string>> = {
  a4: 'A4',
  letter: 'Letter',
  receipt: 'Receipt',
}

/** A paper that was asked for: what stands on it, and the record it is of. */
export interface ComposedPaper {
  readonly sheet: Omit<Sheet, 'choices'>
  readonly printed: Printed
  /** Languages that there are labels in. */
  readonly languages: readonly string[]
}

/** Who asks for a paper: `context` reads it by its rights, `system` the letterhead. */
export interface PaperReader {
  readonly context: Context
  readonly system: Context
}

/**
 * The paper of a record by the rights of GET /v1/{resource}/{id}, in the language and on the paper that `query` names, else
 * those of whom it is for. Throws 401/403, 404, 422.
 */
export async function composePaper(
  { context, system }: PaperReader,
  definition: DocTypeDefinition,
  id: string,
  query: Fields,
): Promise<ComposedPaper> {
  const printed = await readPrinted(context, definition, id)
  const company = await companyOf(system, printed)
  const home = company && (await regionOf(system, company))
  const { folders } = context.services
  const languages = languagesOf(folders)
  const language =
    chosen(query, 'lang', languages) ??
    (await languageOf(system, printed, company, home, languages))
  const paper = chosen(query, 'paper', Object.keys(PAPERS) as Paper[]) ?? paperOf(home)
  const formats = formatsOf(language, home, readLabels(folders, language))
  const body = await composeSheet({ context, system, formats, printed, company, home })
  return { sheet: { ...body, language, paper }, printed, languages }
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
export function chosen<T extends string>(
  query: Fields,
  name: string,
  among: readonly T[],
): T | undefined {
  const given = query.get(name)
  if (given === undefined) return undefined
  const found = among.find((one) => one === given)
  if (found !== undefined) return found
  const message = `expected one of ${among.join(', ')}, got ${JSON.stringify(given)}`
  throw validationError([{ field: name, message, code: 'wrong_type' }])
}
