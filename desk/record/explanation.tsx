import { useQuery } from '@tanstack/react-query'
import { type ReactElement, useState } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import { recordPath } from '../data/client.ts'
import { formatMoment, formatValue } from '../data/format.ts'
import type { Explanation, FieldInfo, RecordData, ResourceInfo } from '../data/types.ts'
import { PeekLink } from '../peek/peek-link.tsx'
import { IconButton } from '../ui/button.tsx'
import { WORDS } from '../words/en.ts'
import { sentenceCase } from '../words/sentence-case.ts'

/** What is being explained: a place in the record, or an explanation that came with another. */
type Asked = { readonly place: string } | { readonly given: Explanation }

interface SheetProps {
  readonly resource: ResourceInfo
  readonly record: RecordData
  readonly name: string
}

/** Records that an explanation names, at most; their number says the rest. */
const MOST_RECORDS = 8

/** Why a value is what it is: how it came about, where that is written, and what it was made of, each to be asked again. */
export function ExplanationSheet({ resource, record, name }: SheetProps): ReactElement {
  const { client } = useDesk()
  const [stack, setStack] = useState<readonly Asked[]>([{ place: name }])
  const asked = stack.at(-1)!
  const place = 'place' in asked ? asked.place : undefined
  const { data, error } = useQuery({
    queryKey: ['explain', resource.slug, record.id, record.modified, place],
    queryFn: async ({ signal }) => {
      const path = recordPath(resource.slug, record.id, 'explain', place ?? '')
      return (await client.ask<Explanation>(path, { signal })).body
    },
    enabled: place !== undefined,
  })
  const told = 'given' in asked ? asked.given : data
  if (error) return <p role="alert">{error.message}</p>
  if (!told) return <p role="status">{WORDS.loading}</p>
  return (
    <div className="explanation">
      <div className="explanation-head">
        {stack.length > 1 ? (
          <IconButton
            icon="arrow-left"
            label={WORDS.back}
            onClick={() => setStack(stack.slice(0, -1))}
          />
        ) : null}
        <strong>{sentenceCase(told.label)}</strong>
        <span className="number">
          <Shown resource={resource} record={record} name={told.field} value={told.value} />
        </span>
      </div>
      <p className="quiet">{WORDS.how[told.how] ?? told.how}</p>
      {told.where ? <Formula where={told.where} /> : null}
      <Inputs
        told={told}
        resource={resource}
        record={record}
        ask={(next) => setStack([...stack, next])}
      />
      <Records told={told} resource={resource} record={record} />
      {told.at ? <When at={told.at} /> : null}
    </div>
  )
}

function Formula({ where }: { where: NonNullable<Explanation['where']> }): ReactElement {
  return (
    <figure>
      <code>{where.text}</code>
      <figcaption>
        {where.file}:{where.line}
      </figcaption>
    </figure>
  )
}

function When({ at }: { at: string }): ReactElement {
  const { formats } = useDesk()
  return <p className="quiet">{/^\d{4}-/.test(at) ? formatMoment(at, formats) : at}</p>
}

interface PartProps {
  readonly told: Explanation
  readonly resource: ResourceInfo
  readonly record: RecordData
}

function Inputs({
  told,
  resource,
  record,
  ask,
}: PartProps & { ask: (next: Asked) => void }): ReactElement | null {
  const inputs = told.inputs ?? []
  if (inputs.length === 0) return null
  return (
    <ul className="inputs">
      {inputs.map(({ field, label, value, explain }) => {
        const next: Asked | undefined = explain
          ? { given: explain }
          : isPlace(resource, field)
            ? { place: field }
            : undefined
        const shown = <Shown resource={resource} record={record} name={field} value={value} />
        return (
          <li key={field}>
            {next ? (
              <button type="button" className="link-button" onClick={() => ask(next)}>
                {sentenceCase(label)}
              </button>
            ) : (
              <span>{sentenceCase(label)}</span>
            )}
            <span className="number">{shown}</span>
          </li>
        )
      })}
    </ul>
  )
}

function Records({ told, record }: PartProps): ReactElement | null {
  const { entryOf, formats } = useDesk()
  const records = told.records ?? []
  if (records.length === 0) return null
  const money = { name: 'value', type: 'currency', label: '' } as FieldInfo
  return (
    <ul className="inputs">
      {records.slice(0, MOST_RECORDS).map(({ resource: slug, id, title, value }) => (
        <li key={`${slug}/${id}`}>
          <PeekLink slug={slug} id={id}>
            {[entryOf(slug)?.label, title ?? id].filter(Boolean).join(' · ')}
          </PeekLink>
          <span className="number">
            {typeof value === 'number'
              ? formatValue({ ...money, type: 'float' }, { ...record, value }, formats)
              : String(value ?? '')}
          </span>
        </li>
      ))}
      {records.length > MOST_RECORDS ? (
        <li className="quiet">{WORDS.moreOfDay(records.length - MOST_RECORDS)}</li>
      ) : null}
    </ul>
  )
}

/** Whether a name is a field of the record, or of one of its rows: `items[0].amount`. */
function isPlace(resource: ResourceInfo, name: string): boolean {
  return fieldAt(resource, name) !== undefined
}

function fieldAt({ fields }: ResourceInfo, place: string): FieldInfo | undefined {
  const [, name, column] = /^(\w+)(?:\[\d+\]\.(\w+))?$/.exec(place) ?? []
  const field = fields.find((one) => one.name === name)
  return column === undefined ? field : field?.fields?.find((one) => one.name === column)
}

/** A value as its field is written; that of something else as it is. */
function Shown({
  resource,
  record,
  name,
  value,
}: {
  resource: ResourceInfo
  record: RecordData
  name: string
  value: unknown
}): ReactElement {
  const { formats } = useDesk()
  const field = fieldAt(resource, name)
  if (typeof value === 'boolean') return <>{value ? WORDS.yes : WORDS.no}</>
  if (value === null || value === undefined || value === '') return <>–</>
  if (field?.type === 'table' || typeof value === 'object') return <>{WORDS.rowsOf}</>
  if (field) {
    const titles = record[field.name] === value ? record._titles : undefined
    const row = { ...record, [field.name]: value, _titles: titles ?? {} }
    return <>{formatValue(field, row, formats)}</>
  }
  return <>{typeof value === 'number' ? value.toLocaleString(formats.locale) : String(value)}</>
}
