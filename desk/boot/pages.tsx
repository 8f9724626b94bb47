import { type ComponentType, lazy, type ReactElement, type ReactNode, Suspense } from 'react'
import { Route, Switch } from 'wouter'
import { HomePage } from '../home/home-page.tsx'
import { ListPage } from '../list/list-page.tsx'
import { Locked } from '../shell/locked.tsx'
import { NotFound } from '../shell/not-found.tsx'
import { PageSkeleton } from '../ui/skeleton.tsx'
import { speakPages } from '../words/pages/speak-pages.ts'
import { speakWork } from '../words/work/speak-work.ts'
import { useDesk } from './desk-context.ts'

const RecordPage = lazy(() =>
  import('../record/record-page.tsx').then((file) => ({ default: file.RecordPage })),
)

const AllRecords = lazy(() =>
  import('../shell/all-records.tsx').then((file) => ({ default: file.AllRecords })),
)

const ImportPage = lazy(() =>
  import('../import/import-page.tsx').then((file) => ({ default: file.ImportPage })),
)

/** A page that is loaded when it is looked at, with the words of its language. */
function page<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async () => {
    const [component] = await Promise.all([load(), speakPages()])
    return { default: component }
  })
}

const InboxPage = page(async () => (await import('../inbox/inbox-page.tsx')).InboxPage)

const ReportPage = page(async () => (await import('../report/report-page.tsx')).ReportPage)
const ReportBuilder = page(async () => (await import('../report/report-builder.tsx')).ReportBuilder)
const ReportsPage = page(async () => (await import('../report/reports-page.tsx')).ReportsPage)

const WorkspacePage = page(async () => (await import('../home/workspace-page.tsx')).WorkspacePage)

const BankPage = page(async () => (await import('../bank/bank-page.tsx')).BankPage)

/** A page of work at hand, with its own words. */
function workPage<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async () => {
    const [component] = await Promise.all([load(), speakWork()])
    return { default: component }
  })
}

const StockPage = workPage(async () => (await import('../stock/stock-page.tsx')).StockPage)
const MePage = workPage(async () => (await import('../me/me-page.tsx')).MePage)
const CountPage = workPage(async () => (await import('../stock/count-page.tsx')).CountPage)

const TillPage = workPage(async () => (await import('../till/till-page.tsx')).TillPage)

const DeveloperPage = page(
  async () => (await import('../developer/developer-page.tsx')).DeveloperPage,
)

const PeoplePage = page(async () => (await import('../people/people-page.tsx')).PeoplePage)

const StudioPage = page(async () => (await import('../studio/studio-page.tsx')).StudioPage)

const WrittenReportPage = page(
  async () => (await import('../studio/written-report.tsx')).WrittenReportPage,
)
const NewDocTypePage = page(async () => (await import('../studio/new-page.tsx')).NewDocTypePage)

/** The pages by their addresses (desk.md 4.0). */
export function Pages(): ReactElement {
  return (
    <Suspense fallback={<PageSkeleton />}>
      <Switch>
        <Route path="/">
          <HomePage />
        </Route>
        <Route path="/all">
          <AllRecords />
        </Route>
        <Route path="/inbox">
          <InboxPage />
        </Route>
        <Route path="/r">
          <ReportsPage />
        </Route>
        <Route path="/r/new">
          <ReportBuilder />
        </Route>
        <Route path="/r/:report">{({ report }) => <ReportPage key={report} slug={report} />}</Route>
        <Route path="/w/:workspace">
          {({ workspace }) => <WorkspacePage key={workspace} name={workspace} />}
        </Route>
        <Route path="/bank">
          <BankPage />
        </Route>
        <Route path="/pos">
          <TillPage />
        </Route>
        <Route path="/stock">
          <StockPage />
        </Route>
        <Route path="/me">
          <MePage />
        </Route>
        <Route path="/count">
          <CountPage />
        </Route>
        <Route path="/developer/:part">{({ part }) => <DeveloperPage part={part} />}</Route>
        <Route path="/settings/:part">{({ part }) => <PeoplePage part={part} />}</Route>
        <Route path="/studio/new">
          <NewDocTypePage />
        </Route>
        <Route path="/studio/report">
          <WrittenReportPage />
        </Route>
        <Route path="/:slug/studio">
          {({ slug }) => known(slug, <StudioPage key={`${slug}/studio`} slug={slug} />)}
        </Route>
        <Route path="/:slug">
          {({ slug }) => known(slug, <ListPage key={slug} slug={slug} />)}
        </Route>
        <Route path="/:slug/new">
          {({ slug }) => known(slug, <RecordPage key={`${slug}/new`} slug={slug} id={undefined} />)}
        </Route>
        <Route path="/:slug/import">
          {({ slug }) => known(slug, <ImportPage key={`${slug}/import`} slug={slug} />)}
        </Route>
        <Route path="/:slug/:id">
          {({ slug, id }) =>
            known(slug, <RecordPage key={`${slug}/${id}`} slug={slug} id={idHere()} />)
          }
        </Route>
        <Route>
          <NotFound />
        </Route>
      </Switch>
    </Suspense>
  )
}

function known(slug: string, page: ReactNode): ReactElement {
  return <Known slug={slug}>{page}</Known>
}

/** Identifier in the address: what the router has decoded once may have a `%` of its own. */
function idHere(): string {
  return decodeURIComponent(location.pathname.split('/')[2] ?? '')
}

/** Draws the page of a resource that the person may see and the plan has; says so of others. */
function Known({ slug, children }: { slug: string; children: ReactNode }): ReactNode {
  const entry = useDesk().entryOf(slug)
  if (!entry) return <NotFound />
  return entry.locked ? <Locked entry={entry} /> : children
}
