import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  catalogEntries,
  catalogEntry,
  resourceDetail,
} from '../../../engine/schema/catalogue/catalog.ts'
import type { ResourceField } from '../../../engine/schema/shapes/resource-field.ts'
import { sampleWorkspace } from './sample-workspace.ts'

const registry = sampleWorkspace()
const vehicles = registry.bySlug('fleet-vehicles')!
const trips = registry.bySlug('trips')!
const mileages = registry.bySlug('mileages')!
const odometers = registry.bySlug('odometers')!

const entries = suite('the list of resources')

entries('has exactly the keys of the contract', () => {
  const { fields, ...entry } = catalogEntry(vehicles)
  assert.equal(entry, {
    slug: 'fleet-vehicles',
    doctype: 'Fleet Vehicle',
    label: 'Fleet Vehicle',
    tier: 'business',
    module: 'assets',
    submittable: false,
  })
  assert.equal(
    fields.find(({ name }) => name === 'plate'),
    {
      name: 'plate',
      type: 'data',
      filterable: true,
      createOnly: true,
    },
  )
})

entries('names the standard fields too, those of documents for submittable ones only', () => {
  const namesOf = (definition: typeof trips) =>
    catalogEntry(definition).fields.map(({ name }) => name)
  const standard = ['id', 'name', 'owner', 'created', 'modified', 'modified_by']
  for (const name of standard) assert.ok(namesOf(vehicles).includes(name), name)
  assert.not(namesOf(vehicles).includes('docstatus'))
  assert.ok(namesOf(trips).includes('docstatus'))
  assert.ok(namesOf(trips).includes('amended_from'))
})

entries('has an entry for each alias, sorted by slug, and none for rows', () => {
  const list = catalogEntries(registry.all)
  assert.equal(
    list.map(({ slug, alias_of }) => [slug, alias_of]),
    [
      ['cars', 'fleet-vehicles'],
      ['fleet-vehicles', undefined],
      ['mileages', undefined],
      ['odometers', undefined],
      ['trips', undefined],
    ],
  )
})

entries('mark ledgers and balances, which callers only read', () => {
  const marked = catalogEntries(registry.all).filter(({ read_only }) => read_only)
  assert.equal(
    marked.map(({ slug, read_only }) => [slug, read_only]),
    [
      ['mileages', true],
      ['odometers', true],
    ],
  )
})

const valuesOf = (field: ResourceField | undefined) =>
  Array.isArray(field?.options) ? field.options.map(({ value }) => value) : field?.options

const detail = suite('one resource')

detail('says how its records are named, titled, searched and listed', () => {
  const shown = resourceDetail(registry, vehicles)
  assert.equal(shown.naming, { kind: 'field', field: 'plate' })
  assert.is(shown.id_field, 'plate')
  assert.is(shown.title_field, 'model')
  assert.equal(shown.search_fields, ['plate', 'model'])
  assert.equal(shown.list_fields, ['model', 'kind', 'price'])
  assert.is(shown.label_plural, 'Fleet Vehicles')
  assert.is(shown.icon, 'truck')
  assert.equal(shown.aliases, ['cars'])
})

detail('tells the events every resource has and the declared ones', () => {
  assert.equal(resourceDetail(registry, vehicles).events, [
    'fleet-vehicles.created',
    'fleet-vehicles.updated',
    'fleet-vehicles.deleted',
    'fleet-vehicles.sold',
    'fleet-vehicles.resprayed',
  ])
  assert.equal(resourceDetail(registry, trips).events, [
    'trips.created',
    'trips.updated',
    'trips.deleted',
    'trips.submitted',
    'trips.cancelled',
  ])
})

detail('tells of ledgers and balances the declared events alone, and that no field is sent', () => {
  assert.equal(resourceDetail(registry, mileages).events, ['mileages.record_broken'])
  assert.equal(resourceDetail(registry, odometers).events, [])
  for (const definition of [mileages, odometers]) {
    const { read_only, fields } = resourceDetail(registry, definition)
    assert.is(read_only, true)
    assert.equal(
      fields.filter(({ readOnly }) => !readOnly),
      [],
    )
  }
})

detail("lists the actions a caller may run, not the server's own", () => {
  const [wash, plan, ...others] = resourceDetail(registry, vehicles).actions
  assert.equal(wash, {
    name: 'wash',
    label: 'Wash it',
    description: 'Sends it to the car wash.',
    input: [],
    creates: [],
  })
  assert.equal([plan?.name, plan?.label, plan?.when], ['plan_trip', 'Plan Trip', 'seats > 0'])
  assert.equal(plan?.creates, ['trips'])
  assert.equal(others, [])
})

detail('tells of the input of an action what it tells of other fields', () => {
  const [driver, day, reason, like] = resourceDetail(registry, vehicles).actions[1]!.input
  assert.equal(
    [driver?.name, driver?.label, driver?.required, driver?.length],
    ['driver', 'Driver', true, 40],
  )
  assert.equal([day?.widget, day?.default_expression], ['date', 'today()'])
  assert.equal([valuesOf(reason), reason?.default], [['Work', 'Play'], 'Work'])
  assert.equal([like?.type, like?.resource], ['link', 'trips'])
})

detail('says who links to its records', () => {
  assert.equal(resourceDetail(registry, vehicles).connections, [
    { resource: 'mileages', field: 'vehicle' },
    { resource: 'odometers', field: 'vehicle' },
    { resource: 'trips', field: 'vehicle' },
  ])
})

detail('tells of a field what is needed to show, filter and fill it', () => {
  const { name, label, required, createOnly, filterable, readOnly, length, pattern, operators } =
    fieldOf('plate')
  assert.equal(
    [name, label, required, createOnly, filterable, readOnly],
    ['plate', 'Plate', true, true, true, false],
  )
  assert.equal([length, pattern], [12, '^[A-Z0-9-]+$'])
  assert.ok(operators.includes('like'))
  assert.equal(
    [fieldOf('model').description, fieldOf('model').section],
    ['Maker and model.', 'Vehicle'],
  )
  assert.equal(valuesOf(fieldOf('kind')), ['Car', 'Van', 'Lorry'])
  assert.equal([fieldOf('seats').min, fieldOf('seats').max], [1, 60])
  assert.is(fieldOf('notes').visible_when, 'electric')
  assert.is(fieldOf('electric').widget, 'checkbox')
})

detail('tells a default that is a value from one that is computed', () => {
  assert.equal([fieldOf('kind').default, fieldOf('kind').default_expression], ['Car', undefined])
  assert.equal(
    [fieldOf('bought_on').default, fieldOf('bought_on').default_expression],
    [undefined, 'today()'],
  )
})

detail('offers operators on every field with an order, filterable or not', () => {
  const { filterable, operators } = fieldOf('seats')
  assert.equal([filterable, operators.includes('between')], [false, true])
  assert.equal(fieldOf('notes').operators, [])
})

detail('names the resource behind a link and the fields of the rows of a table', () => {
  const { fields } = resourceDetail(registry, trips)
  assert.is(fields.find(({ name }) => name === 'vehicle')?.resource, 'fleet-vehicles')
  assert.is(fields.find(({ name }) => name === 'amended_from')?.resource, 'trips')
  const stops = fields.find(({ name }) => name === 'stops')!
  assert.equal(
    stops.fields?.map(({ name }) => name),
    ['place', 'km', 'reached'],
  )
  assert.equal([stops.min_rows, stops.max_rows], [2, 9])
})

detail('under an alias says whose it is', () => {
  const { slug, alias_of } = resourceDetail(registry, vehicles, 'cars')
  assert.equal([slug, alias_of], ['cars', 'fleet-vehicles'])
})

entries.run()
detail.run()

function fieldOf(wanted: string) {
  return resourceDetail(registry, vehicles).fields.find(({ name }) => name === wanted)!
}
