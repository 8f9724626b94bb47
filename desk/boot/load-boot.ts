import type { Client } from '../data/client.ts'
import type { Boot } from '../data/types.ts'
import { sentenceCase } from '../words/sentence-case.ts'
import { type Language, languageOf, loadWords, speak } from '../words/speak.ts'
import { chosenLanguage, rememberLanguage } from './chosen-language.ts'
import { rememberOwnColumns } from './own-columns.ts'

/**
 * What the Desk knows before it draws anything; labels stand as they do in a sentence. From then on it speaks the person's
 * language (their record's, else the one they chose), else the browser's: the likely words are loaded beside the rest.
 */
export async function loadBoot(client: Client): Promise<Boot> {
  const likely = languageOf([chosenLanguage(), ...navigator.languages])
  const [first, words] = await Promise.all([
    client.ask<Boot>('/v1/boot'),
    loadWords(likely).catch(() => ({})),
  ])
  const boot = await inChosen(client, first.body)
  rememberOwnColumns(boot.desk ?? {})
  const language = languageOfPerson(boot)
  const spoken = language === likely ? words : await loadWords(language).catch(() => ({}))
  speak(language, spoken, document.documentElement)
  return {
    ...boot,
    resources: boot.resources.map((entry) => ({
      ...entry,
      label: sentenceCase(entry.label),
      label_plural: sentenceCase(entry.label_plural),
    })),
  }
}

/** The language of the person, else of the browser. */
export function languageOfPerson({ person, desk }: Boot): Language {
  return languageOf([person.language, desk?.language, ...navigator.languages])
}

/** A choice made in another browser holds here too: what was answered in this one's language is asked for once more. */
async function inChosen(client: Client, boot: Boot): Promise<Boot> {
  const language = boot.desk?.language
  if (boot.person.language !== null || language === undefined || language === chosenLanguage())
    return boot
  rememberLanguage(language)
  return (await client.ask<Boot>('/v1/boot')).body
}

/** Keeps the language that the person has chosen. Throws ApiError. */
export async function keepLanguage(client: Client, boot: Boot, language: string): Promise<void> {
  const body = { ...boot.desk, language }
  await client.ask('/v1/me/settings/desk', { method: 'PUT', body })
  rememberLanguage(language)
}
