import { useQueries } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { Link } from 'wouter'
import { useDesk } from '../boot/desk-context.ts'
import { mustFill } from '../data/must-fill.ts'
import type { ListAnswer, ResourceEntry, ResourceInfo } from '../data/types.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { WORDS } from '../words/en.ts'
import { inSentence } from '../words/sentence-case.ts'
import { filterWords } from './filter-words.ts'
import { narrowing } from './list-address.ts'
import type { ListState } from './list-state.ts'

interface EmptyProps {
  readonly resource: ResourceInfo
  readonly state: ListState
}

/** A list without records: what they would be, or which filter no record passes. */
export function ListEmpty({ resource, state }: EmptyProps): ReactElement {
  const isNarrowed = state.filters.length > 0 || state.q !== ''
  return isNarrowed ? (
    <NoMatch resource={resource} state={state} />
  ) : (
    <NothingYet resource={resource} />
  )
}

/** Says of each filter how many records there are without it. */
function NoMatch({ resource, state }: EmptyProps): ReactElement {
  const { formats } = useDesk()
  const keys = [...state.filters.map(({ key }) => key), ...(state.q === '' ? [] : ['q'])]
  const totals = useTotals(
    keys.map((key) => {
      const { [key]: _without, ...others } = narrowing(state)
      return { slug: resource.slug, query: others }
    }),
  )
  const words = (key: string): string => {
    const filter = state.filters.find((one) => one.key === key)
    return filter ? filterWords(resource, filter, formats) : WORDS.searchFor(state.q)
  }
  const none = Object.fromEntries(keys.map((key) => [key, undefined]))
  return (
    <div className="empty">
      <h2>{WORDS.noMatch}</h2>
      <p>{WORDS.noMatchHint}</p>
      <ul className="killers">
        {keys.map((key, at) =>
          (totals[at] ?? 0) > 0 ? (
            <li key={key}>
              <button
                type="button"
                className="link-button"
                onClick={() => state.change({ [key]: undefined })}
              >
                {WORDS.without(words(key), (totals[at] ?? 0).toLocaleString(formats.locale))}
              </button>
            </li>
          ) : null,
        )}
      </ul>
      <Button onClick={() => state.change(none)}>{WORDS.clearFilters}</Button>
    </div>
  )
}

function NothingYet({ resource }: { resource: ResourceInfo }): ReactElement {
  const { entryOf } = useDesk()
  const can = entryOf(resource.slug)?.can ?? []
  const before = useStepsBefore(resource)
  return (
    <div className="empty">
      <span className="empty-icon">
        <Icon name={resource.icon ?? 'file'} size={28} />
      </span>
      <h2>{WORDS.empty(inSentence(resource.label_plural))}</h2>
      <p>{resource.description}</p>
      <div className="empty-actions">
        {can.includes('create') ? (
          <Link href={`/${resource.slug}/new`} className="button-primary">
            <Icon name="plus" />
            {WORDS.newOne(inSentence(resource.label))}
          </Link>
        ) : null}
        {can.includes('import') ? (
          <Link href={`/${resource.slug}/import`} className="button-plain">
            <Icon name="upload" />
            {WORDS.importButton}
          </Link>
        ) : null}
      </div>
      {before.map(({ slug, label }) => (
        <p key={slug} className="quiet">
          {WORDS.stepBefore} <Link href={`/${slug}/new`}>{WORDS.newOne(inSentence(label))}</Link>
        </p>
      ))}
    </div>
  )
}

/** What has to be there first: resources that a record must link to and that have no record yet. */
function useStepsBefore({ slug, fields }: ResourceInfo): readonly ResourceEntry[] {
  const { entryOf } = useDesk()
  const rows = fields.filter(({ type, min_rows = 0 }) => type === 'table' && min_rows > 0)
  const needed = [...fields, ...rows.flatMap((table) => table.fields ?? [])]
    .filter(mustFill)
    .flatMap(({ resource }) => (resource && resource !== slug ? [resource] : []))
  const entries = [...new Set(needed)]
    .flatMap((one) => entryOf(one) ?? [])
    .filter(({ can, locked }) => can.includes('create') && !locked)
  const totals = useTotals(entries.map((entry) => ({ slug: entry.slug, query: {} })))
  return entries.filter((_, at) => totals[at] === 0)
}

/** Numbers of the records that lists have, as far as they are known. */
function useTotals(
  lists: readonly { readonly slug: string; readonly query: Readonly<Record<string, string>> }[],
): readonly (number | undefined)[] {
  const { client } = useDesk()
  return useQueries({
    queries: lists.map(({ slug, query }) => {
      const asked = new URLSearchParams({ ...query, fields: 'id', limit: '1' }).toString()
      return {
        queryKey: ['list', slug, asked],
        queryFn: async () => (await client.ask<ListAnswer>(`/v1/${slug}?${asked}`)).body,
      }
    }),
  }).map(({ data }) => data?.meta.total)
}
