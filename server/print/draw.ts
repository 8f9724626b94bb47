import { type Html, html } from '../http/html.ts'
import type { Card, Choice, Fact, Grid, Sheet } from './sheet.ts'

/** A paper as HTML without scripts, with what may stand below it on screen; what it looks like on screen and on paper is up to the style, which it carries. */
export function drawSheet(sheet: Sheet, css: string, below?: Html): Html {
  const { language, paper, title, number, stamp, letterhead, choices } = sheet
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} ${number}</title>
<style>${{ html: css }}</style>
<link rel="icon" href="data:,">
</head>
<body class="${paper}">
${choices.length > 0 && html`<nav class="choices" aria-label="Print">${choices.map(drawChoices)}</nav>`}
<main class="sheet">
${stamp !== undefined && html`<p class="stamp" data-stamp="${stamp}"><span>${stamp}</span></p>`}
${letterhead && drawLetterhead(letterhead)}
<header class="subject">
${sheet.parties.length > 0 && html`<div class="parties">${sheet.parties.map(drawParty)}</div>`}
<div class="about">
<h1>${title}</h1>
<p class="number">${number}</p>
${drawFacts(sheet.facts, true)}
</div>
</header>
${sheet.groups.map(
  (group) => html`<section class="group">
${group.title !== '' && html`<h2>${group.title}</h2>`}
${drawFacts(group.facts, true)}
</section>
`,
)}${sheet.tables.map(drawGrid)}${drawTotals(sheet)}${sheet.below.map(drawGrid)}${drawBank(sheet)}${sheet.notes.map(
  ({
    field,
    label,
    value,
  }) => html`<section class="note"><h2>${label}</h2><p${ofField(field)}>${value}</p></section>
`,
)}${letterhead && drawFooter(letterhead)}
</main>
${below}
</body>
</html>
`
}

function drawChoices(choices: readonly Choice[]): Html {
  return html`<span>${choices.map(({ text, address }) =>
    address === undefined
      ? html`<b aria-current="true">${text}</b>`
      : html`<a href="${address}">${text}</a>`,
  )}</span>`
}

function drawLetterhead({ name, lines, logo }: Card): Html {
  return html`<div class="letterhead">
${logo !== undefined && html`<img src="${logo}" alt="">`}
<div><p class="name">${name}</p>
${lines.length > 0 && html`<p class="sender">${lines.join(' · ')}</p>`}</div>
</div>`
}

function drawFooter({ name, reach, facts }: Card): Html | undefined {
  const told = [...reach, ...facts.map(({ label, value }) => `${label} ${value}`)]
  if (told.length === 0) return undefined
  return html`<footer class="foot"><span>${name}</span>${told.map((one) => html`<span>${one}</span>`)}</footer>`
}

function drawParty({ field, label, card }: Sheet['parties'][number]): Html {
  return html`<section class="party"><h2>${label}</h2>
<address><b${ofField(field)}>${card.name}</b>${card.lines.map((line) => html`<br>${line}`)}</address>
${drawFacts(card.facts)}</section>
`
}

/** Facts with their labels; those of the record itself say of which field they are. */
function drawFacts(facts: readonly Fact[], isOwn = false): Html | undefined {
  if (facts.length === 0) return undefined
  return html`<dl>${facts.map(
    ({ field, label, value }) =>
      html`<div><dt>${label}</dt><dd${isOwn && ofField(field)}>${value}</dd></div>
`,
  )}</dl>`
}

function drawGrid({ table, title, columns, rows }: Grid): Html {
  return html`<section class="grid">
${title !== undefined && html`<h2>${title}</h2>`}
<table data-table="${table}">
<thead><tr>${columns.map(({ label, isNumber }) => html`<th scope="col"${numberClass(isNumber)}>${label}</th>`)}</tr></thead>
<tbody>
${rows.map(
  (cells) => html`<tr>${cells.map(
    ({ text, under }, index) =>
      html`<td${numberClass(columns[index]?.isNumber)}${ofField(columns[index]?.field)}>${text}${under !== undefined && html`<small>${under}</small>`}</td>`,
  )}</tr>
`,
)}</tbody>
</table>
</section>
`
}

/** Which field of its record, or of its row, something on the paper is: where it may be changed it is changed there. */
function ofField(field: string | undefined): Html | false {
  return field !== undefined && html` data-field="${field}"`
}

function numberClass(isNumber: boolean | undefined): Html | false {
  return isNumber === true && html` class="number"`
}

function drawTotals({ totals }: Sheet): Html | undefined {
  if (totals.length === 0) return undefined
  return html`<table class="totals"><tbody>
${totals.map(
  ({ label, value, isStrong }) =>
    html`<tr${isStrong && html` class="strong"`}><th scope="row">${label}</th><td>${value}</td></tr>
`,
)}</tbody></table>
`
}

function drawBank({ bank }: Sheet): Html | undefined {
  if (!bank) return undefined
  return html`<section class="bank"><h2>${bank.label}</h2>${drawFacts(bank.card.facts)}</section>
`
}
