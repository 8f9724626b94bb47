import { spokenLanguage } from '../speak.ts'
import type { Translation } from '../translation.ts'
import { PAGES } from './en.ts'

const LOAD: Readonly<Record<string, () => Promise<Translation>>> = {
  de: async () => (await import('./de.ts')).PAGES_DE,
  es: async () => (await import('./es.ts')).PAGES_ES,
  fr: async () => (await import('./fr.ts')).PAGES_FR,
}

/** Takes on the words of the pages in the language that is spoken, before one of them is drawn; without them they are English. */
export async function speakPages(): Promise<void> {
  const words = await LOAD[spokenLanguage()]?.().catch(() => ({}))
  Object.assign(PAGES, words)
}
