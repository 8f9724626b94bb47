import { useDeskSettings } from '../data/desk-settings.ts'
import type { ListSettings, ResourceInfo } from '../data/types.ts'
import { columnsOf, type ListState } from './list-state.ts'
import { useSavedViews } from './saved-views.ts'

/** Narrowest and widest that a column gets, in pixels. */
export const WIDTHS = { least: 60, most: 900 } as const

/** Pixels that a key makes a column wider or narrower by. */
export const WIDTH_STEP = 24

/** The columns of a list as the person has them: which, in which order, how wide. */
export interface ListColumns {
  /** Widths that were chosen, by field. */
  readonly widths: Readonly<Record<string, number>>
  readonly widen: (field: string, width: number) => void
  /** Shows these columns in this order; undefined for the usual ones. */
  readonly choose: (fields: readonly string[] | undefined) => void
}

/** What is kept of the columns of a list outside its views. */
export function useKeptColumns(slug: string): ListSettings | undefined {
  return useDeskSettings().settings.lists?.[slug]
}

/** The columns of this list; what is changed is kept for the person, of a view under its own name. */
export function useColumns(resource: ResourceInfo, state: ListState): ListColumns {
  const { settings, change } = useDeskSettings()
  const { data: views = [] } = useSavedViews(resource.slug)
  const view = views.find(({ id }) => id === state.view)
  const key = view?.id ?? resource.slug
  const saved = Object.fromEntries(
    (view?.columns ?? []).flatMap(({ field, width }) => (width ? [[field, width]] : [])),
  )
  const own = settings.lists?.[key]
  const keep = (next: ListSettings): void =>
    change((all) => ({ ...all, lists: { ...all.lists, [key]: { ...own, ...next } } }))
  return {
    widths: { ...saved, ...own?.widths },
    widen(field, width) {
      const held = Math.round(Math.min(WIDTHS.most, Math.max(WIDTHS.least, width)))
      keep({ widths: { ...own?.widths, [field]: held } })
    },
    choose(fields) {
      // A view keeps its columns itself.
      if (!view) {
        const { fields: _old, ...rest } = own ?? {}
        change((all) => ({
          ...all,
          lists: { ...all.lists, [key]: fields ? { ...rest, fields } : rest },
        }))
      }
      const offset = state.offset > 0 ? String(state.offset) : undefined
      state.change({ fields: fields?.join(','), offset })
    },
  }
}

/** The columns with one of them moved by so many places. */
export function movedColumn(
  resource: ResourceInfo,
  state: ListState,
  field: string,
  by: number,
): readonly string[] {
  const names = columnsOf(resource, state.fields).map(({ name }) => name)
  const at = names.indexOf(field)
  const to = Math.max(0, Math.min(names.length - 1, at + by))
  return at < 0 ? names : names.toSpliced(at, 1).toSpliced(to, 0, field)
}
