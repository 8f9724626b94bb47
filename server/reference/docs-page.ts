import { type Html, html } from '../http/html.ts'

/** A page below `/docs`: what there is at the side, folded on a phone, with a field that narrows it, and the body; `name` is what it is a page of. */
export function docsPage(name: string, title: string, side: Html, body: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="/docs/favicon-32x32.png">
<link rel="stylesheet" href="/docs/reference.css">
<script src="/docs/reference.js" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<nav class="side" aria-label="${name}">
${side}
</nav>
<main id="content">
${body}
</main>
</body>
</html>
`.html
}
