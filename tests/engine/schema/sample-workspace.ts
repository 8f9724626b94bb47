import { loadDefinitionTexts } from '../../../engine/definition/load/load.ts'
import type { Registry } from '../../../engine/definition/model/registry.ts'
import type { EventEntry } from '../../../engine/schema/catalogue/event-entry.ts'
import { VOCABULARY } from '../../helpers/vocabulary.ts'

/**
 * A small workspace with what the descriptions tell apart: every kind of field, rows, aliases, a submittable
 * DocType, actions with and without input, a ledger and its balances.
 */
export function sampleWorkspace(): Registry {
  return loadDefinitionTexts(
    [FLEET, TRIP, STOP, MILEAGE, ODOMETER].map((text, index) => ({
      path: `${index}.yaml`,
      text: text.trimStart(),
    })),
    VOCABULARY,
  ).registry
}

const FLEET = `
doctype: Fleet Vehicle
module: assets
tier: business
aliases: [cars]
description: A car, van or lorry of the company.
icon: truck
naming: field:plate
title: model
search: [plate, model]
list: [model, kind, price]
fields:
  plate: {type: data, required: true, createOnly: true, filterable: true, length: 12, pattern: "^[A-Z0-9-]+$"}
  model: {type: data, required: true, filterable: true, description: Maker and model., section: Vehicle}
  kind: {type: select, options: [Car, Van, Lorry], default: Car, filterable: true}
  price: {type: currency, min: 0, filterable: true}
  seats: {type: int, min: 1, max: 60}
  bought_on: {type: date, default: today(), filterable: true}
  electric: {type: check, default: false, filterable: true}
  pin: {type: password}
  notes: {type: text, visible_when: electric}
  extra: {type: json}
  trips: {type: int, readOnly: true}
  extra_buyer: {type: email, hidden: true}
  last_trip: {type: link, options: Trip, hidden: true}
actions:
  wash: {label: Wash it, description: Sends it to the car wash., steps: [{set: {notes: '"clean"'}}]}
  age: {system: true, steps: [{set: {notes: '"old"'}}]}
  plan_trip:
    when: seats > 0
    input:
      driver: {type: data, required: true, length: 40}
      day: {type: date, default: today()}
      reason: {type: select, options: [Work, Play], default: Work}
      like: {type: link, options: Trip}
    steps:
      - {create: Trip, as: trip, set: {vehicle: name, driver: input.driver}}
      - {create: Trip, as: way_back, set: {vehicle: name, driver: input.driver}}
events:
  sold:
    description: A vehicle was sold.
    when: 'kind == "Van" && !electric && seats <= 9'
    data: {buyer: extra_buyer, trip_of: last_trip.driver, drivers: seats / 2, kind: kind}
  updated: {trigger: update, when: price > 0, data: {dear: price > 1000}}
  resprayed: {trigger: change, field: kind}
`

const TRIP = `
doctype: Trip
module: hr
tier: free
submittable: true
naming: "TRIP-{YYYY}-{####}"
fields:
  vehicle: {type: link, options: Fleet Vehicle, required: true, filterable: true}
  driver: {type: data, length: 40}
  stops: {type: table, options: Trip Stop, required: true, min: 2, max: 9}
`

const STOP = `
doctype: Trip Stop
module: hr
tier: free
child: true
fields:
  place: {type: data, required: true}
  km: {type: float, min: 0}
  reached: {type: datetime}
`

const MILEAGE = `
doctype: Mileage
module: hr
tier: free
naming: uuid
ledger: {negate: [km]}
fields:
  posting_date: {type: date, filterable: true}
  vehicle: {type: link, options: Fleet Vehicle, required: true, filterable: true}
  km: {type: float}
events:
  record_broken: {trigger: create, when: km > 1000}
`

const ODOMETER = `
doctype: Odometer
module: hr
tier: free
naming: "{vehicle}"
upsert_from: Mileage
fields:
  vehicle: {type: link, options: Fleet Vehicle, filterable: true}
  km: {type: float, rollup: {from: Mileage, match: vehicle, sum: km}}
`

/** An event that no DocType emits. */
export const WEBHOOK_TEST: EventEntry = {
  event: 'webhooks.test',
  resource: 'webhooks',
  kind: 'test',
  group: 'Workspace',
  description: 'A delivery to try a subscription with.',
  key_fields: ['id', 'note'],
  schema: {
    type: 'object',
    properties: { id: { type: 'string' }, note: { type: 'string' } },
    required: ['id', 'note'],
  },
  example: { id: 'whk_1', note: 'Hello' },
}
