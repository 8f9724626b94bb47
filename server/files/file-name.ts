/** Longest name of a file, in characters. */
const LONGEST = 140

/** Signs that a name is never shown with: controls, and those that turn the direction of writing. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed
const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu

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
  const letters = [...plain]
  if (letters.length <= LONGEST) return plain
  const ending = [...(/\.[^.\s]{1,16}$/.exec(plain)?.[0] ?? '')]
  return [...letters.slice(0, LONGEST - ending.length), ...ending].join('')
}

/** Value of `Content-Disposition` (RFC 6266): the name in ASCII for old programs, and whole for all others. */
export function contentDisposition(kind: 'attachment' | 'inline', name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]/g, '_').replace(/["\\%]/g, '_')
  const whole = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${whole}`
}
