import '../style/report.css'
import { type ReactElement, useEffect, useState } from 'react'
import { Link } from 'wouter'
import { useDesk } from '../boot/desk-context.ts'
import { manages } from '../boot/manages.ts'
import { NotFound } from '../shell/not-found.tsx'
import { Icon } from '../ui/icon.tsx'
import { PageSkeleton } from '../ui/skeleton.tsx'
import { PAGES } from '../words/pages/en.ts'
import { useReports } from './use-report.ts'

/** `/r`: every report, by its module. */
export function ReportsPage(): ReactElement {
  const { boot } = useDesk()
  const isManager = manages(boot)
  const { data, error } = useReports()
  const [sought, setSought] = useState('')
  useEffect(() => {
    document.title = `${PAGES.reports} · ${boot.workspace.label}`
  }, [boot])
  if (error) return <NotFound message={error.message} />
  if (!data) return <PageSkeleton />
  const words = sought.trim().toLowerCase()
  const found = [...data.values()].filter(({ label, description }) =>
    `${label} ${description}`.toLowerCase().includes(words),
  )
  const groups = boot.modules
    .map(({ name, label }) => ({ label, own: found.filter(({ module }) => module === name) }))
    .filter(({ own }) => own.length > 0)
  return (
    <div className="reports-page">
      <div className="page-head">
        <h1>{PAGES.reports}</h1>
        <span className="count">{found.length}</span>
        <span className="search-box">
          <Icon name="search" size={14} />
          <input
            type="search"
            data-search
            aria-label={PAGES.findReport}
            placeholder={PAGES.findReport}
            value={sought}
            onChange={(event) => setSought(event.currentTarget.value)}
          />
        </span>
        {isManager ? (
          <div className="page-actions">
            <Link href="/studio/report" className="button">
              <Icon name="plus" size={14} />
              {PAGES.writeReport}
            </Link>
          </div>
        ) : null}
      </div>
      {groups.map(({ label, own }) => (
        <section key={label}>
          <h2>{label}</h2>
          <ul className="report-list">
            {own.map((report) => (
              <li key={report.slug}>
                <Link href={`/r/${report.slug}`}>
                  <Icon name={report.icon ?? 'chart-column'} />
                  <span>
                    <strong>{report.label}</strong>
                    <span className="quiet">{report.description}</span>
                  </span>
                  {report.allowed ? null : <Icon name="lock" size={13} />}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}
