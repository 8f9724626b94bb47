import { isManager } from '../../engine/access/actor.ts'
import { actorOf } from '../auth/people.ts'
import { html } from '../http/html.ts'
import { workspacePage } from './layout.ts'
import { PATHS } from './page-paths.ts'
import type { PageAnswer, Visit } from './visit.ts'

/** `/`: where people land who have signed in. */
export function homePage(): (visit: Visit) => PageAnswer {
  return ({ visitor }) => {
    if (!visitor) return { goTo: PATHS.login }
    const { person } = visitor
    const tiles = [
      ['/docs', 'API reference', 'Every resource of this workspace, to read and to try.'],
      ...(isManager(actorOf(person))
        ? [[PATHS.developer, 'Developer settings', 'API keys for programs that work with it.']]
        : []),
      [PATHS.sessions, 'Where you are signed in', 'Your sessions, and keys of your programs.'],
      [PATHS.factors, 'Second factor', 'A code or a passkey after the password.'],
      [PATHS.changePassword, 'Change password', 'Ends your sessions everywhere else.'],
    ] as const
    const page = workspacePage(
      undefined,
      visitor,
      html`<h1>Welcome, ${person.fullName}</h1>
<p class="lead">Signed in as ${person.login}.</p>
<ul class="tiles">
${tiles.map(
  ([path, label, text]) =>
    html`<li><a class="tile" href="${path}"><strong>${label}</strong><span>${text}</span></a></li>
`,
)}</ul>`,
    )
    return { page }
  }
}
