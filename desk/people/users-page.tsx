import { type ReactElement, useState } from 'react'
import { Link, useSearch } from 'wouter'
import type { SystemPage } from '../developer/developer-types.ts'
import { useSystem } from '../developer/use-system.ts'
import { NotFound } from '../shell/not-found.tsx'
import { useServing } from '../together/serving.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { Menu } from '../ui/menu.tsx'
import { Pill } from '../ui/pill.tsx'
import { PageSkeleton } from '../ui/skeleton.tsx'
import { PAGES } from '../words/pages/en.ts'
import { LeaveDialog } from './leave-dialog.tsx'
import type { Person } from './person-types.ts'
import { UserForm } from './user-form.tsx'

/** Everybody who signs in, with what they are here; somebody new is invited, and who leaves is seen off. */
export function UsersPage(): ReactElement {
  const users = useServing('users')
  const { data, error } = useSystem<SystemPage<Person>>(
    `/v1/${users?.slug}?fields=id,full_name,email,enabled,roles&limit=100&sort=full_name&order=asc`,
    users !== undefined,
  )
  const isInviting = new URLSearchParams(useSearch()).has('invite')
  const [editing, setEditing] = useState<Person | 'new' | undefined>(isInviting ? 'new' : undefined)
  const [leaving, setLeaving] = useState<Person>()
  if (!users || error) return <NotFound {...(error ? { message: error.message } : {})} />
  if (!data) return <PageSkeleton />
  return (
    <>
      <header className="part-head">
        <div>
          <h1>{PAGES.peopleParts.users}</h1>
          <p className="quiet">{PAGES.usersAbout}</p>
        </div>
        <Button kind="primary" icon="user-plus" onClick={() => setEditing('new')}>
          {PAGES.invite}
        </Button>
      </header>
      <div className="part-table">
        <table>
          <thead>
            <tr>
              <th scope="col">{PAGES.name}</th>
              <th scope="col">{PAGES.peopleParts.roles}</th>
              <th scope="col">{PAGES.state}</th>
              <th scope="col">
                <span className="visually-hidden">{PAGES.change}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {data.data.map((person) => (
              <PersonRow
                key={person.id}
                slug={users.slug}
                person={person}
                onEdit={() => setEditing(person)}
                onLeave={() => setLeaving(person)}
              />
            ))}
          </tbody>
        </table>
      </div>
      {editing ? (
        <UserForm
          slug={users.slug}
          person={editing === 'new' ? undefined : editing}
          onClose={() => setEditing(undefined)}
        />
      ) : null}
      {leaving ? (
        <LeaveDialog
          slug={users.slug}
          person={leaving}
          others={data.data.filter(({ id, enabled }) => enabled && id !== leaving.id)}
          onClose={() => setLeaving(undefined)}
        />
      ) : null}
    </>
  )
}

interface RowProps {
  readonly slug: string
  readonly person: Person
  readonly onEdit: () => void
  readonly onLeave: () => void
}

function PersonRow({ slug, person, onEdit, onLeave }: RowProps): ReactElement {
  return (
    <tr>
      <th scope="row">
        <Link href={`/${slug}/${encodeURIComponent(person.id)}`}>
          <strong>{person.full_name}</strong>
        </Link>
        <span className="quiet">{person.email ?? person.id}</span>
      </th>
      <td className="roles-of">
        {person.roles.map(({ role }) => (
          <Pill key={role} text={role} />
        ))}
      </td>
      <td>
        <Pill
          text={person.enabled ? PAGES.active : PAGES.off}
          color={person.enabled ? 'green' : 'grey'}
        />
      </td>
      <td>
        <Menu
          label={PAGES.webhookMenu(person.full_name)}
          trigger={<Icon name="ellipsis" />}
          items={[
            {
              label: PAGES.changeRoles,
              icon: 'shield-check',
              onSelect: onEdit,
            },
            {
              label: PAGES.leaves,
              icon: 'log-out',
              danger: true,
              onSelect: onLeave,
            },
          ]}
        />
      </td>
    </tr>
  )
}
