import { useDesk } from '../boot/desk-context.ts'
import type { ListAnswer, RecordData, ResourceInfo } from '../data/types.ts'
import { useToast } from '../ui/toast.tsx'
import { WORDS } from '../words/en.ts'
import type { BulkScope } from './bulk.ts'
import { csvOf } from './csv.ts'

/** Records asked for at once: the most the API has. */
const AT_ONCE = 100

/** Ids of one request. */
const IDS_AT_ONCE = 50

/** A page of a walk through a list. */
interface Page extends Pick<ListAnswer, 'data'> {
  readonly next_cursor?: string | null
}

/** Saves records as a file that a spreadsheet opens: every field that a list can show, under the names the import takes. */
export function useExport(resource: ResourceInfo): (scope: BulkScope) => Promise<void> {
  const { client } = useDesk()
  const tell = useToast()
  const fields = resource.fields
    .filter(({ type, hidden }) => type !== 'table' && !hidden)
    .map(({ name }) => name)
  const names = [...new Set(['id', ...fields.filter((name) => name !== 'name')])]

  async function* pages(filter: Readonly<Record<string, string>>): AsyncGenerator<RecordData[]> {
    for (let cursor: string | null | undefined = ''; typeof cursor === 'string'; ) {
      const query = new URLSearchParams({
        ...filter,
        fields: names.join(','),
        limit: String(AT_ONCE),
        sort: 'created',
        order: 'asc',
        cursor,
      })
      const { body } = await client.ask<Page>(`/v1/${resource.slug}?${query}`)
      yield [...body.data]
      cursor = body.next_cursor
    }
  }

  return async (scope) => {
    try {
      const parts = 'filter' in scope ? [scope.filter] : chunked(scope.ids)
      const rows: RecordData[] = []
      for (const part of parts) for await (const some of pages(part)) rows.push(...some)
      saveFile(`${resource.slug}.csv`, csvOf([names, ...rows.map((row) => cells(row, names))]))
      tell(WORDS.exported(String(rows.length)))
    } catch (error) {
      tell((error as Error).message, 'problem')
    }
  }
}

function chunked(ids: readonly string[]): readonly Readonly<Record<string, string>>[] {
  const parts: Record<string, string>[] = []
  for (let at = 0; at < ids.length; at += IDS_AT_ONCE) {
    const some = ids.slice(at, at + IDS_AT_ONCE)
    parts.push({ id__in: some.map((id) => id.replaceAll(/[\\,]/g, '\\$&')).join(',') })
  }
  return parts
}

function cells(row: RecordData, names: readonly string[]): readonly string[] {
  return names.map((name) => {
    const value = row[name]
    if (value === null || value === undefined) return ''
    return typeof value === 'object' ? JSON.stringify(value) : String(value)
  })
}

function saveFile(name: string, text: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }))
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
  // The browser reads it after this; a moment later it has it.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
