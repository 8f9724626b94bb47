import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactElement, Suspense, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useDesk } from '../boot/desk-context.ts'
import type { SavedView } from '../data/types.ts'
import type { ViewNaming } from '../list/saved-views.ts'
import { Icon } from '../ui/icon.tsx'
import { Menu } from '../ui/menu.tsx'
import { useToast } from '../ui/toast.tsx'
import { WORDS } from '../words/en.ts'
import type { ReportInfo } from './report-types.ts'
import type { ReportState } from './use-parameters.ts'

const ViewForm = lazy(() =>
  import('../list/view-form.tsx').then((file) => ({ default: file.ViewForm })),
)

/** The sets of filters that were saved of a report, as tabs: the person's own, and those shared with them. */
export function ReportViews({
  info,
  state,
}: {
  info: ReportInfo
  state: ReportState
}): ReactElement | null {
  const [isNaming, setNaming] = useState(false)
  const { views, save, remove } = useReportViews(info, state, () => setNaming(false))
  const active = views.find(({ id }) => id === state.view)
  const isOther = state.query !== (active?.query ?? '')
  if (views.length === 0 && !isOther) return null
  return (
    <div className="tabs no-print">
      <nav aria-label={WORDS.views}>
        <Link href={`/r/${info.slug}`} aria-current={active ? undefined : 'page'}>
          {WORDS.all}
        </Link>
        {views.map((view) => (
          <Link
            key={view.id}
            href={addressOf(info, view)}
            aria-current={view === active ? 'page' : undefined}
          >
            {view.title}
            {view.shared_with === null ? null : <Icon name="users" size={12} />}
          </Link>
        ))}
      </nav>
      {isOther ? (
        <button type="button" className="link-button" onClick={() => setNaming(true)}>
          <Icon name="plus" size={14} />
          {WORDS.saveView}
        </button>
      ) : null}
      {active?.own ? (
        <Menu
          label={WORDS.viewMenu(active.title)}
          trigger={<Icon name="ellipsis" />}
          items={[
            {
              label: WORDS.removeView,
              icon: 'trash-2',
              danger: true,
              onSelect: () => void remove(active),
            },
          ]}
        />
      ) : null}
      {isNaming ? (
        <Suspense>
          <ViewForm
            view={undefined}
            onClose={() => setNaming(false)}
            onSave={(naming) => void save(naming)}
          />
        </Suspense>
      ) : null}
    </div>
  )
}

/** The saved sets of a report, and what is done with them; what fails is told. */
function useReportViews(info: ReportInfo, state: ReportState, settle: () => void) {
  const { client } = useDesk()
  const queries = useQueryClient()
  const [, navigate] = useLocation()
  const tell = useToast()
  const resource = `reports/${info.slug}`
  const { data: views = [] } = useQuery({
    queryKey: ['views', resource],
    queryFn: async () => {
      const path = `/v1/list-views?${new URLSearchParams({ resource })}`
      return (await client.ask<{ data: readonly SavedView[] }>(path)).body.data
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
  async function attempt(write: () => Promise<string>): Promise<void> {
    try {
      const address = await write()
      await queries.invalidateQueries({ queryKey: ['views', resource] })
      settle()
      tell(WORDS.saved)
      navigate(address)
    } catch (error) {
      tell((error as Error).message, 'problem')
    }
  }
  const save = (naming: ViewNaming): Promise<void> =>
    attempt(async () => {
      const body = { resource, query: state.query, ...naming, is_default: false }
      const made = await client.ask<SavedView>('/v1/list-views', { method: 'POST', body })
      return addressOf(info, made.body)
    })
  const remove = ({ id }: SavedView): Promise<void> =>
    attempt(async () => {
      await client.ask(`/v1/list-views/${encodeURIComponent(id)}`, { method: 'DELETE' })
      return `/r/${info.slug}`
    })
  return { views, save, remove }
}

function addressOf({ slug }: ReportInfo, { id, query }: SavedView): string {
  const parameters = new URLSearchParams(query)
  parameters.set('view', id)
  return `/r/${slug}?${parameters}`
}
