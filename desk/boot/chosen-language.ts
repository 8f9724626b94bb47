/** Where this browser remembers which language its person has chosen. */
const KEY = 'desk.language'

/** The language this browser asks for: the one its person has chosen, if any; else its own. */
export function chosenLanguage(): string | undefined {
  return localStorage.getItem(KEY) ?? undefined
}

/** Remembers the language that the person has chosen. */
export function rememberLanguage(language: string): void {
  localStorage.setItem(KEY, language)
}
