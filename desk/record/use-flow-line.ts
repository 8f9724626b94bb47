import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useDesk } from '../boot/desk-context.ts'
import { recordPath } from '../data/client.ts'
import { resourceQuery } from '../data/queries.ts'
import type { Explanation, ListAnswer, RecordData, ResourceInfo, Row } from '../data/types.ts'
import { statusField, titleField } from '../list/list-state.ts'

/** A document before or after another, with what it needs to be shown. */
export interface LinkedDocument {
  readonly resource: ResourceInfo
  readonly row: RecordData
  readonly isBefore: boolean
}

interface Named {
  readonly resource: string
  readonly id: string
}

/** Documents of one kind that are shown, at most. */
const MOST_OF_KIND = 3

/** How deep the explanation of a status is asked. */
const DEPTH = '5'

/**
 * The documents a record stands between: those it and its rows link to, and those that its status is counted from. Nothing
 * says which kinds follow which: what decides how far a document has come is what follows from it.
 */
export function useFlowLine(
  resource: ResourceInfo,
  record: RecordData,
): readonly LinkedDocument[] | undefined {
  const { client, entryOf, slugOf } = useDesk()
  const queries = useQueryClient()
  const status = statusField(resource)
  const isDocument = (slug: string): boolean => {
    const entry = entryOf(slug)
    return entry?.submittable === true && !entry.locked
  }
  const told = useQuery({
    queryKey: ['explain', resource.slug, record.id, record.modified, 'flow'],
    queryFn: async ({ signal }) => {
      const path = `${recordPath(resource.slug, record.id, 'explain', status?.name ?? '')}?depth=${DEPTH}`
      return countedIn((await client.ask<Explanation>(path, { signal })).body)
    },
    enabled: resource.submittable && status !== undefined && record.docstatus === 1,
    retry: false,
  })
  const before = resource.submittable ? linkedFrom(resource, record, slugOf) : []
  const known = new Set([resource.slug, ...before.map(({ resource: slug }) => slug)])
  const after = (told.data ?? []).filter(({ resource: slug }) => !known.has(slug))
  const bySlug = new Map<string, { ids: Set<string>; isBefore: boolean }>()
  const all = [
    ...before.map((one) => ({ ...one, isBefore: true })),
    ...after.map((one) => ({ ...one, isBefore: false })),
  ]
  for (const { resource: slug, id, isBefore } of all) {
    if (!isDocument(slug)) continue
    const kind = bySlug.get(slug) ?? { ids: new Set(), isBefore }
    bySlug.set(slug, kind)
    if (kind.ids.size < MOST_OF_KIND) kind.ids.add(id)
  }
  const kinds = [...bySlug]
  const answers = useQueries({
    queries: kinds.map(([slug, { ids, isBefore }]) => ({
      queryKey: ['list', slug, 'flow', [...ids].join()],
      queryFn: async () => {
        const info = await queries.ensureQueryData(resourceQuery(client, slug))
        const fields = [
          'id',
          titleField(info),
          statusField(info)?.name ?? 'id',
          'docstatus',
          'created',
        ]
        const query = new URLSearchParams({
          id__in: [...ids].map((id) => id.replaceAll(',', '\\,')).join(','),
          fields: [...new Set(fields)].join(','),
          sort: 'created',
          order: 'asc',
          _titles: '1',
        })
        const { body } = await client.ask<ListAnswer>(`/v1/${slug}?${query}`)
        return body.data.map((row) => ({ resource: info, row, isBefore }))
      },
    })),
  })
  const documents = answers.flatMap(({ data }) => data ?? [])
  return [...documents].sort(
    (a, b) =>
      Number(b.isBefore) - Number(a.isBefore) ||
      String(a.row.created).localeCompare(String(b.row.created)),
  )
}

/** What a record and its rows link to. */
function linkedFrom(
  { fields, slug: own }: ResourceInfo,
  record: Row,
  slugOf: (doctype: unknown) => string,
): readonly Named[] {
  return fields.flatMap((field) => {
    const value = record[field.name]
    if (field.type === 'table' && Array.isArray(value))
      return value.flatMap((row) =>
        linkedFrom(
          { fields: field.fields ?? [], slug: own } as unknown as ResourceInfo,
          row,
          slugOf,
        ),
      )
    const slug = field.resource ?? slugOf(record[field.resource_from ?? ''])
    if (slug === '' || slug === own || typeof value !== 'string' || value === '') return []
    return [{ resource: slug, id: value }]
  })
}

/** The records that an explanation and those within it add up. */
function countedIn({ how, records = [], inputs = [] }: Explanation): readonly Named[] {
  const own = how === 'rollup' ? records.map(({ resource, id }) => ({ resource, id })) : []
  return [...own, ...inputs.flatMap(({ explain }) => (explain ? countedIn(explain) : []))]
}
