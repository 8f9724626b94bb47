import type { ComponentType } from 'react'
import { languageOfPerson } from '../boot/load-boot.ts'
import { loadWords, speak } from '../words/speak.ts'
import { speakWork } from '../words/work/speak-work.ts'
import { readKit } from './kept.ts'

/** What a till is drawn by without the network, in the language of who opened it. */
export async function offlineTill(): Promise<ComponentType<{ onOnline: () => void }>> {
  const kit = readKit()
  if (kit) {
    const language = languageOfPerson(kit.boot)
    speak(language, await loadWords(language).catch(() => ({})), document.documentElement)
  }
  const [{ OfflineTill }] = await Promise.all([import('./offline-till.tsx'), speakWork()])
  return OfflineTill
}
