import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { verifyDelivery } from '../../webhooks/signing/verify.ts'
import { prepareStarted } from '../helpers/prepared-start.ts'
import {
  eventually,
  type Folder,
  listening,
  readFirstRun,
  type Served,
  serve,
  svc,
  temporaryFolder,
} from './process.ts'

const register = suite('svc webhook listen --register')
let folder: Folder
let data = ''
let workspace: Served
let listener: Served | undefined

register.before(async () => {
  folder = temporaryFolder()
  data = join(folder.path, 'data')
  await prepareStarted(data)
  workspace = await serve(data, [], { SVC_WEBHOOK_RETRY_BASE_MS: '50' })
})
register.after.each(async () => {
  await listener?.end('SIGTERM')
  listener = undefined
})
register.after(async () => {
  await workspace.end('SIGKILL')
  folder.remove()
})

async function start(...args: readonly string[]): Promise<Served> {
  const all = ['webhook', 'listen', '--register', '--port', '0', '--data', data, ...args]
  listener = await listening(all, {}, args.includes('--json') ? 'stderr' : 'stdout')
  return listener
}

function ask(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = {
    authorization: `Bearer ${readFirstRun(data).admin_key}`,
    'content-type': 'application/json',
  }
  return fetch(`${workspace.url}/v1${path}`, { ...init, headers })
}

async function subscriptions(): Promise<readonly { id: string; url: string; events: unknown }[]> {
  const { data } = (await (await ask('/webhooks')).json()) as { data: [] }
  return data
}

async function create(title: string): Promise<void> {
  const body = JSON.stringify({ territory_name: title })
  assert.is((await ask('/territories', { method: 'POST', body })).status, 201)
}

/** The deliveries of a listener with `--json`, once there are so many. */
async function heard(count: number): Promise<readonly Record<string, unknown>[]> {
  const lines = () => (listener?.output().stdout ?? '').split('\n').filter(Boolean)
  await eventually(() => lines().length >= count)
  return lines().map((line) => JSON.parse(line))
}

register('subscribes with its own secret, hears the events it asked for, and ends it', async () => {
  const { url, end, output } = await start('--events', 'territories.created, items.*', '--json')
  await eventually(() => output().stderr.includes('registered whk_'))
  const [made] = await subscriptions()
  assert.equal([made?.url, made?.events], [url, ['territories.created', 'items.*']])
  assert.match(
    output().stderr,
    `registered ${made?.id} at ${workspace.url} for territories.created`,
  )
  await create('Heard')
  const [delivery] = await heard(1)
  assert.equal([delivery?.event, delivery?.verified], ['territories.created', true])
  assert.not('forwarded' in (delivery ?? {}))
  const ended = await end('SIGINT')
  assert.is(ended.code, 0, ended.stderr)
  assert.equal(await subscriptions(), [])
})

register('takes the place of a listener of the same address that was killed', async () => {
  const { url, end } = await start()
  await eventually(async () => (await subscriptions()).length === 1)
  const [before] = await subscriptions()
  await end('SIGKILL')
  const { port } = new URL(url)
  listener = undefined
  const again = await start('--port', port)
  await eventually(() => again.output().stderr.includes('registered whk_'))
  const after = await subscriptions()
  assert.is(after.length, 1)
  assert.is.not(after[0]?.id, before?.id)
})

register('passes a delivery on as it came, and answers as it was answered', async () => {
  const secret = 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz'
  const got: { readonly path: string; readonly verified: boolean }[] = []
  const statuses = [500, 201]
  const receiver = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece)
    const { headers } = request
    const delivery = { headers, body: Buffer.concat(pieces), secret, now: Date.now() }
    got.push({ path: request.url ?? '', verified: verifyDelivery(delivery).verified })
    response.writeHead(statuses.shift() ?? 204).end()
  })
  const to = `${await listenOn(receiver)}/hook?a=1`
  await start('--forward-to', to, '--secret', secret, '--events', 'territories.*', '--json')
  await create('Passed on')
  // It was refused at first, so the workspace tries again.
  const deliveries = await heard(2)
  assert.equal(
    deliveries.map(({ forwarded }) => (forwarded as { status: number }).status),
    [500, 201],
  )
  assert.equal(got, [
    { path: '/hook?a=1', verified: true },
    { path: '/hook?a=1', verified: true },
  ])
  receiver.close()
  receiver.closeAllConnections()
})

register('says where nobody takes what it passes on, and lets the workspace know', async () => {
  const receiver = createServer()
  const to = await listenOn(receiver)
  receiver.close()
  const { output } = await start('--forward-to', to, '--events', 'territories.created')
  const { code, stdout, stderr } = await trigger('territories.created', '--json')
  assert.is(code, 1)
  assert.match(stderr, '1 delivery not taken')
  const { event, deliveries } = JSON.parse(stdout)
  assert.is(event, 'territories.created')
  assert.is(deliveries[0].status_code, 502)
  assert.match(output().stdout, `-> not delivered to ${to}/: nobody listens there`)
})

register('prints how it was answered below the delivery', async () => {
  const receiver = createServer((_request, response) => void response.end())
  const to = await listenOn(receiver)
  const { output } = await start('--forward-to', to)
  assert.is((await trigger('customers.created')).code, 0)
  assert.match(output().stdout, 'customers.created  dlv_')
  assert.match(output().stdout, /\n}\n-> 200 in \d+ ms from http:/)
  receiver.close()
  receiver.closeAllConnections()
})

function trigger(...args: readonly string[]) {
  return svc(['webhook', 'trigger', '--data', data, ...args])
}

register(
  'hears what `svc webhook trigger` has sent: signed, marked as a test, of no record',
  async () => {
    await start('--events', 'sales-invoices.*', '--json')
    const { code, stdout, stderr } = await trigger('invoices.paid')
    assert.is(code, 0, stderr)
    const [{ id = '' } = {}] = await subscriptions()
    assert.match(stdout, /^WEBHOOK +URL +DELIVERY +ANSWER\n/)
    assert.match(stdout, new RegExp(`\\n${id} +http://127.0.0.1:\\d+ +dlv_\\w+ +204\\n$`))
    const [delivery] = await heard(1)
    assert.equal([delivery?.event, delivery?.verified], ['sales-invoices.paid', true])
    const log = (await (await ask('/events?resource=sales-invoices')).json()) as { data: [] }
    assert.equal(log.data, [])

    const other = await trigger('customers.created')
    assert.is(other.code, 1)
    assert.match(other.stderr, 'no active subscription of')
    assert.is((await trigger('customers.created', '--id', id)).code, 0)
    assert.is((await heard(2))[1]?.event, 'customers.created')
  },
)

register('refuses what cannot be, with the reason of the workspace', async () => {
  const run = (...args: string[]) => svc(['webhook', ...args, '--data', data])
  const slip = await run('trigger', 'customers.craeted')
  assert.equal([slip.code, slip.stdout], [1, ''])
  assert.match(slip.stderr, /^svc: .* answers 422: event: .*\n$/)
  assert.match((await run('trigger', 'customers.*')).stderr, /^svc: expected one event such as/)
  const event = await run('listen', '--register', '--port', '0', '--events', 'customers.craeted')
  assert.is(event.code, 1)
  assert.match(event.stderr, /^svc: .* answers 422: events\[0\]: /)
  const key = await run('trigger', 'customers.created', '--key', 'svc_live_wrong')
  assert.match(key.stderr, / answers 401: /)
  const none = { SVC_API_BASE: 'http://127.0.0.1:1' }
  const nobody = await svc(['webhook', 'trigger', 'customers.created', '--data', data], none)
  assert.equal([nobody.code, nobody.stdout], [1, ''])
  assert.match(nobody.stderr, /^svc: no workspace answers at http:\/\/127\.0\.0\.1:1: /)
  const keyless = await svc(['webhook', 'trigger', 'a.b', '--data', folder.path])
  assert.is(keyless.code, 2)
  assert.match(keyless.stderr, /expected an API key .* there is no .*first-run\.json/)
})

function listenOn(server: Server): Promise<string> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () =>
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    )
  })
}

register.run()
