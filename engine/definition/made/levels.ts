import type { Field, Find } from '../../fields/field.ts'
import type { Draft } from '../check/world.ts'
import { ROW_ID, standardFields } from '../model/standard-fields.ts'
import { splitDot } from '../normalise/normalise-field.ts'
import type { Place } from './sites.ts'

/** Document or table with the columns that are made for it. */
export interface Level {
  readonly place: Place
  readonly fields: ReadonlyMap<string, Field>
  readonly finds: ReadonlyMap<string, Find>
  /** Made columns by name, each with the places of the expressions that read it. */
  readonly made: Map<string, { readonly field: Field; readonly by: Set<string> }>
}

/** The documents and tables of a load. */
export interface Levels {
  at(place: Place): Level | undefined
  /** Fields of what `from` names (`Item`, `Sales Order.items`) by name, those that every record or row has too. */
  fieldsOf(from: string): ReadonlyMap<string, Field>
  /** Names behind which an expression of this DocType, or of a rollup over it, may look. */
  headsOf(doctype: string): ReadonlySet<string>
}

/** The levels of drafts, of which nothing is made yet. */
export function levelsOf(drafts: ReadonlyMap<string, Draft>): Levels {
  const levels = new Map<string, Level>()
  const known = new Map<string, ReadonlyMap<string, Field>>()
  const heads = new Map<string, ReadonlySet<string>>()

  function at(place: Place): Level | undefined {
    const key = `${place.doctype}.${place.table ?? ''}`
    const level = levels.get(key) ?? levelAt(place)
    if (level) levels.set(key, level)
    return level
  }

  function levelAt(place: Place): Level | undefined {
    const definition = drafts.get(place.doctype)?.definition
    const owner =
      place.table === undefined
        ? definition
        : definition?.fields.find(({ name }) => name === place.table)?.child
    if (!owner) return undefined
    return {
      place,
      fields: byName(owner.fields),
      finds: new Map((owner.finds ?? []).map((find) => [find.name, find])),
      made: new Map(),
    }
  }

  function fieldsOf(from: string): ReadonlyMap<string, Field> {
    const fields = known.get(from) ?? readFields(from)
    known.set(from, fields)
    return fields
  }

  function readFields(from: string): ReadonlyMap<string, Field> {
    const [doctype, table] = splitDot(from)
    const definition = drafts.get(doctype)?.definition
    if (!definition) return new Map()
    if (table === undefined) return byName([...standardFields(definition), ...definition.fields])
    const rows = definition.fields.find(({ name }) => name === table)?.child
    return byName([ROW_ID, ...(rows?.fields ?? [])])
  }

  function headsOf(doctype: string): ReadonlySet<string> {
    const names = heads.get(doctype) ?? new Set(readHeads(doctype))
    heads.set(doctype, names)
    return names
  }

  function readHeads(doctype: string): string[] {
    const definition = drafts.get(doctype)?.definition
    if (!definition) return []
    const { fields, finds = [] } = definition
    return [
      ...[...finds, ...fields.filter(isLink)].map(({ name }) => name),
      ...fields.flatMap(({ child }) =>
        [...(child?.finds ?? []), ...(child?.fields ?? []).filter(isLink)].map(({ name }) => name),
      ),
    ]
  }

  return { at, fieldsOf, headsOf }
}

/** Whether a field names one record of a DocType that is known. */
export function isLink({ link, linkTable }: Field): boolean {
  return link !== undefined && linkTable === undefined
}

function byName(fields: readonly Field[]): ReadonlyMap<string, Field> {
  return new Map(fields.map((field) => [field.name, field]))
}
