import type { Request } from 'express'
import type { Context, Services } from '../../engine/documents/work/context.ts'
import type { Telling } from '../../engine/schema/catalogue/told.ts'
import { companyRecord } from '../../engine/storage/workspace/company.ts'
import { messageTeller, type Teller } from '../http/error-words.ts'
import { type Labels, languagesOf, readLabels, SOURCE_LANGUAGE } from '../print/labels.ts'
import { perDefinitions } from './definition-texts.ts'

/** Words of the workspace in the languages it has. */
export interface Words {
  /** Language of a caller: the person's, else what the request accepts, else the company's. */
  languageOf(context: Context, request: Pick<Request, 'acceptsLanguages'>): Promise<string>
  telling(services: Services, language: string): Telling
  /** Teller of messages in a language that somebody has chosen; English where the workspace does not have it. */
  tellerIn(services: Services, language: string | null | undefined): Teller
  /**
   * Teller of refusals for a caller: in their own language, or one that the request accepts; undefined for English, and for
   * who asks for none.
   */
  teller(
    services: Services,
    own: string | undefined,
    request: Pick<Request, 'acceptsLanguages' | 'headers'>,
  ): Teller | undefined
}

/** Makes the words, each language read at its first use and kept until definitions are loaded anew. */
export function createWords(): Words {
  const kept = perDefinitions(() => new Map<string, Labels | readonly string[]>())
  const tellers = perDefinitions(() => new Map<string, Teller>())
  const labelsOf = ({ registry, folders }: Services, language: string): Labels => {
    const known = kept(registry).get(language) as Labels | undefined
    const labels = known ?? readLabels(folders, language)
    kept(registry).set(language, labels)
    return labels
  }
  const languages = ({ registry, folders }: Services): readonly string[] => {
    const known = kept(registry).get('') as readonly string[] | undefined
    const all = known ?? languagesOf(folders)
    kept(registry).set('', all)
    return all
  }
  const tellerOf = (services: Services, language: string): Teller => {
    const known = tellers(services.registry)
    const teller = known.get(language) ?? messageTeller(labelsOf(services, language))
    known.set(language, teller)
    return teller
  }
  return {
    teller(services, wanted, request) {
      const all = languages(services)
      const own = short(wanted)
      const accepted = request.headers['accept-language'] && request.acceptsLanguages([...all])
      const language = own !== undefined && all.includes(own) ? own : accepted
      if (!language || language === SOURCE_LANGUAGE) return undefined
      return tellerOf(services, language)
    },
    tellerIn(services, wanted) {
      const language = short(wanted) ?? SOURCE_LANGUAGE
      const isTold = language !== SOURCE_LANGUAGE && languages(services).includes(language)
      return isTold ? tellerOf(services, language) : (text) => text
    },
    async languageOf({ services, actor }, request) {
      const all = languages(services)
      const own = short(actor.user?.language)
      if (own !== undefined && all.includes(own)) return own
      if (request.acceptsLanguages().some((one) => one !== '*'))
        return request.acceptsLanguages([...all]) || SOURCE_LANGUAGE
      const companies = services.registry.serving('companies')
      const company = companies && (await companyRecord(services.database.read, companies))
      const theirs = short(company?.language)
      return theirs !== undefined && all.includes(theirs) ? theirs : SOURCE_LANGUAGE
    },
    telling(services, language) {
      const labels = language === SOURCE_LANGUAGE ? undefined : labelsOf(services, language)
      return {
        label: (text) => labels?.get(text) ?? text,
        color: (value) => services.colors.get(value),
      }
    },
  }
}

/** The two letters of a language. */
function short(language: string | null | undefined): string | undefined {
  return language ? language.slice(0, 2).toLowerCase() : undefined
}
