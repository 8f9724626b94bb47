import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { STATUS_OF_CODE } from '../../../engine/base/errors.ts'
import { loadDefinitions } from '../../../engine/definition/load/load.ts'
import { isKeptByEngine } from '../../../engine/definition/model/kept.ts'
import type { Registry } from '../../../engine/definition/model/registry.ts'
import { fieldTypes } from '../../../engine/fields/index.ts'
import { openReports } from '../../../engine/reports/compile/load.ts'
import { describeReports } from '../../../engine/reports/run/openapi.ts'
import { openApiDocument } from '../../../engine/schema/openapi/openapi.ts'
import { openApiSlice } from '../../../engine/schema/openapi/openapi-slice.ts'
import { createValidator, sharedAjv } from '../../../engine/schema/shapes/validator.ts'
import { hooks } from '../../../hooks/index.ts'
import { bigWorkspace } from './big-workspace.ts'
import { causesIn } from './openapi-causes.ts'
import { examplesOf, operationsOf, refsOf, resolve, schemaCompiler } from './openapi-reader.ts'
import { sampleWorkspace } from './sample-workspace.ts'

type Json = Readonly<Record<string, unknown>>

const SHIPPED = join(import.meta.dirname, '../../../doctypes')
/** Contract §3 has at most 3 MB. */
const MAX_SIZE = 3_000_000

const shipped = loadDefinitions([SHIPPED], hooks).registry
const workspaces = [
  ['the shipped DocTypes', shipped],
  ['a sample workspace', sampleWorkspace()],
  [
    'fields of every type',
    bigWorkspace({ resources: 3, fields: fieldTypes.size, filterable: 40, actions: 2 }),
  ],
] as const

for (const [name, registry] of workspaces) {
  const description = suite(`the description of ${name}`)
  const document = openApiDocument(registry)

  description('points at nothing that is not there, and has nothing that nobody points at', () => {
    const refs = new Set(refsOf(document))
    for (const ref of refs) resolve(document, ref)
    for (const [kind, components] of Object.entries(document.components)) {
      if (kind === 'securitySchemes') continue
      for (const key of Object.keys(components)) {
        assert.ok(refs.has(`#/components/${kind}/${key}`), `${kind}/${key} is not used`)
      }
    }
  })

  description(
    'gives every operation an id of its own, a summary, a known tag and its errors',
    () => {
      const tags = new Set((document.tags as { name: string }[]).map((tag) => tag.name))
      const operations = operationsOf(document)
      const ids = operations.map(({ operation }) => operation.operationId)
      assert.is(new Set(ids).size, operations.length)
      for (const { path, method, operation } of operations) {
        const at = `${method} ${path}`
        assert.ok(String(operation.summary).length > 3, at)
        assert.ok(String(operation.description ?? '').length > 8, `${at} has no description`)
        assert.ok(
          (operation.tags as string[]).every((tag) => tags.has(tag)),
          at,
        )
        const statuses = Object.keys(operation.responses as Json)
        assert.ok(statuses.includes('default'), at)
      }
    },
  )

  description('has only examples that are valid against the schema beside them', () => {
    const compile = schemaCompiler(document)
    const examples = examplesOf(document)
    const written = registry.all.filter((definition) => !isKeptByEngine(definition))
    assert.ok(examples.length >= written.length * 2)
    for (const { at, schema, value } of examples) {
      const validate = compile(schema)
      validate(value)
      assert.equal([at, validate.errors], [at, null])
    }
  })

  description('has nothing that keeps generated clients from compiling', () => {
    assert.equal(causesIn(document), [])
  })

  description('says of each page what its rows are, and of each object what it holds', () => {
    const lists = operationsOf(document).filter(({ operation }) => answersPages(operation))
    assert.ok(lists.length >= registry.all.length)
    for (const { path, operation } of lists) {
      const { allOf } = pageSchema(operation) as { allOf: readonly Json[] }
      const { properties, required } = allOf[1]!
      const { data } = properties as { data: Json }
      assert.is(data.type, 'array', path)
      assert.match(String((data.items as Json).$ref), /^#\/components\/schemas\/\w+$/, path)
      assert.equal(required, ['data'], path)
    }
    assert.equal(silentObjects(document.components.schemas), [])
    assert.equal(silentObjects(document.paths), [])
  })

  description('shows bodies of create and update that the validator takes', () => {
    const ajv = sharedAjv()
    for (const definition of registry.all) {
      if (isKeptByEngine(definition)) continue
      const validator = createValidator(ajv, definition)
      const item = document.paths[`/v1/${definition.slug}`] as Json
      const one = document.paths[`/v1/${definition.slug}/{id}`] as Json
      validator.read('create', exampleBody(item.post as Json))
      validator.read('update', exampleBody(one.patch as Json))
    }
  })

  description.run()
}

const content = suite('the description')
const document = openApiDocument(sampleWorkspace())

content('has every operation of a resource, submit, cancel and amend for submittable ones', () => {
  const ofTrips = operationsOf(document).filter(({ path }) => path.startsWith('/v1/trips'))
  assert.equal(
    ofTrips.map(({ method, path, operation }) => `${method} ${path} ${operation.operationId}`),
    [
      'get /v1/trips listTrips',
      'post /v1/trips createTrip',
      'get /v1/trips/{id} getTrip',
      'patch /v1/trips/{id} updateTrip',
      'delete /v1/trips/{id} deleteTrip',
      'post /v1/trips/{id}/submit submitTrip',
      'post /v1/trips/{id}/cancel cancelTrip',
      'post /v1/trips/{id}/amend amendTrip',
    ],
  )
  assert.not('/v1/fleet-vehicles/{id}/submit' in document.paths)
})

content('has for a ledger and its balances what reads them, and nothing more', () => {
  for (const [slug, name] of [
    ['mileages', 'Mileage'],
    ['odometers', 'Odometer'],
  ] as const) {
    const there = operationsOf(document).filter(({ path }) => path.startsWith(`/v1/${slug}`))
    assert.equal(
      there.map(({ method, path }) => `${method} ${path}`),
      [`get /v1/${slug}`, `get /v1/${slug}/{id}`],
    )
    const { properties } = schemaOf(`${name}ListItem`)
    assert.is((properties.km as Json).readOnly, true)
    for (const shape of ['Create', 'Update'])
      assert.not(`${name}${shape}` in document.components.schemas!, `${name}${shape}`)
  }
})

content("has a path for each action, with its input, and none for the server's own", () => {
  const paths = Object.keys(document.paths).filter((path) => path.includes('/actions/'))
  assert.equal(paths, [
    '/v1/fleet-vehicles/{id}/actions/wash',
    '/v1/fleet-vehicles/{id}/actions/plan_trip',
  ])
  const [wash, plan] = paths.map((path) => (document.paths[path] as { post: Json }).post)
  assert.not('requestBody' in wash!)
  assert.equal(
    [wash!.operationId, wash!.summary],
    ['runFleetVehicleWash', 'Fleet Vehicle: Wash it'],
  )
  assert.is(wash!.description, 'Sends it to the car wash.')
  assert.is(plan!.description, 'Possible while `seats > 0`, else 409. May create trips.')
  const body = plan!.requestBody as { required: boolean }
  assert.is(body.required, true)
  assert.equal(exampleBody(plan!), {
    driver: (exampleBody(plan!) as Json).driver,
    day: (exampleBody(plan!) as Json).day,
    reason: 'Work',
  })
  const input = schemaOf('FleetVehiclePlanTripInput')
  assert.equal([input.required, input.additionalProperties], [['driver'], false])
  assert.is((input.properties.reason as Json).default, 'Work')
})

content('answers an action with the record, and with what it created where it creates', () => {
  const answerOf = (action: string): Json => {
    const item = document.paths[`/v1/fleet-vehicles/{id}/actions/${action}`] as { post: Json }
    return (item.post.responses as { '200': Json })['200']
  }
  assert.equal(answerOf('wash'), { $ref: '#/components/responses/FleetVehicleRecord' })
  assert.equal(answerOf('plan_trip'), { $ref: '#/components/responses/FleetVehicleActed' })
  const { '409': refused } = (
    document.paths['/v1/fleet-vehicles/{id}/actions/wash'] as { post: { responses: Json } }
  ).post.responses
  assert.equal(refused, { $ref: '#/components/responses/Conflict' })
})

content('describes the routes that belong to no resource', () => {
  for (const path of [
    '/v1/resources',
    '/v1/resources/{slug}',
    '/v1/openapi.json',
    '/v1/api-keys',
    '/v1/api-keys/{id}',
    '/v1/webhooks/events',
    '/healthz',
    '/readyz',
    '/metrics',
  ]) {
    assert.ok(path in document.paths, path)
  }
})

content('describes what subscribers receive: the envelope, and headers to verify it by', () => {
  const { delivery } = document.webhooks as Record<string, { post: Json }>
  const headers = (delivery!.post.parameters as Json[]).map(({ name }) => name)
  assert.equal(headers, ['X-Svc-Event', 'X-Svc-Delivery', 'X-Svc-Timestamp', 'X-Svc-Signature'])
  assert.equal(delivery!.post.security, [])
  const { content } = delivery!.post.requestBody as { content: Record<string, Json> }
  assert.equal(content['application/json']!.schema, {
    $ref: '#/components/schemas/WebhookEnvelope',
  })
  const keys = ['event', 'resource', 'delivery_id', 'timestamp', 'data']
  assert.equal(schemaOf('WebhookEnvelope').required, keys)
})

content('says the fields that every record has by itself once', () => {
  const { created, docstatus } = schemaOf('TripListItem').properties
  assert.equal(created, { $ref: '#/components/schemas/StandardCreated' })
  assert.equal(docstatus, { $ref: '#/components/schemas/StandardDocstatus' })
  assert.match(String(schemaOf('StandardDocstatus').description), '0 draft')
  assert.not('docstatus' in schemaOf('FleetVehicleListItem').properties)
})

content('has a tag for each group of modules, naming what is in it', () => {
  const [hr, support] = document.tags as { name: string; description: string }[]
  assert.equal(hr, { name: 'HR', description: 'Mileages, Odometers, Trips' })
  assert.equal(support, { name: 'Support and assets', description: 'Fleet Vehicles' })
})

content('has a response with an example for every error code', () => {
  const shown = JSON.stringify(document.components.responses)
  for (const [code, status] of Object.entries(STATUS_OF_CODE)) {
    assert.ok(shown.includes(`"code":"${code}"`), code)
    assert.ok(shown.includes(`"status":${status}`), code)
  }
})

content('leaves out of a body what the server refuses there', () => {
  const create = bodyShape('FleetVehicleCreate')
  const update = bodyShape('FleetVehicleUpdate')
  assert.ok('plate' in create.properties)
  assert.not('plate' in update.properties)
  for (const name of ['id', 'created', 'trips']) assert.not(name in create.properties, name)
  assert.is(schemaOf('FleetVehicleCreate').unevaluatedProperties, false)
  assert.equal(create.required, ['plate', 'model'])
})

content('asks for the name where naming is prompt, and for rows where a table needs them', () => {
  const stops = bodyShape('TripCreate').properties.stops as Json
  assert.equal([stops.minItems, stops.maxItems], [2, 9])
  assert.equal(stops.items, { $ref: '#/components/schemas/TripStopCreate' })
  assert.ok('row_id' in bodyShape('TripStopUpdate').properties)
  assert.not('row_id' in bodyShape('TripStopCreate').properties)
})

content(
  'promises of a record all fields, of a list item none: fields= answers only those it names',
  () => {
    const record = bodyShape('FleetVehicle')
    assert.ok(record.required.includes('price'))
    assert.is(schemaOf('FleetVehicleListItem').required, undefined)
  },
)

content('never promises a secret', () => {
  assert.equal((schemaOf('FleetVehicleListItem').properties.pin as Json).type, 'null')
})

content('offers each filterable field with the operators of its type, and no other', () => {
  const { get } = document.paths['/v1/fleet-vehicles'] as { get: Json }
  const named = (get.parameters as Json[]).flatMap(({ name }) => name ?? [])
  assert.equal(named, ['plate', 'model', 'kind', 'price', 'bought_on', 'electric', 'suffixed'])
  const suffixed = Object.keys(schemaOf('FleetVehicleFilters').properties)
  assert.equal(
    suffixed.filter((name) => name.startsWith('price')),
    ['ne', 'gt', 'gte', 'lt', 'lte', 'in'].map((operator) => `price__${operator}`),
  )
  assert.equal(
    suffixed.filter((name) => name.startsWith('electric')),
    ['electric__ne', 'electric__in'],
  )
  assert.not(suffixed.some((name) => name.startsWith('seats')))
})

content('leads from a record to what can be done with it', () => {
  const links = (name: string): Json =>
    (document.components.responses![`${name}Record`] as { links: Json }).links
  assert.equal(Object.keys(links('Trip')), ['get', 'update', 'delete', 'submit', 'cancel', 'amend'])
  const ids = new Set(operationsOf(document).map(({ operation }) => operation.operationId))
  for (const name of ['Trip', 'FleetVehicle']) {
    for (const link of Object.values(links(name)) as Json[]) {
      assert.ok(ids.has(link.operationId), String(link.operationId))
      assert.equal(link.parameters, { id: '$response.body#/id' })
    }
  }
})

content('says under which aliases a resource answers too', () => {
  const { get } = document.paths['/v1/fleet-vehicles'] as { get: Json }
  assert.match(String(get.description), '`/v1/cars`')
})

content(
  'stays within 3 MB at 140 resources of 30 fields, 12 of them filterable, and an action',
  () => {
    const big = bigWorkspace({ resources: 140, fields: 30, filterable: 12, actions: 1 })
    const size = sizeOf(big)
    assert.ok(size <= MAX_SIZE, `${size} bytes`)
  },
)

content('says in a slice what lists are sorted by and have, and shows whole records', () => {
  const only = sampleWorkspace().all.filter(({ slug }) => slug === 'trips')
  const slice = openApiSlice(sampleWorkspace(), only, {})
  const { parameters } = (slice.paths['/v1/trips'] as { get: { parameters: Json[] } }).get
  const patternOf = (name: string): RegExp => {
    const { schema } = parameters.find((one) => one.name === name) as { schema: Json }
    return new RegExp(String(schema.pattern))
  }
  for (const [name, right, wrong] of [
    ['sort', ['modified', '-vehicle', 'driver,-created'], ['stops', 'driver,', 'a', '-']],
    ['fields', ['id', 'stops,driver'], ['-driver', 'nothing', 'id,']],
  ] as const) {
    for (const value of right) assert.match(value, patternOf(name), `${name}=${value}`)
    for (const value of wrong) assert.not.match(value, patternOf(name), `${name}=${value}`)
  }
  // What answers groups has an operation of its own, so that a page has its `data` for sure.
  assert.not(parameters.some(({ name }) => name === '_count_by' || name === '_sum'))
  const record = slice.components.responses!.TripRecord as { content: Record<string, Json> }
  assert.ok('example' in record.content['application/json']!)
})

content('says what the server refuses: empty texts, too large numbers, lists of values', () => {
  const input = schemaOf('FleetVehicleCreate')
  const { properties } = ((input.allOf as Json[] | undefined)?.[1] ?? input) as { properties: Json }
  const all = { ...schemaOf('FleetVehicleFields').properties, ...properties } as Record<
    string,
    Json
  >
  const required = ((input.allOf as Json[] | undefined)?.[1] ?? input).required as string[]
  for (const name of required)
    if (all[name]?.type === 'string' && !all[name]?.format) assert.is(all[name]?.minLength, 1, name)
  const numbers = Object.entries(all).filter(([, { type }]) => [type].flat().includes('integer'))
  assert.ok(numbers.length > 0)
  for (const [name, { minimum, maximum }] of numbers)
    assert.ok(Number.isInteger(minimum) && Number.isInteger(maximum), name)
  for (const shape of ['WebhookRotation', 'WebhookRecovery', 'WebhookCreate', 'WebhookUpdate'])
    assert.is(schemaOf(shape).additionalProperties, false, shape)
})

content('stays within 3 MB with all resources and reports that are shipped', () => {
  const more = describeReports(openReports([SHIPPED], shipped))
  const size = Buffer.byteLength(JSON.stringify(openApiDocument(shipped, { more })))
  assert.ok(size <= MAX_SIZE, `${size} bytes`)
})

content.run()

function sizeOf(registry: Registry): number {
  return Buffer.byteLength(JSON.stringify(openApiDocument(registry)))
}

/** The schema of a 200 that has one of its own. */
function pageSchema({ responses }: Json): Json {
  const { content } = (responses as { '200': { content: Record<string, Json> } })['200']
  return content['application/json']!.schema as Json
}

function answersPages({ responses }: Json): boolean {
  return JSON.stringify((responses as Json)['200'])?.includes('schemas/Page') === true
}

/** Where a schema says `object` and neither keys nor that it may have any: generated types then have none. */
function silentObjects(value: unknown, at = ''): string[] {
  if (typeof value !== 'object' || value === null) return []
  const { type, properties, additionalProperties } = value as Json
  const isSilent =
    [type].flat().includes('object') &&
    additionalProperties === undefined &&
    Object.keys(properties ?? {}).length === 0
  const inside = Object.entries(value)
    .filter(([key]) => !key.startsWith('example'))
    .flatMap(([key, child]) => silentObjects(child, `${at}/${key}`))
  return isSilent ? [at, ...inside] : inside
}

function schemaOf(name: string) {
  return document.components.schemas?.[name] as Json & { readonly properties: Json }
}

/** A shape that is made of parts, as one. */
function bodyShape(name: string): { readonly properties: Json; readonly required: string[] } {
  const shape = schemaOf(name) as Json
  const parts = ((shape.allOf ?? [shape]) as Json[]).map((part) =>
    part.$ref ? (resolve(document, String(part.$ref)) as Json) : part,
  )
  return {
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: [shape, ...parts].flatMap(({ required }) => (required as string[]) ?? []),
  }
}

function exampleBody({ requestBody }: Json): unknown {
  const { content } = requestBody as { content: Record<string, Json> }
  return content['application/json']!.example
}
