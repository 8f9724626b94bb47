import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { loadDefinitions, loadDefinitionTexts } from '../../../engine/definition/load/load.ts'
import { typescriptTypes } from '../../../engine/schema/types/typescript.ts'
import { hooks } from '../../../hooks/index.ts'
import { sampleWorkspace, WEBHOOK_TEST } from './sample-workspace.ts'

const ROOT = join(import.meta.dirname, '../../..')
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc')

const types = suite('the TypeScript types')

let folder = ''
types.before(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-types-'))
})
types.after(() => rmSync(folder, { recursive: true, force: true }))

const PROGRAM = `
import type { FleetVehicle, FleetVehicleCreate, FleetVehiclePlanTripInput, Resources, Trip, TripStop, TripUpdate, WebhookEnvelope, WebhookEvents } from './types.ts'

const create: FleetVehicleCreate = { plate: 'B-1', model: 'Panda', kind: 'Van', price: null, extra: [1, { a: true }] }
const record = {} as FleetVehicle
const same: Resources['cars']['record'] = record
const plate: string = record.plate
const kind: 'Car' | 'Van' | 'Lorry' | null = record.kind
const price: number | null = same.price
const electric: boolean = record.electric
const secret: null = record.pin
const update: TripUpdate = { stops: [{ row_id: 'r1', place: 'Rome' }, { place: 'Pisa', km: 300 }] }
const stop: TripStop | undefined = ({} as Resources['trips']['record']).stops[0]
const status: 0 | 1 | 2 = 1
const plan: Resources['fleet-vehicles']['actions']['plan_trip'] = { driver: 'Ada', reason: 'Play' }
const samePlan: FleetVehiclePlanTripInput = plan
const wash: Resources['cars']['actions']['wash'] = {}
const kilometres: number | null = ({} as Resources['odometers']['record']).km
export const all = [create, plate, kind, price, electric, secret, update, stop, status, samePlan, wash, kilometres]

export function heard(envelope: WebhookEnvelope): string {
  switch (envelope.event) {
    case 'trips.submitted':
      return envelope.data.stops.map(({ place }) => place).join()
    case 'fleet-vehicles.sold':
      return \`\${envelope.data.model} to \${envelope.data.buyer ?? 'nobody'} \${envelope.delivery_id}\`
    case 'webhooks.test':
      return envelope.data.note
    default:
      return envelope.data.id
  }
}
const submitted: WebhookEvents['trips.submitted'] = {} as Trip
const sold: WebhookEnvelope<'fleet-vehicles.sold'> = { event: 'fleet-vehicles.sold', resource: 'fleet-vehicles', delivery_id: 'd', timestamp: 't', data: { ...record, buyer: 'Ada', trip_of: null, drivers: 2 } }
export const heardOf = [heard(sold), submitted]
// @ts-expect-error no such event
export type Bought = WebhookEnvelope<'fleet-vehicles.bought'>
// @ts-expect-error an event does not carry the data of another
export const mixed: WebhookEnvelope<'trips.submitted'> = { ...sold, event: 'trips.submitted' }

// @ts-expect-error a required field is missing
export const incomplete: FleetVehicleCreate = { model: 'Panda' }
// @ts-expect-error not one of the options
export const wrongOption: FleetVehicleCreate = { plate: 'B-1', model: 'Panda', kind: 'Bus' }
// @ts-expect-error an unknown field
export const unknownField: FleetVehicleCreate = { plate: 'B-1', model: 'Panda', colour: 'red' }
// @ts-expect-error set on create only
export const changedPlate: Resources['fleet-vehicles']['update'] = { plate: 'B-2' }
// @ts-expect-error a field records do not have
export const noField = record.colour
// @ts-expect-error the action needs a driver
export const noDriver: FleetVehiclePlanTripInput = { reason: 'Work' }
// @ts-expect-error the action takes nothing
export const washed: Resources['cars']['actions']['wash'] = { soap: true }
// @ts-expect-error an action of the workspace itself
export type Age = Resources['cars']['actions']['age']
// @ts-expect-error only the workspace writes balances
export type Balance = Resources['odometers']['create']
// @ts-expect-error computed by the workspace
export const computed: FleetVehicleCreate = { plate: 'B-1', model: 'Panda', trips: 3 }
`

types('compile under --strict and refuse what the API refuses', async () => {
  assert.is(compiled(await typescriptTypes(sampleWorkspace(), [WEBHOOK_TEST]), PROGRAM), '')
})

types('of the shipped DocTypes compile, each interface once', async () => {
  const { registry } = loadDefinitions([join(ROOT, 'doctypes')], hooks)
  const source = await typescriptTypes(registry)
  const names = [...source.matchAll(/^export interface (\w+)/gm)].map(([, name]) => name)
  assert.is(new Set(names).size, names.length)
  assert.ok(names.length >= registry.all.length * 3)
  const program = `
    import type { Resources, WebhookEnvelope } from './types.ts'
    const { data } = {} as WebhookEnvelope<'payment-entries.submitted'>
    export const paid: readonly (string | null)[] = data.references.map((row) => row.sales_invoice)
    export type Order = Resources['orders']['record']`
  assert.is(compiled(source, program), '')
})

types('keep a description that tries to leave its comment inside it', async () => {
  const { registry } = loadDefinitionTexts([
    {
      path: 'evil.yaml',
      text: [
        'doctype: Evil',
        'module: crm',
        'tier: free',
        'fields:',
        '  a: {type: data, description: "*/ export const stolen = 1 /* {"}',
        `  b: {type: select, options: ["x'\\"\`}", '\${1}'], description: "b */"}`,
        'events: {made: {trigger: create, description: "*/ export const stolen = 2 /* {"}}',
      ].join('\n'),
    },
  ])
  const source = await typescriptTypes(registry)
  const program = `import * as types from './types.ts'\nexport const none: keyof typeof types extends never ? true : false = true`
  assert.is(compiled(source, program), '')
})

types.run()

/** What the compiler complains about; nothing when all is well. */
function compiled(types: string, program: string): string {
  writeFileSync(join(folder, 'types.ts'), types)
  writeFileSync(join(folder, 'program.ts'), program)
  const flags = '--noEmit --strict --allowImportingTsExtensions --module nodenext --target es2024'
  const { stdout, stderr } = spawnSync(process.execPath, [TSC, ...flags.split(' '), 'program.ts'], {
    cwd: folder,
    encoding: 'utf8',
  })
  return stdout + stderr
}
