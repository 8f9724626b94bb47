import { isoDateTime } from '../../base/clock.ts'
import { AppError } from '../../base/errors.ts'
import type { EventKind, LoggedEvent } from '../../events/log.ts'
import type { RuleEnvironment } from '../../rules/program/compute.ts'
import type { Db } from '../../storage/database/database.ts'
import type { Doc } from '../../storage/database/document.ts'
import { lockKey } from '../../storage/database/key-lock.ts'
import type { Waiting } from '../../storage/migration/unfilled.ts'
import type { LockStrength } from '../../storage/records/record-statements.ts'
import type { RecordState } from '../../storage/records/record-store.ts'
import type { Context, DocTypeParts } from './context.ts'
import { createReads, type Reads } from './reads.ts'
import type { Touched } from './touched.ts'
import { withAllValues } from './unfilled-values.ts'

/** The rows of one record before and after a write: what rollups take their deltas from. */
export interface Written {
  readonly parts: DocTypeParts
  readonly before: Doc | undefined
  readonly after: Doc | undefined
  /** Stale image: the record changed again in this transaction. Sums still add this delta; min and max are re-read. */
  readonly isPassed?: boolean
}

/** One write of one record: its image before (none for a create) and the wanted one. */
export interface Change {
  readonly parts: DocTypeParts
  readonly before?: Doc
  readonly after: Doc
  readonly kind: EventKind
  /** Fields of something new that stay empty, because null was sent for them (`keeps_empty`). */
  readonly empty?: ReadonlySet<string>
  /** Name the client gave, where naming is `prompt`, or that the operation decided (amend). */
  readonly name?: string
  readonly nameIsFinal?: boolean
  /** An action moves a chosen status, whatever its flow says. */
  readonly moves?: boolean
}

/** Target of a link, as this transaction has found it; `isHeld` = it stays so until the commit. */
export interface LinkTarget extends RecordState {
  readonly isHeld: boolean
}

/**
 * One operation inside its transaction. Every record that is locked or written has one image here, however
 * often it is touched on the way, so that its events tell of the start and the end alone (rules.md §4.2).
 */
export interface Work {
  readonly tx: Db
  readonly context: Context
  /** The one moment of the transaction, ISO. */
  readonly now: string
  readonly environment: RuleEnvironment
  readonly touched: Map<string, Touched>
  readonly reads: Reads
  /** Targets of links by DocType (or `Doctype.table`) and name; undefined = there is none. */
  readonly linkTargets: Map<string, Map<string, LinkTarget | undefined>>
  /** Columns that waited for their values when it began. */
  readonly waiting: Waiting
  /** Records made by this transaction whose rows may be older: their rollups are read, not added to. */
  readonly younger: Map<string, string | undefined>
  /** Records (`DocType\0name`) that nobody changes until the commit, though this transaction does not either. */
  readonly held: Set<string>
  /** Writes one more record in this transaction (change.ts), with all that follows from it. */
  readonly apply: (work: Work, change: Change) => Promise<Touched>
  /** Depth of documents that effects create and that have effects themselves. */
  depth: number
  /** Rows that it added to ledgers, in order. */
  readonly posted: { readonly parts: DocTypeParts; readonly row: Doc }[]
  /** Ids of the jobs that it left work to. */
  readonly jobs: string[]
  /** What it added to the log; empty until its end. */
  readonly logged: LoggedEvent[]
}

/** Chains of effects that create documents longer than this are taken for endless (rules.md §4.2). */
const MAX_DEPTH = 8

export function startWork(tx: Db, context: Context, apply: Work['apply']): Work {
  const now = isoDateTime(context.services.clock)
  const { name, user } = context.actor
  const touched = new Map<string, Touched>()
  const work: Work = {
    tx,
    context,
    now,
    environment: {
      now,
      today: now.slice(0, 10),
      user: { email: user?.email ?? name, name },
      since: context.services.computedSince,
    },
    touched,
    reads: createReads(tx, context.services, touched, {
      record: (parts, id) => lockRecord(work, parts, id),
      key: (key) => lockKey(tx, context.services.database.kind, key),
    }),
    linkTargets: new Map(),
    waiting: context.services.unfilled.now,
    younger: new Map(),
    held: new Set(),
    apply,
    depth: 0,
    posted: [],
    jobs: [],
    logged: [],
  }
  return work
}

export function keyOf({ definition }: DocTypeParts, name: string): string {
  return `${definition.doctype}\0${name}`
}

/**
 * The record, locked and with its rows; the image of this transaction where it has one. `change` lets others
 * go on linking to it, `end` (cancel, delete) does not. Returns undefined when it does not exist.
 */
export async function lockRecord(
  work: Work,
  parts: DocTypeParts,
  name: string,
  strength: LockStrength = 'change',
): Promise<Touched | undefined> {
  const known = work.touched.get(keyOf(parts, name))
  if (known) return known.current ? known : undefined
  const doc = await parts.store.lockWhole(work.tx, name, strength)
  if (!doc) return undefined
  const whole = await withAllValues(work.tx, work.context.services, work.waiting, parts, doc)
  if (whole !== doc) await parts.store.update(work.tx, doc, whole)
  return noteLock(work, parts, whole)
}

/**
 * The same for a record that follows from what this transaction has written already: as it is stored, though values are
 * missing. What is added up now has the new rows in it, and is a change that others may follow from.
 */
export async function lockFollower(
  work: Work,
  parts: DocTypeParts,
  name: string,
): Promise<Touched | undefined> {
  const known = work.touched.get(keyOf(parts, name))
  if (known) return known.current ? known : undefined
  const doc = await parts.store.lockWhole(work.tx, name, 'change')
  return doc && noteLock(work, parts, doc)
}

function noteLock(work: Work, parts: DocTypeParts, doc: Doc): Touched {
  const entry: Touched = { parts, name: doc.name, start: doc, current: doc, kinds: [] }
  work.touched.set(keyOf(parts, doc.name), entry)
  work.reads.behindLock()
  return entry
}

/** Notes a write: the record's image now and, once for each, what was done. */
export function noteWrite(
  work: Work,
  parts: DocTypeParts,
  before: Doc | undefined,
  after: Doc | undefined,
  kind: EventKind,
): Touched {
  const { name } = (after ?? before)!
  const key = keyOf(parts, name)
  const known = work.touched.get(key)
  const entry = known ?? { parts, name, start: before, current: after, kinds: [] }
  entry.current = after
  work.reads.changed(parts.definition.doctype)
  if (!entry.kinds.includes(kind) && (kind !== 'updated' || entry.kinds.length === 0))
    entry.kinds.push(kind)
  if (!known) work.touched.set(key, entry)
  return entry
}

/** Runs a step one level deeper. Throws when documents go on creating documents. */
export async function nested<T>(work: Work, run: () => Promise<T>): Promise<T> {
  if (work.depth >= MAX_DEPTH) {
    throw new AppError(
      'INTERNAL_ERROR',
      `effects create documents more than ${MAX_DEPTH} deep; the definitions call each other`,
    )
  }
  work.depth += 1
  try {
    return await run()
  } finally {
    work.depth -= 1
  }
}
