import type { Express, Request } from 'express'
import { AppError } from '../../engine/base/errors.ts'
import { type Html, html } from '../http/html.ts'
import { methodNotAllowed } from '../http/not-found.ts'
import { takes } from '../http/query-parameters.ts'
import { readQuery } from '../http/query-string.ts'
import type { Handler } from '../http/request-state.ts'
import { docsPage } from '../reference/docs-page.ts'
import { MANUAL, manualHtml } from './manual-html.ts'
import { type Manual, manualPicture, pageNamed, readManual } from './manual-pages.ts'
import { beginningOf, findSections } from './manual-search.ts'

/** Pictures change with the program alone; a browser asks again after an hour. */
const PICTURE_CACHING = 'public, max-age=3600'

/**
 * `/docs/manual`: the docs of the program, drawn by the server, as they came with it; they need no network and tell what this
 * version does. `?q=` finds sections. The Desk's help leads here.
 */
export function manualRoutes(app: Express): void {
  app.get(MANUAL, takes('q'), front)
  app.get(`${MANUAL}/*name`, takes(), shown)
  for (const path of [MANUAL, `${MANUAL}/*name`]) app.all(path, methodNotAllowed('GET, HEAD'))
}

const front: Handler = (request, response) => {
  const manual = readManual()
  const words = (new Map(readQuery(request.url)).get('q') ?? '').slice(0, 200)
  const body = words.trim() === '' ? contents(manual) : found(manual, words)
  response.setHeader('Cache-Control', 'no-cache')
  response.type('html').send(docsPage('Manual', 'Manual', side(manual, MANUAL), body))
}

const shown: Handler = (request, response) => {
  const name = nameIn(request)
  const picture = manualPicture(name)
  if (picture) {
    response.setHeader('Cache-Control', PICTURE_CACHING)
    response.type('image/webp').send(picture)
    return
  }
  const manual = readManual()
  const page = pageNamed(manual, name)
  if (!page) {
    const message = `the manual has no page ${name.slice(0, 200)}; ${MANUAL} lists what there is`
    throw new AppError('NOT_FOUND', message)
  }
  const body = html`<article class="manual">${manualHtml(manual, name, page.text)}</article>`
  response.setHeader('Cache-Control', 'no-cache')
  response
    .type('html')
    .send(docsPage('Manual', page.title, side(manual, `${MANUAL}/${name}`), body))
}

function nameIn({ params }: Request): string {
  const { name } = params as { readonly name?: string | readonly string[] }
  return typeof name === 'object' ? name.join('/') : (name ?? '')
}

function contents(manual: Manual): Html {
  return html`<h1>Manual</h1>
<p class="lead">How to work with this workspace, what it does, and how to make it your own. What programs ask is in the <a href="/docs">API reference</a>.</p>
<div class="shelf">${[...manual].map(
    ([heading, pages]) =>
      html`<section><h2>${heading}</h2><ul>${pages.map(
        ({ name, title }) => html`<li><a href="${MANUAL}/${name}">${title}</a></li>`,
      )}</ul></section>`,
  )}</div>`
}

function found(manual: Manual, words: string): Html {
  const sections = findSections(manual, words)
  return html`<h1>Found for “${words.slice(0, 80)}”</h1>
${sections.length === 0 && html`<p>Nothing has these words. Fewer find more.</p>`}
<ul class="found">${sections.map((section) => {
    const { page, title, anchor } = section
    const to = `${MANUAL}/${page.name}${anchor === '' ? '' : `#${anchor}`}`
    return html`<li><a href="${to}">${anchor === '' ? title : `${page.title}: ${title}`}</a><p class="quiet">${beginningOf(section)}</p></li>`
  })}</ul>`
}

/** The shelves at the side of a page; the one that it stands on is open. */
function side(manual: Manual, path: string): Html {
  const shelves = [...manual].map(([heading, pages]) => {
    const list = html`<ul>${pages.map(({ name, title }) => {
      const href = `${MANUAL}/${name}`
      const words = `${title} ${name}`.toLowerCase()
      return href === path
        ? html`<li data-words="${words}"><a href="${href}" aria-current="page">${title}</a></li>`
        : html`<li data-words="${words}"><a href="${href}">${title}</a></li>`
    })}</ul>`
    const isOpen = pages.some(({ name }) => `${MANUAL}/${name}` === path)
    return isOpen
      ? html`<details open><summary>${heading}</summary>${list}</details>`
      : html`<details><summary>${heading}</summary>${list}</details>`
  })
  return html`<p class="brand"><a href="${MANUAL}">Manual</a></p>
<form action="${MANUAL}" role="search"><input type="search" name="q" placeholder="Search" aria-label="Search the manual" autocomplete="off"></form>
<details class="menu">
<summary>Contents</summary>
${shelves}
<p class="quiet"><a href="/">Desk</a> · <a href="/docs">API reference</a></p>
</details>`
}
