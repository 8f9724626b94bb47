import type { ReactElement } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import type { Job, JobProblem } from '../data/jobs.ts'
import type { ResourceInfo } from '../data/types.ts'
import { WORDS } from '../words/en.ts'
import { inSentence } from '../words/sentence-case.ts'
import { rowOfLine } from './table-file.ts'
import type { Import } from './use-import.ts'

/** Refused rows that are shown at once; mended ones make room for others. */
const MOST = 50

/** The rows that a trial refused: what is wrong stands at its cell, and is mended there. */
export function RefusedRows({
  resource,
  job,
  work,
}: {
  resource: ResourceInfo
  job: Job
  work: Import
}): ReactElement {
  const { file } = work
  const rows = file?.rows
  if (!rows)
    return (
      <ul className="failures">
        {job.failed.slice(0, MOST).map(({ row, problems }) => (
          <li key={row}>
            <strong>{WORDS.emptyRow(row ?? 0)}</strong>
            <span>{problems.map(said).join('; ')}</span>
          </li>
        ))}
      </ul>
    )
  const [head = []] = rows
  const places = rowOfLine(rows)
  const shown = job.failed.slice(0, MOST).flatMap(({ row = 0, problems }) => {
    const byRow = Map.groupBy(problems, (problem) => places.get(problem.row ?? row) ?? -1)
    return [...byRow].filter(([at]) => at > 0)
  })
  return (
    <section className="refused" aria-label={WORDS.refusedRows}>
      <table>
        <thead>
          <tr>
            <th>{WORDS.rowNumber}</th>
            {head.map((heading, at) => (
              <th key={`${at} ${heading}`}>{heading}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map(([at, problems]) => (
            <tr key={at}>
              <th scope="row">{at + 1}</th>
              {head.map((heading, column) => (
                <RefusedCell
                  key={`${column} ${heading}`}
                  resource={resource}
                  label={`${heading} ${at + 1}`}
                  text={rows[at]?.[column] ?? ''}
                  wrong={problems.filter((one) => one.column === heading.trim())}
                  onText={(text) => work.mend(at, column, text)}
                />
              ))}
              <td>
                {problems
                  .filter((one) => !head.some((heading) => heading.trim() === one.column))
                  .map((one) => (
                    <p key={one.message} className="field-error">
                      {said(one)}
                    </p>
                  ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

interface CellProps {
  readonly resource: ResourceInfo
  readonly label: string
  readonly text: string
  readonly wrong: readonly JobProblem[]
  readonly onText: (text: string) => void
}

/** A cell of a refused row, with what is wrong with it. */
function RefusedCell({ resource, label, text, wrong, onText }: CellProps): ReactElement {
  return (
    <td data-wrong={wrong.length > 0}>
      <input
        aria-label={label}
        aria-invalid={wrong.length > 0}
        value={text}
        onChange={(event) => onText(event.currentTarget.value)}
      />
      {wrong.map((one) => (
        <p key={one.message} className="field-error">
          {one.message}
          <MissingLink resource={resource} problem={one} text={text} />
        </p>
      ))}
    </td>
  )
}

function said({ field, message }: JobProblem): string {
  return field === '' ? message : `${field}: ${message}`
}

/** A way to make the record that a cell names and nobody has made yet. */
function MissingLink({
  resource,
  problem,
  text,
}: {
  resource: ResourceInfo
  problem: JobProblem
  text: string
}): ReactElement | null {
  const { entryOf } = useDesk()
  const [name = '', inRow] = problem.field.replaceAll(/\[\d+\]/g, '').split('.')
  const own = resource.fields.find((one) => one.name === name)
  const field = inRow === undefined ? own : own?.fields?.find((one) => one.name === inRow)
  const target = field?.resource === undefined ? undefined : entryOf(field.resource)
  if (problem.code !== 'no_such_record' || !target?.can.includes('create') || text === '')
    return null
  const query = new URLSearchParams({ [target.title_field]: text })
  return (
    <a href={`/${target.slug}/new?${query}`} target="_blank" rel="noreferrer">
      {WORDS.newOne(inSentence(target.label))}
    </a>
  )
}
