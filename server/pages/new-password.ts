import { type AppError, validationError } from '../../engine/base/errors.ts'
import { passwordProblem } from '../auth/passwords.ts'
import { type Html, html } from '../html.ts'
import { field } from './form-parts.ts'
import type { Fields } from './visit.ts'

/** Fields for a new password, typed twice; `login` tells password managers whose it is. */
export function newPasswordFields(login: string, problem?: AppError): Html {
  const errorOf = (name: string): string | undefined =>
    problem?.details?.find((detail) => detail.field === name)?.message
  return html`<input type="text" name="username" value="${login}" autocomplete="username" hidden>
${field({
  name: 'password',
  label: 'New password',
  type: 'password',
  autocomplete: 'new-password',
  minlength: 8,
  autofocus: !problem || errorOf('password') !== undefined,
  hint: 'At least 8 characters. A few words are easier to remember and harder to guess.',
  error: errorOf('password'),
})}
${field({
  name: 'again',
  label: 'New password again',
  type: 'password',
  autocomplete: 'new-password',
  autofocus: errorOf('again') !== undefined,
  error: errorOf('again'),
})}`
}

/** What is wrong with a new password that was sent, if anything. */
export function passwordProblemOf(form: Fields): AppError | undefined {
  const password = form.get('password') ?? ''
  const message = passwordProblem(password)
  if (message !== undefined) return validationError([{ field: 'password', message }])
  if (password === form.get('again')) return undefined
  return validationError([{ field: 'again', message: 'expected the same password as above' }])
}
