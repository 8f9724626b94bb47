import { lazy, type ReactElement, Suspense, useEffect, useState } from 'react'
import { Link } from 'wouter'
import { useDesk } from '../boot/desk-context.ts'
import { useList, useResource } from '../data/queries.ts'
import type { ListAnswer, ResourceInfo } from '../data/types.ts'
import { NotFound } from '../shell/not-found.tsx'
import { Icon } from '../ui/icon.tsx'
import { PageSkeleton } from '../ui/skeleton.tsx'
import { useNarrow } from '../ui/use-narrow.ts'
import { WORDS } from '../words/en.ts'
import { inSentence, sentenceCase } from '../words/sentence-case.ts'
import { LayoutSwitch } from './layout-switch.tsx'
import { layoutsOf } from './layouts.ts'
import { narrowing, pageQuery } from './list-address.ts'
import { ListCards } from './list-cards.tsx'
import { ListEmpty } from './list-empty.tsx'
import { ListFoot } from './list-foot.tsx'
import { groupableFields } from './list-groups.ts'
import { ListMenu } from './list-menu.tsx'
import { type ListState, listQuery, useListState } from './list-state.ts'
import { ListTable } from './list-table.tsx'
import { ListTools } from './list-tools.tsx'
import { useKeptColumns } from './use-columns.ts'
import { ViewTabs } from './view-tabs.tsx'

const BulkBar = lazy(() => import('./bulk-bar.tsx').then((file) => ({ default: file.BulkBar })))
const GroupedTable = lazy(() =>
  import('./grouped-table.tsx').then((file) => ({ default: file.GroupedTable })),
)
const LAYOUTS = {
  board: lazy(() => import('../layouts/board.tsx').then((file) => ({ default: file.Board }))),
  calendar: lazy(() =>
    import('../layouts/calendar.tsx').then((file) => ({ default: file.Calendar })),
  ),
  tree: lazy(() => import('../layouts/tree.tsx').then((file) => ({ default: file.Tree }))),
}

/** `/{slug}`: the records of a resource. */
export function ListPage({ slug }: { slug: string }): ReactElement {
  const resource = useResource(slug)
  const state = useListState(useKeptColumns(slug)?.fields)
  // What a list shows by itself the server knows too: it can be asked for before its fields are known here.
  const isUsual = !state.fields && state.layout === 'table'
  const query = resource.data ? listQuery(resource.data, state) : isUsual ? pageQuery(state) : ''
  const layout = resource.data ? layoutIn(resource.data, state) : 'table'
  const counted = new URLSearchParams({ ...narrowing(state), fields: 'id', limit: '1' })
  const asked = layout === 'table' ? query : counted.toString()
  const list = useList(slug, asked, resource.data !== undefined || isUsual)
  const Other = layout === 'table' ? undefined : LAYOUTS[layout]
  const title = resource.data ? sentenceCase(resource.data.label_plural) : undefined
  const { boot } = useDesk()
  useEffect(() => {
    if (title) document.title = `${title} · ${boot.workspace.label}`
  }, [title, boot])
  if (resource.error) return <NotFound message={resource.error.message} />
  if (!resource.data || !title) return <PageSkeleton />
  return (
    <div className="list-page" data-list={slug}>
      <ListHead
        resource={resource.data}
        title={title}
        total={list.data?.meta.total}
        query={query}
        state={state}
      />
      <ViewTabs key={`${slug} views`} resource={resource.data} state={state} />
      <ListTools key={slug} resource={resource.data} state={state} />
      {Other ? (
        <Suspense fallback={<PageSkeleton />}>
          <Other resource={resource.data} state={state} />
        </Suspense>
      ) : list.error && !list.data ? (
        <div className="empty" role="alert">
          <p>{list.error.message}</p>
        </div>
      ) : (
        <ListBody
          resource={resource.data}
          state={state}
          answer={list.data}
          isOld={list.isPlaceholderData}
        />
      )}
    </div>
  )
}

/** How a list is looked at: as its address says, where the resource has that; what narrows a tree makes it a table. */
function layoutIn(resource: ResourceInfo, state: ListState) {
  const named = layoutsOf(resource).find((one) => one === state.layout) ?? 'table'
  const isNarrowed = state.q !== '' || state.filters.length > 0
  return named === 'tree' && isNarrowed ? 'table' : named
}

interface BodyProps {
  readonly resource: ResourceInfo
  readonly state: ListState
  readonly answer: ListAnswer | undefined
  /** Whether what is shown is the page before, while the asked one is on its way. */
  readonly isOld: boolean
}

function ListBody({ resource, state, answer, isOld }: BodyProps): ReactElement {
  const isNarrow = useNarrow()
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  if (!answer) return <PageSkeleton />
  if (answer.data.length === 0) return <ListEmpty resource={resource} state={state} />
  const Rows = isNarrow ? ListCards : ListTable
  const by = groupableFields(resource).find(({ name }) => name === state.group)
  return (
    <>
      <div className="list-rows" data-old={isOld} aria-busy={isOld}>
        {by && !isNarrow ? (
          <Suspense fallback={<PageSkeleton />}>
            <GroupedTable
              resource={resource}
              state={state}
              by={by}
              selected={selected}
              onSelect={setSelected}
            />
          </Suspense>
        ) : (
          <Rows
            resource={resource}
            state={state}
            rows={answer.data}
            selected={selected}
            onSelect={setSelected}
          />
        )}
      </div>
      {by && !isNarrow ? null : <ListFoot state={state} meta={answer.meta} />}
      {selected.size > 0 ? (
        <Suspense>
          <BulkBar
            resource={resource}
            state={state}
            rows={answer.data}
            total={answer.meta.total}
            selected={selected}
            onSelect={setSelected}
          />
        </Suspense>
      ) : null}
    </>
  )
}

interface HeadProps {
  readonly resource: ResourceInfo
  readonly title: string
  readonly total: number | undefined
  readonly query: string
  readonly state: ListState
}

function ListHead({ resource, title, total, query, state }: HeadProps): ReactElement {
  const { formats, entryOf } = useDesk()
  const can = entryOf(resource.slug)?.can ?? []
  return (
    <div className="page-head">
      <h1>{title}</h1>
      <span className="count" role="status" aria-live="polite">
        {total === undefined ? '' : total.toLocaleString(formats.locale)}
        <span className="visually-hidden"> {total === undefined ? '' : WORDS.results('')}</span>
      </span>
      <div className="page-actions">
        <LayoutSwitch resource={resource} state={state} />
        <ListMenu resource={resource} title={title} query={query} state={state} />
        {can.includes('create') ? (
          <Link href={`/${resource.slug}/new`} className="button-primary" data-new>
            <Icon name="plus" />
            {WORDS.newOne(inSentence(resource.label))}
          </Link>
        ) : null}
      </div>
    </div>
  )
}
