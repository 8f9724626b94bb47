import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import { recordPath } from '../data/client.ts'
import type { FieldInfo, Preview, ResourceInfo, Row } from '../data/types.ts'
import { type RecordName, type Titles, useTitles } from '../record/use-titles.ts'
import type { Draft } from './draft.ts'
import { usePending } from './pending.ts'

/** Milliseconds after the last change until the server is asked what follows from it. */
const ASKED_AFTER_MS = 150

/** Milliseconds that a new form waits for the first answer before it is drawn without it. */
const YOUNG_MS = 400

/** What a draft would become: prices, taxes, sums and defaults as the server computes them. */
export interface Foreseen {
  readonly row: Row
  /** Whether the answer to the last change is still on its way. */
  readonly isOld: boolean
  /** Whether it is a new record, of which it is not known yet what the workspace fills in by itself. */
  readonly isUnknown?: boolean
}

interface Asked {
  readonly resource: ResourceInfo
  readonly id: string | undefined
  readonly draft: Draft
  /** Whether the record is being written: what would follow is about to be seen. */
  readonly isBusy: boolean
}

/** Asks the server what the record would be once the draft is saved; nothing is written. */
export function usePreview({ resource, id, draft, isBusy }: Asked): Foreseen {
  const { client } = useDesk()
  const { slug } = resource
  // A new record is asked about from the start: the workspace fills in what it knows by itself.
  const isAsked = draft.isDirty || id === undefined
  const body = isAsked ? JSON.stringify(draft.body()) : undefined
  const [settled, setSettled] = useState(id === undefined ? body : undefined)
  const isYoung = useYoung()
  const pending = usePending()
  const isWaiting = useSyncExternalStore(pending.subscribe, pending.isBusy)
  useEffect(() => {
    // What is not known yet is not asked about.
    if (isWaiting) return
    const timer = setTimeout(() => setSettled(body), ASKED_AFTER_MS)
    return () => clearTimeout(timer)
  }, [body, isWaiting])
  const path = id === undefined ? `/v1/${slug}` : recordPath(slug, id)
  const { data, isPlaceholderData, isPending } = useQuery({
    // What others have changed since is asked about anew: an older answer would hide it.
    queryKey: [...previewsOf(slug, id), settled, draft.base.modified],
    queryFn: async ({ signal }) => {
      const method = id === undefined ? 'POST' : 'PATCH'
      const sent = JSON.parse(settled ?? '{}') as unknown
      return (await client.ask<Preview>(`${path}?_preview=1`, { method, body: sent, signal })).body
    },
    enabled: settled !== undefined && body !== undefined && !isBusy,
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
  const before = draft.row
  const links = isAsked ? linksIn(before, data?.record ?? null, resource.fields) : NO_LINKS
  const titles = useTitles(links)
  if (!isAsked) return { row: before, isOld: false }
  if (!data)
    return { row: before, isOld: true, isUnknown: isPending && isYoung && id === undefined }
  return {
    row: foreseen(before, data.record, resource.fields, draft.changed, titles),
    isOld: isPlaceholderData || body !== settled,
  }
}

/** Begin of the keys of what is asked about a draft. */
export function previewsOf(slug: string, id: string | undefined): readonly unknown[] {
  return ['preview', slug, id]
}

/** Whether a form has just begun: whoever is on a slow line types before they know what the workspace fills in. */
function useYoung(): boolean {
  const [isYoung, setYoung] = useState(true)
  useEffect(() => {
    const timer = setTimeout(() => setYoung(false), YOUNG_MS)
    return () => clearTimeout(timer)
  }, [])
  return isYoung
}

const NO_LINKS: readonly RecordName[] = []

/** Records that are linked to by name alone: those of what was computed, and those that an address has named. */
function linksIn(
  own: Row,
  computed: Row | null,
  fields: readonly FieldInfo[],
): readonly RecordName[] {
  return fields.flatMap(({ name, resource, fields: columns = [] }) => {
    const value = computed?.[name] ?? own[name]
    if (Array.isArray(value))
      return (value as readonly Row[]).flatMap((row) => linksIn({}, row, columns))
    const isTitled = own._titles?.[name] !== undefined && own[name] === value
    if (resource === undefined || isTitled || typeof value !== 'string' || value === '') return []
    return [{ slug: resource, id: value }]
  })
}

/** The draft with what follows from it; what somebody typed stays as it is. */
function foreseen(
  row: Row,
  next: Row | null,
  fields: readonly FieldInfo[],
  typed: ReadonlySet<string>,
  titles: Titles,
): Row {
  const shown: Record<string, unknown> = { ...row }
  const shownTitles: Record<string, string> = { ...row._titles }
  for (const field of fields) {
    const { name, type, resource, resource_from } = field
    const [own, computed] = [row[name], next?.[name]]
    if (type === 'table') shown[name] = foreseenRows(own, computed, field, typed.has(name), titles)
    else if (typed.has(name)) {
      const title = titles.get(`${resource}/${own}`)
      if (title !== undefined) shownTitles[name] = title
    } else if (computed !== undefined && resource_from === undefined) {
      const title = titles.get(`${resource}/${computed}`)
      // A link is shown once it is known what people call it.
      if (resource !== undefined && computed !== null && title === undefined) continue
      shown[name] = computed
      if (title === undefined) delete shownTitles[name]
      else shownTitles[name] = title
    }
  }
  return { ...shown, _titles: shownTitles }
}

function foreseenRows(
  own: unknown,
  computed: unknown,
  table: FieldInfo,
  isTyped: boolean,
  titles: Titles,
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
    return foreseen(row, computed[at] as Row, table.fields ?? [], typed, titles)
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
