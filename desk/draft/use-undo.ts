import { useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { useDesk } from '../boot/desk-context.ts'
import { recordPath } from '../data/client.ts'
import type { RecordData, ResourceInfo, Row } from '../data/types.ts'
import { useToast } from '../ui/toast.tsx'
import { WORDS } from '../words/en.ts'
import { sentValues } from './draft.ts'

/** What takes back what was just done with a record; each leads to the record as it is then. */
export interface Undo {
  /** Sets these fields as they were. */
  readonly save: (id: string, before: Row, names: readonly string[]) => () => void
  /** Cancels what was submitted, and goes on with a copy. */
  readonly submit: (id: string) => () => void
  /** Goes on with a copy of what was cancelled. */
  readonly cancel: (id: string) => () => void
  /** Makes what was deleted anew, of what could be set. */
  readonly remove: (before: Row) => () => void
}

/** Ways back for the records of a resource; what fails is told. */
export function useUndo({ slug, fields }: ResourceInfo): Undo {
  const { client } = useDesk()
  const queries = useQueryClient()
  const tell = useToast()
  const [, navigate] = useLocation()

  async function attempt(write: () => Promise<string>): Promise<void> {
    try {
      const id = await write()
      await queries.invalidateQueries({ queryKey: ['record', slug] })
      void queries.invalidateQueries({ queryKey: ['list'] })
      navigate(`/${slug}/${encodeURIComponent(id)}`)
      tell(WORDS.undone)
    } catch (error) {
      tell((error as Error).message, 'problem')
    }
  }
  const post = async (id: string, verb: string): Promise<string> => {
    const path = recordPath(slug, id, verb)
    return (await client.ask<RecordData>(path, { method: 'POST', body: {} })).body.id
  }
  return {
    save: (id, before, names) => () =>
      void attempt(async () => {
        const body = sentValues(withNulls(before, names), names, fields)
        await client.ask(recordPath(slug, id), { method: 'PATCH', body })
        return id
      }),
    submit: (id) => () => void attempt(async () => post(await post(id, 'cancel'), 'amend')),
    cancel: (id) => () => void attempt(() => post(id, 'amend')),
    remove: (before) => () =>
      void attempt(async () => {
        const names = fields
          .filter(({ name, readOnly }) => !readOnly && isSet(before[name]))
          .map(({ name }) => name)
        const body = sentValues(withoutRowIds(before), names, fields)
        return (await client.ask<RecordData>(`/v1/${slug}`, { method: 'POST', body })).body.id
      }),
  }
}

function withNulls(row: Row, names: readonly string[]): Row {
  return Object.fromEntries(names.map((name) => [name, row[name] ?? null]))
}

function isSet(value: unknown): boolean {
  return value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0)
}

/** Rows of another record get identifiers of their own. */
function withoutRowIds(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      Array.isArray(value)
        ? (value as readonly Row[]).map(({ row_id: _own, ...rest }) =>
            Object.fromEntries(Object.entries(rest).filter(([, cell]) => cell !== null)),
          )
        : value,
    ]),
  )
}
