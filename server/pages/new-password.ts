import { type AppError, validationError } from '../../engine/base/errors.ts'
import { passwordProblem } from '../auth/passwords.ts'
import { type Html, html } from '../http/html.ts'
import type { BrowserWords } from '../site/browser-words.ts'
import { field, problemOf } from './form-parts.ts'
import type { Fields } from './visit.ts'

/** Tells password managers whose password a form is about; it stands first in it. */
export function whoseField(login: string): Html {
  return html`<input type="text" name="username" value="${login}" autocomplete="username" hidden>`
}

/** Fields for a new password, typed twice. */
export function newPasswordFields({ tell }: Pick<BrowserWords, 'tell'>, problem?: AppError): Html {
  const [ofFirst, ofSecond] = ['password', 'again'].map((name) => {
    const found = problemOf(problem, name)
    return found && tell(found)
  })
  return html`${field({
    name: 'password',
    label: tell('New password'),
    type: 'password',
    autocomplete: 'new-password',
    minlength: 8,
    autofocus: !problem || ofFirst !== undefined,
    hint: tell('At least 8 characters. A few words are easier to remember and harder to guess.'),
    error: ofFirst,
  })}
${field({
  name: 'again',
  label: tell('New password again'),
  type: 'password',
  autocomplete: 'new-password',
  autofocus: ofSecond !== undefined,
  error: ofSecond,
})}`
}

/** Problem of a new password that was sent; undefined where there is none. */
export function passwordProblemOf(form: Fields): AppError | undefined {
  const password = form.get('password') ?? ''
  const message = passwordProblem(password)
  if (message !== undefined)
    return validationError([{ field: 'password', message, code: 'out_of_range' }])
  if (password === form.get('again')) return undefined
  return validationError([
    { field: 'again', message: 'expected the same password as above', code: 'rule' },
  ])
}
