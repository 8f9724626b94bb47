import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { loadDefinitions, loadDefinitionTexts } from '../../../engine/definition/load/load.ts'
import { fieldTypes } from '../../../engine/fields/index.ts'
import { eventsOf } from '../../../engine/schema/catalogue/catalog.ts'
import { eventCatalogue } from '../../../engine/schema/catalogue/event-catalogue.ts'
import type { EventEntry } from '../../../engine/schema/catalogue/event-entry.ts'
import { hooks } from '../../../hooks/index.ts'
import { dataChecker } from '../../helpers/event-checks.ts'
import { bigWorkspace } from './big-workspace.ts'
import { sampleWorkspace, WEBHOOK_TEST } from './sample-workspace.ts'

type Json = Readonly<Record<string, unknown>>

const sample = sampleWorkspace()
const shipped = loadDefinitions([join(import.meta.dirname, '../../../doctypes')], hooks).registry
const entries = eventCatalogue(sample, [])

const entry = (event: string, among: readonly EventEntry[] = entries): EventEntry => {
  const found = among.find((candidate) => candidate.event === event)
  assert.ok(found, event)
  return found
}
const propertiesOf = (event: string): Readonly<Record<string, Json>> =>
  entry(event).schema.properties as Record<string, Json>

const catalogue = suite('the catalogue of events')

catalogue('has those that records emit by themselves and the declared ones, by resource', () => {
  assert.equal(
    entries.map(({ event }) => event),
    sample.all.flatMap(eventsOf),
  )
  const { resource, kind, group } = entry('fleet-vehicles.sold')
  assert.equal([resource, kind, group], ['fleet-vehicles', 'sold', 'Support and assets'])
})

catalogue('has the events of the workspace itself behind them', () => {
  assert.is(eventCatalogue(sample, [WEBHOOK_TEST]).at(-1), WEBHOOK_TEST)
})

catalogue('says what has happened: in the words of the YAML, else by the label', () => {
  const said = (kind: string): string => entry(`fleet-vehicles.${kind}`).description
  assert.is(said('sold'), 'A vehicle was sold.')
  assert.is(said('created'), 'A fleet vehicle was created.')
  assert.is(said('updated'), 'A fleet vehicle was changed.')
  assert.is(said('resprayed'), 'The kind of a fleet vehicle has changed.')
  assert.is(entry('trips.cancelled').description, 'A trip was cancelled.')
  assert.is(entry('mileages.record_broken').description, 'Mileage: record broken.')
})

catalogue('promises what the YAML names, else id, title and status', () => {
  const keys = (event: string): readonly string[] => entry(event).key_fields
  assert.equal(keys('fleet-vehicles.sold'), ['id', 'buyer', 'trip_of', 'drivers', 'kind'])
  assert.equal(keys('fleet-vehicles.created'), ['id', 'model'])
  assert.equal(keys('trips.created'), ['id'])
  for (const { schema, key_fields } of entries) assert.equal(schema.required, key_fields)
  assert.equal(entry('employees.updated', eventCatalogue(shipped)).key_fields, [
    'id',
    'employee_name',
    'status',
  ])
})

catalogue('does not promise what comes only on a condition', () => {
  assert.equal(entry('fleet-vehicles.updated').key_fields, ['id', 'model'])
  assert.ok(propertiesOf('fleet-vehicles.updated').dear)
})

catalogue('has a schema of the record and of what the event adds, and nothing twice', () => {
  const properties = propertiesOf('fleet-vehicles.sold')
  const record = propertiesOf('fleet-vehicles.created')
  assert.equal(Object.keys(properties), [...Object.keys(record), 'buyer', 'trip_of', 'drivers'])
  assert.equal(properties.price, { type: ['number', 'null'], format: 'double' })
  assert.equal(properties.plate, { type: 'string' })
  assert.equal(properties.pin, { type: 'null' })
  assert.equal(properties.buyer, { type: ['string', 'null'], format: 'email' })
  assert.equal(properties.trip_of, { type: ['string', 'null'] })
  assert.equal(properties.drivers, { type: ['string', 'number', 'boolean', 'null'] })
  const { items } = propertiesOf('trips.created').stops as { items: Json }
  assert.equal(items.required, ['row_id', 'place', 'km', 'reached'])
  assert.not(JSON.stringify(entries.map(({ schema }) => schema)).includes('$ref'))
})

catalogue('shows records in a state that fits what happened', () => {
  const { example } = entry('fleet-vehicles.sold')
  assert.equal([example.kind, example.electric, example.seats], ['Van', false, 9])
  const all = eventCatalogue(shipped)
  const shown = (event: string, field: string): unknown[] => {
    const { example } = entry(event, all)
    return [example[field], example.docstatus]
  }
  assert.equal(shown('sales-orders.created', 'status'), ['Draft', 0])
  assert.equal(shown('sales-orders.submitted', 'status'), ['Submitted', 1])
  assert.equal(shown('sales-orders.cancelled', 'status'), ['Cancelled', 2])
  assert.equal(shown('purchase-orders.submitted', 'status'), ['To Receive and Bill', 1])
  assert.equal(shown('sales-invoices.paid', 'status'), ['Paid', 1])
  assert.equal(shown('sales-invoices.paid', 'outstanding_amount'), [0, 1])
  assert.equal(shown('expense-claims.approved', 'approval_status'), ['Approved', 1])
  assert.equal(shown('work-orders.completed', 'status'), ['Completed', 1])
  assert.equal(shown('issues.responded', 'status'), ['Replied', undefined])
  assert.equal(shown('bank-transactions.created', 'status'), ['Pending', 0])
})

for (const [name, registry] of [
  ['the shipped DocTypes', shipped],
  ['a sample workspace', sample],
  ['fields of every type', bigWorkspace({ resources: 3, fields: fieldTypes.size, filterable: 0 })],
] as const) {
  catalogue(`has an example for each event that its schema takes: ${name}`, () => {
    const all = eventCatalogue(registry)
    const problemsOf = dataChecker(all)
    assert.ok(all.length > 0)
    for (const { event, example } of all)
      assert.equal([event, problemsOf(event, example)], [event, []])
  })
}

catalogue('has examples for conditions that no example could meet', () => {
  const { registry } = loadDefinitionTexts([
    {
      path: 'a.yaml',
      text: `
doctype: Thing
module: crm
tier: free
fields:
  state: {type: select, options: [A, B]}
  pin: {type: password}
  day: {type: date}
  size: {type: float}
  name_of: {type: data, required: true}
events:
  odd: {when: 'state == "C" && pin == "x" && name_of == "" && size == 1.5 && 2 == 3 && !(size > 1)'}
  either: {when: 'size == 4 || size == 5'}
  cold: {when: 'size <= -1.5 && !(state == "A") && size + 1 > 2'}
  far: {when: '-size == 3 && size >= -(1 + 1)'}
`.trimStart(),
    },
  ])
  const all = eventCatalogue(registry)
  for (const event of ['things.odd', 'things.either'])
    assert.equal(dataChecker(all)(event, entry(event, all).example), [])
})

catalogue('of 140 resources is at most 4 MB', () => {
  const big = bigWorkspace({ resources: 140, fields: 30, filterable: 12, actions: 1 })
  const size = Buffer.byteLength(JSON.stringify({ data: eventCatalogue(big) }))
  assert.ok(size <= 4 * 1_048_576, `${size} bytes`)
})

catalogue.run()
