import { useQueries, useQueryClient } from '@tanstack/react-query'
import { type ReactElement, useState } from 'react'
import { Link } from 'wouter'
import { useDesk } from '../boot/desk-context.ts'
import { recordPath } from '../data/client.ts'
import { choicesOf, formatValue } from '../data/format.ts'
import { useResource } from '../data/queries.ts'
import type { RecordData, ResourceInfo } from '../data/types.ts'
import type { PagePart } from '../home/workspace-types.ts'
import { Button } from '../ui/button.tsx'
import { useToast } from '../ui/toast.tsx'
import { WORK } from '../words/work/en.ts'
import { fieldOf } from '../work/use-work-page.ts'
import { useRecords } from './use-own.ts'

/** Records looked at for what the person may decide. */
const MOST = 20

/** Words that a decision has: the first two states that the flow goes to. */
const WAYS = 2

/** What waits for the person's word, each with its ways. */
export function Decisions({ parts }: { parts: readonly PagePart[] }): ReactElement {
  return (
    <section className="decisions" aria-label={WORK.toDecide}>
      <h2>{WORK.toDecide}</h2>
      {parts.map((part) => (
        <Waiting key={`${part.resource} ${part.filter}`} part={part} />
      ))}
      <p className="quiet decisions-none">{WORK.nothingToDecide}</p>
    </section>
  )
}

function Waiting({ part }: { part: PagePart }): ReactElement | null {
  const { client } = useDesk()
  const { data: resource } = useResource(part.resource)
  const { data } = useRecords(part, { limit: String(MOST) })
  const told = useQueries({
    queries: (data ?? []).map(({ id, modified }) => ({
      queryKey: ['record', part.resource, id, 'decide', modified],
      queryFn: async () =>
        (await client.ask<RecordData>(`${recordPath(part.resource, id)}?_can=1&_titles=1`)).body,
    })),
  })
  if (!resource) return null
  const mine = told.flatMap(({ data: record }) =>
    record && waysOf(record).length > 0 ? [record] : [],
  )
  if (mine.length === 0) return null
  return (
    <ul>
      {mine.map((record) => (
        <Decision key={record.id} part={part} resource={resource} record={record} />
      ))}
    </ul>
  )
}

/** States that the person may choose; none where they may not change the record. */
function waysOf({ _can }: RecordData): readonly string[] {
  return _can?.update === true ? (_can.flow ?? []).slice(0, WAYS) : []
}

interface DecisionProps {
  readonly part: PagePart
  readonly resource: ResourceInfo
  readonly record: RecordData
}

function Decision({ part, resource, record }: DecisionProps): ReactElement {
  const { formats } = useDesk()
  const { decide, busy } = useDeciding(part, resource, record)
  const textOf = (name: string): string => {
    const field = resource.fields.find((one) => one.name === name)
    return field ? formatValue(field, record, formats) : ''
  }
  const title = textOf(resource.title_field) || record.id
  const state = resource.fields.find(({ name }) => name === fieldOf(part, 'state'))
  const labelOf = (value: string): string =>
    (state && choicesOf(state).find((one) => one.value === value)?.label) ?? value
  return (
    <li>
      <Link href={`/${resource.slug}/${encodeURIComponent(record.id)}`}>
        <strong>{title}</strong>
        <span className="quiet">
          {resource.label} · {textOf(fieldOf(part, 'told'))} · {textOf(fieldOf(part, 'more'))}
        </span>
      </Link>
      <span className="decision-ways">
        {waysOf(record).map((value, at) => (
          <Button
            key={value}
            kind={at === 0 ? 'primary' : 'plain'}
            busy={busy === value}
            disabled={busy !== undefined}
            title={WORK.decideOn(labelOf(value), title)}
            onClick={() => void decide(value, title, labelOf(value))}
          >
            {labelOf(value)}
          </Button>
        ))}
      </span>
    </li>
  )
}

/** Sets the state and submits, which takes down what was decided. */
function useDeciding(part: PagePart, resource: ResourceInfo, record: RecordData) {
  const { client } = useDesk()
  const queries = useQueryClient()
  const tell = useToast()
  const [busy, setBusy] = useState<string>()
  async function decide(value: string, title: string, label: string): Promise<void> {
    setBusy(value)
    const path = recordPath(resource.slug, record.id)
    try {
      await client.ask(path, { method: 'PATCH', body: { [fieldOf(part, 'state')]: value } })
      if (resource.submittable) await client.ask(`${path}/submit`, { method: 'POST' })
      tell(WORK.decided(title, label))
    } catch (error) {
      tell((error as Error).message, 'problem')
    }
    await queries.invalidateQueries({ queryKey: ['list', resource.slug] })
    setBusy(undefined)
  }
  return { decide, busy }
}
