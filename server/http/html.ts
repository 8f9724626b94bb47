/** Text that is HTML already: everything else is escaped when it is put into some. */
export interface Html {
  readonly html: string
}

/** Value that may stand in a template; undefined, null and false leave nothing. */
type Part = Html | readonly Html[] | string | number | undefined | null | false

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/**
 * HTML from a template: what is put in is escaped for text and for attributes, which stand in double quotes
 * always. Never to be used within a script or a style, where this escaping means nothing.
 *
 * @example html`<p title="${title}">${text}</p>`
 */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  let text = strings[0] ?? ''
  parts.forEach((part, at) => {
    text += `${textOf(part)}${strings[at + 1]}`
  })
  return { html: text }
}

function textOf(part: Part): string {
  if (part === undefined || part === null || part === false) return ''
  if (typeof part === 'string' || typeof part === 'number') return escaped(String(part))
  return 'html' in part ? part.html : part.map(({ html }) => html).join('')
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}
