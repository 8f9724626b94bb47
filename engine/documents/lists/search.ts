import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Field } from '../../fields/field.ts'
import type { ColumnValue } from '../../fields/field-type.ts'
import { fieldType } from '../../fields/index.ts'
import { publicFields } from '../../fields/public-fields.ts'
import { type FoundRecord, searchRecords } from '../../storage/finding/searched.ts'
import { knownParts, may, readable } from '../rights/door.ts'
import type { Context } from '../work/context.ts'
import { deepReads } from '../work/deep-reads.ts'

/** A record that was found, in the words of a picker or a palette. */
export interface SearchHit {
  readonly resource: string
  readonly doctype: string
  readonly id: string
  readonly title: string
  /** Value of the first further column of its list; empty where there is none. */
  readonly subtitle: string
  /** Its state; null where it has none. */
  readonly status: string | null
}

export interface SearchQuery {
  readonly q: string
  readonly limit: number
  /** DocTypes to look in; all that the caller may read without them. */
  readonly definitions?: readonly DocTypeDefinition[]
}

/**
 * The records, of all DocTypes that the caller may read, whose search fields have every word of `q`: first those that are
 * called so, then those whose names begin so, of those alike the ones changed last (GET /v1/search, contract §7.3).
 */
export async function searchAll(context: Context, query: SearchQuery): Promise<SearchHit[]> {
  const { q, limit, definitions = context.services.registry.all } = query
  const { database, search } = context.services
  const open = definitions.filter((definition) => may(context, definition, 'read'))
  const db = deepReads(context, 'look for longer words, or name the resources')
  const found: { readonly record: FoundRecord; readonly shown: Shown }[] = []
  for (const definition of await search.having(db, open, q)) {
    const shown = shownOf(context, definition)
    const records = await searchRecords(db, database.kind, {
      definition,
      q,
      matches: search.matches(definition, q),
      readable: readable(context, definition),
      columns: columnsOf(shown),
      limit,
    })
    found.push(...records.map((record) => ({ record, shown })))
  }
  return found
    .sort((a, b) => a.record.rank - b.record.rank || newerFirst(a.record, b.record))
    .slice(0, limit)
    .map(({ record, shown }) => hitOf(record, shown))
}

function newerFirst(a: FoundRecord, b: FoundRecord): number {
  return a.modified < b.modified ? 1 : a.modified > b.modified ? -1 : 0
}

/** States of a submittable record without a status of its own. */
const STATES = ['Draft', 'Submitted', 'Cancelled'] as const

/** What of a record is shown beside its title. */
interface Shown {
  readonly definition: DocTypeDefinition
  readonly subtitle: Field | undefined
  readonly status: Field | undefined
}

function shownOf(context: Context, definition: DocTypeDefinition): Shown {
  const known = knownParts(context, context.services.partsOf(definition)).definition
  const fields = new Map(publicFields(known).map((field) => [field.name, field]))
  const state = known.behaviour.status?.field
  const subtitle = known.listFields
    .filter((name) => ![known.titleField, known.idField, state].includes(name))
    .map((name) => fields.get(name))
    .find((field) => field && !field.child && fieldType(field.type).inList)
  return {
    definition: known,
    subtitle,
    status: state === undefined ? undefined : fields.get(state),
  }
}

function columnsOf({ definition, subtitle, status }: Shown): readonly string[] {
  const names = [subtitle, status].flatMap((field) => (field ? [field.name] : []))
  return [...new Set([...names, ...(definition.submittable ? ['docstatus'] : [])])]
}

function hitOf({ name, title, values }: FoundRecord, shown: Shown): SearchHit {
  const { definition, subtitle, status } = shown
  const state = definition.submittable ? STATES[Number(values.docstatus) as 0 | 1 | 2] : undefined
  return {
    resource: definition.slug,
    doctype: definition.doctype,
    id: name,
    title: title ?? name,
    subtitle: subtitle ? textOf(subtitle, values) : '',
    status: status ? textOf(status, values) || null : (state ?? null),
  }
}

function textOf(field: Field, values: FoundRecord['values']): string {
  const type = fieldType(field.type)
  const raw = (values[field.name] ?? null) as ColumnValue
  return raw === null ? '' : String(type.toWire(type.fromColumn(raw, field), field))
}
