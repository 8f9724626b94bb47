import type { ReactElement } from 'react'
import { PAGES } from '../words/pages/en.ts'
import { isWords, withWord } from './changes.ts'
import type { Words } from './studio-types.ts'

const RIGHTS = ['read', 'create', 'update', 'delete', 'report', 'export'] as const
const OF_DOCUMENTS = ['submit', 'cancel', 'amend'] as const

interface RightsPartProps {
  readonly definition: Words
  readonly roles: readonly string[]
  /** What roles may by their module, where the definition says nothing of its own. */
  readonly rights: Readonly<Record<string, readonly string[]>>
  readonly onChange: (definition: Words) => void
}

/** Which role may do what, as a table of marks. */
export function RightsPart({ definition, roles, rights, onChange }: RightsPartProps): ReactElement {
  const permissions = isWords(definition.permissions) ? definition.permissions : {}
  const said = isWords(permissions.roles)
    ? (permissions.roles as Readonly<Record<string, readonly string[]>>)
    : undefined
  const now = said ?? rights
  const asked = [...RIGHTS, ...(definition.submittable === true ? OF_DOCUMENTS : [])]
  const may = (role: string, right: string): boolean =>
    now[role]?.some((one) => one === right || one === 'all') === true
  function toggle(role: string, right: string): void {
    const before = now[role]?.includes('all') ? [...asked, 'action'] : (now[role] ?? [])
    const next = before.includes(right) ? before.filter((one) => one !== right) : [...before, right]
    const all = { ...now, [role]: next }
    const kept = next.length > 0 ? all : withWord(all, role, undefined)
    onChange({ ...definition, permissions: { ...permissions, roles: kept } })
  }
  return (
    <>
      <p className="quiet">{said ? PAGES.studioRightsOwn : PAGES.studioRightsOfModule}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys */}
      <section className="part-table rights" tabIndex={0} aria-label={PAGES.studioParts.rights}>
        <table>
          <thead>
            <tr>
              <th scope="col">{PAGES.role}</th>
              {asked.map((right) => (
                <th key={right} scope="col">
                  {PAGES.rights[right]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {roles.map((role) => (
              <tr key={role}>
                <th scope="row">{role}</th>
                {asked.map((right) => (
                  <td key={right}>
                    <input
                      type="checkbox"
                      aria-label={`${role}: ${PAGES.rights[right]}`}
                      checked={may(role, right)}
                      onChange={() => toggle(role, right)}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  )
}
