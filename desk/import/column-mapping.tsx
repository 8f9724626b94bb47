import type { ReactElement } from 'react'
import { ChoiceField } from '../ui/fields.tsx'
import { WORDS } from '../words/en.ts'
import { sentenceCase } from '../words/sentence-case.ts'
import type { Import } from './use-import.ts'

/** Values of a column that are shown. */
const SAMPLES = 3

/** Which field each column of the file is; a column without one is left out. */
export function ColumnMapping({
  rows,
  work,
}: {
  rows: readonly (readonly string[])[]
  work: Import
}): ReactElement {
  const { targets, mapping, map } = work
  const [head = [], ...body] = rows
  const used = new Set(Object.values(mapping))
  const missing = targets.filter(({ path, isRequired }) => isRequired && !used.has(path))
  const choices = [
    { value: 'id', label: 'ID' },
    ...targets.map(({ path, label }) => ({ value: path, label: sentenceCase(label) })),
  ]
  return (
    <>
      <fieldset className="mapping">
        <legend className="visually-hidden">{WORDS.columns}</legend>
        {head.map((heading, at) => {
          const name = heading.trim()
          const samples = body
            .map((row) => row[at] ?? '')
            .filter(Boolean)
            .slice(0, SAMPLES)
          return (
            <div key={`${at} ${name}`} data-left-out={mapping[name] === null}>
              <ChoiceField
                label={name}
                description={samples.join(' · ')}
                value={mapping[name] ?? ''}
                onChange={(path) => map(name, path === '' ? null : path)}
                choices={choices.filter(({ value }) => value === mapping[name] || !used.has(value))}
              />
            </div>
          )
        })}
      </fieldset>
      {missing.length > 0 ? (
        <p className="import-missing" role="status">
          {WORDS.missingColumns(missing.map(({ label }) => sentenceCase(label)).join(', '))}
        </p>
      ) : null}
    </>
  )
}
