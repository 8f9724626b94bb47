import { WORDS } from './en.ts'
import type { Translation } from './translation.ts'

/** Languages the Desk has words in, as they are called in themselves. */
export const LANGUAGES = {
  de: 'Deutsch',
  en: 'English',
  es: 'Español',
  fr: 'Français',
} as const satisfies Readonly<Record<string, string>>

export type Language = keyof typeof LANGUAGES

/** The languages beside English are loaded where they are spoken. */
const LOAD: Readonly<Record<Exclude<Language, 'en'>, () => Promise<Translation>>> = {
  de: async () => (await import('./de.ts')).DE,
  es: async () => (await import('./es.ts')).ES,
  fr: async () => (await import('./fr.ts')).FR,
}

/** The first language of those wanted that the Desk has words in: `['pt-BR', 'fr-CH']` → `fr`; English for none. */
export function languageOf(wanted: readonly (string | null | undefined)[]): Language {
  const short = wanted.map((one) => one?.slice(0, 2).toLowerCase())
  return (short.find((one) => one !== undefined && one in LANGUAGES) as Language) ?? 'en'
}

/** The locale that days and numbers are written in: the browser's own for this language, so that `de-AT` stays so. */
export function localeOf(language: Language, wanted: readonly string[]): string {
  return wanted.find((one) => one.slice(0, 2).toLowerCase() === language) ?? language
}

/** The words of a language; English ones need not be loaded. */
export async function loadWords(language: Language): Promise<Translation> {
  return language === 'en' ? {} : await LOAD[language]()
}

/** Takes on the words of a language, before anything is drawn; the page is in it from then on. */
export function speak(language: Language, words: Translation, root: HTMLElement): void {
  Object.assign(WORDS, words)
  root.lang = language
}

/** The language that is spoken now. */
export function spokenLanguage(): string {
  return document.documentElement.lang
}
