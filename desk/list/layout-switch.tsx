import type { ReactElement } from 'react'
import type { ResourceInfo } from '../data/types.ts'
import { Icon } from '../ui/icon.tsx'
import { WORDS } from '../words/en.ts'
import { layoutsOf } from './layouts.ts'
import type { ListState } from './list-state.ts'

const ICONS = {
  table: 'table-2',
  board: 'square-kanban',
  calendar: 'calendar-days',
  tree: 'list-tree',
} as const

/** Chooses how a list is looked at, where there is more than one way. */
export function LayoutSwitch({
  resource,
  state,
}: {
  resource: ResourceInfo
  state: ListState
}): ReactElement | null {
  const all = layoutsOf(resource)
  if (all.length < 2) return null
  return (
    <fieldset className="switch">
      <legend className="visually-hidden">{WORDS.layout}</legend>
      {all.map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={state.layout === name}
          aria-label={WORDS.layouts[name]}
          title={WORDS.layouts[name]}
          onClick={() => state.change({ layout: name === 'table' ? undefined : name })}
        >
          <Icon name={ICONS[name]} />
        </button>
      ))}
    </fieldset>
  )
}
