import { useQueries } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { Link } from 'wouter'
import { useDesk } from '../boot/desk-context.ts'
import type { Client } from '../data/client.ts'
import type { Formats } from '../data/format.ts'
import { resourceQuery } from '../data/queries.ts'
import type { Groups, ListAnswer, ResourceInfo } from '../data/types.ts'
import type { ReportAnswer } from '../report/report-types.ts'
import { formatsOf, valueText } from '../report/report-values.ts'
import { Icon } from '../ui/icon.tsx'
import { PAGES } from '../words/pages/en.ts'
import { sentenceCase } from '../words/sentence-case.ts'
import type { WorkspaceCard } from './workspace-types.ts'

/** What a card shows: its number, how many records that is of, and whether there is nothing to see. */
interface CardNumber {
  readonly text: string
  readonly hint: string
  readonly isEmpty: boolean
}

interface CardsProps {
  readonly cards: readonly WorkspaceCard[]
  /** Whether cards that come to nothing are left out; else they are shown, quietly. */
  readonly withoutEmpty?: boolean
  readonly most?: number
}

/** Numbers of workspaces: each leads to the list, or the report, it is of. */
export function NumberCards({
  cards,
  withoutEmpty = false,
  most = 99,
}: CardsProps): ReactElement | null {
  const { client, formats, entryOf } = useDesk()
  const answers = useQueries({
    queries: cards.map((card) => ({
      queryKey: ['list', card.resource ?? card.report, 'card', card.filter, card.sum, card.value],
      queryFn: () => numberOf(card, client, formats),
      staleTime: 30_000,
      retry: false,
    })),
  })
  const shown = cards
    .map((card, at) => ({ card, number: answers[at]?.data, error: answers[at]?.error }))
    .filter(({ number, error }) => !error && !(withoutEmpty && (!number || number.isEmpty)))
    .slice(0, most)
  if (shown.length === 0) return null
  return (
    <ul className="number-cards">
      {shown.map(({ card, number }) => (
        <li key={keyOf(card)} data-empty={number?.isEmpty}>
          <Link href={addressOf(card, entryOf)}>
            <span className="card-label">
              <Icon name={iconOf(card, entryOf)} size={14} />
              {sentenceCase(card.label)}
            </span>
            <span className="card-number" data-busy={!number}>
              {number?.text ?? '…'}
            </span>
            <span className="quiet">{number?.hint ?? ''}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

/** What tells a card from others. */
export function keyOf({ resource, report, filter, value, sum }: WorkspaceCard): string {
  return [resource ?? report, filter, value, sum].join(' ')
}

function addressOf(
  { resource, filter, report }: WorkspaceCard,
  entryOf: (slug: string) => { readonly serves?: string } | undefined,
): string {
  if (report !== undefined) return `/r/${report}`
  // Lines of the bank are matched on a page of their own.
  if (entryOf(resource ?? '')?.serves === 'bank_lines') return '/bank'
  return `/${resource}${filter ? `?${new URLSearchParams(filter)}` : ''}`
}

function iconOf(
  { resource, report }: WorkspaceCard,
  entryOf: (slug: string) => { readonly icon?: string } | undefined,
): string {
  if (report !== undefined) return 'chart-column'
  return entryOf(resource ?? '')?.icon ?? 'file'
}

async function numberOf(
  { resource, filter = '', sum, report, value }: WorkspaceCard,
  client: Client,
  formats: Formats,
): Promise<CardNumber> {
  if (report !== undefined) {
    const { body } = await client.ask<ReportAnswer>(`/v1/reports/${report}?limit=1`)
    const number = body.summary.find(({ name }) => name === value)
    const row = { n: number?.value ?? 0 }
    const text = valueText(
      { name: 'n', type: number?.type ?? 'float' },
      row,
      formatsOf(body, formats),
    )
    return { text, hint: '', isEmpty: row.n === 0 }
  }
  const query = new URLSearchParams(filter)
  if (sum === undefined) {
    query.set('fields', 'id')
    query.set('limit', '1')
    const { body } = await client.ask<ListAnswer>(`/v1/${resource}?${query}`)
    const { total } = body.meta
    return { text: total.toLocaleString(formats.locale), hint: '', isEmpty: total === 0 }
  }
  query.set('_sum', sum)
  const [{ body }, type] = await Promise.all([
    client.ask<Groups>(`/v1/${resource}?${query}`),
    typeOf(client, resource ?? '', sum),
  ])
  const text = valueText({ name: 'n', type }, { n: body.sums[sum] ?? 0 }, formats)
  return {
    text: text || '0',
    hint: PAGES.recordsOf(body.total.toLocaleString(formats.locale)),
    isEmpty: body.total === 0,
  }
}

const types = new WeakMap<Client, Map<string, Promise<ResourceInfo>>>()

/** Type of a field, which its resource says. */
async function typeOf(client: Client, slug: string, name: string): Promise<string> {
  const known = types.get(client) ?? new Map<string, Promise<ResourceInfo>>()
  types.set(client, known)
  const asked = known.get(slug) ?? resourceQuery(client, slug).queryFn()
  known.set(slug, asked)
  return (await asked).fields.find((field) => field.name === name)?.type ?? 'float'
}
