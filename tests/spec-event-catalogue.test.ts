import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { loadDefinitions } from '../engine/definition/load/load.ts'
import type { JsonSchema } from '../engine/fields/field-type.ts'
import { eventCatalogue } from '../engine/schema/catalogue/event-catalogue.ts'
import { hooks } from '../hooks/index.ts'
import { SPEC_EVENTS } from './helpers/spec-events.ts'

const { registry } = loadDefinitions([join(import.meta.dirname, '../doctypes')], hooks)
const entries = new Map(eventCatalogue(registry).map((entry) => [entry.event, entry]))

const spec = suite('the event catalogue of the specification')

spec('has 39 events', () => {
  assert.is(new Set(SPEC_EVENTS.map(([, event]) => event)).size, 39)
})

for (const [group, event, keys] of SPEC_EVENTS) {
  spec(`${event}: is there under ${group}, and its key fields always come`, () => {
    const entry = entries.get(event)
    assert.ok(entry, event)
    assert.is(entry.group, group)
    const { required, properties } = entry.schema as {
      required: readonly string[]
      properties: Readonly<Record<string, JsonSchema>>
    }
    for (const key of ['id', ...keys]) {
      assert.ok(entry.key_fields.includes(key), `${key} is no key field`)
      assert.ok(required.includes(key), `${key} is not required`)
      assert.ok(properties[key], `${key} has no schema`)
      assert.ok(Object.hasOwn(entry.example, key), `${key} is not in the example`)
    }
  })
}

spec('payment-entries.submitted: the references name their sales invoices', () => {
  const { references } = entries.get('payment-entries.submitted')!.schema.properties as {
    references: { type: string; items: { required: readonly string[] } }
  }
  assert.is(references.type, 'array')
  assert.ok(references.items.required.includes('sales_invoice'))
})

const shipped = suite('the events of the shipped DocTypes')

shipped('are more than 100 on more than 40 resources', () => {
  const all = [...entries.values()]
  assert.ok(all.length > 100, `${all.length} events`)
  const resources = new Set(all.map(({ resource }) => resource))
  assert.ok(resources.size > 40, `${resources.size} resources`)
})

shipped('say in a sentence what has happened, where they are declared', () => {
  for (const { slug, behaviour } of registry.all) {
    for (const [kind, { description = '' }] of Object.entries(behaviour.events ?? {}))
      assert.match(description, /^[A-Z].{12,}\.$/, `${slug}.${kind}`)
  }
})

spec.run()
shipped.run()
