import '../style/me.css'
import type { ReactElement, ReactNode } from 'react'
import { Link } from 'wouter'
import { useDesk } from '../boot/desk-context.ts'
import { formatValue } from '../data/format.ts'
import { useResource } from '../data/queries.ts'
import type { RecordData } from '../data/types.ts'
import type { PagePart, WorkPage } from '../home/workspace-types.ts'
import { NotFound } from '../shell/not-found.tsx'
import { PageSkeleton } from '../ui/skeleton.tsx'
import { WORK } from '../words/work/en.ts'
import { OnPage } from '../work/on-page.tsx'
import { fieldOf } from '../work/use-work-page.ts'
import { Decisions } from './decisions.tsx'
import { ExpenseForm } from './expense-form.tsx'
import { useOwn, useOwnRecords } from './use-own.ts'

/** `/me`: what waits for the person's word, their leave, payslips and expenses. */
export function MePage(): ReactElement {
  return <OnPage name="me">{(page) => <Me page={page} />}</OnPage>
}

function Me({ page }: { page: WorkPage }): ReactElement {
  const { boot } = useDesk()
  const { parts } = page
  const { data: own, error } = useOwn(parts.person!)
  if (error) return <NotFound message={error.message} />
  if (own === undefined) return <PageSkeleton />
  const waiting = [parts.decide_leave, parts.decide_expenses].filter((part) => part !== undefined)
  return (
    <div className="me">
      <h1>{boot.person.full_name}</h1>
      {waiting.length > 0 ? <Decisions parts={waiting} /> : null}
      {own === null ? <p className="quiet">{WORK.notYou}</p> : <Own page={page} own={own} />}
    </div>
  )
}

function Own({ page: { parts }, own }: { page: WorkPage; own: RecordData }): ReactElement {
  const { leave, payslips, expenses } = parts
  return (
    <div className="me-parts">
      {leave ? (
        <Part
          title={WORK.myLeave}
          part={leave}
          own={own.id}
          roles={['kind', 'from', 'to']}
          none={WORK.noLeave}
        >
          <Link className="button plain" href={`/${leave.resource}/new`}>
            {WORK.askLeave}
          </Link>
          <Link className="button plain" href={`/${leave.resource}?layout=calendar`}>
            {WORK.leaveCalendar}
          </Link>
        </Part>
      ) : null}
      {expenses ? (
        <Part
          title={WORK.myExpenses}
          part={expenses}
          own={own.id}
          roles={['total']}
          none={WORK.noExpenses}
        >
          <ExpenseForm part={expenses} own={own.id} />
        </Part>
      ) : null}
      {payslips ? (
        <Part
          title={WORK.myPayslips}
          part={payslips}
          own={own.id}
          roles={['from', 'to', 'amount']}
          none={WORK.noPayslips}
        />
      ) : null}
    </div>
  )
}

interface PartProps {
  readonly title: string
  readonly part: PagePart
  readonly own: string
  /** Roles whose values say what a record is. */
  readonly roles: readonly string[]
  readonly none: string
  readonly children?: ReactNode
}

/** One's own records of a kind, newest first, with what can be done beside them. */
function Part({ title, part, own, roles, none, children }: PartProps): ReactElement {
  const { formats } = useDesk()
  const { data: resource } = useResource(part.resource)
  const { data } = useOwnRecords(part, own)
  const textOf = (row: RecordData, role: string): string => {
    const name = fieldOf(part, role)
    const field = resource?.fields.find((one) => one.name === name)
    return field ? formatValue(field, row, formats) : ''
  }
  // At the end stands its state, else what it comes to.
  const [last, ...first] =
    part.fields.state === undefined ? [...roles].reverse() : ['state', ...[...roles].reverse()]
  const shown = [...first].reverse()
  return (
    <section className="me-part" aria-label={title}>
      <h2>{title}</h2>
      {children}
      {data?.length === 0 ? <p className="quiet">{none}</p> : null}
      <ul>
        {(data ?? []).map((row) => (
          <li key={row.id}>
            <Link href={`/${part.resource}/${encodeURIComponent(row.id)}`}>
              <span>{shown.map((role) => textOf(row, role)).join(' · ')}</span>
              <span className="quiet">{textOf(row, last ?? '')}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
