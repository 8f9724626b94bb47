import type { GrantsOf } from '../../engine/access/roles.ts'
import { SYSTEM_MANAGER } from '../../engine/access/roles.ts'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import { isKeptByEngine } from '../../engine/definition/model/kept.ts'
import type { Registry } from '../../engine/definition/model/registry.ts'
import { type ResourceDetail, resourceDetail } from '../../engine/schema/catalogue/catalog.ts'
import {
  actionExample,
  createExample,
  updateExample,
} from '../../engine/schema/shapes/openapi-examples.ts'
import type { ResourceField } from '../../engine/schema/shapes/resource-field.ts'
import { type Html, html } from '../http/html.ts'
import { type Sample, samples } from './samples.ts'

/** What examples of the page are made with. */
interface Shown {
  readonly registry: Registry
  readonly grants: GrantsOf
  /** Address of the workspace. */
  readonly base: string
  readonly key: string
  /** Id of a record of this resource. */
  readonly id: string
}

/** Page of one resource: its fields and who may do what at the left, requests at the right. */
export function resourceBody(definition: DocTypeDefinition, shown: Shown): Html {
  const detail = resourceDetail(shown.registry, definition)
  const { label_plural, description, slug, tier, aliases, submittable, fields } = detail
  const also = aliases.map((alias) => html` <code>/v1/${alias}</code>`)
  return html`<h1>${label_plural}</h1>
<p class="lead">${description}</p>
<p class="quiet"><code>/v1/${slug}</code>${also} · plan ${tier}${submittable && ' · submittable'}</p>
<div class="columns">
<section><h2>Fields</h2>
${fieldTable(fields)}
${whoMay(definition, shown.grants)}
${flow(detail)}
${connections(detail)}
<h2>Events</h2><p>${detail.events.map((event) => html`<code>${event}</code> `)}</p>
</section>
<section><h2>Requests</h2>
${requestsOf(definition, detail, shown.id).map(
  ([title, sample]) => html`<h3>${title}</h3>
<p><span class="verb">${sample.method}</span> <code>${sample.path}</code></p>
${samples(shown.base, shown.key, sample)}`,
)}
</section>
</div>`
}

/** Table of fields; the rows of a table stand below it. */
function fieldTable(fields: readonly ResourceField[]): Html {
  return html`<table class="fields"><thead><tr><th>Field</th><th>Type</th><th>Rules</th></tr></thead>
<tbody>${fields.map(fieldRow)}</tbody></table>`
}

function fieldRow(field: ResourceField): Html {
  const { name, label, description, fields } = field
  return html`<tr id="${name}"><td><code>${name}</code><div class="quiet">${label}</div></td>
<td>${typeOf(field)}</td>
<td>${rulesOf(field).join(' · ')}${description && html`<div class="about">${description}</div>`}</td></tr>
${fields && html`<tr class="rows"><td colspan="3">${fieldTable(fields)}</td></tr>`}`
}

function typeOf({ type, resource, options }: ResourceField): Html {
  if (resource !== undefined)
    return html`${type} <a href="/docs/resources/${resource}">${resource}</a>`
  if (!Array.isArray(options)) return html`${type}`
  const values = options.map(({ value }: { readonly value: string }) => value)
  return html`${type}<div class="about">${values.join(' | ')}</div>`
}

function rulesOf(field: ResourceField): readonly string[] {
  const { required, readOnly, createOnly, unique, filterable, min, max, length } = field
  const said = [
    [required, 'required'],
    [readOnly, 'read-only'],
    [createOnly, 'on create'],
    [unique, 'unique'],
    [filterable, 'indexed'],
    [field.allow_on_submit === true, 'after submit'],
    [min !== undefined, `at least ${min}`],
    [max !== undefined, `at most ${max}`],
    [length !== undefined, `${length} characters`],
    [field.default !== undefined, `else ${field.default}`],
    [field.fetch !== undefined, `from ${field.fetch}`],
    [field.formula !== undefined, `= ${field.formula}`],
    [field.required_when !== undefined, `required while ${field.required_when}`],
  ] as const
  return said.flatMap(([holds, text]) => (holds ? [text] : []))
}

const RIGHTS = ['read', 'create', 'update', 'delete', 'submit', 'cancel', 'amend', 'export']

function whoMay(definition: DocTypeDefinition, grants: GrantsOf): Html {
  const { submittable } = definition
  const may = grants(definition)
  const rights = RIGHTS.filter(
    (right) => submittable || !['submit', 'cancel', 'amend'].includes(right),
  )
  const roles = [...new Set(rights.flatMap((right) => may.rolesFor(right)))].sort()
  return html`<h2>Who may</h2>
<table><thead><tr><th>Role</th>${rights.map((right) => html`<th>${right}</th>`)}</tr></thead>
<tbody>${[SYSTEM_MANAGER, ...roles.filter((role) => role !== SYSTEM_MANAGER)].map(
    (role) =>
      html`<tr><td>${role}</td>${rights.map(
        (right) =>
          html`<td>${(role === SYSTEM_MANAGER || may.rolesFor(right).includes(role)) && 'yes'}</td>`,
      )}</tr>`,
  )}</tbody></table>
<p class="quiet">A key has at most the roles of its person; deleting needs one of scope admin.</p>`
}

function flow({ flow }: ResourceDetail): Html | undefined {
  if (!flow) return undefined
  return html`<h2>States</h2><p>${flow.initial && html`A new record is <b>${flow.initial}</b>. `}They change by <code>${flow.field}</code>.</p>`
}

function connections({ connections: of }: ResourceDetail): Html | undefined {
  if (of.length === 0) return undefined
  return html`<h2>Linked from</h2><ul class="links">${of.map(
    ({ resource, table, field }) =>
      html`<li><a href="/docs/resources/${resource}">${resource}</a> <code>${table === undefined ? field : `${table}.${field}`}</code></li>`,
  )}</ul>`
}

/** The requests that are shown, in the order of a record's life. */
function requestsOf(
  definition: DocTypeDefinition,
  { slug, actions, list_fields, submittable }: ResourceDetail,
  id: string,
): readonly (readonly [title: string, sample: Sample])[] {
  const all = `/v1/${slug}`
  // An apostrophe would end the text that the address stands in.
  const one = `${all}/${encodeURIComponent(id).replaceAll("'", '%27')}`
  const fields = ['id', ...list_fields].slice(0, 5).join(',')
  const reads = [
    ['List', { method: 'GET', path: `${all}?limit=20&fields=${fields}` }],
    ['Get one', { method: 'GET', path: one }],
  ] as const
  if (isKeptByEngine(definition)) return reads
  const life = ['submit', 'cancel', 'amend'] as const
  return [
    ...reads,
    ['Create', { method: 'POST', path: all, body: createExample(definition) }],
    ['Change', { method: 'PATCH', path: one, body: updateExample(definition) }],
    ...life.flatMap((verb) =>
      submittable
        ? [[capital(verb), { method: 'POST', path: `${one}/${verb}` }] as [string, Sample]]
        : [],
    ),
    ...actions.map(({ name, label }): [string, Sample] => [
      label,
      {
        method: 'POST',
        path: `${one}/actions/${name}`,
        body: actionExample(definition.behaviour.actions?.[name]?.input ?? []),
      },
    ]),
    ['Delete', { method: 'DELETE', path: one }],
  ]
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1)
}
