import { useQueries } from '@tanstack/react-query'
import { useDesk } from '../boot/desk-context.ts'
import { recordPath } from '../data/client.ts'
import { useResources } from '../data/queries.ts'
import type { RecordData, ResourceInfo, Row } from '../data/types.ts'

/** Links of a record that are looked into for an address, at most. */
const MOST = 4

/** The address a paper most likely goes to: that of the record itself, else of the first record it links to that has one. */
export function useRecipient(resource: ResourceInfo, record: RecordData): string | undefined {
  const { client, entryOf } = useDesk()
  const own = addressIn(resource, record)
  const links = resource.fields
    .flatMap(({ name, resource: slug, readOnly }) => {
      const id = record[name]
      return slug && !readOnly && typeof id === 'string' && id !== '' && entryOf(slug)
        ? [{ slug, id }]
        : []
    })
    .slice(0, own === undefined ? MOST : 0)
  const infos = useResources([...new Set(links.map(({ slug }) => slug))])
  const known = links.flatMap((link) => {
    const info = infos.get(link.slug)
    return info?.fields.some(({ type }) => type === 'email') ? [{ ...link, info }] : []
  })
  const answers = useQueries({
    queries: known.map(({ slug, id }) => ({
      queryKey: ['linked', slug, id],
      queryFn: async () => (await client.ask<Row>(recordPath(slug, id))).body,
    })),
  })
  const found = answers.map(({ data }, at) => data && addressIn(known[at]!.info, data))
  return own ?? found.find((address) => address !== undefined)
}

function addressIn({ fields }: ResourceInfo, row: Row): string | undefined {
  for (const { name, type } of fields) {
    const value = row[name]
    if (type === 'email' && typeof value === 'string' && value !== '') return value
  }
  return undefined
}
