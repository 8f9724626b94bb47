import { type Html, html } from '../http/html.ts'
import { field, hidden } from './form-parts.ts'
import { SCRIPT_PATH } from './layout.ts'

/** A picture of an address for the camera of a telephone, with the same as text to type. */
export async function secretPicture(uri: string, secret: string): Promise<Html> {
  const { renderSVG } = await import('uqr')
  // Drawn of ones and zeros alone: nothing of the address is in it as text.
  const picture: Html = { html: renderSVG(uri, { border: 2 }) }
  return html`<div class="qr" role="img" aria-label="Code to scan with the app">${picture}</div>
<p class="hint">Or type the key into the app: <code class="secret">${secret.match(/.{1,4}/g)?.join(' ')}</code></p>`
}

/** Field for a code. */
export function codeField(label: string, error: string | undefined, hint?: string): Html {
  return field({
    name: 'code',
    label,
    autocomplete: 'one-time-code',
    autofocus: true,
    maxlength: 40,
    error,
    ...(hint === undefined ? {} : { hint }),
  })
}

interface PasskeyForm {
  readonly action: string
  /** What the device is asked to do. */
  readonly kind: 'create' | 'get'
  readonly options: object
  readonly button: string
  /** Further fields of the form. */
  readonly fields: Html
}

/** A form that the script shows and fills in where the browser knows passkeys. */
export function passkeyForm({ action, kind, options, button, fields }: PasskeyForm): Html {
  return html`<form method="post" action="${action}" data-passkey="${kind}" data-options="${JSON.stringify(options)}" hidden>
${fields}${hidden('passkey', '')}
<p class="alert" role="alert" hidden>The device gave no passkey. Try again, or use a code.</p>
<button>${button}</button>
</form>
<script src="${SCRIPT_PATH}" defer></script>`
}

/** Recovery codes, seen this once. */
export function codesShownOnce(codes: readonly string[]): Html {
  return html`<section class="once" role="status">
<h2>Recovery codes</h2>
<p>Each of them signs you in once when your device is lost. Print them or write them down: they are shown this once.</p>
<ul class="codes">
${codes.map(
  (code) => html`<li><code class="secret">${code}</code></li>
`,
)}</ul>
</section>`
}

/** What a passkey form has sent; undefined for none, and for what is no JSON. */
export function sentPasskey(text: string | undefined): unknown {
  if (text === undefined || text === '') return undefined
  try {
    return JSON.parse(text)
  } catch (_noJson) {
    return {}
  }
}
