import '../style/people.css'
import { type ReactElement, useEffect } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import { PartPage } from '../developer/part-page.tsx'
import { NotFound } from '../shell/not-found.tsx'
import { WORDS } from '../words/en.ts'
import { PAGES } from '../words/pages/en.ts'
import { PlanPage } from './plan-page.tsx'
import { RolesPage } from './roles-page.tsx'
import { UsersPage } from './users-page.tsx'

const PARTS: Readonly<
  Record<string, { readonly icon: string; readonly Page: () => ReactElement }>
> = {
  users: { icon: 'users', Page: UsersPage },
  roles: { icon: 'shield-check', Page: RolesPage },
  plan: { icon: 'credit-card', Page: PlanPage },
}

/** `/settings/{users,roles,plan}`: who works here, what each may, and what the workspace has. */
export function PeoplePage({ part }: { part: string }): ReactElement {
  const { boot } = useDesk()
  const found = PARTS[part]
  useEffect(() => {
    document.title = `${PAGES.peopleAndRights} · ${boot.workspace.label}`
  }, [boot])
  if (!found) return <NotFound />
  const { Page } = found
  return (
    <PartPage
      title={PAGES.peopleAndRights}
      parts={[
        ...Object.entries(PARTS).map(([name, { icon }]) => ({
          href: `/settings/${name}`,
          icon,
          label: PAGES.peopleParts[name as 'users'],
          isHere: name === part,
        })),
        { href: '/settings/sessions', icon: 'laptop', label: WORDS.sessions, isOutside: true },
        {
          href: '/settings/second-factor',
          icon: 'key-round',
          label: WORDS.factors,
          isOutside: true,
        },
      ]}
    >
      <Page />
    </PartPage>
  )
}
