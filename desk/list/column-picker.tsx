import type { ReactElement } from 'react'
import type { ResourceInfo } from '../data/types.ts'
import { WORDS } from '../words/en.ts'
import { sentenceCase } from '../words/sentence-case.ts'
import { columnsOf, type ListState } from './list-state.ts'

/** Chooses the columns of a list; they stand in its address as the API's `fields`. */
export function ColumnPicker({
  resource,
  state,
}: {
  resource: ResourceInfo
  state: ListState
}): ReactElement {
  const shown = columnsOf(resource, state.fields).map(({ name }) => name)
  const can = resource.fields.filter(
    ({ in_list, hidden, type }) => in_list && !hidden && type !== 'table',
  )
  function toggle(name: string): void {
    const next = shown.includes(name) ? shown.filter((one) => one !== name) : [...shown, name]
    state.change({
      fields: next.join(','),
      offset: state.offset > 0 ? String(state.offset) : undefined,
    })
  }
  return (
    <fieldset className="checks tall">
      <legend className="visually-hidden">{WORDS.columns}</legend>
      {can
        .filter(({ name }) => !['id', 'name', resource.title_field].includes(name))
        .map(({ name, label }) => (
          <label key={name}>
            <input type="checkbox" checked={shown.includes(name)} onChange={() => toggle(name)} />
            {sentenceCase(label)}
          </label>
        ))}
    </fieldset>
  )
}
