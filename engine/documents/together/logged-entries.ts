import { knownTo } from '../../access/known-to.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { ReadEvent } from '../../events/log.ts'
import type { Context } from '../work/context.ts'
import type { WireRecord } from '../work/present.ts'
import type { Entry } from './timeline-entry.ts'
import { changesBetween, type Label } from './told-changes.ts'

/** Lines of the log that are read at once: each holds the whole record. */
const LINES = 40

/** Words of the log for what was done with a record, the strongest first, and how a timeline calls it. */
const KINDS = [
  ['created', 'created'],
  ['submitted', 'submitted'],
  ['cancelled', 'cancelled'],
  ['revised', 'changed'],
  ['updated', 'changed'],
] as const

/** What one transaction told of a record: its lines, newest first. */
type Group = [ReadEvent, ...ReadEvent[]]

/** Entry of the log with its place: further entries stand beyond it. */
export interface LoggedEntry {
  readonly entry: Entry
  readonly place: bigint
}

/**
 * What the event log tells of a record, newest first: an entry a transaction, with what it changed field by field. At
 * most `limit`, beyond the place of the entry before. It ends where the record was created: one of the same name may
 * have been there before.
 */
export async function loggedEntries(
  context: Context,
  definition: DocTypeDefinition,
  id: string,
  { limit, beyond, label }: { limit: number; beyond: bigint | undefined; label: Label },
): Promise<readonly LoggedEntry[]> {
  const groups = await groupsOf(
    context,
    { resource: definition.slug, record_id: id },
    limit,
    beyond,
  )
  const known = knownTo(context, definition)
  return groups.slice(0, limit).map((group, at) => {
    const before = groups[at + 1]
    const { entry, isWhole } = entryOf(group)
    const changes =
      before && !isWhole
        ? changesBetween(known, recordOf(before[0]), recordOf(group[0]), label)
        : []
    return { entry: { ...entry, changes }, place: group.at(-1)!.seq }
  })
}

async function groupsOf(
  { services }: Context,
  filter: { readonly resource: string; readonly record_id: string },
  limit: number,
  start: bigint | undefined,
): Promise<readonly Group[]> {
  const { events, database } = services
  const groups: Group[] = []
  for (let beyond = start; ; ) {
    const lines = await events.page(database.read, {
      filter,
      order: 'desc',
      limit: LINES,
      ...(beyond === undefined ? {} : { beyond }),
    })
    for (const line of lines) {
      const last = groups.at(-1)
      if (last && isTogether(last[0], line)) last.push(line)
      else if (last?.some(({ kind }) => kind === 'created') || groups.length > limit + 1)
        return groups
      else groups.push([line])
    }
    if (lines.length < LINES) return groups
    beyond = lines.at(-1)!.seq
  }
}

function isTogether(one: ReadEvent, other: ReadEvent): boolean {
  return one.at === other.at && one.actor === other.actor
}

function entryOf(group: Group): { readonly entry: Entry; readonly isWhole: boolean } {
  const { id, at, actor } = group[0]
  const has = new Set<string>(group.map(({ kind }) => kind))
  const found = KINDS.find(([kind]) => has.has(kind))
  const isCreated = found?.[0] === 'created'
  const isAmended = isCreated && Boolean(recordOf(group[0]).amended_from)
  const own = new Set<string>(KINDS.map(([kind]) => kind))
  const events = group.map(({ kind }) => kind).filter((kind) => !own.has(kind))
  return {
    entry: {
      id,
      at,
      actor: { name: actor, title: actor },
      kind: isAmended ? 'amended' : (found?.[1] ?? 'action'),
      changes: [],
      ...(events.length > 0 ? { events: events.reverse() } : {}),
    },
    isWhole: isCreated,
  }
}

function recordOf({ data }: ReadEvent): WireRecord {
  return JSON.parse(data) as WireRecord
}
