import type { Report } from '../../engine/reports/declare/report.ts'
import { type Html, html } from '../http/html.ts'
import { samples } from './samples.ts'

/** Page of one report: its parameters and columns at the left, the request at the right. */
export function reportBody(report: Report, base: string, key: string): Html {
  const { label, description, slug, params, main, roles } = report
  const columns = main.columns.filter(({ hidden }) => !hidden)
  const path = `/v1/reports/${slug}?limit=100`
  return html`<h1>${label}</h1>
<p class="lead">${description}</p>
<p class="quiet"><code>/v1/reports/${slug}</code> · report</p>
<div class="columns">
<section><h2>Parameters</h2>
<table class="fields"><thead><tr><th>Parameter</th><th>Type</th><th>Rules</th></tr></thead>
<tbody>${params.map(({ field, initial, first }) => {
    const hasDefault =
      initial !== undefined || first !== undefined || field.defaultValue !== undefined
    const rule = !field.required ? '' : hasDefault ? 'has a default' : 'required'
    return html`<tr id="${field.name}"><td><code>${field.name}</code><div class="quiet">${field.label}</div></td>
<td>${field.type}${field.options && html`<div class="about">${field.options.join(' | ')}</div>`}</td>
<td>${rule}${field.description && html`<div class="about">${field.description}</div>`}</td></tr>`
  })}</tbody></table>
<p class="quiet">With <code>limit</code>, <code>offset</code>, <code>order_by</code> (<code>-</code> before a column turns the order round), and <code>Accept: text/csv</code> for all rows as CSV.</p>
<h2>Columns</h2>
<table class="fields"><thead><tr><th>Column</th><th>Type</th></tr></thead>
<tbody>${columns.map(
    ({ name, field, isPeriodic }) =>
      html`<tr><td><code>${name}${isPeriodic && '_…'}</code><div class="quiet">${field.label}</div></td><td>${field.type}</td></tr>`,
  )}</tbody></table>
<h2>Who may</h2>
<p>${roles ? html`${roles.join(', ')}.` : html`Whoever may report on all that it reads.`}</p>
</section>
<section><h2>Request</h2>
<p><span class="verb">GET</span> <code>${path}</code></p>
${samples(base, key, { method: 'GET', path })}
</section>
</div>`
}
