import type { ReactElement } from 'react'
import type { FieldInfo, ResourceInfo } from '../data/types.ts'
import { IconButton } from '../ui/button.tsx'
import { WORDS } from '../words/en.ts'
import { sentenceCase } from '../words/sentence-case.ts'
import { columnsOf, type ListState } from './list-state.ts'
import { movedColumn, useColumns } from './use-columns.ts'

/** Chooses the columns of a list and their order; they stand in its address as the API's `fields`, and are kept for the person. */
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
  const { choose } = useColumns(resource, state)
  const move = (name: string, by: number): void => choose(movedColumn(resource, state, name, by))
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
            onClick={() => move(field.name, -1)}
          />
          <IconButton
            icon="arrow-down"
            label={WORDS.moveDown(label(field))}
            disabled={at === shown.length - 1}
            onClick={() => move(field.name, 1)}
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
      {state.fields ? (
        <button type="button" className="link-button" onClick={() => choose(undefined)}>
          {WORDS.usualColumns}
        </button>
      ) : null}
    </fieldset>
  )
}
