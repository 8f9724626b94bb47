import { useQuery } from '@tanstack/react-query'
import { type ReactElement, useMemo } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import { recordPath } from '../data/client.ts'
import { formatValue, isNumber } from '../data/format.ts'
import { useResources } from '../data/queries.ts'
import type { FieldInfo, Preview, RecordData, ResourceInfo, Row } from '../data/types.ts'
import { WORDS } from '../words/en.ts'
import { inSentence, sentenceCase } from '../words/sentence-case.ts'
import { PlainTable } from './plain-table.tsx'
import type { NextStep } from './steps.ts'

interface ConsequencesProps {
  readonly resource: ResourceInfo
  readonly record: RecordData
  readonly step: NextStep
}

/** Changed records that are shown, at most, and rows of a ledger. */
const MOST = 8

/** What a step would do, asked of the server and taken back: what it posts, what else it changes, and what is in its way. */
export function Consequences({ resource, record, step }: ConsequencesProps): ReactElement {
  const { client } = useDesk()
  const isDelete = step.verb === 'delete'
  const { data, error } = useQuery({
    queryKey: ['consequences', resource.slug, record.id, record.modified, ...step.path],
    queryFn: async ({ signal }) => {
      const path = recordPath(resource.slug, record.id, ...step.path)
      const how = isDelete ? { method: 'DELETE' } : { method: 'POST', body: {} }
      return (await client.ask<Preview>(`${path}?_preview=1`, { ...how, signal })).body
    },
    gcTime: 0,
    staleTime: 0,
  })
  if (error) return <p className="notice problem">{error.message}</p>
  if (!data) return <p role="status">{WORDS.foreseeing}</p>
  const ledgers = Object.entries(data.ledgers ?? {}).filter(([, rows]) => rows.length > 0)
  return (
    <div className="consequences">
      {data.problems.length > 0 ? (
        <ul className="notice problem">
          {data.problems.map(({ field, message }) => (
            <li key={`${field} ${message}`}>{message}</li>
          ))}
        </ul>
      ) : null}
      {ledgers.map(([slug, rows]) => (
        <Ledger key={slug} slug={slug} rows={rows} />
      ))}
      <Changed changed={data.changed} />
      {ledgers.length === 0 && data.changed.length === 0 && data.problems.length === 0 ? (
        <p className="quiet">{WORDS.nothingElse}</p>
      ) : null}
    </div>
  )
}

/** Rows of a ledger with the columns that tell them apart: what all rows share says nothing. */
function Ledger({ slug, rows }: { slug: string; rows: readonly Row[] }): ReactElement | null {
  const { formats } = useDesk()
  const slugs = useMemo(() => [slug], [slug])
  const resource = useResources(slugs).get(slug)
  if (!resource) return null
  return (
    <PlainTable
      label={sentenceCase(resource.label_plural)}
      isTitled
      columns={ledgerColumns(resource, rows)}
      rows={rows}
      most={MOST}
      textOf={(field, row) => (row[field.name] === 0 ? '' : formatValue(field, row, formats))}
    />
  )
}

/** Columns of a ledger that have room in a dialog. */
const MOST_COLUMNS = 5

function ledgerColumns(resource: ResourceInfo, rows: readonly Row[]): readonly FieldInfo[] {
  const named = resource.list_fields.flatMap(
    (name) => resource.fields.find((one) => one.name === name) ?? [],
  )
  const others = resource.fields.filter(
    (field) =>
      !named.includes(field) &&
      ['link', 'currency', 'float'].includes(field.type) &&
      !field.hidden &&
      field.in_list,
  )
  const tells = ({ name, type }: FieldInfo): boolean => {
    const values = new Set(rows.map((row) => row[name] ?? null))
    if (isNumber({ type })) return [...values].some((value) => value !== 0 && value !== null)
    return values.size > 1
  }
  const own = named.filter(tells)
  // Where the list says too little, further columns do.
  const more = own.length < 3 ? others.filter(tells) : []
  return [...own, ...more].slice(0, MOST_COLUMNS)
}

function Changed({ changed }: Pick<Preview, 'changed'>): ReactElement | null {
  const { entryOf, formats } = useDesk()
  const told = useMemo(() => changed.slice(0, MOST), [changed])
  const slugs = useMemo(() => [...new Set(told.map(({ resource }) => resource))], [told])
  const resources = useResources(slugs)
  if (changed.length === 0) return null
  return (
    <section aria-label={WORDS.alsoChanges}>
      <h3>{WORDS.alsoChanges}</h3>
      <ul className="changed">
        {told.map(({ resource: slug, id, title, fields }) => (
          <li key={`${slug}/${id}`}>
            <strong>{title || id}</strong> <span className="quiet">{entryOf(slug)?.label}</span>
            <dl>
              {Object.entries(fields).map(([name, [before, after]]) => {
                const field = resources.get(slug)?.fields.find((one) => one.name === name)
                const text = (value: unknown): string =>
                  field
                    ? formatValue(field, { [name]: value }, formats) || '–'
                    : String(value ?? '–')
                return (
                  <div key={name}>
                    <dt>{inSentence(field?.label ?? name)}</dt>
                    <dd>
                      <del>{text(before)}</del> → <ins>{text(after)}</ins>
                    </dd>
                  </div>
                )
              })}
            </dl>
          </li>
        ))}
      </ul>
      {changed.length > MOST ? (
        <p className="quiet">{WORDS.moreOfDay(changed.length - MOST)}</p>
      ) : null}
    </section>
  )
}
