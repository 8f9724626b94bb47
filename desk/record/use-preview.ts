import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import { recordPath } from '../data/client.ts'
import type { FieldInfo, Preview, ResourceEntry, ResourceInfo, Row } from '../data/types.ts'
import type { Draft } from './draft.ts'

/** Milliseconds after the last change until the server is asked what follows from it. */
const ASKED_AFTER_MS = 150

/** What a draft would become: prices, taxes, sums and defaults as the server computes them. */
export interface Foreseen {
  readonly row: Row
  /** Whether the answer to the last change is still on its way. */
  readonly isOld: boolean
}

/** Asks the server what the record would be once the draft is saved; nothing is written. */
export function usePreview(resource: ResourceInfo, id: string | undefined, draft: Draft): Foreseen {
  const { client, entryOf } = useDesk()
  const { slug } = resource
  const body = draft.isDirty ? JSON.stringify(draft.body()) : undefined
  const [settled, setSettled] = useState<string>()
  useEffect(() => {
    const timer = setTimeout(() => setSettled(body), ASKED_AFTER_MS)
    return () => clearTimeout(timer)
  }, [body])
  const path = id === undefined ? `/v1/${slug}` : recordPath(slug, id)
  const { data, isPlaceholderData } = useQuery({
    queryKey: ['preview', slug, id, settled],
    queryFn: async ({ signal }) => {
      const method = id === undefined ? 'POST' : 'PATCH'
      const sent = JSON.parse(settled ?? '{}') as unknown
      return (await client.ask<Preview>(`${path}?_preview=1`, { method, body: sent, signal })).body
    },
    enabled: settled !== undefined && body !== undefined,
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
  if (!draft.isDirty) return { row: draft.row, isOld: false }
  if (!data) return { row: draft.row, isOld: true }
  return {
    row: foreseen(draft.row, data.record, resource.fields, draft.changed, entryOf),
    isOld: isPlaceholderData || body !== settled,
  }
}

type EntryOf = (slug: string) => ResourceEntry | undefined

/** The draft with what follows from it; what somebody typed stays as it is. */
function foreseen(
  row: Row,
  next: Row,
  fields: readonly FieldInfo[],
  typed: ReadonlySet<string>,
  entryOf: EntryOf,
): Row {
  const shown: Record<string, unknown> = { ...row }
  for (const field of fields) {
    const { name, type } = field
    const [own, computed] = [row[name], next[name]]
    if (type === 'table') shown[name] = foreseenRows(own, computed, field, typed.has(name), entryOf)
    else if (!typed.has(name) && isSpeaking(field, computed, entryOf)) shown[name] = computed
  }
  return shown
}

function foreseenRows(
  own: unknown,
  computed: unknown,
  table: FieldInfo,
  isTyped: boolean,
  entryOf: EntryOf,
): unknown {
  if (!Array.isArray(computed)) return own
  const before = Array.isArray(own) ? (own as readonly Row[]) : []
  if (!isTyped && before.length !== computed.length) return withoutNewIds(before, computed)
  if (before.length !== computed.length) return own
  return before.map((row, at) => {
    const typed = new Set(
      (table.fields ?? [])
        .filter(({ name, readOnly }) => !readOnly && row[name] !== undefined && row[name] !== null)
        .map(({ name }) => name),
    )
    return foreseen(row, computed[at] as Row, table.fields ?? [], typed, entryOf)
  })
}

/** Rows that nobody has saved yet have an identifier of that one answer, which means nothing to the next. */
function withoutNewIds(before: readonly Row[], computed: readonly Row[]): readonly Row[] {
  const known = new Set(before.map((row) => row.row_id))
  return computed.map((row) => {
    const { row_id, ...values } = row
    return known.has(row_id) ? row : values
  })
}

/** A link is shown only where its id is what people call it: an answer of a preview has no titles. */
function isSpeaking(
  { resource, resource_from }: FieldInfo,
  value: unknown,
  entryOf: EntryOf,
): boolean {
  if (value === undefined || resource_from !== undefined) return false
  return resource === undefined || value === null || entryOf(resource)?.title_field === 'name'
}
