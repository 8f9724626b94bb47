import { setTimeout as sleep } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { verifyWorkspace } from '../../engine/documents/verify/verify.ts'
import { createTestDatabase } from '../helpers/databases.ts'
import { randomOf, seedsOf } from '../helpers/random.ts'
import { NEW, OLD, openServer, type RollingServer } from './rolling.ts'

const CLIENTS = 4
/** Time that clients have between two restarts, in ms. */
const BETWEEN = 400

const test = suite('a rolling restart of three servers under load, on postgres')

for (const seed of seedsOf(import.meta.filename, [1, 2]))
  test(`loses nothing and answers no 500 (seed ${seed})`, () => rollingRestart(seed))

/** Three servers with the old definitions are started again with the new ones, one after the other, while clients write. */
async function rollingRestart(seed: number): Promise<void> {
  const place = await createTestDatabase('postgres')
  const servers: RollingServer[] = []
  for (let number = 0; number < 3; number += 1) servers.push(await openServer(place.database, OLD))
  const up = new Set(servers)
  const asking = new Map<RollingServer, Set<Promise<unknown>>>()
  const statuses = new Map<number, number>()
  const acknowledged: string[] = []
  let isOver = false

  /** What a balancer does: a request goes to a server that is up, and one that leaves answers what it has. */
  async function client(number: number): Promise<void> {
    const random = randomOf(seed * 100 + number)
    for (let turn = 0; !isOver; turn += 1) {
      const server = random.one([...up])
      const code = `${number}-${turn}`
      const body = { code, price: turn }
      const asked = random.chance(0.3)
        ? server.ask('get', '/bolts?limit=3').then(({ status }) => status)
        : server.ask('post', '/bolts', body).then(({ status }) => status)
      const open = asking.get(server) ?? new Set()
      asking.set(server, open.add(asked))
      const status = await asked
      open.delete(asked)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (status === 201) acknowledged.push(code)
    }
  }

  const clients = Array.from({ length: CLIENTS }, (_, number) => client(number))
  for (const [at, old] of [...servers].entries()) {
    await sleep(BETWEEN)
    up.delete(old)
    await Promise.all(asking.get(old) ?? [])
    await old.close()
    const fresh = await openServer(place.database, NEW)
    servers[at] = fresh
    up.add(fresh)
  }
  await sleep(BETWEEN)
  isOver = true
  await Promise.all(clients)
  console.log(JSON.stringify([...statuses]), acknowledged.length)
  assert.equal(
    [...statuses.keys()].filter((status) => ![200, 201, 503].includes(status)),
    [],
  )
  assert.ok((statuses.get(503) ?? 0) > 0, 'old servers were asked beside a new one')
  const { services } = servers[0]!.engine
  const rows = await services.database.read.selectFrom('bolts').select('code').execute()
  const found = new Set(rows.map(({ code }) => code))
  assert.equal(
    acknowledged.filter((code) => !found.has(code)),
    [],
  )
  assert.is(found.size, acknowledged.length)
  const { checks } = await verifyWorkspace(services)
  assert.equal(
    checks.filter(({ differences }) => differences > 0),
    [],
  )
  for (const server of servers) await server.close()
  await place.remove()
}

test.run()
