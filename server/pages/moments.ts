import { type Html, html } from '../http/html.ts'

/** The day of a moment, in UTC, with the whole of it for who wants to know. */
export function day(moment: string): Html {
  return html`<time datetime="${moment}" title="${moment}">${moment.slice(0, 10)}</time>`
}
