import type { ReadEvent } from '../../events/log.ts'
import { fieldType } from '../../fields/index.ts'
import { isPublic } from '../../fields/public-fields.ts'
import type { Doc } from '../../storage/database/document.ts'
import type { DocTypeParts, Services } from '../work/context.ts'
import { type Cell, shownValue, storedValue } from './cell.ts'

/** Change of a record that the log tells of. */
export interface Change {
  readonly at: string
  readonly actor: string
  readonly kind: string
}

/** Past of one record, as far as the event log has it. */
export interface History {
  /** The change that gave a cell the value it has; undefined where the log does not reach so far. */
  since(cell: Cell): Promise<Change | undefined>
  /** The moment at which the record was submitted; undefined where that is not known, or it never was. */
  submitted(): Promise<string | undefined>
}

/** Lines of the log that are looked through: each holds the whole record. */
const MOST_LINES = 100

/** The history of a record; the log is read when it is first asked. */
export function createHistory(
  { database, events }: Pick<Services, 'database' | 'events'>,
  { definition }: DocTypeParts,
  doc: Doc,
): History {
  let read: Promise<readonly Line[]> | undefined
  const lines = (): Promise<readonly Line[]> => {
    read ??= events
      .page(database.read, {
        filter: { resource: definition.slug, record_id: doc.name },
        order: 'desc',
        limit: MOST_LINES,
      })
      .then(ofThisRecord)
    return read
  }
  return {
    async since(cell) {
      if (doc.version === 1 && doc.docstatus === 0)
        return { at: doc.created, actor: doc.owner, kind: 'created' }
      return lastChange(cell, await lines())
    },
    async submitted() {
      if (doc.docstatus === 0) return undefined
      return (await lines()).find(({ event }) => event.kind === 'submitted')?.event.at
    },
  }
}

interface Line {
  readonly event: ReadEvent
  /** The record as the line has it. */
  record(): Readonly<Record<string, unknown>>
}

/** Lines, newest first, since the record was created: one of the same name may have been there before. */
function ofThisRecord(events: readonly ReadEvent[]): readonly Line[] {
  const created = events.findIndex(({ kind }) => kind === 'created')
  const own = created < 0 ? events : events.slice(0, created + 1)
  return own.map((event) => {
    let record: Readonly<Record<string, unknown>> | undefined
    return {
      event,
      record() {
        record ??= JSON.parse(event.data) as Readonly<Record<string, unknown>>
        return record
      },
    }
  })
}

function lastChange(cell: Cell, lines: readonly Line[]): Change | undefined {
  const { field, table } = cell
  const isTold = isPublic(field) && !(table && !isPublic(table)) && !fieldType(field.type).secret
  if (!isTold || field.child) return undefined
  const value = JSON.stringify(shownValue(field, storedValue(cell)))
  let first: ReadEvent | undefined
  for (const { event, record } of lines) {
    const then = JSON.stringify(valueThen(cell, record()))
    if (then !== value) return first && changeOf(first)
    first = event
  }
  // Before the first line that is left the value may have been the same.
  return first?.kind === 'created' ? changeOf(first) : undefined
}

/** Value of the cell in an earlier state of the record; undefined where it had no such row. */
function valueThen({ field, table, row }: Cell, record: Readonly<Record<string, unknown>>) {
  if (!table) return record[field.name]
  const rows = record[table.name]
  const then = Array.isArray(rows) ? rows.find((one) => one.row_id === row?.row_id) : undefined
  return then?.[field.name]
}

function changeOf({ at, actor, kind }: ReadEvent): Change {
  return { at, actor, kind }
}
