import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { sql } from 'kysely'
import * as assert from 'uvu/assert'
import type { Engine } from '../../engine/index.ts'
import { type EventEntry, eventCatalogue } from '../../engine/schema/event-catalogue.ts'

/** An event as it was logged, `data` read. */
export interface KnownEvent {
  readonly seq: number
  readonly event: string
  readonly record_id: string
  readonly data: Readonly<Record<string, unknown>>
}

/** The events that were logged after this one, in their order. */
export async function eventsSince(
  { services }: Pick<Engine, 'services'>,
  seq: number,
): Promise<readonly KnownEvent[]> {
  const rows = await services.database.read
    .selectFrom('svc_events')
    .select(['seq', 'event', 'record_id', 'data'])
    .where(sql<boolean>`seq > ${seq}`)
    .orderBy('seq')
    .execute()
  return rows.map((row) => ({
    seq: Number(row.seq),
    event: String(row.event),
    record_id: String(row.record_id),
    data: JSON.parse(String(row.data)) as KnownEvent['data'],
  }))
}

/** Says what is wrong with the data of an event by the schema of the catalogue; nothing when all is well. */
export function dataChecker(
  entries: readonly EventEntry[],
): (event: string, data: unknown) => readonly unknown[] {
  const byName = new Map(entries.map((entry) => [entry.event, entry]))
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  const compiled = new Map<string, ValidateFunction>()
  return (event, data) => {
    const entry = byName.get(event)
    if (!entry) return ['the catalogue does not have it']
    const validate = compiled.get(event) ?? ajv.compile(entry.schema)
    compiled.set(event, validate)
    validate(data)
    const fields = Object.keys(entry.schema.properties as object)
    const unknown = Object.keys(data as object).filter((key) => !fields.includes(key))
    return [...(validate.errors ?? []), ...unknown.map((key) => `${key} is not in the schema`)]
  }
}

/** The catalogue has every event that was logged, with a schema that takes its data. Returns the types seen. */
export async function assertEventsAsDescribed(engine: Engine): Promise<ReadonlySet<string>> {
  const problemsOf = dataChecker(eventCatalogue(engine.services.registry))
  const seen = new Set<string>()
  for (const { event, record_id, data } of await eventsSince(engine, 0)) {
    assert.equal([event, record_id, problemsOf(event, data)], [event, record_id, []])
    seen.add(event)
  }
  return seen
}
