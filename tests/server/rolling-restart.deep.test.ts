import { setTimeout as sleep } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { verifyWorkspace } from '../../engine/documents/verify/verify.ts'
import { bringTables } from '../../engine/storage/migration/bring-tables.ts'
import { createTestDatabase } from '../helpers/databases.ts'
import { randomOf, seedsOf } from '../helpers/random.ts'
import { NEW, OLD, openServer, type RollingServer } from './rolling.ts'

const CLIENTS = 4
/** Time that clients have between two restarts, in ms. */
const BETWEEN = 400
/** Records of before, with a field that is renamed and one that is retired. */
const MARKED = 40

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
      const kind = random.next()
      const known = `marked-${random.below(MARKED)}`
      const asked =
        kind < 0.2
          ? server.ask('get', '/bolts?limit=3').then(({ status }) => status)
          : kind < 0.4
            ? server.ask('patch', `/bolts/${known}`, { price: turn }).then(({ status }) => status)
            : server.ask('post', '/bolts', body).then(({ status }) => status)
      const open = asking.get(server) ?? new Set()
      asking.set(server, open.add(asked))
      const status = await asked
      open.delete(asked)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (status === 201) acknowledged.push(code)
    }
  }

  const marked: string[] = []
  for (let at = 0; at < MARKED; at += 1) {
    const body = { code: `marked-${at}`, title: `t${at}`, colour: `c${at}`, price: at }
    assert.is((await servers[at % 3]!.ask('post', '/bolts', body)).status, 201)
    marked.push(body.code)
  }
  const clients = Array.from({ length: CLIENTS }, (_, number) => client(number))
  for (const [at, old] of [...servers].entries()) {
    await sleep(BETWEEN)
    up.delete(old)
    await Promise.all(asking.get(old) ?? [])
    await old.close()
    const fresh = await openServer(place.database, NEW, 3)
    servers[at] = fresh
    up.add(fresh)
  }
  await sleep(BETWEEN)
  // What `svc migrate --retire` does, beside the three that serve.
  const { registry, database, folders } = servers[0]!.engine.services
  const retired = await bringTables(
    database,
    registry,
    { folders, program: () => 'svc' },
    { retire: true, full: true },
  )
  assert.equal(
    retired.applied.map(({ sentence }) => sentence),
    ['set column bolts.colour aside as _dropped_colour_1: no field uses it'],
  )
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
  for (const { engine } of servers) while (await engine.filling()) await sleep(20)
  const rows = await services.database.read
    .selectFrom('bolts')
    .select(['code', 'label', '_dropped_colour_1 as colour', 'price', 'gross'])
    .execute()
  for (const { code, label, colour, price, gross } of rows) {
    assert.is(gross, (price as bigint) * 3n, `${code} has the formula of now`)
    const [, number] = /^marked-(.*)/.exec(String(code)) ?? []
    if (number !== undefined) assert.equal([label, colour], [`t${number}`, `c${number}`])
  }
  acknowledged.push(...marked)
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
