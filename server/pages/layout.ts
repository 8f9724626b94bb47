import { type Html, html } from '../http/html.ts'
import type { BrowserWords } from '../site/browser-words.ts'
import { PATHS } from './page-paths.ts'
import type { Draw, Visitor } from './visit.ts'

/** Path of the one style sheet of all pages; below it, those of the one script, which few have, and of their icon. */
export const STYLE_PATH = '/assets/pages.css'
export const SCRIPT_PATH = '/assets/passkeys.js'
export const ICON_PATH = '/favicon.svg'

interface Card {
  readonly intro?: Html
  readonly body: Html
  /** Below the card. */
  readonly footer?: Html
  /** Language that it is written in, where that is not English. */
  readonly language?: string
  /** With more than a few fields: beside one another where there is room. */
  readonly isWide?: boolean
}

/** Words of pages that are written in English alone. */
const ENGLISH = { tell: (text: string): string => text, language: 'en' } as const

/** A page for who is not signed in: one card in the middle. */
export function cardPage(title: string, { intro, body, footer, language, isWide }: Card): Draw {
  return (workspace) =>
    document(
      title,
      workspace,
      html`<body class="centered">
<main class="${isWide ? 'card wide' : 'card'}" aria-labelledby="title">
<p class="brand">${mark(workspace)}<span>${workspace}</span></p>
<h1 id="title">${title}</h1>
${intro && html`<div class="intro">${intro}</div>`}
${body}
</main>
${footer && html`<footer>${footer}</footer>`}
</body>`,
      language,
    )
}

/**
 * A page for who is signed in: a bar with who that is, and the page below. Without a title it is called as the
 * workspace is.
 */
export function workspacePage(
  title: string | undefined,
  { person, csrfToken }: Visitor,
  body: Html,
  { tell, language }: Pick<BrowserWords, 'tell' | 'language'> = ENGLISH,
): Draw {
  return (workspace) =>
    document(
      title,
      workspace,
      html`<body>
<a class="skip" href="#content">${tell('Skip to content')}</a>
<header class="bar">
<a class="brand" href="/">${mark(workspace)}<span>${workspace}</span></a>
<nav aria-label="${tell('You')}">
<span class="avatar" aria-hidden="true">${initials(person.fullName)}</span>
<span class="who">${person.fullName}</span>
<form method="post" action="${PATHS.logout}">${csrfField(csrfToken)}<button class="quiet">${tell('Sign out')}</button></form>
</nav>
</header>
<main id="content" class="page">
${body}
</main>
</body>`,
      language,
    )
}

/** The token of the visitor's session; every form of who is signed in has it. */
export function csrfField(csrfToken: string): Html {
  return html`<input type="hidden" name="csrf_token" value="${csrfToken}">`
}

function document(title: string | undefined, workspace: string, body: Html, language = 'en'): Html {
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title === undefined ? workspace : `${title} · ${workspace}`}</title>
<link rel="stylesheet" href="${STYLE_PATH}">
<link rel="icon" href="${ICON_PATH}" type="image/svg+xml">
</head>
${body}
</html>
`
}

function mark(workspace: string): Html {
  return html`<span class="mark" aria-hidden="true">${initial(workspace)}</span>`
}

function initials(name: string): string {
  const words = name.split(/\s+/).filter(Boolean)
  const last = words.length > 1 ? words.at(-1) : undefined
  return initial(words[0] ?? '') + initial(last ?? '')
}

/** One whole character, whatever the script. */
function initial(word: string): string {
  return ([...word][0] ?? '').toUpperCase()
}
