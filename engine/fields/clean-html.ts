import type { IOptions } from 'sanitize-html'
import { sanitizeLibrary } from '../base/lazy-libraries.ts'

/** What may stand where an attribute names an address: pages, files of this server, mail and telephones. */
export const LINK_SCHEMES: readonly string[] = ['http', 'https', 'mailto', 'tel']

/** Elements of prose and tables, none of which runs, loads, frames or submits anything; a picture is shown. */
const TAGS: readonly string[] = (
  'h1 h2 h3 h4 h5 h6 p br hr div span blockquote pre code b strong i em u s del ins sub sup small mark kbd abbr ' +
  'ul ol li dl dt dd table caption thead tbody tfoot tr th td a img figure figcaption'
).split(' ')

const OPTIONS: IOptions = {
  allowedTags: [...TAGS],
  allowedAttributes: {
    '*': ['dir', 'lang', 'title'],
    a: ['href'],
    img: ['src', 'alt', 'width', 'height'],
    ol: ['start'],
    td: ['colspan', 'rowspan'],
    th: ['colspan', 'rowspan', 'scope'],
  },
  allowedSchemes: [...LINK_SCHEMES],
  allowedSchemesByTag: { img: ['http', 'https', 'data'] },
  allowProtocolRelative: false,
  // With their content: it was never meant to be read.
  nonTextTags: ['script', 'style', 'textarea', 'option', 'noscript', 'title', 'iframe', 'xmp'],
  disallowedTagsMode: 'discard',
  nestingLimit: 200,
  parseStyleAttributes: false,
}

/** `<` begins a tag, an end tag, a comment or a declaration only before one of these; else it is text. */
const MARKUP = /<[a-z/!?]/i

/** Whether a text has anything in it that a browser would take for more than text. */
export function hasMarkup(text: string): boolean {
  return MARKUP.test(text)
}

/**
 * HTML without what could run, load, frame or submit: known elements and attributes stay, others go, scripts and
 * styles with their content. A text without markup comes back as it is. Cleaning twice is cleaning once.
 *
 * `<p onclick="x()">Hi<script>y()</script></p>` → `<p>Hi</p>`
 */
export function cleanHtml(text: string): string {
  return hasMarkup(text) ? sanitizeLibrary()(text, OPTIONS) : text
}
