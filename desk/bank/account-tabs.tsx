import type { ReactElement, ReactNode } from 'react'
import { Link } from 'wouter'
import { useDesk } from '../boot/desk-context.ts'
import type { ResourceInfo } from '../data/types.ts'
import { PAGES } from '../words/pages/en.ts'
import { useAccounts } from './use-lines.ts'

interface TabsProps {
  readonly resource: ResourceInfo
  readonly account: string
  /** What takes a statement. */
  readonly choose: ReactNode
}

/** Head of the page: the accounts that have lines to match, with how many, and the way a statement comes in. */
export function AccountTabs({ resource, account, choose }: TabsProps): ReactElement {
  const { formats } = useDesk()
  const { data: accounts = [] } = useAccounts(resource.slug)
  const all = accounts.reduce((sum, { count }) => sum + count, 0)
  return (
    <>
      <div className="page-head">
        <h1>{PAGES.bank}</h1>
        <span className="count" role="status" aria-live="polite">
          {PAGES.linesToMatch(all.toLocaleString(formats.locale))}
        </span>
        <div className="page-actions">
          <Link href={`/${resource.slug}`} className="button">
            {PAGES.allLines}
          </Link>
          {choose}
        </div>
      </div>
      {accounts.length > 1 || account !== '' ? (
        <div className="tabs">
          <nav aria-label={PAGES.accounts}>
            <Link href="/bank" aria-current={account === '' ? 'page' : undefined}>
              {PAGES.allAccounts}
            </Link>
            {accounts.map(({ id, label, count }) => (
              <Link
                key={id}
                href={`/bank?${new URLSearchParams({ account: id })}`}
                aria-current={account === id ? 'page' : undefined}
              >
                {label} <span className="quiet">{count}</span>
              </Link>
            ))}
          </nav>
        </div>
      ) : null}
    </>
  )
}
