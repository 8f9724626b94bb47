import type { Request } from 'express'
import type { Services } from '../../engine/documents/work/context.ts'
import { messageTeller, type Teller } from '../http/error-words.ts'
import { languagesOf, readLabels, SOURCE_LANGUAGE } from '../print/labels.ts'

/** Words of a page for who has no account and no company yet: those of their browser. */
export interface BrowserWords {
  readonly language: string
  /** Says a text in that language; one that it does not know stays English. */
  readonly tell: Teller
  /** Name of a country by its two letters, of a currency by its three. */
  country(code: string, otherwise: string): string
  currency(code: string, otherwise: string): string
  /** Country of the browser: that of its first language, or where that is spoken most; two letters. */
  readonly region: string | undefined
}

/** The words of the browser of a request, in a language that there are labels in, else in English. */
export function browserWords(
  { folders }: Pick<Services, 'folders'>,
  request: Pick<Request, 'acceptsLanguages'>,
): BrowserWords {
  const languages = languagesOf(folders)
  const language = request.acceptsLanguages([...languages]) || SOURCE_LANGUAGE
  const labels = language === SOURCE_LANGUAGE ? new Map() : readLabels(folders, language)
  const named = (type: 'region' | 'currency') => {
    const names = new Intl.DisplayNames([language], { type, fallback: 'none' })
    return (code: string, otherwise: string): string => {
      try {
        return (language === SOURCE_LANGUAGE ? undefined : names.of(code)) ?? otherwise
      } catch {
        // What is no code of a country or a currency has the name that it has.
        return otherwise
      }
    }
  }
  return {
    language,
    tell: messageTeller(labels),
    country: named('region'),
    currency: named('currency'),
    region: regionOf(request.acceptsLanguages()[0]),
  }
}

function regionOf(locale: string | undefined): string | undefined {
  if (locale === undefined || locale === '*') return undefined
  try {
    return new Intl.Locale(locale).maximize().region
  } catch {
    return undefined
  }
}
