import { validationError } from '../../base/errors.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { titlesWithin } from '../../storage/finding/limited-records.ts'
import { listFingerprint, type Position } from '../../storage/records/cursor.ts'
import { selectRows } from '../../storage/records/select.ts'
import { readDocument } from '../operations/get.ts'
import { knownParts, may, readable } from '../rights/door.ts'
import type { Context } from '../work/context.ts'
import { type Companion, companionsOf } from './about.ts'
import { loggedEntries } from './logged-entries.ts'
import type { Entry } from './timeline-entry.ts'
import type { Label } from './told-changes.ts'

/** Page of a timeline that is asked for. */
export interface TimelineQuery {
  readonly limit: number
  /** Empty or undefined: from the newest. */
  readonly cursor: string | undefined
  readonly label: Label
}

export interface Timeline {
  readonly data: readonly Entry[]
  readonly next_cursor?: string
}

/** Where a walk stands in one of the sources of a timeline; its entries are newest first. */
type Place = readonly [value: string, rid: number]

interface Found {
  readonly source: string
  readonly entry: Entry
  readonly place: Place
}

/** Name of the event log among the sources; the others are called by their slugs. */
const LOG = ''

/**
 * What happened to a record and was said about it, newest first: the event log, comments, mails, files and to-dos, each
 * by what the caller may read (GET /v1/{resource}/{id}/timeline). Throws 401/403, 404, 422 for a cursor of another.
 */
export async function readTimeline(
  context: Context,
  definition: DocTypeDefinition,
  id: string,
  { limit, cursor, label }: TimelineQuery,
): Promise<Timeline> {
  const { doc } = await readDocument(context, definition, id)
  const { cursors, registry } = context.services
  const list = listFingerprint(['timeline', definition.slug, doc.name])
  const places = placesIn(cursor ? cursors.read(list, cursor) : undefined, cursor)
  const wanted = limit + 1
  const seq = places[LOG]
  const logged = await loggedEntries(context, definition, doc.name, {
    limit: wanted,
    beyond: seq && BigInt(seq[0]),
    label,
  })
  const found: Found[] = logged.map(({ entry, place }) => ({
    source: LOG,
    entry,
    place: [String(place), 0],
  }))
  for (const companion of companionsOf(registry)) {
    const after = places[companion.definition.slug]
    found.push(
      ...(await entriesAbout(context, companion, { definition, id: doc.name }, wanted, after)),
    )
  }
  // A stable sort: what one source tells stays in its order.
  found.sort((one, other) =>
    one.entry.at < other.entry.at ? 1 : one.entry.at > other.entry.at ? -1 : 0,
  )
  const page = found.slice(0, limit)
  for (const { source, place } of page) places[source] = place
  const next = found.length > page.length
  return {
    data: await withTitles(
      context,
      page.map(({ entry }) => entry),
    ),
    ...(next
      ? { next_cursor: cursors.write(list, { value: JSON.stringify(places), rid: 0 }) }
      : {}),
  }
}

function placesIn(position: Position | undefined, cursor: string | undefined) {
  if (position) return JSON.parse(String(position.value)) as Record<string, Place>
  if (!cursor) return {} as Record<string, Place>
  const message = 'expected a next_cursor of this very timeline'
  throw validationError([{ field: 'cursor', message, code: 'wrong_type' }])
}

/** Records about a record, newest first, as the caller may read them. */
async function entriesAbout(
  context: Context,
  { kind, definition, about }: Companion,
  of: { readonly definition: DocTypeDefinition; readonly id: string },
  limit: number,
  after: Place | undefined,
): Promise<readonly Found[]> {
  if (!may(context, definition, 'read')) return []
  const { services } = context
  const { database } = services
  const parts = services.partsOf(definition)
  const { titleField, slug } = definition
  const listed = knownParts(context, parts).presenter.listed([titleField])
  const where = readable(context, definition)
  const { rows } = await selectRows(database.read, database.kind, parts.store, {
    filters: [
      { column: about.kind, operator: 'eq', values: [of.definition.doctype] },
      { column: about.record, operator: 'eq', values: [of.id] },
    ],
    ...(where ? { where } : {}),
    sort: 'created',
    order: 'desc',
    limit,
    columns: listed.columns,
    isShownOnly: true,
    ...(after ? { after: { value: after[0], rid: after[1] } } : {}),
  })
  return rows.map((row) => {
    const text = listed.showRaw(row)[titleField]
    const [id, at, owner] = [String(row.name), String(row.created), String(row.owner)]
    const entry: Entry = {
      ...{ id, at, actor: { name: owner, title: owner }, kind, changes: [], resource: slug },
      ...(text === null || text === undefined ? {} : { text: String(text) }),
    }
    return { source: slug, entry, place: [at, Number(row.rid)] as const }
  })
}

/** The entries with the names of who did it, as the records of people have them. */
async function withTitles(context: Context, entries: readonly Entry[]): Promise<readonly Entry[]> {
  const { registry, database } = context.services
  const people = registry.serving('users')
  const names = [...new Set(entries.map(({ actor }) => actor.name))]
  if (!people || names.length === 0) return entries
  const titles = await titlesWithin(database.read, people, names, undefined)
  return entries.map((entry) => {
    const { name } = entry.actor
    return { ...entry, actor: { name, title: titles.get(name) ?? name } }
  })
}
