import type { Detail } from '../../base/errors.ts'
import { isObject } from '../../base/json-text.ts'
import { shown } from '../../base/shown.ts'
import type { Field } from '../../fields/field.ts'

type Body = Readonly<Record<string, unknown>>

/** Kinds of changes of a table, in the order of what comes of them: rows that are there, then new ones. */
const KINDS = ['update', 'add'] as const
const KEYS: readonly string[] = [...KINDS, 'remove']

/** Id of a row to update that came without one, which has been told. */
export const NO_ROW = ''

/** A body whose tables are all lists, and what it was before: the tables that were sent as changes of their rows. */
export interface ListedRows {
  readonly body: unknown
  /** Table → ids of the rows that go. */
  readonly removed: Readonly<Record<string, readonly string[]>>
  readonly problems: readonly Detail[]
  /** Path of a field of the listed body as it was sent: `items[2].qty` → `items.add[0].qty`. */
  readonly sentAs: (path: string) => string
}

/**
 * A body with tables sent as changes, `{items: {add: [{…}], update: [{row_id, …}], remove: [row_id]}}` (contract §3), as
 * one with lists of rows: those to update, then those to add. What is wrong with the changes themselves is told beside.
 */
export function listChangedRows(fields: ReadonlyMap<string, Field>, body: unknown): ListedRows {
  if (!isObject(body)) return { body, removed: {}, problems: [], sentAs: (path) => path }
  const listed: Record<string, unknown> = { ...body }
  const removed: Record<string, readonly string[]> = {}
  const problems: Detail[] = []
  const updates = new Map<string, number>()
  for (const { name, child } of fields.values()) {
    const sent = body[name]
    if (!child || !isObject(sent)) continue
    problems.push(...wrongKeys(name, sent))
    const [update = [], add = []] = KINDS.map((kind) => rowsOf(name, kind, sent[kind], problems))
    const byId = update.map((row, index) => withId(row, `${name}.update[${index}]`, problems))
    const gone = idsOf(name, sent.remove, problems)
    updates.set(name, update.length)
    removed[name] = gone
    listed[name] = [
      ...byId,
      ...add.map((row, index) => withoutId(row, `${name}.add[${index}]`, problems)),
    ]
  }
  return { body: updates.size === 0 ? body : listed, removed, problems, sentAs: pathOf(updates) }
}

function pathOf(updates: ReadonlyMap<string, number>): ListedRows['sentAs'] {
  return (path) => {
    const [, table = '', index = ''] = /^(\w+)\[(\d+)\]/.exec(path) ?? []
    const updated = updates.get(table)
    if (updated === undefined) return path
    const at = Number(index)
    const place = at < updated ? `update[${at}]` : `add[${at - updated}]`
    return `${table}.${place}${path.slice(table.length + index.length + 2)}`
  }
}

function wrongKeys(table: string, sent: Body): Detail[] {
  return Object.keys(sent)
    .filter((key) => !KEYS.includes(key))
    .map((key) => ({
      field: `${table}.${key}`,
      message: 'unknown field; rows are changed by add, update and remove',
      code: 'unknown_field',
    }))
}

function rowsOf(
  table: string,
  kind: string,
  sent: unknown,
  problems: Detail[],
): readonly unknown[] {
  if (sent === undefined || Array.isArray(sent)) return sent ?? []
  problems.push({
    field: `${table}.${kind}`,
    message: `expected a list of rows, got ${shown(sent)}`,
    code: 'wrong_type',
  })
  return []
}

/** A row to update, which needs its id; without one it would be added. */
function withId(row: unknown, path: string, problems: Detail[]): unknown {
  if (!isObject(row) || (typeof row.row_id === 'string' && row.row_id !== '')) return row
  problems.push({ field: `${path}.row_id`, message: 'is required', code: 'required' })
  return { ...row, row_id: NO_ROW }
}

/** A row to add, whose id is given to it. */
function withoutId(row: unknown, path: string, problems: Detail[]): unknown {
  if (!isObject(row) || row.row_id === undefined) return row
  const message =
    'unknown field; a new row is given its row_id, one that is there belongs into update'
  problems.push({ field: `${path}.row_id`, message, code: 'unknown_field' })
  const { row_id: _, ...rest } = row
  return rest
}

function idsOf(table: string, sent: unknown, problems: Detail[]): readonly string[] {
  const ids = rowsOf(table, 'remove', sent, problems)
  return ids.filter((id, index): id is string => {
    if (typeof id === 'string') return true
    problems.push({
      field: `${table}.remove[${index}]`,
      message: `expected the row_id of a row, got ${shown(id)}`,
      code: 'wrong_type',
    })
    return false
  })
}
