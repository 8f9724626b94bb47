import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import * as assert from 'uvu/assert'
import type { Engine } from '../../engine/index.ts'
import { eventCatalogue } from '../../engine/schema/catalogue/event-catalogue.ts'
import type { EventEntry } from '../../engine/schema/catalogue/event-entry.ts'

/** An event as GET /v1/events shows it. */
export interface KnownEvent {
  readonly id: string
  readonly event: string
  readonly record_id: string
  readonly data: Readonly<Record<string, unknown>>
}

/** Says what is wrong with the data of an event by the schema of the catalogue; nothing when all is well. */
export function dataChecker(
  entries: readonly EventEntry[],
): (event: string, data: unknown) => readonly unknown[] {
  const byName = new Map(entries.map((entry) => [entry.event, entry]))
  return (event, data) => {
    const entry = byName.get(event)
    if (!entry) return ['the catalogue does not have it']
    const validate = validatorOf(entry.schema)
    validate(data)
    const fields = Object.keys(entry.schema.properties as object)
    const unknown = Object.keys(data as object).filter((key) => !fields.includes(key))
    return [...(validate.errors ?? []), ...unknown.map((key) => `${key} is not in the schema`)]
  }
}

/**
 * Each schema judges a few events only: making it smaller, writing rows into it once more wherever they are named, and
 * judging the schema itself, which the tests of the catalogue do, takes longer than it saves.
 */
const AJV = addFormats.default(
  new Ajv2020({
    strict: false,
    allErrors: true,
    validateSchema: false,
    inlineRefs: false,
    code: { optimize: false },
  }),
)

/** By schema: the stories that run in one process have nearly all of them in common. */
const VALIDATORS = new Map<string, ValidateFunction>()

function validatorOf(schema: EventEntry['schema']): ValidateFunction {
  const text = JSON.stringify(schema)
  const known = VALIDATORS.get(text)
  if (known) return known
  const validate = AJV.compile(schema)
  VALIDATORS.set(text, validate)
  return validate
}

/** The catalogue has every event that was logged, with a schema that takes its data. Returns the types seen. */
export async function assertEventsAsDescribed(engine: Engine): Promise<ReadonlySet<string>> {
  const problemsOf = dataChecker(eventCatalogue(engine.services.registry))
  const seen = new Set<string>()
  const { events, database } = engine.services
  let beyond: bigint | undefined
  for (;;) {
    const page = await events.page(database.read, {
      filter: {},
      order: 'asc',
      limit: 500,
      ...(beyond === undefined ? {} : { beyond }),
    })
    for (const { event, record_id, data } of page) {
      assert.equal([event, record_id, problemsOf(event, JSON.parse(data))], [event, record_id, []])
      seen.add(event)
    }
    const last = page.at(-1)
    if (!last) return seen
    beyond = last.seq
  }
}
