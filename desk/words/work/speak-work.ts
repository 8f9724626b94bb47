import { spokenLanguage } from '../speak.ts'
import type { Translation } from '../translation.ts'
import { WORK } from './en.ts'

const LOAD: Readonly<Record<string, () => Promise<Translation>>> = {
  de: async () => (await import('./de.ts')).WORK_DE,
  es: async () => (await import('./es.ts')).WORK_ES,
  fr: async () => (await import('./fr.ts')).WORK_FR,
}

/** Takes on the words of the till, the stock and one's own page in the language that is spoken, before one of them is drawn. */
export async function speakWork(): Promise<void> {
  const words = await LOAD[spokenLanguage()]?.().catch(() => ({}))
  Object.assign(WORK, words)
}
