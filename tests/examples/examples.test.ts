import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  eventually,
  type Folder,
  readFirstRun,
  type Served,
  serve,
  served,
  temporaryFolder,
} from '../cli/process.ts'
import { freePort } from '../helpers/free-port.ts'
import { prepareStarted } from '../helpers/prepared-start.ts'
import { isDeepRun } from '../helpers/random.ts'
import { blocksOf, EXAMPLES, jsonIn, type Shell, shellIn, withPackages } from './example.ts'

type Json = Record<string, unknown>

const examples = suite('docs/examples')
let folder: Folder
let server: Served
let key: string
let shell: Shell

/** The first example makes a DocType before there is a server; the others use the server it then starts. */
let begun: string

/** Receivers that run; a test that fails leaves none behind. */
const receivers = new Set<Receiver>()

const atServer = (block: string): string => block.replaceAll('http://127.0.0.1:8000', server.url)

examples.before(async () => {
  folder = temporaryFolder()
  await prepareStarted(join(folder.path, 'data'))
  shell = shellIn(folder.path, folder.path)
  const [scaffold = ''] = blocksOf('own-doctype', 'sh')
  ;[begun = ''] = await shell([scaffold])
  const [yaml = ''] = blocksOf('own-doctype', 'yaml')
  writeFileSync(join(folder.path, 'data/doctypes/sales/bike-rental.yaml'), yaml)
  server = await serve(join(folder.path, 'data'))
  key = readFirstRun(join(folder.path, 'data')).admin_key
  copyClient(join(folder.path, 'client'))
})

function copyClient(path: string): void {
  withPackages(folder.path)
  mkdirSync(path)
  for (const file of globSync('*.{ts,json}', { cwd: join(EXAMPLES, 'typescript-client') }))
    cpSync(join(EXAMPLES, 'typescript-client', file), join(path, file))
}

examples.after.each(async () => {
  for (const each of receivers) await each.end()
})

examples.after(async () => {
  await server?.end()
  folder.remove()
})

examples('link to what is there', () => {
  for (const page of globSync('**/README.md', { cwd: EXAMPLES })) {
    if (page.includes('node_modules')) continue
    const text = readFileSync(join(EXAMPLES, page), 'utf8')
    for (const [, target = ''] of text.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)) {
      if (target.startsWith('http')) continue
      assert.ok(existsSync(join(EXAMPLES, dirname(page), target)), `${page}: ${target}`)
    }
  }
})

examples('own-doctype: every step of the five minutes works as it is written', async () => {
  assert.match(begun, 'wrote data/doctypes/sales/bike-rental.yaml')
  const steps = blocksOf('own-doctype', 'sh').slice(1)
  const [checked = '', made = '', refused = '', back = '', told = ''] = await shell(
    steps.map(atServer),
  )
  assert.match(checked, 'no mistakes')
  const [customer, rental] = jsonIn(made)
  assert.is(customer?.id, 'CUST-00001')
  assert.equal([rental?.customer_name, rental?.total, rental?.status], ['Acme GmbH', 190.5, 'Out'])
  const [{ error }] = jsonIn(refused) as [{ error: { details: Json[] } }]
  assert.equal(
    error.details.map(({ field }) => field),
    ['total', 'days'],
  )
  const [taken, list] = jsonIn(back) as [Json, { data: Json[] }]
  assert.is(taken.status, 'Returned')
  assert.equal(
    list.data.map(({ id, due_on }) => [id, due_on]),
    [[rental?.id, rental?.due_on]],
  )
  const [log] = jsonIn(told) as [{ data: { event: string; data: Json }[] }]
  assert.equal(
    log.data.map(({ event, data }) => [event, data.total]),
    [['bike-rentals.returned', 190.5]],
  )
})

for (const [language, program, file] of [
  ['JavaScript', process.execPath, 'receiver.js'],
  ['Python', 'python3', 'receiver.py'],
] as const) {
  examples(`webhook-receiver: takes each delivery once, in ${language}`, async () => {
    const port = String(await freePort())
    const [subscribe = '', happen = ''] = blocksOf('webhook-receiver', 'sh')
    const [subscribed = ''] = await shell(
      [`${atServer(subscribe).replaceAll('9000', port)}\necho "secret $WEBHOOK_SECRET"`],
      { KEY: key },
    )
    const [webhook] = jsonIn(subscribed.replace(/secret .*$/, ''))
    const [, secret = ''] = /secret (whsec_.*)$/.exec(subscribed) ?? []
    const inbox = join(folder.path, `${file}.db`)
    const start = () =>
      receiver(program, file, { PORT: port, WEBHOOK_SECRET: secret, INBOX: inbox })

    const first = await start()
    const [created = ''] = await shell([atServer(happen)], { KEY: key })
    const [customer] = jsonIn(created)
    const line = `customers.created ${customer?.id}\n`
    await eventually(() => first.output().includes(line)).catch(async (error: Error) => {
      const tried = await call(`/v1/webhooks/${webhook?.id}/deliveries`, 'GET')
      const seen = { deliveries: await tried.text(), inbox: rowsOf(inbox), said: first.said() }
      throw new Error(`${error.message}\n${JSON.stringify(seen, null, 1)}`)
    })

    const [{ delivery_id: delivery }] = rowsOf(inbox) as [Json]
    const answer = await call(`/v1/webhooks/${webhook?.id}/deliveries/${delivery}/resend`)
    assert.is(answer.status, 202)
    await eventually(() => first.output().includes(`${delivery} came in before\n`))
    assert.is(first.output().split(line).length - 1, 1, 'done once')
    const forged = await fetch(first.url, { method: 'POST', body: '{}' })
    assert.is(forged.status, 401)
    await eventually(() => rowsOf(inbox).every(({ done }) => done === 1))
    await first.end()

    undo(inbox)
    const second = await start()
    await eventually(() => second.output().includes(line))
    await second.end()
    await call(`/v1/webhooks/${webhook?.id}`, 'DELETE')
  })
}

/** Four compilers in a row are of the deep run. */
const generation = isDeepRun() ? examples : () => undefined

generation('typescript-client: is generated, compiles, catches mistakes and sells', async () => {
  const [install = '', generate = '', check = '', sell = ''] = blocksOf('typescript-client', 'sh')
  const client = shellIn(join(folder.path, 'client'), folder.path)
  const [, , checked, sold] = await client([install, generate, check, atServer(sell)], {
    SVC_DATA: join(folder.path, 'data'),
  })
  assert.is(checked, '')
  assert.match(sold ?? '', /^SO-\d{4}-00001: 20\.33 USD, Draft\nSINV-\d{4}-00001: 20\.33 to pay\n/)
  assert.match(sold ?? '', /\nSO-\d{4}-00001: To Deliver\n/)
  assert.match(sold ?? '', '\nAcme GmbH orders for 20.33 USD\n')
})

examples('typescript-client: writes only over what it has read', async () => {
  const { connect, update, unwrap } = await client()
  const api = connect({ url: server.url, key })
  const body = { customer_name: 'Busy GmbH' }
  const { id } = await unwrap(api.POST('/v1/customers', { body }))
  const params = { path: { id } }
  const seen: unknown[] = []
  const changed = await update(api, '/v1/customers/{id}', id as string, async (record) => {
    seen.push(record.customer_name)
    if (seen.length === 1) {
      const body = { customer_name: 'Busier GmbH' }
      await unwrap(api.PATCH('/v1/customers/{id}', { params, body }))
    }
    return { customer_name: `${record.customer_name} & Co` }
  })
  assert.equal(seen, ['Busy GmbH', 'Busier GmbH'])
  assert.is(changed.customer_name, 'Busier GmbH & Co')
  const refused = await unwrap(api.GET('/v1/customers/{id}', { params: { path: { id: 'none' } } }))
    .then(() => undefined)
    .catch((error: unknown) => error)
  assert.equal([(refused as Json).code, (refused as Json).status], ['NOT_FOUND', 404])
})

examples(
  'typescript-client: asks again under the same key, and walks a list to its end',
  async () => {
    const { connect, each, unwrap } = await client()
    const asked: { readonly key: unknown; readonly url: string }[] = []
    const unsteady = createServer((request, response) => {
      asked.push({ key: request.headers['idempotency-key'], url: request.url ?? '' })
      if (asked.length === 1) response.writeHead(429, { 'Retry-After': '0' }).end('{}')
      else if (asked.length === 2) request.socket.destroy()
      else if (request.method === 'POST') response.writeHead(201).end('{"id":"C"}')
      else if (asked.length === 4) response.end('{"data":[{"id":1},{"id":2}],"next_cursor":"abc"}')
      else response.end('{"data":[{"id":3}]}')
    })
    await once(unsteady.listen(0, '127.0.0.1'), 'listening')
    try {
      const { port } = unsteady.address() as AddressInfo
      const api = connect({ url: `http://127.0.0.1:${port}`, key: 'k' })
      assert.equal(await unwrap(api.POST('/v1/customers', { body: {} })), { id: 'C' })
      assert.is(asked.length, 3)
      assert.ok(asked[0]?.key)
      assert.is(new Set(asked.map(({ key }) => key)).size, 1)
      const ids: unknown[] = []
      const query = { territory: 'A&B', filters: { created__gte: '2026-01-01' } }
      for await (const { id } of each(api, '/v1/customers', query)) ids.push(id)
      assert.equal(ids, [1, 2, 3])
      assert.equal(
        asked.slice(3).map(({ url }) => url),
        ['', 'abc'].map(
          (cursor) =>
            `/v1/customers?limit=100&territory=A%26B&created__gte=2026-01-01&cursor=${cursor}`,
        ),
      )
    } finally {
      unsteady.close()
    }
  },
)

examples('csv-import: the files come in as it says, beside a server', async () => {
  const from = join(EXAMPLES, 'csv-import')
  for (const file of globSync('*.csv', { cwd: from }))
    cpSync(join(from, file), join(folder.path, file))
  const [masters = '', bad = '', mended = '', again = ''] = await shell(
    blocksOf('csv-import', 'sh'),
  )
  assert.is(masters, '3 created\n3 created\nnothing was changed; it would be: 3 created\n3 created')
  const [told = ''] = blocksOf('csv-import', 'text')
  assert.match(bad, told.trimEnd().split('\n').at(-1) ?? '')
  for (const [, line, message] of told.matchAll(/^orders.csv:(\d+): (.*)$/gm)) {
    assert.match(bad.replaceAll('""', '"'), message ?? '')
    assert.match(bad, `\n${line},"`)
  }
  assert.is(mended, '1 created')
  const lines = again.replace(/\r|-\d{4}-\d+/g, '').split('\n')
  const own = lines.filter((line) => !line.includes('Acme'))
  assert.equal(own, [
    '0 created, 1 unchanged',
    'id,name,po_no,customer_name,grand_total,items.item_code,items.qty',
    'SO,SO,B-2201,Alpenrad Verleih OG,341,0010,40',
    ',,,,,0011,12',
    'SO,SO,B-2202,Mara Novak,87,SERVICE,1.5',
    'SO,SO,B-2203,Alpenrad Verleih OG,59,0010,10',
  ])
})

examples.run()

/** What the client exports, as a program that is not compiled sees it. */
interface Client {
  connect(connection: { readonly url: string; readonly key: string }): Api
  unwrap(answer: unknown): Promise<Json>
  each(api: Api, path: string, query: Json): AsyncIterable<Json>
  update(api: Api, path: string, id: string, edit: (record: Json) => unknown): Promise<Json>
}
type Api = Readonly<Record<'GET' | 'POST' | 'PATCH', (path: string, options: Json) => unknown>>

function client(): Promise<Client> {
  return import(pathToFileURL(join(folder.path, 'client/client.ts')).href) as Promise<Client>
}

async function call(path: string, method = 'POST'): Promise<Response> {
  return fetch(`${server.url}${path}`, { method, headers: { Authorization: `Bearer ${key}` } })
}

/** One of the receivers, with all that it has printed. */
interface Receiver {
  readonly url: string
  output(): string
  /** What it printed on its error stream. */
  said(): string
  end(): Promise<unknown>
}

async function receiver(
  program: string,
  file: string,
  env: Readonly<Record<string, string>>,
): Promise<Receiver> {
  const args = program === process.execPath ? ['--disable-warning=ExperimentalWarning'] : ['-B']
  const running = await served(
    spawn(program, [...args, join(EXAMPLES, 'webhook-receiver', file)], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  )
  const started: Receiver = {
    url: running.url,
    output: () => running.output().stdout,
    said: () => running.output().stderr,
    end() {
      receivers.delete(started)
      return running.end()
    },
  }
  receivers.add(started)
  return started
}

function rowsOf(inbox: string): Json[] {
  const database = new DatabaseSync(inbox, { timeout: 5000 })
  const rows = database.prepare('select * from inbox').all()
  database.close()
  return rows
}

/** As if the process had ended before the work was done. */
function undo(inbox: string): void {
  const database = new DatabaseSync(inbox, { timeout: 5000 })
  database.exec('update inbox set done = 0')
  database.close()
}
