import type { AppError } from '../../engine/base/errors.ts'
import { type Html, html } from '../html.ts'
import { sentence } from './sentence.ts'

/** What was wrong with a field that was sent, or with a value of it (`name[0]`). */
export function problemOf(error: AppError | undefined, name: string): string | undefined {
  const isOfField = (field: string): boolean => field === name || field.startsWith(`${name}[`)
  return error?.details?.find(({ field }) => isOfField(field))?.message
}

/** A field of a form. */
export interface FormField {
  readonly name: string
  readonly label: string
  readonly type?: 'text' | 'email' | 'password'
  readonly value?: string | undefined
  /** What browsers and password managers fill in. */
  readonly autocomplete: string
  readonly autofocus?: boolean
  readonly optional?: boolean
  readonly maxlength?: number
  readonly minlength?: number
  readonly hint?: string
  /** What is wrong with what was sent. */
  readonly error?: string | undefined
}

/** A field with its label; what is wrong and the hint are read out with it. */
export function field({
  name,
  label,
  type = 'text',
  value,
  autocomplete,
  autofocus,
  optional,
  maxlength,
  minlength,
  hint,
  error,
}: FormField): Html {
  const about = [error && `${name}-error`, hint && `${name}-hint`].filter(Boolean).join(' ')
  // Names are never written with capitals or corrected by the keyboard of a telephone.
  const asTyped = type === 'text' && autocomplete !== 'username' ? undefined : AS_TYPED
  return html`<div class="field">
<label for="${name}">${label}${optional && html` <span class="optional">optional</span>`}</label>
<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}"${asTyped}${
    value !== undefined && html` value="${value}"`
  }${!optional && REQUIRED}${autofocus && AUTOFOCUS}${
    maxlength !== undefined && html` maxlength="${maxlength}"`
  }${minlength !== undefined && html` minlength="${minlength}"`}${
    about !== '' && html` aria-describedby="${about}"`
  }${error !== undefined && INVALID}>
${error !== undefined && html`<p class="error" id="${name}-error">${sentence(error)}</p>`}
${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
</div>`
}

const AS_TYPED = html` autocapitalize="none" spellcheck="false"`
const REQUIRED = html` required`
const AUTOFOCUS = html` autofocus`
const INVALID = html` aria-invalid="true"`

export interface Choice {
  readonly value: string
  readonly label: string
}

/** A choice of one. */
export function select(
  { name, label, hint }: Pick<FormField, 'name' | 'label' | 'hint'>,
  choices: readonly Choice[],
  chosen?: string,
): Html {
  return html`<div class="field">
<label for="${name}">${label}</label>
<select id="${name}" name="${name}"${hint !== undefined && html` aria-describedby="${name}-hint"`}>
${choices.map(
  (choice) =>
    html`<option value="${choice.value}"${choice.value === chosen && html` selected`}>${choice.label}</option>
`,
)}</select>
${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
</div>`
}

/** What went wrong, above a form; read out at once. */
export function alert(message: string | undefined): Html | undefined {
  return message === undefined ? undefined : html`<p class="alert" role="alert">${message}</p>`
}

/** What was done, above a form. */
export function notice(message: string | undefined): Html | undefined {
  return message === undefined ? undefined : html`<p class="notice" role="status">${message}</p>`
}

/** A field nobody sees. */
export function hidden(name: string, value: string | undefined): Html | undefined {
  return value === undefined
    ? undefined
    : html`<input type="hidden" name="${name}" value="${value}">`
}
