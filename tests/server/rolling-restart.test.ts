import { setTimeout as sleep } from 'node:timers/promises'
import supertest from 'supertest'
import * as assert from 'uvu/assert'
import { verifyWorkspace } from '../../engine/documents/verify/verify.ts'
import { watchDefinitions } from '../../server/observe/definition-watch.ts'
import { watchFilling } from '../../server/observe/filling-watch.ts'
import { openWorkspace, refused } from '../engine/documents/workspace.ts'
import { forEachDatabase } from '../helpers/databases.ts'
import { NEW, OLD, openServer } from './rolling.ts'
import { bearer } from './test-app.ts'

forEachDatabase('servers that are started again one after the other', ({ test, create }) => {
  test('lose nothing and answer no 500, and the old ones say that they are old', async () => {
    const place = await create()
    const old = await openServer(place, OLD)
    const second = await openServer(place, OLD)
    const { ask } = old
    assert.is(
      (await ask('post', '/bolts', { code: 'A', title: 'kept', colour: 'red', price: 2 })).status,
      201,
    )
    assert.is((await ask('post', '/crates', { code: 'C' })).status, 201)
    assert.is((await supertest(old.app).get('/readyz')).status, 200)

    const fresh = await openServer(place, NEW)
    const shown = (await fresh.ask('get', '/bolts/A')).body
    assert.equal([shown.label, shown.note, shown.half, shown.colour], ['kept', null, 1, undefined])

    const ready = await supertest(old.app).get('/readyz')
    assert.is(ready.status, 503)
    assert.match(ready.body.error.message, /generation 2, brought on .* by svc with/)
    const lines: string[] = []
    const watch = watchDefinitions(old.engine, {
      warn: (_facts: unknown, line: string) => void lines.push(line),
    } as Parameters<typeof watchDefinitions>[1])
    await watch.look()
    await watch.look()
    watch.stop()
    assert.is(lines.length, 1)

    // What the old one knows of other tables it still shows; it changes nothing, and has no words for what was renamed.
    assert.is((await ask('get', '/crates/C')).status, 200)
    for (const [path, body] of [
      ['/bolts', { code: 'B', price: 1 }],
      ['/crates', { code: 'D' }],
    ] as const) {
      const refused = await ask('post', path, body)
      assert.equal([refused.status, refused.headers['retry-after']], [503, '1'])
    }
    assert.is((await ask('get', '/bolts')).status, 503)
    const onSurfaceA = await supertest(old.app)
      .get('/api/resource/Bolt?fields=["title"]')
      .set('Authorization', bearer(old.keys.admin))
    assert.is(onSurfaceA.status, 503)
    assert.is((await fresh.ask('get', '/crates/D')).status, 404)

    await second.close()
    await refused('CONFLICT', openWorkspace(place, OLD))
    const next = await openServer(place, NEW)
    assert.is((await next.ask('post', '/bolts', { code: 'B', price: 4 })).status, 201)
    assert.is((await fresh.ask('get', '/bolts/B')).body.half, 2)
    const { checks } = await verifyWorkspace(next.engine.services)
    assert.equal(
      checks.filter(({ differences }) => differences > 0),
      [],
    )
    for (const server of [old, fresh, next]) await server.close()
  })

  test('say which fields wait for their values, and how far that is, and serve meanwhile', async () => {
    const place = await create()
    const old = await openServer(place, OLD)
    for (let price = 0; price < 60; price += 1)
      assert.is((await old.ask('post', '/bolts', { code: `B${price}`, price })).status, 201)
    await old.close()
    const fresh = await openServer(place, NEW, 1)
    const lines: string[] = []
    const watch = watchFilling(fresh.engine, {
      info: (...said: readonly unknown[]) => void lines.push(String(said.at(-1))),
    } as Parameters<typeof watchFilling>[1])
    const ready = await supertest(fresh.app).get('/readyz')
    assert.is(ready.status, 503)
    const sentence =
      /^fields are given their values: bolts.gross, bolts.half; (not begun|at formulas of Bolt, up to record \d+ of 60 \(1 of 1\))$/
    assert.match(ready.body.error.message, sentence)
    const described = await fresh.ask('get', '/resources/bolts')
    assert.equal(described.body.filling, ['gross', 'half'])
    assert.is(described.headers['x-filling'], 'bolts.gross, bolts.half')
    assert.is((await fresh.ask('post', '/bolts', { code: 'new', price: 2 })).body.gross, 6)
    while (await fresh.engine.filling()) await sleep(5)
    await watch.look()
    watch.stop()
    assert.match(lines[0] ?? '', sentence)
    assert.is(lines.at(-1), 'all fields have their values')
    assert.is((await supertest(fresh.app).get('/readyz')).status, 200)
    assert.is((await fresh.ask('get', '/resources/bolts')).body.filling, undefined)
    const whole = await fresh.ask('get', '/bolts/B59')
    assert.is(whole.headers['x-filling'], undefined)
    const { gross, half } = whole.body
    assert.equal([gross, half], [177, 29.5])
    await fresh.close()
  })
})
