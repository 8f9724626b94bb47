import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { readFirstRun, type Served, serve, temporaryFolder } from '../cli/process.ts'
import { startCluster } from '../helpers/postgres-cluster.ts'

type Json = Readonly<Record<string, unknown>>

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: Json
}

for (const kind of ['sqlite', 'postgres'] as const)
  test(`contract §7.8 and §7.9 hold line by line, on ${kind}`, async () => {
    const folder = temporaryFolder()
    const cluster = kind === 'postgres' ? await startCluster() : undefined
    const env = cluster ? { SVC_SECRET_KEY: Buffer.alloc(32, 7).toString('base64') } : {}
    let server: Served | undefined
    try {
      const at = cluster ? ['--database', cluster.url] : []
      server = await serve(folder.path, at, { ...env, SVC_RATE_LIMIT: 'off' })
      const { url } = server
      const { admin_key: admin } = readFirstRun(folder.path)
      const asked = async (
        key: string,
        method: string,
        path: string,
        body?: unknown,
        headers: Readonly<Record<string, string>> = {},
      ): Promise<Answer> => {
        const json = body === undefined ? {} : { 'Content-Type': 'application/json' }
        const answer = await fetch(`${url}${path}`, {
          method,
          headers: { ...(key && { Authorization: `Bearer ${key}` }), ...json, ...headers },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        })
        const text = await answer.text()
        const isJson = /json/.test(answer.headers.get('Content-Type') ?? '')
        return {
          status: answer.status,
          headers: answer.headers,
          text,
          body: isJson ? (JSON.parse(text) as Json) : {},
        }
      }
      const as = (method: string, path: string, body?: unknown, headers = {}) =>
        asked(admin, method, path, body, headers)
      const made = async (path: string, body: unknown): Promise<string> => {
        const { status, body: record, text } = await as('POST', path, body)
        assert.is(status, 201, text)
        return String(record.id)
      }
      const codeOf = ({ body }: Answer): unknown =>
        ((body.error as Json)?.details as Json[] | undefined)?.[0]?.code

      const ann = await made('/v1/customers', { customer_name: 'Ann' })
      await made('/v1/customers', { customer_name: 'Bea' })
      const task = await made('/v1/tasks', { subject: 'Call' })

      // Parameters: unknown ones are refused on every method, writes first.
      for (const [method, path, body] of [
        ['GET', '/v1/customers?nothing=1', undefined],
        ['POST', '/v1/customers?_previev=1', { customer_name: 'Never' }],
        ['PATCH', `/v1/customers/${ann}?_previev=1`, { customer_name: 'Never' }],
        ['DELETE', `/v1/customers/${ann}?_previev=1`, undefined],
      ] as const) {
        const answer = await as(method, path, body)
        assert.equal([answer.status, codeOf(answer)], [422, 'unknown_field'], `${method} ${path}`)
      }
      const names = async (query: string): Promise<unknown> =>
        ((await as('GET', `/v1/customers?${query}`)).body.data as Json[]).map(
          ({ customer_name }) => customer_name,
        )
      assert.equal(await names(''), ['Bea', 'Ann'], 'nothing was written')

      // Sort.
      assert.equal(await names('sort=customer_name,-created'), ['Ann', 'Bea'])
      assert.equal(await names('sort=-customer_name'), ['Bea', 'Ann'])
      assert.equal(await names('sort=customer_name'), ['Bea', 'Ann'], 'one plain field: descending')
      assert.is((await as('GET', '/v1/customers?sort=-customer_name&order=asc')).status, 422)

      // Filters of three forms mean the same.
      for (const query of [
        'customer_name__like=An',
        'suffixed[customer_name__like]=An',
        'filters[customer_name__like]=An',
      ])
        assert.equal(await names(query), ['Ann'], query)

      // Allow, CSV, and what is not acceptable.
      assert.match(
        (await as('OPTIONS', '/v1/customers')).headers.get('Allow') ?? '',
        /GET.*POST|POST.*GET/,
      )
      const csv = await as('GET', '/v1/customers?labels=1', undefined, { Accept: 'text/csv' })
      assert.match(csv.text.split('\r\n')[0] ?? '', /Customer Name/)
      const image = { Accept: 'image/png' }
      assert.is((await as('GET', '/v1/customers', undefined, image)).status, 406)
      const one = { Accept: 'text/csv' }
      assert.is((await as('GET', `/v1/customers/${ann}`, undefined, one)).status, 406)

      // The last admin key, and the key in use.
      const { body: keys } = await as('GET', '/v1/api-keys')
      for (const { id, scope } of keys.data as Json[])
        if (scope === 'admin')
          assert.is((await as('DELETE', `/v1/api-keys/${id}`)).status, 409, String(id))

      // Preview.
      const tried = await as('POST', '/v1/customers?_preview=1', {})
      assert.is(tried.status, 200)
      assert.ok((tried.body.problems as Json[]).length > 0)
      assert.is(
        (await as('PATCH', '/v1/customers/NONE?_preview=1', { phone: '+43 1 2345' })).status,
        404,
      )
      const shown = await as('DELETE', `/v1/customers/${ann}?_preview=1`)
      assert.is((shown.body.record as Json).customer_name, 'Ann')
      const keyOf = async (scope: string): Promise<string> => {
        const { body, text } = await as('POST', '/v1/api-keys', { label: scope, scope })
        assert.ok(body.key, text)
        return String(body.key)
      }
      const reader = await keyOf('read')
      const drafter = await keyOf('draft')
      const draft = { customer_name: 'Cid' }
      assert.is((await asked(reader, 'POST', '/v1/customers?_preview=1', draft)).status, 403)
      assert.is((await asked(drafter, 'POST', '/v1/customers?_preview=1', draft)).status, 200)

      // Scope draft: changes only what it made.
      const own = await asked(drafter, 'POST', '/v1/customers', draft)
      assert.is(own.status, 201, own.text)
      const phone = { phone: '+43 1 2345' }
      assert.is((await asked(drafter, 'PATCH', `/v1/customers/${ann}`, phone)).status, 403)
      assert.is((await asked(drafter, 'PATCH', `/v1/customers/${own.body.id}`, phone)).status, 200)

      // Boot, search, groups.
      assert.is((await asked('', 'GET', '/v1/boot')).status, 401)
      assert.is((await as('GET', '/v1/search')).status, 422)
      assert.is((await as('GET', '/v1/search?q=Ann&resource=nothing')).status, 422)
      assert.is((await as('GET', '/v1/search?q=Ann&limit=51')).status, 422)
      await as('PATCH', `/v1/customers/${ann}`, { customer_name: 'Annabel' })
      assert.match((await as('GET', '/v1/search?q=Annabel')).text, ann)
      const groups = await as('GET', '/v1/customers?_count_by=created:month')
      assert.is(groups.body.total, 3)
      assert.not('data' in groups.body)

      // Settings and views need a person.
      assert.is((await as('GET', '/v1/me/settings/theme')).status, 403)

      // Jobs.
      const done = await as('POST', '/v1/customers/_bulk', {
        ids: [ann],
        do: 'update',
        data: { phone: '+43 1 2346' },
      })
      const job = (done.body.job ?? {}) as Json
      for (const name of ['id', 'kind', 'state', 'done', 'total', 'failed', 'result'])
        assert.ok(name in job, `${name}: ${done.text}`)

      // Public page.
      const link = await as('POST', `/v1/customers/${ann}/links`, {})
      assert.ok(
        link.status === 201 ? link.body.url && link.body.expires : link.status === 422,
        link.text,
      )

      // Assigning to who may not read is told with the name.
      const assigned = await as('POST', `/v1/tasks/${task}/assign`, { to: ['nobody@x.example'] })
      assert.is(assigned.status, 422, assigned.text)
      assert.match(assigned.text, /nobody@x\.example/)

      // The catalogue in short.
      const brief = await as('GET', '/v1/resources?brief=1')
      assert.ok(brief.text.length <= 24_000, `${brief.text.length}`)
      const writing = await as('GET', '/v1/resources/sales-invoices?for=write')
      assert.ok(writing.status === 200 && writing.text.length <= 6000, `${writing.text.length}`)

      // Reference pages.
      for (const path of ['/docs/resources/customers', '/docs/reports/general-ledger'])
        assert.is((await as('GET', path)).status, 200, path)
    } finally {
      await server?.end()
      await cluster?.stop()
      folder.remove()
    }
  })

test.run()
