import type { AppError } from '../../engine/base/errors.ts'
import { type Html, html } from '../http/html.ts'
import { sentence } from './sentence.ts'

/** Problem of a field that was sent, or of a value of it (`name[0]`). */
export function problemOf(error: AppError | undefined, name: string): string | undefined {
  const isOfField = (field: string): boolean => field === name || field.startsWith(`${name}[`)
  return error?.details?.find(({ field }) => isOfField(field))?.message
}

/** Properties that every field has. */
interface Labelled {
  readonly name: string
  readonly label: string
  /** Whether it may be left empty, or the word that says so. */
  readonly optional?: boolean | string
  readonly hint?: string
  /** Problem of what was sent. */
  readonly error?: string | undefined
}

/** A field of one line. */
export interface TextField extends Labelled {
  readonly type?: 'text' | 'email' | 'password'
  readonly value?: string | undefined
  /** Kind of value that browsers and password managers fill in (HTML `autocomplete`). */
  readonly autocomplete: string
  readonly autofocus?: boolean
  readonly maxlength?: number
  readonly minlength?: number
}

/** A field of one line. */
export function field(one: TextField): Html {
  const {
    name,
    type = 'text',
    value,
    autocomplete,
    autofocus,
    optional,
    maxlength,
    minlength,
  } = one
  // Names are never written with capitals or corrected by the keyboard of a telephone.
  const asTyped = type === 'text' && autocomplete !== 'username' ? undefined : AS_TYPED
  return labelled(
    one,
    html`<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}"${asTyped}${
      value !== undefined && html` value="${value}"`
    }${!optional && REQUIRED}${autofocus && AUTOFOCUS}${
      maxlength !== undefined && html` maxlength="${maxlength}"`
    }${minlength !== undefined && html` minlength="${minlength}"`}${described(one)}>`,
  )
}

/** A field of one file, of these types. */
export function fileChoice(one: Labelled & { readonly accept: string }): Html {
  const { name, accept, optional } = one
  return labelled(
    one,
    html`<input id="${name}" name="${name}" type="file" accept="${accept}"${!optional && REQUIRED}${described(one)}>`,
  )
}

/** A field of several lines, for what is no prose. */
export function textArea(one: Labelled & { readonly value?: string | undefined }): Html {
  const { name, value, optional } = one
  return labelled(
    one,
    html`<textarea id="${name}" name="${name}" rows="3" spellcheck="false"${!optional && REQUIRED}${described(one)}>${value}</textarea>`,
  )
}

export interface Choice {
  readonly value: string
  readonly label: string
}

/** A choice of one. */
export function select(one: Labelled, choices: readonly Choice[], chosen?: string): Html {
  const { name } = one
  return labelled(
    one,
    html`<select id="${name}" name="${name}"${described(one)}>
${choices.map(
  ({ value, label }) =>
    html`<option value="${value}"${value === chosen && html` selected`}>${label}</option>
`,
)}</select>`,
  )
}

/** A control under its label, over what is wrong and the hint. */
function labelled({ name, label, optional, hint, error }: Labelled, control: Html): Html {
  return html`<div class="field">
<label for="${name}">${label}${optional && html` <span class="optional">${optional === true ? 'optional' : optional}</span>`}</label>
${control}
${error !== undefined && html`<p class="error" id="${name}-error">${sentence(error)}</p>`}
${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
</div>`
}

/** Attributes by which what is wrong and the hint are read out with a control. */
function described({ name, hint, error }: Labelled): Html {
  const about = [error && `${name}-error`, hint && `${name}-hint`].filter(Boolean).join(' ')
  return html`${about !== '' && html` aria-describedby="${about}"`}${error !== undefined && INVALID}`
}

const AS_TYPED = html` autocapitalize="none" spellcheck="false"`
const REQUIRED = html` required`
const AUTOFOCUS = html` autofocus`
const INVALID = html` aria-invalid="true"`

/** Message of what went wrong, above a form; read out at once. */
export function alert(message: string | undefined): Html | undefined {
  return message === undefined ? undefined : html`<p class="alert" role="alert">${message}</p>`
}

/** Message of what was done, above a form. */
export function notice(message: string | undefined): Html | undefined {
  return message === undefined ? undefined : html`<p class="notice" role="status">${message}</p>`
}

/** A field nobody sees. */
export function hidden(name: string, value: string | undefined): Html | undefined {
  return value === undefined
    ? undefined
    : html`<input type="hidden" name="${name}" value="${value}">`
}
