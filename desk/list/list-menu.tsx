import type { ReactElement } from 'react'
import { useLocation } from 'wouter'
import { useDesk } from '../boot/desk-context.ts'
import type { ResourceInfo } from '../data/types.ts'
import { usePinItem } from '../shell/pins.ts'
import { useServing } from '../together/serving.ts'
import { Icon } from '../ui/icon.tsx'
import { Menu, type MenuItem } from '../ui/menu.tsx'
import { useToast } from '../ui/toast.tsx'
import { WORDS } from '../words/en.ts'
import { narrowing } from './list-address.ts'
import type { ListState } from './list-state.ts'
import { useExport } from './use-export.ts'

interface ListMenuProps {
  readonly resource: ResourceInfo
  readonly title: string
  readonly query: string
  readonly state: ListState
}

/** What else can be done with a list: rows brought in and out, a report made of it, its address kept. */
export function ListMenu({ resource, title, query, state }: ListMenuProps): ReactElement {
  const { entryOf } = useDesk()
  const tell = useToast()
  const [, navigate] = useLocation()
  const can = entryOf(resource.slug)?.can ?? []
  // Who keeps the people keeps the definitions too.
  const isManager = useServing('users')?.can.includes('create') === true
  const save = useExport(resource)
  const pin = usePinItem(title)
  const address = `${location.origin}/v1/${resource.slug}?${query}`
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(`curl '${address}' -H "Authorization: Bearer $KEY"`)
    tell(WORDS.saved)
  }
  const items: readonly (MenuItem & { readonly isThere?: boolean })[] = [
    {
      label: WORDS.importButton,
      icon: 'upload',
      isThere: can.includes('import'),
      onSelect: () => navigate(`/${resource.slug}/import`),
    },
    {
      label: WORDS.exportCsv,
      icon: 'download',
      isThere: can.includes('export'),
      onSelect: () => void save({ filter: narrowing(state) }),
    },
    {
      label: WORDS.makeReport,
      icon: 'chart-column',
      isThere: isManager,
      onSelect: () => navigate(builderOf(resource, state)),
    },
    { label: WORDS.copyCurl, icon: 'copy', onSelect: () => void copy() },
    pin,
    {
      label: WORDS.changeForm,
      icon: 'wrench',
      isThere: isManager,
      onSelect: () => navigate(`/${resource.slug}/studio`),
    },
  ]
  return (
    <Menu
      label={WORDS.more}
      trigger={<Icon name="ellipsis" />}
      items={items.filter(({ isThere = true }) => isThere)}
    />
  )
}

/** The page that makes a report of a list as it stands; words that are searched for are no part of one. */
function builderOf({ slug }: ResourceInfo, state: ListState): string {
  const query = new URLSearchParams(narrowing({ ...state, q: '' })).toString()
  const parts = { resource: slug, ...(query === '' ? {} : { query }) }
  const more = state.group === '' ? {} : { group: state.group }
  return `/r/new?${new URLSearchParams({ ...parts, ...more })}`
}
