import { posix } from 'node:path'
import type { Tokens } from 'marked'
import { markedLibrary } from '../../engine/base/lazy-libraries.ts'
import { type Html, html } from '../http/html.ts'
import { type Manual, pageNamed } from './manual-pages.ts'

/** Where the pages of the manual stand. */
export const MANUAL = '/docs/manual'

/**
 * A text of the manual as HTML. Links to other pages of it lead to them, headings have the names by which GitHub links to
 * them, and links to what is not shipped (sources, tests, decisions) are their text alone. HTML in it is shown, not taken.
 *
 * @param name the page that it is of: links in it begin there
 */
export function manualHtml(manual: Manual, name: string, text: string): Html {
  const seen = new Map<string, number>()
  const { Marked } = markedLibrary()
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth }: Tokens.Heading): string {
        const shown = this.parser.parseInline(tokens)
        const id = anchorOf(tokens.map(({ raw }) => raw).join(''), seen)
        return html`<h${depth} id="${id}">${{ html: shown }}</h${depth}>\n`.html
      },
      html({ text: raw }: Tokens.HTML | Tokens.Tag): string {
        return html`${raw}`.html
      },
      image({ href, text: shown }: Tokens.Image): string {
        const from = addressOf(manual, name, href)
        const isShipped = from?.startsWith(MANUAL)
        return isShipped
          ? html`<img src="${from}" alt="${shown}" loading="lazy">`.html
          : html`${shown}`.html
      },
      link({ href, tokens }: Tokens.Link): string {
        const shown = { html: this.parser.parseInline(tokens) }
        const to = addressOf(manual, name, href)
        return to === undefined ? shown.html : html`<a href="${to}">${shown}</a>`.html
      },
    },
  })
  return { html: marked.parse(text, { async: false }) }
}

/** Name by which GitHub links to a heading: `What a \`problem\` is` → `what-a-problem-is`; `-1` for the next of the same. */
export function anchorOf(heading: string, seen: Map<string, number> = new Map()): string {
  const name = heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')
  const times = seen.get(name) ?? 0
  seen.set(name, times + 1)
  return times === 0 ? name : `${name}-${times}`
}

/** Where a link of a page leads; undefined for what is not shipped. */
function addressOf(manual: Manual, name: string, href: string): string | undefined {
  if (/^https:\/\//.test(href) || href.startsWith('#')) return href
  const [path = '', anchor] = href.split('#')
  const to = posix.join(posix.dirname(name), path)
  if (to.endsWith('.webp')) return `${MANUAL}/${to}`
  const page = pageNamed(manual, to.replace(/\.md$/, ''))
  if (!page || !to.endsWith('.md')) return undefined
  return `${MANUAL}/${page.name}${anchor === undefined ? '' : `#${anchor}`}`
}
