/** Checks of texts with a form. Each walks the text once; none can be made slow by a hostile input. */

const MAX_LOCAL_PART = 64

/** Whether a text is an email address: one `@`, something before it, and a domain of at least two labels after it. */
export function isEmail(text: string): boolean {
  const at = text.indexOf('@')
  if (at < 1 || at > MAX_LOCAL_PART || text.indexOf('@', at + 1) !== -1) return false
  const local = text.slice(0, at)
  if (hasSpace(text) || local.startsWith('.') || local.endsWith('.') || local.includes('..'))
    return false
  for (const sign of '<>()[],;:\\"') if (local.includes(sign)) return false
  const labels = text.slice(at + 1).split('.')
  return labels.length >= 2 && labels.every(isLabel)
}

/** Whether a text is a label of a host name; letters beyond ASCII are taken, as browsers do. */
function isLabel(label: string): boolean {
  if (label === '' || label.length > 63 || label.startsWith('-') || label.endsWith('-'))
    return false
  for (let index = 0; index < label.length; index += 1) {
    const code = label.charCodeAt(index)
    if (code < 128 && !isAlphanumeric(code) && code !== 45) return false
  }
  return true
}

const PHONE_SIGNS = ' ()-./'
const MIN_DIGITS = 3
const MAX_DIGITS = 20

/** Whether a text is a phone number: digits, the usual signs between, a leading `+`, an extension after `x` (`ext`). */
export function isPhone(text: string): boolean {
  const [number = '', extension, more] = text.toLowerCase().replace('ext', 'x').split('x')
  if (more !== undefined || (extension !== undefined && countDigits(extension, ' .:') < 1))
    return false
  const trunk = number.startsWith('+') ? number.slice(1) : number
  const found = countDigits(trunk, PHONE_SIGNS)
  return found >= MIN_DIGITS && found <= MAX_DIGITS
}

/** Number of digits, or -1 when another character stands between them. */
function countDigits(text: string, signs: string): number {
  let count = 0
  for (const character of text) {
    if (character >= '0' && character <= '9') count += 1
    else if (!signs.includes(character)) return -1
  }
  return count
}

/** Whether a text is an absolute http or https address: no other scheme, so that showing it as a link is harmless. */
export function isWebAddress(text: string): boolean {
  const start = text.slice(0, 8).toLowerCase()
  if (!start.startsWith('http://') && !start.startsWith('https://')) return false
  return !hasSpace(text) && URL.canParse(text)
}

/** Whether a text is the address of a file: a path of this workspace or a web address. */
export function isFileAddress(text: string): boolean {
  if (!text.startsWith('/')) return isWebAddress(text)
  return text[1] !== '/' && text[1] !== '\\' && !hasControl(text)
}

/** Whether a text is a time zone whose clocks the runtime knows, summer time included. */
export function isTimeZone(text: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }) !== undefined
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

/** Whether a text is `#rgb`, `#rrggbb` or `#rrggbbaa`. */
export function isColor(text: string): boolean {
  if (text[0] !== '#' || (text.length !== 4 && text.length !== 7 && text.length !== 9)) return false
  for (let index = 1; index < text.length; index += 1) {
    const code = text.charCodeAt(index) | 32
    if (!(isDigit(code) || (code >= 97 && code <= 102))) return false
  }
  return true
}

function hasSpace(text: string): boolean {
  return text.includes(' ') || text.includes('\u00a0') || hasControl(text)
}

function hasControl(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code < 32 || code === 127) return true
  }
  return false
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

function isAlphanumeric(code: number): boolean {
  return isDigit(code) || ((code | 32) >= 97 && (code | 32) <= 122)
}
