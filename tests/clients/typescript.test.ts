import { chmodSync, cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { ENTRY } from '../cli/process.ts'
import { EXAMPLES, withPackages } from '../examples/example.ts'
import { openShop, run, type Shop, SOLD } from './shop.ts'

const ROOT = join(EXAMPLES, '../..')
const PACKAGES = join(ROOT, 'node_modules')
/** hey-api as a command, with a compiler that has the interface it needs. */
const HEY_API = `#!/bin/sh
exec "${process.execPath}" --import "${join(ROOT, 'tests/clients/compiler-with-api.js')}" "${join(PACKAGES, '@hey-api/openapi-ts/dist/run.mjs')}" "$@"
`
const OPENAPI_TYPESCRIPT = join(EXAMPLES, 'typescript-client/node_modules/.bin/openapi-typescript')

/** The sale of docs/examples/clients/sale.ts with types of openapi-typescript and calls of openapi-fetch. */
const SALE_BY_FETCH = `import createClient from 'openapi-fetch'
import type { paths } from './api.d.ts'

const [baseUrl = '', key = '', item = ''] = process.argv.slice(2)
const api = createClient<paths>({ baseUrl, headers: { Authorization: \`Bearer \${key}\` } })
const { data: customer } = await api.POST('/v1/customers', { body: { customer_name: 'Fetch Bikes' } })
const items = [{ item_code: item, qty: 3, rate: 12378984.61 }]
const { data: order } = await api.POST('/v1/sales-orders', { body: { customer: customer!.id, items } })
const query = { customer: customer!.id, status: 'Draft' as const, suffixed: { grand_total__gt: 1 } }
const { data: page } = await api.GET('/v1/sales-orders', { params: { query } })
const path = { id: order!.id }
const { data: done } = await api.POST('/v1/sales-orders/{id}/submit', { params: { path } })
const total: number = done!.net_total
// @ts-expect-error: there is no such field
await api.GET('/v1/customers', { params: { query: { nothing: 1 } } })
console.log(page!.data[0]?.id === order!.id, done!.docstatus, total)
`

const clients = suite('clients in TypeScript, of a slice of the description')
let shop: Shop

clients.before(async () => {
  shop = await openShop()
})
clients.after(() => shop.close())

clients(
  'of hey-api, by svc client: compiles, makes, lists with filters and submits an order',
  () => {
    const tools = join(shop.folder, 'tools')
    const out = join(shop.folder, 'hey-api')
    mkdirSync(tools)
    writeFileSync(join(tools, 'openapi-ts'), HEY_API)
    chmodSync(join(tools, 'openapi-ts'), 0o755)
    const PATH = `${tools}${delimiter}${process.env.PATH}`
    const asked = ['--lang', 'ts', '--resources', 'customers,sales-orders', '--out', out]
    const args = [ENTRY, 'client', '--data', shop.folder, ...asked]
    run(shop.folder, process.execPath, args, { ...process.env, PATH })
    cpSync(join(EXAMPLES, 'clients/sale.ts'), join(out, 'sale.ts'))
    assert.match(sold(out), SOLD)
  },
)

clients('of openapi-typescript and openapi-fetch: the same', async () => {
  const out = join(shop.folder, 'fetch')
  mkdirSync(out)
  withPackages(out)
  const slice = `${shop.server.url}/v1/openapi.json?resource=customers,sales-orders`
  writeFileSync(join(out, 'openapi.json'), await (await fetch(slice)).text())
  const wanted = ['openapi.json', '--output', 'api.d.ts', '--default-non-nullable=false']
  run(out, OPENAPI_TYPESCRIPT, wanted)
  writeFileSync(join(out, 'sale.ts'), SALE_BY_FETCH)
  assert.match(sold(out), SOLD)
})

clients.run()

/** What `sale.ts` prints, once it and the client beside it are compiled. */
function sold(out: string): string {
  writeFileSync(join(out, 'tsconfig.json'), TSCONFIG)
  run(out, join(PACKAGES, '.bin/tsc'), ['-p', '.'])
  const bundle = ['sale.ts', '--bundle', '--platform=node', '--format=esm', '--outfile=sale.mjs']
  run(out, join(PACKAGES, '.bin/esbuild'), bundle)
  return run(out, process.execPath, ['sale.mjs', shop.server.url, shop.key, 'BELL'])
}

const TSCONFIG = JSON.stringify({
  compilerOptions: {
    strict: true,
    module: 'preserve',
    target: 'es2024',
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    types: ['node'],
    typeRoots: [join(PACKAGES, '@types')],
  },
  files: ['sale.ts'],
})
