import type { Client } from '../data/client.ts'
import type { FieldInfo, ListAnswer, ResourceEntry, Row } from '../data/types.ts'
import { titlesOf } from '../record/use-titles.ts'

/** Records of a column that are looked up in one request, and those that are searched one by one. */
const BATCH = 100
const MOST_SEARCHES = 20

/** Column → what was typed → the record that is meant. */
export type FoundLinks = ReadonlyMap<string, ReadonlyMap<string, { id: string; title: string }>>

/** What is needed to find what typed links mean. */
export interface LinkScene {
  readonly client: Client
  readonly columns: readonly FieldInfo[]
  readonly entryOf: (slug: string) => ResourceEntry | undefined
  /** Whether only what is called so is meant, or otherwise the first that a search finds, as in a picker. */
  readonly how: 'exact' | 'first'
}

/**
 * The records that typed or pasted cells mean, by their identifier or by what people call them: one request for a hundred of a
 * column; only what neither finds is searched for. What is not found stays as it was typed, for the server to refuse.
 */
export async function findPastedLinks(
  { client, columns, entryOf, how }: LinkScene,
  rows: readonly Row[],
): Promise<FoundLinks> {
  const found = new Map<string, ReadonlyMap<string, { id: string; title: string }>>()
  for (const { name, resource } of columns) {
    const entry = resource === undefined ? undefined : entryOf(resource)
    const typed = rows.flatMap((row) =>
      typeof row[name] === 'string' && row._titles?.[name] === undefined ? [row[name]] : [],
    )
    const values = [...new Set(typed)]
    if (entry && values.length > 0) found.set(name, await meantBy(client, entry, values, how))
  }
  return found
}

async function meantBy(
  client: Client,
  entry: ResourceEntry,
  values: readonly string[],
  how: LinkScene['how'],
): Promise<ReadonlyMap<string, { id: string; title: string }>> {
  const meant = new Map<string, { id: string; title: string }>()
  for (let at = 0; at < values.length; at += BATCH)
    for (const one of await titlesOf(client, entry, 'id', values.slice(at, at + BATCH)))
      meant.set(one.id, one)
  const left = values.filter((value) => !meant.has(value))
  for (const value of left.slice(0, MOST_SEARCHES)) {
    const one = await searched(client, entry, value, how)
    if (one) meant.set(value, one)
  }
  return meant
}

async function searched(
  client: Client,
  { slug, title_field }: ResourceEntry,
  text: string,
  how: LinkScene['how'],
) {
  const name = title_field === 'name' ? 'id' : title_field
  const fields = [...new Set(['id', name])].join(',')
  const query = new URLSearchParams({ q: text, fields, limit: '8' })
  const { body } = await client.ask<ListAnswer>(`/v1/${slug}?${query}`)
  const sought = text.toLowerCase()
  const exact = body.data.filter((row) => String(row[name]).toLowerCase() === sought)
  const one = exact.length === 1 || how === 'first' ? (exact[0] ?? body.data[0]) : undefined
  return one ? { id: one.id, title: String(one[name]) } : undefined
}

/** The rows with the records that were meant in place of what was typed. */
export function withFoundLinks(rows: readonly Row[], found: FoundLinks): readonly Row[] {
  return rows.map((row) => {
    const next: Record<string, unknown> = { ...row }
    const titles: Record<string, string> = { ...row._titles }
    let isChanged = false
    for (const [name, meant] of found) {
      const one = titles[name] === undefined ? meant.get(String(row[name])) : undefined
      if (!one) continue
      next[name] = one.id
      titles[name] = one.title
      isChanged = true
    }
    return isChanged ? { ...next, _titles: titles } : row
  })
}
