import type { ReactElement } from 'react'
import type { ResourceInfo } from '../data/types.ts'
import { WORDS } from '../words/en.ts'
import { sentenceCase } from '../words/sentence-case.ts'
import { groupableFields } from './list-groups.ts'
import type { ListState } from './list-state.ts'

/** Chooses the field whose values a list stands in groups by; it stands in the address. */
export function GroupChoice({
  resource,
  state,
}: {
  resource: ResourceInfo
  state: ListState
}): ReactElement {
  const choices = [
    { name: '', label: WORDS.noGroups },
    ...groupableFields(resource).map(({ name, label }) => ({ name, label: sentenceCase(label) })),
  ]
  return (
    <fieldset className="checks tall">
      <legend className="visually-hidden">{WORDS.groupBy}</legend>
      {choices.map(({ name, label }) => (
        <label key={name}>
          <input
            type="radio"
            name="group"
            checked={state.group === name}
            onChange={() => state.change({ group: name })}
          />
          {label}
        </label>
      ))}
    </fieldset>
  )
}
