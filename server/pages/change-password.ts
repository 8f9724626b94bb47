import { type AppError, isRefusal, validationError } from '../../engine/base/errors.ts'
import { newPassword, setPassword, signIn } from '../auth/accounts.ts'
import { cameFrom } from '../auth/address-came-from.ts'
import { attemptFrom, beginSession } from '../auth/browser-session.ts'
import { actorOf, findPerson } from '../auth/people.ts'
import { html } from '../http/html.ts'
import type { BrowserWords } from '../site/browser-words.ts'
import type { Site } from '../site/site.ts'
import { alert, field, notice, problemOf } from './form-parts.ts'
import { csrfField, workspacePage } from './layout.ts'
import { newPasswordFields, passwordProblemOf, whoseField } from './new-password.ts'
import type { Page } from './page.ts'
import { PATHS } from './page-paths.ts'
import { withTarget } from './target.ts'
import { formAnswer, type PageAnswer, type Visit, type Visitor } from './visit.ts'

/** `/change-password`: asks for the old one, and ends every other session and the pair of key and secret. */
export function changePasswordPage(site: Site, secretKey: Buffer): Page {
  return {
    parameters: ['done'],
    show: ({ visitor, query, words }) =>
      visitor ? passwordForm(words, visitor, { isDone: query.has('done') }) : signInFirst(),
    actsForVisitor: true,
    async send(visit) {
      const { visitor, form, words } = visit
      if (!visitor) return signInFirst()
      const problem = await change(site, { ...visit, secretKey }, visitor, form)
      return problem
        ? passwordForm(words, visitor, { problem })
        : { goTo: `${PATHS.changePassword}?done=1` }
    },
  }
}

function signInFirst(): PageAnswer {
  return { goTo: withTarget(PATHS.login, PATHS.changePassword) }
}

/** Returns what is wrong with what was sent. */
async function change(
  site: Site,
  visit: Visit & { readonly secretKey: Buffer },
  { person }: Visitor,
  form: Visit['form'],
): Promise<AppError | undefined> {
  const { services } = site.engine
  const { login } = person
  const wrong = passwordProblemOf(form)
  if (wrong) return wrong
  try {
    // Counted and slowed down like any other guess of a password.
    await signIn(services, login, form.get('old_password') ?? '', attemptFrom(visit, login))
  } catch (error) {
    if (!isRefusal(error)) throw error
    if (error.code !== 'UNAUTHORIZED') return error
    return validationError([
      { field: 'old_password', message: 'this is not your password', code: 'rule' },
    ])
  }
  const hashed = await newPassword(form.get('password') ?? '')
  const actor = cameFrom(visit.request, actorOf(person))
  await services.database.write((tx) => setPassword(tx, services, login, hashed, actor))
  const changed = await findPerson(services, login)
  if (changed) await beginSession({ services, ...visit }, changed, { byPage: true })
  return undefined
}

function passwordForm(
  words: BrowserWords,
  visitor: Visitor,
  { problem, isDone = false }: { readonly problem?: AppError; readonly isDone?: boolean },
): PageAnswer {
  const { tell } = words
  const general = problem?.details ? undefined : problem && tell(problem.message)
  const ofOld = problemOf(problem, 'old_password')
  const page = workspacePage(
    tell('Change password'),
    visitor,
    html`<p class="crumb"><a href="/">${tell('Start')}</a></p>
<h1>${tell('Change password')}</h1>
<p class="lead">${tell('You stay signed in here; all your other sessions end.')}</p>
<div class="panel narrow">
${alert(general)}${notice(isDone ? tell('Your password is changed.') : undefined)}
<form method="post" action="${PATHS.changePassword}">
${csrfField(visitor.csrfToken)}${whoseField(visitor.person.login)}
${field({
  name: 'old_password',
  label: tell('Old password'),
  type: 'password',
  autocomplete: 'current-password',
  autofocus: !problem,
  error: ofOld && tell(ofOld),
})}
${newPasswordFields(words, problem)}
<div class="actions"><button>${tell('Change password')}</button></div>
</form>
</div>`,
    words,
  )
  return formAnswer(page, problem)
}
