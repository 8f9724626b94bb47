import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openApiSlice } from '../../../engine/schema/openapi/openapi-slice.ts'
import { sampleWorkspace } from './sample-workspace.ts'

const ROOT = new URL('../../../', import.meta.url).pathname
const GENERATOR = join(ROOT, 'docs/examples/typescript-client/node_modules/.bin/openapi-typescript')
const COMPILER = join(ROOT, 'node_modules/.bin/tsc')

/** What somebody writes with the types, each line of which has to be right. */
const USED = `import type { components, operations, paths } from './api.d.ts'

type Schemas = components['schemas']
const stops = [{ place: 'A' }, { place: 'B' }]
const order: Schemas['TripCreate'] = { vehicle: 'B-1', stops }
declare const trip: operations['createTrip']['responses'][201]['content']['application/json']
const id: string = trip.id
const km: number | null = trip.stops[0]!.km
declare const page: paths['/v1/trips']['get']['responses'][200]['content']['application/json']
const first: string | undefined = page.data[0]?.id
const total: number | undefined = page.meta?.total
// @ts-expect-error: there is no such field
const wrong: Schemas['TripUpdate'] = { nothing: 1 }
console.log(order, id, km, first, total, wrong)
`

test('types of a slice compile, and say what is there and what is not', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-types-'))
  try {
    const registry = sampleWorkspace()
    const trips = registry.all.filter(({ slug }) => slug === 'trips')
    writeFileSync(join(folder, 'openapi.json'), JSON.stringify(openApiSlice(registry, trips, {})))
    writeFileSync(join(folder, 'used.ts'), USED)
    run(folder, GENERATOR, 'openapi.json', '--output', 'api.d.ts', '--default-non-nullable=false')
    run(folder, COMPILER, '--strict', '--noEmit', '--target', 'es2024', 'used.ts')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test.run()

function run(cwd: string, command: string, ...args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  assert.is(status, 0, `${stdout}${stderr}`)
}
