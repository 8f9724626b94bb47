import { useQueryClient } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import type { Answer } from '../data/client.ts'
import { formatValue } from '../data/format.ts'
import type { RecordData, ResourceInfo } from '../data/types.ts'
import { Button } from '../ui/button.tsx'
import { WORDS } from '../words/en.ts'
import { sentenceCase } from '../words/sentence-case.ts'
import type { Draft } from './draft.ts'

interface ConflictProps {
  readonly resource: ResourceInfo
  readonly draft: Draft
  readonly theirs: Answer<RecordData>
  readonly settle: () => void
}

/** Somebody else was faster: what was typed is kept, and both are shown field by field. */
export function Conflict({ resource, draft, theirs, settle }: ConflictProps): ReactElement {
  const { formats } = useDesk()
  const queries = useQueryClient()
  const fields = resource.fields.filter(({ name }) => draft.changed.has(name))
  // Their record becomes what the draft stands on; only then does a save go through.
  function go(isMine: boolean): void {
    if (!isMine) draft.reset()
    settle()
    queries.setQueryData(['record', resource.slug, theirs.body.id], theirs)
  }
  return (
    <section className="notice conflict" role="alert" aria-label={WORDS.conflictTitle}>
      <div>
        <strong>{WORDS.conflictTitle}</strong>
        <p>{WORDS.conflictHint}</p>
        <table>
          <thead>
            <tr>
              <th>{WORDS.field}</th>
              <th>{WORDS.mine}</th>
              <th>{WORDS.theirs}</th>
            </tr>
          </thead>
          <tbody>
            {fields.map((field) => (
              <tr key={field.name}>
                <td>{sentenceCase(field.label)}</td>
                <td>{formatValue(field, draft.row, formats)}</td>
                <td>{formatValue(field, theirs.body, formats)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <div className="dialog-actions">
          <Button onClick={() => go(false)}>{WORDS.takeTheirs}</Button>
          <Button kind="primary" onClick={() => go(true)}>
            {WORDS.keepMine}
          </Button>
        </div>
      </div>
    </section>
  )
}
