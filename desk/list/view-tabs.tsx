import { lazy, type ReactElement, Suspense, useEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { ResourceInfo, SavedView } from '../data/types.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { Menu } from '../ui/menu.tsx'
import { useToast } from '../ui/toast.tsx'
import { WORDS } from '../words/en.ts'
import type { ListState } from './list-state.ts'
import {
  hasChanged,
  useSavedViews,
  useViewWrites,
  type ViewNaming,
  viewAddress,
  viewBody,
} from './saved-views.ts'
import { useColumns } from './use-columns.ts'

const ViewForm = lazy(() => import('./view-form.tsx').then((file) => ({ default: file.ViewForm })))

interface TabsProps {
  readonly resource: ResourceInfo
  readonly state: ListState
}

/** The views of a list as tabs, and what keeps the list as it stands. */
export function ViewTabs({ resource, state }: TabsProps): ReactElement | null {
  const { slug } = resource
  const { data: views = [] } = useSavedViews(slug)
  const [isNaming, setNaming] = useState<'new' | 'rename'>()
  const work = useTabWork(resource, state, () => setNaming(undefined))
  const active = views.find(({ id }) => id === state.view)
  useDefaultView(slug, views)
  const isOther = active
    ? hasChanged(active, resource, state)
    : state.filters.length > 0 || state.q !== '' || isNamed(state.group, 'fields')
  if (views.length === 0 && !isOther && isNaming === undefined) return null
  return (
    <div className="tabs">
      <nav aria-label={WORDS.views}>
        <Link href={`/${slug}?view=all`} aria-current={active ? undefined : 'page'}>
          {WORDS.all}
        </Link>
        {views.map((view) => (
          <Link
            key={view.id}
            href={viewAddress(view)}
            aria-current={view === active ? 'page' : undefined}
          >
            {view.title}
            {view.shared_with === null ? null : <Icon name="users" size={12} />}
          </Link>
        ))}
      </nav>
      {isOther && active?.own ? (
        <Button onClick={() => void work.keep(active)}>{WORDS.keepView}</Button>
      ) : null}
      {isOther ? (
        <button type="button" className="link-button" onClick={() => setNaming('new')}>
          <Icon name="plus" size={14} />
          {WORDS.saveView}
        </button>
      ) : null}
      {active?.own ? (
        <Menu
          label={WORDS.viewMenu(active.title)}
          trigger={<Icon name="ellipsis" />}
          items={[
            { label: WORDS.renameView, icon: 'pencil', onSelect: () => setNaming('rename') },
            {
              label: WORDS.removeView,
              icon: 'trash-2',
              danger: true,
              onSelect: () => void work.remove(active),
            },
          ]}
        />
      ) : null}
      {isNaming === undefined ? null : (
        <Suspense>
          <ViewForm
            view={isNaming === 'rename' ? active : undefined}
            onClose={() => setNaming(undefined)}
            onSave={(naming) =>
              void (isNaming === 'rename' && active
                ? work.rename(active, naming)
                : work.create(naming))
            }
          />
        </Suspense>
      )}
    </div>
  )
}

/** Whether an address says how the list looks beside what narrows it. */
function isNamed(group: string, parameter: string): boolean {
  return group !== '' || new URLSearchParams(location.search).has(parameter)
}

/** A list nobody has narrowed opens as its default view. */
function useDefaultView(slug: string, views: readonly SavedView[]): void {
  const [, navigate] = useLocation()
  useEffect(() => {
    const own = views.find((view) => view.own && view.is_default)
    if (own && location.search === '' && location.pathname === `/${slug}`)
      navigate(viewAddress(own), { replace: true })
  }, [views, slug, navigate])
}

/** What the tabs do; what fails is told. */
function useTabWork(resource: ResourceInfo, state: ListState, settle: () => void) {
  const [, navigate] = useLocation()
  const tell = useToast()
  const writes = useViewWrites(resource.slug)
  const { widths } = useColumns(resource, state)
  async function attempt(write: () => Promise<string>): Promise<void> {
    try {
      const address = await write()
      settle()
      tell(WORDS.saved)
      navigate(address)
    } catch (error) {
      tell((error as Error).message, 'problem')
    }
  }
  return {
    create: (naming: ViewNaming) =>
      attempt(async () =>
        viewAddress(await writes.create({ ...viewBody(resource, state, widths), ...naming })),
      ),
    keep: ({ id }: SavedView) =>
      attempt(async () => {
        const { resource: _same, ...body } = viewBody(resource, state, widths)
        return viewAddress(await writes.change(id, body))
      }),
    rename: ({ id }: SavedView, naming: ViewNaming) =>
      attempt(async () => viewAddress(await writes.change(id, naming))),
    remove: ({ id }: SavedView) =>
      attempt(async () => {
        await writes.remove(id)
        return `/${resource.slug}?view=all`
      }),
  }
}
