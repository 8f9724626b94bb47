/** Longest name of a file, in characters. */
export const LONGEST_FILE_NAME = 140

/** Signs that a name is never shown with: controls, ends of lines, and those that turn the direction of writing. */
const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu

/**
 * Name of a file as it is kept: the last part of a path of any system, without signs nobody sees, never empty, at most
 * 140 characters of which the ending is kept.
 *
 *     cleanFileName('C:\\tmp\\..\\Rechnung\u202efdp.exe') // 'Rechnungfdp.exe'
 */
export function cleanFileName(text: string): string {
  const last = text.split(/[\\/]/).at(-1) ?? ''
  const plain = last
    .toWellFormed()
    .normalize('NFC')
    .replace(HIDDEN, '')
    .replace(/^[\s.]+|[\s.]+$/g, '')
  if (plain === '') return 'file'
  return shortFileName(plain, LONGEST_FILE_NAME)
}

/** A name of at most `most` characters, of which the ending is kept. */
export function shortFileName(name: string, most: number): string {
  const letters = [...name]
  if (letters.length <= most) return name
  const ending = [...(/\.[^.\s]{1,16}$/.exec(name)?.[0] ?? '')]
  return [...letters.slice(0, most - ending.length), ...ending].join('')
}
