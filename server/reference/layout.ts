import type { Registry } from '../../engine/definition/model/registry.ts'
import { groupOf } from '../../engine/definition/model/vocabulary.ts'
import type { Report } from '../../engine/reports/declare/report.ts'
import { type Html, html } from '../http/html.ts'
import { docsPage } from './docs-page.ts'

/** What there is to look up, as far as the reader may know of it. */
export interface Shelf {
  readonly registry: Registry
  readonly reports: readonly Report[]
}

/** Pages about all resources together. */
export const GUIDES = [
  ['/docs/lists', 'Lists', 'Filters, sorting, pages, groups and fields'],
  ['/docs/errors', 'Errors', 'Codes, statuses and problems of fields'],
  ['/docs/webhooks', 'Webhooks', 'Being told of what happens'],
  ['/docs/events', 'Events', 'Everything that can happen'],
] as const

interface Entry {
  readonly href: string
  readonly label: string
  readonly words: string
}

/** A page of the reference: what there is at the side, with a field to search it, folded on a phone, and the body. */
export function referencePage(shelf: Shelf, title: string, path: string, body: Html): string {
  const side = html`<p class="brand"><a href="/docs">API reference</a></p>
<form action="/docs" role="search"><input type="search" name="q" placeholder="Search" aria-label="Search the reference" autocomplete="off"></form>
<details class="menu">
<summary>Contents</summary>
<ul>${GUIDES.map(([href, label]) => link({ href, label, words: '' }, path))}</ul>
${groupsOf(shelf).map(([group, entries]) => section(group, entries, path))}
<p class="quiet"><a href="/docs/manual">Manual</a> · <a href="/docs/raw">Swagger</a> · <a href="/v1/openapi.json">OpenAPI</a></p>
</details>`
  return docsPage('Reference', `${title} · API reference`, side, body)
}

/** Resources and reports by the heading of their module, each with the words it is found by. */
export function groupsOf({ registry, reports }: Shelf): readonly (readonly [string, Entry[]])[] {
  const groups = new Map<string, Entry[]>()
  const put = (group: string, entry: Entry): void => {
    groups.set(group, [...(groups.get(group) ?? []), entry])
  }
  for (const definition of registry.all) {
    const { slug, labelPlural: label, aliases, description = '' } = definition
    const words = [slug, label, ...aliases, description].join(' ').toLowerCase()
    put(groupOf(registry.vocabulary, definition), { href: `/docs/resources/${slug}`, label, words })
  }
  for (const { slug, label, description } of reports) {
    const words = [slug, label, description, 'report'].join(' ').toLowerCase()
    put('Reports', { href: `/docs/reports/${slug}`, label, words })
  }
  return [...groups]
}

function section(group: string, entries: readonly Entry[], path: string): Html {
  const isOpen = entries.some(({ href }) => href === path)
  const list = html`<ul>${entries.map((entry) => link(entry, path))}</ul>`
  return isOpen
    ? html`<details open><summary>${group}</summary>${list}</details>`
    : html`<details><summary>${group}</summary>${list}</details>`
}

function link({ href, label, words }: Entry, path: string): Html {
  return href === path
    ? html`<li data-words="${words}"><a href="${href}" aria-current="page">${label}</a></li>`
    : html`<li data-words="${words}"><a href="${href}">${label}</a></li>`
}
