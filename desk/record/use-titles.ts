import { useQueries } from '@tanstack/react-query'
import { useDesk } from '../boot/desk-context.ts'
import type { Client } from '../data/client.ts'
import type { ListAnswer, ResourceEntry } from '../data/types.ts'

/** A record by its resource and identifier. */
export interface RecordName {
  readonly slug: string
  readonly id: string
}

/** `resource/id` → what people call the record. */
export type Titles = ReadonlyMap<string, string>

/** Records whose titles are asked for in one request. */
const MOST = 100

/** Titles of these records, as far as they are known: one request for each hundred of a resource. */
export function useTitles(wanted: readonly RecordName[]): Titles {
  const { client, entryOf } = useDesk()
  const bySlug = new Map<string, Set<string>>()
  for (const { slug, id } of wanted) bySlug.set(slug, (bySlug.get(slug) ?? new Set()).add(id))
  const asked = [...bySlug].flatMap(([slug, ids]) => {
    const entry = entryOf(slug)
    if (!entry || entry.locked) return []
    const sorted = [...ids].sort()
    const requests = Math.ceil(sorted.length / MOST)
    return Array.from({ length: requests }, (_, at) => ({
      entry,
      ids: sorted.slice(at * MOST, (at + 1) * MOST),
    }))
  })
  const answers = useQueries({
    queries: asked.map(({ entry, ids }) => ({
      queryKey: ['titles', entry.slug, ids],
      queryFn: () => titlesOf(client, entry, 'id', ids),
      staleTime: 300_000,
    })),
  })
  return new Map(
    answers.flatMap(({ data }, at) =>
      (data ?? []).map(({ id, title }) => [`${asked[at]?.entry.slug}/${id}`, title] as const),
    ),
  )
}

/** Records of a resource whose identifier, or title, is one of these, with their titles. Throws ApiError. */
export async function titlesOf(
  client: Client,
  { slug, title_field }: ResourceEntry,
  by: 'id' | 'title',
  values: readonly string[],
): Promise<readonly { readonly id: string; readonly title: string }[]> {
  const name = title_field === 'name' ? 'id' : title_field
  const field = by === 'id' ? 'id' : name
  const query = new URLSearchParams({
    [`${field}__in`]: values.map((one) => one.replaceAll(',', '\\,')).join(','),
    fields: [...new Set(['id', name])].join(','),
    limit: String(MOST),
  })
  const { body } = await client.ask<ListAnswer>(`/v1/${slug}?${query}`)
  return body.data.map((row) => ({ id: row.id, title: String(row[name] ?? row.id) }))
}
