import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import { useResource } from '../data/queries.ts'
import type { ListAnswer, ResourceInfo } from '../data/types.ts'
import { columnsOf, titleField } from '../list/list-state.ts'

/** A record that a link may lead to: what it is called, and a second line that tells it from others. */
export interface LinkOption {
  readonly id: string
  readonly title: string
  readonly hint: string
}

/** Milliseconds after the last key until the server is asked. */
const SEARCH_MS = 160
const MOST = 8

/** What a text finds. */
export interface LinkOptions {
  readonly options: readonly LinkOption[]
  /** Whether they are of this very text: until the server has answered they are those of the one before. */
  readonly isCurrent: boolean
}

/** Records of a resource that a text finds: eight at most, asked of the server and never loaded ahead. */
export function useLinkOptions(slug: string, text: string, enabled: boolean): LinkOptions {
  const { client } = useDesk()
  const { data: resource } = useResource(slug, enabled)
  const sought = useSettled(text.trim(), SEARCH_MS)
  const { data, isPlaceholderData, isFetching } = useQuery({
    queryKey: ['options', slug, sought],
    queryFn: async ({ signal }) => {
      const query = optionsQuery(resource!, sought)
      const { body } = await client.ask<ListAnswer>(`/v1/${slug}?${query}`, { signal })
      return body.data.map((row) => optionOf(resource!, row))
    },
    enabled: enabled && resource !== undefined,
    placeholderData: keepPreviousData,
  })
  const isAnswered = data !== undefined && !isPlaceholderData && !isFetching
  return { options: data ?? [], isCurrent: isAnswered && sought === text.trim() }
}

function secondField(resource: ResourceInfo): string | undefined {
  const title = titleField(resource)
  return columnsOf(resource, undefined).find(
    ({ name, type }) =>
      name !== title && name !== 'modified' && ['link', 'data', 'select', 'email'].includes(type),
  )?.name
}

function optionsQuery(resource: ResourceInfo, text: string): URLSearchParams {
  const second = secondField(resource)
  const fields = ['id', titleField(resource), ...(second ? [second] : [])]
  return new URLSearchParams({
    ...(text === '' ? {} : { q: text }),
    fields: [...new Set(fields)].join(','),
    limit: String(MOST),
    _titles: '1',
  })
}

function optionOf(resource: ResourceInfo, row: ListAnswer['data'][number]): LinkOption {
  const title = String(row[titleField(resource)] ?? row.id)
  const second = secondField(resource)
  const more = second === undefined ? undefined : (row._titles?.[second] ?? row[second])
  const hint = [title === row.id ? undefined : row.id, more === title ? undefined : more]
  return { id: row.id, title, hint: hint.filter(Boolean).join(' · ') }
}

/** A value that has not changed for a while. */
function useSettled(value: string, ms: number): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return settled
}
