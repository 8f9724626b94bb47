import { createServer, type Server } from 'node:http'
import * as assert from 'uvu/assert'
import { SYSTEM_ACTOR } from '../../engine/access/actor.ts'
import { createDocument } from '../../engine/documents/operations/create.ts'
import { updateDocument } from '../../engine/documents/operations/update.ts'
import { forEachDatabase } from '../helpers/databases.ts'
import { addPerson, cookieOf } from './auth/people.ts'
import { listen } from './listening.ts'
import { openTestApp, type TestApp } from './test-app.ts'

const CHANGES = 2000
const KILLS = 100
const PEOPLE = 100
const STREAMS = 10

forEachDatabase('the stream of changes', ({ test, fresh }) => {
  let app: TestApp
  let server: Server
  let change: (at: number) => Promise<unknown>
  test.before(async () => {
    app = await openTestApp({ database: await fresh(), settings: { rateLimit: false } })
    server = createServer(app.app)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { engine } = app
    const context = engine.context(SYSTEM_ACTOR, await engine.tier())
    const gadgets = engine.services.registry.bySlug('gadgets')!
    await createDocument(context, gadgets, { code: 'G', title: 'Saw' })
    change = (at) => updateDocument(context, gadgets, 'G', { stock: at })
  })
  test.after(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await app.close()
  })

  test(`loses nothing in ${KILLS} breaks beside ${CHANGES} changes, and tells nothing twice`, async () => {
    const { cookie } = await cookieOf(
      app.engine,
      await addPerson(app.engine, 'ann', ['Stock Manager']),
    )
    const ids: string[] = []
    let stream = await listen(server, cookie)
    const writing = (async () => {
      for (let at = 1; at <= CHANGES; at += 1) await change(at)
    })()
    let breaks = 0
    while (ids.length < CHANGES) {
      const frame = await stream.frame()
      assert.is(frame?.event, 'change')
      ids.push(frame!.id!)
      if (ids.length % (CHANGES / KILLS) !== 0 || breaks === KILLS) continue
      breaks += 1
      stream.end()
      stream = await listen(server, cookie, frame!.id)
    }
    await writing
    stream.end()
    assert.equal([new Set(ids).size, breaks], [CHANGES, KILLS])
    assert.equal(
      ids,
      ids.toSorted((one, other) => (BigInt(one) < BigInt(other) ? -1 : 1)),
    )
  })

  test(`tells ${PEOPLE * STREAMS} who listen, at a cost that is printed`, async () => {
    const cookies: string[] = []
    for (let at = 0; at < PEOPLE; at += 1) {
      const person = await addPerson(app.engine, `p${at}`, ['Stock Manager'])
      cookies.push((await cookieOf(app.engine, person)).cookie)
    }
    const cost = async (): Promise<number> => {
      const before = process.cpuUsage()
      for (let at = 1; at <= 100; at += 1) await change(at * 7)
      const { user, system } = process.cpuUsage(before)
      return (user + system) / 100
    }
    const alone = await cost()
    const streams = []
    for (const cookie of cookies)
      for (let at = 0; at < STREAMS; at += 1) streams.push(await listen(server, cookie))
    const before = process.cpuUsage()
    for (let at = 1; at <= 100; at += 1) await change(at * 11)
    for (const stream of streams)
      for (let at = 1; at <= 100; at += 1) assert.is((await stream.frame())?.event, 'change')
    const { user, system } = process.cpuUsage(before)
    const each = (user + system) / 100 - alone
    console.log(
      `a change: ${alone.toFixed(0)} µs alone; with ${streams.length} who listen ${each.toFixed(0)} µs more, ${(each / streams.length).toFixed(1)} a listener with its client`,
    )
    for (const stream of streams) stream.end()
  })
})
