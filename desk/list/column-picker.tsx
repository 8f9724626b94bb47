import type { ReactElement } from 'react'
import type { FieldInfo, ResourceInfo } from '../data/types.ts'
import { IconButton } from '../ui/button.tsx'
import { WORDS } from '../words/en.ts'
import { sentenceCase } from '../words/sentence-case.ts'
import { columnsOf, type ListState } from './list-state.ts'

/** Chooses the columns of a list and their order; they stand in its address as the API's `fields`. */
export function ColumnPicker({
  resource,
  state,
}: {
  resource: ResourceInfo
  state: ListState
}): ReactElement {
  const shown = columnsOf(resource, state.fields)
  const names = shown.map(({ name }) => name)
  const others = resource.fields.filter(
    ({ in_list, hidden, type, name }) =>
      in_list &&
      !hidden &&
      type !== 'table' &&
      !names.includes(name) &&
      !['id', 'name', resource.title_field].includes(name),
  )
  function choose(next: readonly string[]): void {
    state.change({
      fields: next.join(','),
      offset: state.offset > 0 ? String(state.offset) : undefined,
    })
  }
  function move(at: number, by: number): void {
    const next = names.toSpliced(at, 1)
    choose(next.toSpliced(at + by, 0, names[at]!))
  }
  const label = ({ name, label }: FieldInfo): string =>
    name === 'modified' ? WORDS.updated : sentenceCase(label)
  return (
    <fieldset className="checks tall">
      <legend className="visually-hidden">{WORDS.columns}</legend>
      {shown.map((field, at) => (
        <div key={field.name} className="check-line">
          <label>
            <input
              type="checkbox"
              checked
              onChange={() => choose(names.filter((one) => one !== field.name))}
            />
            {label(field)}
          </label>
          <IconButton
            icon="arrow-up"
            label={WORDS.moveUp(label(field))}
            disabled={at === 0}
            onClick={() => move(at, -1)}
          />
          <IconButton
            icon="arrow-down"
            label={WORDS.moveDown(label(field))}
            disabled={at === shown.length - 1}
            onClick={() => move(at, 1)}
          />
        </div>
      ))}
      {others.length > 0 && shown.length > 0 ? <hr /> : null}
      {others.map((field) => (
        <label key={field.name}>
          <input type="checkbox" checked={false} onChange={() => choose([...names, field.name])} />
          {label(field)}
        </label>
      ))}
    </fieldset>
  )
}
