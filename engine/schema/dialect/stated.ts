import type { Detail } from '../../base/errors.ts'
import { numberSent } from './said.ts'

type Body = Readonly<Record<string, unknown>>

/** An amount that a client states of a field that the workspace computes. */
export interface Stated {
  readonly table?: string
  readonly index?: number
  /** Name that the client sent. */
  readonly name: string
  readonly field: string
  readonly value: unknown
}

/** Systems round a cent here or there. */
const TOLERANCE = 0.011

/**
 * What was stated and did not come out: somebody who sends 226.10 and is billed 238 has to hear of it. `record` is that
 * of GET after the write.
 */
export function contradictions(stated: readonly Stated[], record: Body): readonly Detail[] {
  return stated.flatMap(({ table, index, name, field, value }) => {
    const owner = table === undefined ? record : rowAt(record[table], index!)
    const [sent, is] = [numberSent(value), numberSent(owner?.[field] ?? 0)]
    if (!owner || sent === undefined || is === undefined) return []
    if (Math.abs(sent - is) <= TOLERANCE) return []
    const place = table === undefined ? name : `${table}[${index}].${name}`
    const message = `is computed here and comes to ${is}, not to ${sent}; leave it out, or send what it follows from`
    return [{ field: place, message, code: 'read_only' }]
  })
}

function rowAt(rows: unknown, index: number): Body | undefined {
  return Array.isArray(rows) ? (rows[index] as Body | undefined) : undefined
}
