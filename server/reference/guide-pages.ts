import { type ErrorCode, STATUS_OF_CODE } from '../../engine/base/errors.ts'
import { PROBLEM_CODES } from '../../engine/base/problem-codes.ts'
import type { Registry } from '../../engine/definition/model/registry.ts'
import { toldEvents } from '../../engine/schema/catalogue/event-catalogue.ts'
import { errorExample, errorMeaning } from '../../engine/schema/openapi/openapi-errors.ts'
import { OPERATOR_MEANINGS } from '../../engine/schema/shapes/openapi-filters.ts'
import { type Html, html } from '../http/html.ts'
import { GUIDES, groupsOf, type Shelf } from './layout.ts'
import { samples } from './samples.ts'

/** What examples of a guide are made with: the address of the workspace, and the reader's key. */
export interface Asked {
  readonly base: string
  readonly key: string
}

/** The first page; with words, what of all pages has them. */
export function frontBody(shelf: Shelf, { base, key }: Asked, words: string): Html {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  const groups = groupsOf(shelf).flatMap(([group, entries]) => {
    const found = entries.filter((entry) => wanted.every((word) => entry.words.includes(word)))
    return found.length === 0 ? [] : [[group, found] as const]
  })
  return html`<h1>${wanted.length > 0 ? `Found for “${words.slice(0, 80)}”` : 'API reference'}</h1>
${wanted.length === 0 && first(base, key)}
${groups.length === 0 && html`<p>Nothing has these words. Fewer find more.</p>`}
<div class="shelf">${groups.map(
    ([group, entries]) =>
      html`<section><h2>${group}</h2><ul>${entries.map(
        ({ href, label }) => html`<li><a href="${href}">${label}</a></li>`,
      )}</ul></section>`,
  )}</div>`
}

function first(base: string, key: string): Html {
  return html`<p class="lead">Every resource of this workspace answers the same way: lists, records, actions.</p>
<ul class="guides">${GUIDES.map(
    ([href, label, about]) =>
      html`<li><a href="${href}">${label}</a> <span class="quiet">${about}</span></li>`,
  )}</ul>
${samples(base, key, { method: 'GET', path: '/v1/boot' })}`
}

/** How lists are asked for. */
export function listsBody({ base, key }: Asked): Html {
  const rows = [
    [
      'limit, offset',
      'A page of 1 to 100 records, 20 by itself, and how many to skip; meta.total counts all',
    ],
    ['cursor', 'Empty to begin a walk without a count, then next_cursor of the page before'],
    [
      'sort, order',
      'A field and asc or desc; or up to three fields, each with a - to go down: -posting_date,customer',
    ],
    ['q', 'Words that the search fields of the resource have'],
    ['fields', 'The fields to answer, tables too, and no others'],
    ['_titles', '1 adds the titles of the records each row links to'],
    [
      '_count_by, _sum',
      'Groups instead of a page: how many records by the values of a field, and what fields add up to',
    ],
  ] as const
  return html`<h1>Lists</h1>
<p class="lead">Every resource is listed at its own address, with filters on its fields.</p>
<h2>Filters</h2>
<p>A field and a value: <code>?status=Open</code>. For anything but “equals” the field has a suffix. An empty value finds records without one.</p>
<table><thead><tr><th>Suffix</th><th>Meaning</th></tr></thead><tbody>${Object.entries(
    OPERATOR_MEANINGS,
  ).map(
    ([operator, meaning]) =>
      html`<tr><td><code>${operator === 'eq' ? 'none' : `__${operator}`}</code></td><td>${meaning}</td></tr>`,
  )}</tbody></table>
<h2>Parameters</h2>
<table><tbody>${rows.map(([name, about]) => html`<tr><td><code>${name}</code></td><td>${about}</td></tr>`)}</tbody></table>
<h2>Request</h2>
${samples(base, key, { method: 'GET', path: '/v1/customers?modified__gte=2026-01-01T00:00:00Z&sort=-modified&limit=50' })}`
}

/** What errors look like, and what each means. */
export function errorsBody(): Html {
  const codes = Object.entries(STATUS_OF_CODE) as [ErrorCode, number][]
  const shown = JSON.stringify(errorExample('VALIDATION_ERROR'), null, 2)
  return html`<h1>Errors</h1>
<p class="lead">Every error has one shape: a code for programs, a sentence for people, and each field that is wrong.</p>
<pre><code>${shown}</code></pre>
<h2>Codes</h2>
<table><thead><tr><th>Status</th><th>Code</th><th>Meaning</th></tr></thead><tbody>${codes.map(
    ([code, status]) =>
      html`<tr id="${code}"><td>${status}</td><td><code>${code}</code></td><td>${errorMeaning(code)}</td></tr>`,
  )}</tbody></table>
<h2>Problems of fields</h2>
<table><tbody>${Object.entries(PROBLEM_CODES).map(
    ([code, meaning]) => html`<tr><td><code>${code}</code></td><td>${meaning}</td></tr>`,
  )}</tbody></table>`
}

/** How a program is told of what happens. */
export function webhooksBody({ base, key }: Asked): Html {
  const body = {
    url: 'https://example.com/hook',
    events: ['sales-orders.submitted', 'customers.*'],
  }
  return html`<h1>Webhooks</h1>
<p class="lead">An address of yours is told of the events you name, signed, again and again until it answers.</p>
<h2>Subscribe</h2>
${samples(base, key, { method: 'POST', path: '/v1/webhooks', body })}
<p>The answer has the secret, this once. An event is named exactly, with a star for all of a resource (<code>customers.*</code>), or <code>*</code> for all.</p>
<h2>What comes</h2>
<p>A POST with <code>{"event", "timestamp", "data"}</code> and the headers <code>webhook-id</code>, <code>webhook-timestamp</code> and <code>webhook-signature</code> of Standard Webhooks. Verify the signature over the body as it came, answer with any 2xx within 15 seconds, and take the same <code>webhook-id</code> twice.</p>
<h2>What was sent</h2>
${samples(base, key, { method: 'GET', path: '/v1/webhooks' })}
<p>Below one: <code>/deliveries</code> lists what was sent, <code>/test</code> sends an example, <code>/recover</code> sends again what failed, <code>/rotate</code> makes a new secret.</p>`
}

/** Everything that can happen. */
export function eventsBody(registry: Registry, { base, key }: Asked): Html {
  const groups = Map.groupBy(toldEvents(registry), ({ group }) => group)
  return html`<h1>Events</h1>
<p class="lead">Each change is an event in the log, with the record as it was after it.</p>
${samples(base, key, { method: 'GET', path: '/v1/events?limit=20' })}
${[...groups].map(
  ([group, entries]) =>
    html`<h2>${group}</h2><table><tbody>${entries.map(
      ({ event, description }) =>
        html`<tr><td><code>${event}</code></td><td>${description}</td></tr>`,
    )}</tbody></table>`,
)}`
}
