import '../style/people.css'
import { type ReactElement, useEffect } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import { PartPage } from '../developer/part-page.tsx'
import { NotFound } from '../shell/not-found.tsx'
import { WORDS } from '../words/en.ts'
import { PAGES } from '../words/pages/en.ts'
import { BackupPage } from './backup-page.tsx'
import { PlanPage } from './plan-page.tsx'
import { RolesPage } from './roles-page.tsx'
import { SessionsPage } from './sessions-page.tsx'
import { UsersPage } from './users-page.tsx'

interface PartOf {
  readonly icon: string
  readonly Page: () => ReactElement
  /** Whether it is of who looks after the workspace, and not everybody's own. */
  readonly isOfManagers: boolean
}

const PARTS: Readonly<Record<string, PartOf>> = {
  users: { icon: 'users', Page: UsersPage, isOfManagers: true },
  roles: { icon: 'shield-check', Page: RolesPage, isOfManagers: true },
  plan: { icon: 'credit-card', Page: PlanPage, isOfManagers: true },
  backup: { icon: 'hard-drive-download', Page: BackupPage, isOfManagers: true },
  sessions: { icon: 'laptop', Page: SessionsPage, isOfManagers: false },
}

function labelOf(name: string): string {
  if (name === 'sessions') return WORDS.sessions
  return name === 'backup' ? PAGES.backups : PAGES.peopleParts[name as 'users']
}

/** `/settings/{users,roles,plan,backup,sessions}`: who works here, what each may, what the workspace has, and where one is signed in. */
export function PeoplePage({ part }: { part: string }): ReactElement {
  const { boot } = useDesk()
  const found = PARTS[part]
  const isManager = boot.resources.some(
    ({ serves, can }) => serves === 'users' && can.includes('create'),
  )
  useEffect(() => {
    document.title = `${PAGES.peopleAndRights} · ${boot.workspace.label}`
  }, [boot])
  if (!found) return <NotFound />
  const { Page } = found
  return (
    <PartPage
      title={PAGES.peopleAndRights}
      parts={[
        ...Object.entries(PARTS)
          .filter(([, { isOfManagers }]) => isManager || !isOfManagers)
          .map(([name, { icon }]) => ({
            href: `/settings/${name}`,
            icon,
            label: labelOf(name),
            isHere: name === part,
          })),
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
