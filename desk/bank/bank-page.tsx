import '../style/bank.css'
import { type ReactElement, useEffect } from 'react'
import { useSearch } from 'wouter'
import { useDesk } from '../boot/desk-context.ts'
import { useResource } from '../data/queries.ts'
import type { ResourceInfo } from '../data/types.ts'
import { Locked } from '../shell/locked.tsx'
import { NotFound } from '../shell/not-found.tsx'
import { useServing } from '../together/serving.ts'
import { PageSkeleton } from '../ui/skeleton.tsx'
import { PAGES } from '../words/pages/en.ts'
import { AccountTabs } from './account-tabs.tsx'
import { Matching } from './matching.tsx'
import { StatementDrop } from './statement-drop.tsx'

/** `/bank`: what the bank says, line by line, and what each line stands for. */
export function BankPage(): ReactElement {
  const { boot } = useDesk()
  const lines = useServing('bank_lines')
  const { data: resource, error } = useResource(lines?.slug ?? '', lines !== undefined)
  useEffect(() => {
    document.title = `${PAGES.bank} · ${boot.workspace.label}`
  }, [boot])
  const closed = boot.resources.find(({ serves, locked }) => serves === 'bank_lines' && locked)
  if (closed) return <Locked entry={closed} />
  if (!lines || error) return <NotFound />
  return resource ? <Bank resource={resource} /> : <PageSkeleton />
}

function Bank({ resource }: { resource: ResourceInfo }): ReactElement {
  const account = new URLSearchParams(useSearch()).get('account') ?? ''
  return (
    <StatementDrop account={account}>
      {(choose) => (
        <div className="bank-page">
          <AccountTabs resource={resource} account={account} choose={choose} />
          <Matching key={account} resource={resource} account={account} choose={choose} />
        </div>
      )}
    </StatementDrop>
  )
}
