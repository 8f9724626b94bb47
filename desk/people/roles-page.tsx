import { type ReactElement, useMemo, useState } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import { useSystem } from '../developer/use-system.ts'
import { NotFound } from '../shell/not-found.tsx'
import { ChoiceField } from '../ui/fields.tsx'
import { Icon } from '../ui/icon.tsx'
import { PageSkeleton } from '../ui/skeleton.tsx'
import { PAGES } from '../words/pages/en.ts'
import { sentenceCase } from '../words/sentence-case.ts'
import { AccessWhy } from './access-why.tsx'
import type { ResourceRights } from './person-types.ts'

const RIGHTS = [
  'read',
  'create',
  'update',
  'delete',
  'submit',
  'cancel',
  'amend',
  'report',
  'export',
] as const

/** What each role may do with each kind of record, and why somebody may or may not. */
export function RolesPage(): ReactElement {
  const { data, error } = useSystem<{ readonly data: readonly ResourceRights[] }>('/v1/access')
  const all = data?.data ?? []
  const roles = useMemo(
    () => [...new Set(all.flatMap(({ rights }) => Object.keys(rights)))].sort(),
    [all],
  )
  const [chosen, setChosen] = useState('')
  if (error) return <NotFound message={error.message} />
  if (!data) return <PageSkeleton />
  const role = roles.includes(chosen) ? chosen : (roles[0] ?? '')
  return (
    <>
      <header className="part-head">
        <div>
          <h1>{PAGES.peopleParts.roles}</h1>
          <p className="quiet">{PAGES.rolesAbout}</p>
        </div>
        <div className="role-choice">
          <ChoiceField
            label={PAGES.role}
            value={role}
            onChange={setChosen}
            choices={roles.map((one) => ({ value: one, label: one }))}
          />
        </div>
      </header>
      <AccessWhy />
      <RightsTable all={all} role={role} />
      <FieldRights all={all} />
    </>
  )
}

interface TableProps {
  readonly all: readonly ResourceRights[]
  readonly role: string
}

/** The rights of one role, by module. */
function RightsTable({ all, role }: TableProps): ReactElement {
  const { boot } = useDesk()
  const groups = boot.modules
    .map(({ name, label }) => ({
      label,
      own: all.filter(({ module, rights }) => module === name && rights[role]),
    }))
    .filter(({ own }) => own.length > 0)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys
    <section className="part-table rights" tabIndex={0} aria-label={role}>
      <table>
        <thead>
          <tr>
            <th scope="col">{role}</th>
            {RIGHTS.map((right) => (
              <th key={right} scope="col">
                {PAGES.rights[right]}
              </th>
            ))}
          </tr>
        </thead>
        {groups.map(({ label, own }) => (
          <tbody key={label}>
            <tr className="module-row">
              <th scope="rowgroup" colSpan={RIGHTS.length + 1}>
                {label}
              </th>
            </tr>
            {own.map((one) => (
              <tr key={one.slug}>
                <th scope="row">
                  {sentenceCase(one.label)}
                  {one.limited.includes(role) ? (
                    <span className="quiet"> · {PAGES.someAlone}</span>
                  ) : null}
                </th>
                {RIGHTS.map((right) => (
                  <td key={right}>
                    {one.rights[role]?.includes(right) ? (
                      <>
                        <Icon name="check" size={14} />
                        <span className="visually-hidden">{PAGES.rights[right]}</span>
                      </>
                    ) : null}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </section>
  )
}

/** Fields that only some roles may read or set. */
function FieldRights({ all }: { all: readonly ResourceRights[] }): ReactElement | null {
  const own = all.filter(({ fields }) => fields.length > 0)
  if (own.length === 0) return null
  return (
    <>
      <h2 className="part-title">{PAGES.fieldRights}</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys */}
      <section className="part-table" tabIndex={0} aria-label={PAGES.fieldRights}>
        <table>
          <thead>
            <tr>
              <th scope="col">{PAGES.field}</th>
              <th scope="col">{PAGES.rights.read}</th>
              <th scope="col">{PAGES.rights.update}</th>
            </tr>
          </thead>
          <tbody>
            {own.flatMap(({ slug, label, fields }) =>
              fields.map(({ name, read, write }) => (
                <tr key={`${slug} ${name}`}>
                  <th scope="row">
                    {sentenceCase(label)} · <code>{name}</code>
                  </th>
                  <td className="roles-of">{read?.join(', ') ?? PAGES.likeRecord}</td>
                  <td className="roles-of">{write?.join(', ') ?? PAGES.likeRecord}</td>
                </tr>
              )),
            )}
          </tbody>
        </table>
      </section>
    </>
  )
}
