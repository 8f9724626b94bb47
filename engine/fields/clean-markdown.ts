import { cleanHtml, hasMarkup, LINK_SCHEMES } from './clean-html.ts'

/** A well-formed tag, so that every parser finds its end in the same place: slash of an end tag, name. */
const TAG =
  /<(\/?)([a-z][a-z0-9]*)(?:\s+[\w-]+(?:\s*=\s*(?:"[^"<>]*"|'[^'<>]*'|[^\s"'=<>`]+))?)*\s*\/?>/iy

/** An address in angle brackets, which Markdown makes a link of. */
const AUTOLINK = /<(?:(?:https?|mailto):[^\s<>"'`]*|[\w.+-]+@[\w.-]+)>/iy

/** Raw HTML, the begin of a link's address, or a run of backticks. */
const PLACE = /<(?=[a-z/!?])|\](?=[(:])|`+/gi

/** A line that opens a block of code in every dialect: not indented, so in no list or quotation that could end before it. */
const FENCE = /^(?:(`{3,})[^`]*|(~{3,}).*)$/

/** Elements whose raw text goes on over empty lines: cleaned, `<pre>` would hide from us what is code. */
const NOT_IN_MARKDOWN: ReadonlySet<string> = new Set(['pre'])

/**
 * Markdown whose raw HTML is cleaned as `cleanHtml` does, tag by tag. A tag that may not be there is kept as text
 * (`&lt;script>`), a link to an address that could run (`javascript:`) becomes text as well. Blocks and spans of code
 * stay as they are wherever no dialect could read them as anything else; a text without markup or such links comes
 * back byte for byte.
 */
export function cleanMarkdown(text: string): string {
  if (!hasMarkup(text) && !/\][(:]/.test(text)) return text
  const state: State = { fence: undefined, hasTag: false, isLost: false, isOpen: false }
  let cleaned = ''
  let start = 0
  for (const { 0: lineBreak, index } of text.matchAll(/\r\n|\n|\r|$/g)) {
    cleaned += cleanLine(text.slice(start, index), text, start, state) + lineBreak
    start = index + lineBreak.length
  }
  return cleaned
}

interface State {
  /** What opened the block of code that is going on. */
  fence: string | undefined
  /** A tag that stays, since the last empty line: from there on backticks may be nothing but text. */
  hasTag: boolean
  /** A run of backticks without its end since the last empty line: it may end in a later line. */
  isOpen: boolean
  /** There was what may be a block of code or not: nothing more is taken for code. */
  isLost: boolean
}

function cleanLine(line: string, text: string, start: number, state: State): string {
  if (state.fence !== undefined) {
    if (isEndOf(state.fence, line)) state.fence = undefined
    return line
  }
  if (/^[ \t]*$/.test(line)) {
    state.hasTag = false
    state.isOpen = false
    return line
  }
  if (/`{3}|~{3}/.test(line)) {
    const [, ticks, tildes] = FENCE.exec(line) ?? []
    const fence = ticks ?? tildes
    if (fence !== undefined && !state.hasTag && !state.isLost) {
      state.fence = fence
      return line
    }
    state.isLost = true
  }
  return cleanPlaces(line, text, start, state)
}

function isEndOf(fence: string, line: string): boolean {
  const found = /^ {0,3}(`+|~+)[ \t]*$/.exec(line)?.[1]
  return found !== undefined && found[0] === fence[0] && found.length >= fence.length
}

/** Cleans a line of prose; `start` is its place in the text, for an address may stand in the next line. */
function cleanPlaces(line: string, text: string, start: number, state: State): string {
  let cleaned = ''
  let done = 0
  PLACE.lastIndex = 0
  for (let found = PLACE.exec(line); found; found = PLACE.exec(line)) {
    const [{ index }, [kind]] = [found, found]
    const part = PARTS[kind.charAt(0)]!({ line, index, found: kind, text, start, state })
    cleaned += line.slice(done, index) + part.text
    done = index + part.length
    PLACE.lastIndex = done
  }
  return cleaned + line.slice(done)
}

/** A place of a line that may need cleaning. */
interface Place {
  readonly line: string
  readonly index: number
  /** What was found there: `<`, `]` or a run of backticks. */
  readonly found: string
  readonly text: string
  readonly start: number
  readonly state: State
}

/** What stands in the place of the next `length` characters. */
interface Part {
  readonly length: number
  readonly text: string
}

const PARTS: Readonly<Record<string, (place: Place) => Part>> = {
  '<': tagPart,
  ']': linkPart,
  '`': codePart,
}

/** A span of code as it is, where every dialect would say that it is one; else the backticks alone. */
function codePart({ line, index, found, state }: Place): Part {
  const from = index + found.length
  if (!state.hasTag && !state.isOpen && !state.isLost) {
    const span = new RegExp(`(?<!\`)${found}(?!\`)`, 'g')
    span.lastIndex = from
    const end = line[index - 1] === '\\' ? undefined : span.exec(line)?.index
    // A bar may end the cell of a table, and with it the span.
    if (end !== undefined && !line.slice(from, end).includes('|')) {
      const text = line.slice(index, end + found.length)
      return { length: text.length, text }
    }
    state.isOpen = true
  }
  return { length: found.length, text: found }
}

/** A tag or a link in angle brackets as it may stay; else its `<` becomes text. */
function tagPart({ line, index, state }: Place): Part {
  AUTOLINK.lastIndex = index
  const link = AUTOLINK.exec(line)?.[0]
  if (link !== undefined) return { length: link.length, text: link }
  TAG.lastIndex = index
  const [tag, slash, name = ''] = TAG.exec(line) ?? []
  const text = tag === undefined ? '' : cleanTag(tag, slash === '/', name.toLowerCase())
  // Never nothing: what stands on both sides could be a tag together.
  if (tag === undefined || text === '') return { length: 1, text: '&lt;' }
  state.hasTag = true
  return { length: tag.length, text }
}

/** A tag with the attributes that it may have; empty where it may not be at all. */
function cleanTag(tag: string, isEnd: boolean, name: string): string {
  if (NOT_IN_MARKDOWN.has(name)) return ''
  const end = `</${name}>`
  const element = cleanHtml(isEnd ? `<${name}>${end}` : tag)
  const hasEnd = element.endsWith(end)
  if (isEnd) return hasEnd ? end : ''
  return hasEnd ? element.slice(0, -end.length) : element
}

/** The `]` before an address; with a backslash that makes text of a link which could run something. */
function linkPart({ index, text, start }: Place): Part {
  return { length: 1, text: isRisky(text, start + index + 2) ? ']\\' : ']' }
}

/** Most characters of an address that are looked at for the end of its scheme. */
const MOST_OF_SCHEME = 200

/** Begin of an address: in angle brackets, also one that became text, it may have spaces. */
const ADDRESS = /[\s>]*(<|&lt;)?/y

/** Whether an address that begins about here could be of a scheme that runs something, however it is written. */
function isRisky(text: string, start: number): boolean {
  ADDRESS.lastIndex = start
  const [, bracket] = ADDRESS.exec(text) ?? []
  const given = text
    .slice(ADDRESS.lastIndex, ADDRESS.lastIndex + MOST_OF_SCHEME)
    .replaceAll('&lt;', '<')
  const address = (bracket ? /^[^>\r\n]*/ : /^[^\s)]*/).exec(given)?.[0] ?? ''
  // Up to where a scheme would have ended. Browsers drop white space and control characters, Markdown backslashes.
  const head = (/^[^/?#]*/.exec(address)?.[0] ?? '').replace(/[\\\s\p{Cc}]/gu, '')
  if (head.includes('&') || head.length > MOST_OF_SCHEME / 2) return true
  const at = head.indexOf(':')
  return at >= 0 && !LINK_SCHEMES.includes(head.slice(0, at).toLowerCase())
}
