import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { OpenApiDocument } from '../../engine/schema/openapi/openapi.ts'
import { resolve, schemaCompiler } from '../engine/schema/openapi-reader.ts'
import { runHere } from './in-process.ts'
import { type Folder, type Served, serve, temporaryFolder } from './process.ts'

type Json = Readonly<Record<string, unknown>>

/** Records of a resource that are looked at one by one. */
const SOME = 4

const breadth = suite('what a workspace of real size answers')
let folder: Folder
let server: Served
let key: string
let document: OpenApiDocument
let schemaOf: ReturnType<typeof schemaCompiler>

breadth.before(async () => {
  folder = temporaryFolder()
  const told = await runHere(['demo', '--data', folder.path, '--months', '2', '--json'])
  assert.is(told.code, 0, told.stderr)
  key = /svc_live_\w+/.exec(told.stdout)?.[0] ?? ''
  server = await serve(folder.path, [], { SVC_RATE_LIMIT: 'off' })
  document = (await get('/v1/openapi.json')) as unknown as OpenApiDocument
  schemaOf = schemaCompiler(document)
})
breadth.after(async () => {
  await server.end()
  folder.remove()
})

breadth('is what the description says, of every list, record and report', async () => {
  const slugs = Object.keys(document.paths).flatMap(
    (path) => /^\/v1\/([a-z-]+)\/\{id\}$/.exec(path)?.[1] ?? [],
  )
  const { data: catalogue } = (await get('/v1/resources?brief=1')) as { data: { slug: string }[] }
  const known = new Set(catalogue.map(({ slug }) => slug))
  const problems: string[] = []
  let records = 0
  for (const slug of slugs.filter((one) => known.has(one))) {
    const list = await check(`/v1/${slug}`, `/v1/${slug}?limit=${SOME}&_titles=1`, problems)
    for (const { id } of (list.data ?? []) as { id: string }[]) {
      records += 1
      const at = `/v1/${slug}/${encodeURIComponent(id)}?_titles=1&_can=1`
      await check(`/v1/${slug}/{id}`, at, problems)
    }
  }
  const { data: reports } = (await get('/v1/reports')) as { data: { slug: string }[] }
  const { data: customers } = (await get('/v1/customers?limit=1')) as { data: { id: string }[] }
  for (const { slug } of reports) {
    const needed = slug === 'statement-of-account' ? `?party=${customers[0]?.id}` : ''
    await check(`/v1/reports/${slug}`, `/v1/reports/${slug}${needed}`, problems)
  }
  await check('/v1/{resource}', '/v1/sales-invoices?_count_by=status&_sum=grand_total', problems)
  assert.equal(problems, [])
  assert.ok(records > 150 && reports.length > 40, `${records} records, ${reports.length} reports`)
})

breadth.run()

async function get(path: string): Promise<Json> {
  const headers = { authorization: `Bearer ${key}` }
  const answer = await fetch(server.url + path, { headers })
  assert.is(answer.status, 200, path)
  return (await answer.json()) as Json
}

/** What an address answers; where it differs from the description of its path goes to `problems`. */
async function check(path: string, address: string, problems: string[]): Promise<Json> {
  const body = await get(address)
  const { get: operation } = document.paths[path] as { get: { responses: Json } }
  const described = operation.responses['200'] as { $ref?: string }
  const { content } = (described.$ref ? resolve(document, described.$ref) : described) as {
    content: Record<string, { schema: unknown }>
  }
  const validate = schemaOf(content['application/json']!.schema)
  if (!validate(body)) problems.push(`${address}: ${JSON.stringify(validate.errors?.slice(0, 2))}`)
  return body
}
