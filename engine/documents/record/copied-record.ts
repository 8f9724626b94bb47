import { newRowId } from '../../base/ids.ts'
import { addDays } from '../../expression/run/calendar.ts'
import type { Field } from '../../fields/field.ts'
import { valueType } from '../../rules/base/scopes.ts'
import { type Doc, rowsOf, valueIn } from '../../storage/database/document.ts'
import type { DocTypeParts } from '../work/context.ts'

/** Copy of what a person or a fetch put in; computed fields are computed anew, `no_copy` fields start empty. */
export function copyOf({ definition, store }: DocTypeParts, source: Doc): Doc {
  const copy = store.empty()
  for (const field of definition.fields) {
    if (field.noCopy) continue
    if (!field.child) {
      copy[field.name] = valueIn(source, field.name)
      continue
    }
    const left = Object.fromEntries(
      field.child.fields.flatMap(({ name, noCopy }) => (noCopy ? [[name, null]] : [])),
    )
    copy[field.name] = rowsOf(source, field.name).map((row) => ({
      ...row,
      ...left,
      row_id: newRowId(),
    }))
  }
  const { status } = definition.behaviour
  // What others had to approve they have to approve again, and what was cancelled is so no more.
  if (status?.movers || status?.cancelled !== undefined) copy[status.field] = status.initial ?? null
  return copy
}

/** The record with all its dates, those in its rows too, this many days later. */
export function movedByDays({ definition }: DocTypeParts, doc: Doc, days: number): Doc {
  const move = <Row extends object>(fields: readonly Field[], row: Row): Row => {
    const moved = fields.flatMap((field) => {
      const value = (row as Readonly<Record<string, unknown>>)[field.name]
      const isDay = valueType(field).kind === 'date' && typeof value === 'string' && value !== ''
      return isDay ? [[field.name, addDays(value, days)]] : []
    })
    return { ...row, ...Object.fromEntries(moved) }
  }
  const tables = definition.fields.flatMap(({ name, child }) =>
    child ? [[name, rowsOf(doc, name).map((row) => move(child.fields, row))]] : [],
  )
  const plain = definition.fields.filter(({ child }) => !child)
  return { ...move(plain, doc), ...Object.fromEntries(tables) }
}
