import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { loadDefinitionTexts } from '../../engine/definition/load/load.ts'
import { openEngine } from '../../engine/index.ts'
import { hooks } from '../../hooks/index.ts'
import { makeLink } from '../../server/auth/one-time-links.ts'
import { startScheduler } from '../../server/jobs/scheduler.ts'
import { createLogger } from '../../server/observe/logger.ts'
import { createTestDatabase } from '../helpers/databases.ts'
import { bearer, openTestApp } from '../server/test-app.ts'
import { addMember, personOf, send } from './people.ts'
import { openScene, type Scene } from './scene.ts'

/* M7 and D of the security checklist: what stays of what is gone, and input that is too much for a program. */

const test = suite('security checklist: limits')
let scene: Scene
test.before(async () => {
  scene = await openScene()
})
test.after(() => scene.close())

const admin = (path: string) => scene.call(scene.keys.admin, 'post', path)

test('M7 a field that is gone shows nothing and comes back with its own values, a role that comes back has no holders', async () => {
  const { database, remove } = await createTestDatabase('sqlite')
  const doctype = (more: string) => ({
    widget: `doctype: Widget\nmodule: crm\ntier: free\nnaming: field:code\nfields:\n  code: {type: data, required: true}\n${more}`,
  })
  const bonus = '  bonus: {type: data, filterable: true}\n'
  const back = '  bonus: {type: data, filterable: true, label: Extra}\n'
  try {
    for (const [round, more] of [bonus, '', back].entries()) {
      const app = await openTestApp({ database, tier: 'pro', doctypes: doctype(more) })
      const { admin: key } = app.keys
      const call = (verb: 'get' | 'post', path: string) =>
        send(app, verb, path, { 'x-api-key': key })
      if (round === 0) {
        const made = await call('post', '/v1/widgets').send({ code: 'w', bonus: 'old value' })
        assert.is(made.status, 201, made.text)
      } else if (round === 1) {
        const { body, text } = await call('get', '/v1/widgets/w')
        assert.is(body.bonus, undefined)
        assert.not.match(text, 'old value')
      } else assert.is((await call('get', '/v1/widgets?bonus=old+value')).body.meta.total, 1)
      await app.close()
    }
  } finally {
    await remove()
  }
  const role = { role_name: 'Auditor' }
  await admin('/v1/roles').send(role)
  await addMember(scene, 'aud@example.com', ['Auditor'])
  const held = await scene.call(scene.boss, 'delete', '/v1/roles/Auditor')
  assert.is(held.status, 409, 'a role that somebody has cannot go, so it cannot come back to them')
  await scene.call(scene.boss, 'patch', '/v1/users/aud@example.com').send({ roles: [] })
  assert.is((await scene.call(scene.boss, 'delete', '/v1/roles/Auditor')).status, 204)
  await admin('/v1/roles').send(role)
  assert.equal((await personOf(scene, 'aud@example.com')).roles, [])
})

test('D1 a body over 1 MB is 413, and JSON that could not be kept as it came is 422', async () => {
  const headers = { authorization: bearer(scene.keys.admin), 'content-type': 'application/json' }
  const post = (text: string, path = '/v1/gadgets') => send(scene, 'post', path, headers).send(text)
  const large = await post(`{"title":"${'x'.repeat(1_048_576)}"}`)
  assert.equal([large.status, large.body.error.code], [413, 'PAYLOAD_TOO_LARGE'])
  assert.is(
    (await post(`{"doctype":"${'x'.repeat(1_048_576)}"}`, '/api/resource/Gadget')).status,
    413,
  )
  for (const value of [
    '1e400',
    '9007199254740993',
    '"a\\u0000b"',
    '"\\ud800"',
    `${'['.repeat(40)}${']'.repeat(40)}`,
  ]) {
    const { status, text } = await post(`{"code":"d1","title":"x","extra":{"a":${value}}}`)
    assert.is(status, 422, `${value.slice(0, 20)}: ${text}`)
  }
  for (const path of ['/v1/gadgets', '/api/resource/Gadget']) {
    const { status } = await post(`{"extra":${'['.repeat(45_000)}`, path)
    assert.ok(status >= 400 && status < 500, `${path}: ${status}`)
  }
})

test('D2 no pattern of a file or a request can take long', async () => {
  // All forms: tests/engine/fields/pattern.test.ts.
  for (const pattern of ['^(a+)+$', '^(a|a)*$', '.*.*.*x'])
    assert.throws(
      () => loadDefinitionTexts([fileWith(`  code: {type: data, pattern: '${pattern}'}`)]),
      /can take very long/,
    )
  assert.is(
    (await scene.call(scene.keys.admin, 'get', '/v1/gadgets?title__regex=(a%2B)%2B$')).status,
    422,
  )
  const found = await scene.call(
    scene.keys.admin,
    'get',
    `/v1/gadgets?title__like=${'%25a'.repeat(40)}`,
  )
  assert.is(found.status, 200, found.text)
})

function fileWith(field: string, head = '') {
  const text = `${head}doctype: Evil\nmodule: crm\ntier: free\nnaming: prompt\nfields:\n${field}\n`
  return { path: 'evil.yaml', text }
}

test('D3 YAML that is a trap is refused with its place, and a bad reload leaves what was loaded', async () => {
  // All mistakes: tests/engine/definition/mistakes.test.ts and load-fuzz.test.ts.
  const bomb = ['a: &a [x,x,x,x]', 'b: &b [*a,*a,*a,*a]', 'c: [*b,*b,*b,*b]', ''].join('\n')
  for (const [text, expected] of [
    [bomb, /anchors/],
    ['['.repeat(10_000), /nesting/],
    ['doctype: A\ndoctype: B\n', /twice/],
    ['doctype: !!js/function "x"\n', /tag/],
    [`# ${'x'.repeat(300_000)}`, /256 KB/],
    ['__proto__: {a: 1}\n', /cannot be a key/],
  ] as const)
    assert.throws(() => loadDefinitionTexts([{ path: 'evil.yaml', text }]), expected)
  const folder = mkdtempSync(join(tmpdir(), 'svc-reload-'))
  const own = join(folder, 'doctypes')
  mkdirSync(own)
  writeFileSync(join(own, 'evil.yaml'), fileWith('  code: {type: data}').text)
  const shipped = join(import.meta.dirname, '../../doctypes')
  const engine = await openEngine({
    hooks,
    database: { kind: 'sqlite', file: join(folder, 'svc.db'), durability: 'normal' },
    doctypes: [shipped, own],
    secretKey: Buffer.alloc(32, 1),
  })
  try {
    const { registry } = engine.services
    writeFileSync(join(own, 'evil.yaml'), bomb)
    const failure = await engine.reload().then(
      () => undefined,
      (error: Error) => error,
    )
    assert.match(failure?.message ?? '', 'anchors')
    assert.is(engine.services.registry, registry)
    assert.ok(engine.services.registry.byDoctype('Evil'))
  } finally {
    await engine.close()
    rmSync(folder, { recursive: true })
  }
})

test('D4 no path of a request reaches the file system: names are looked up, files are listed', async () => {
  assert.ok(existsSync('package.json'))
  const parts = [
    '..',
    '%2e%2e',
    '..%2f..%2fpackage.json',
    '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
    '..%5c..%5cpackage.json',
    '%2fetc%2fpasswd',
    'a%00.yaml',
    'file:%2f%2f%2fetc%2fpasswd',
  ]
  for (const part of parts) {
    for (const path of [
      `/v1/reports/${part}`,
      `/v1/${part}`,
      `/v1/gadgets/${part}`,
      `/docs/${part}`,
      `/assets/${part}`,
      `/api/resource/${part}`,
      `/api/method/${part}`,
      `/${part}`,
    ]) {
      const { status, text } = await scene.call(scene.keys.admin, 'get', path)
      // `..` is resolved before it is sent: what is left may be a page that is there.
      if (part === '..' || part === '%2e%2e') assert.ok(status < 500, path)
      else assert.ok(status >= 400 && status < 500, `${path}: ${status}`)
      assert.not.match(text, /root:|"dependencies"|ENOENT/, path)
    }
  }
})

test('D5 work in the background that fails is logged, and the rest goes on', async () => {
  // Jobs, workers and timers of a server: tests/server/scheduler.test.ts, tests/webhooks/dispatcher.test.ts.
  const lines: string[] = []
  const logger = createLogger({
    level: 'trace',
    destination: { write: (line) => void lines.push(line) },
  })
  let done: () => void = () => undefined
  const second = new Promise<void>((resolve) => {
    done = resolve
  })
  const jobs = [
    { name: 'broken', run: () => Promise.reject(new RangeError('a job is broken')) },
    {
      name: 'thrower',
      run: () => {
        throw new TypeError('a job throws at once')
      },
    },
    {
      name: 'well',
      run: async () => {
        done()
        return {}
      },
    },
  ]
  const scheduler = startScheduler(scene.engine, logger, { jobs, firstLook: 0 })
  // The scheduler's own timers do not keep a process alive.
  const alive = setInterval(() => undefined, 1000)
  await second
  clearInterval(alive)
  await scheduler.stop()
  assert.match(lines.join(''), 'a job is broken')
  assert.match(lines.join(''), 'a job throws at once')
  assert.is((await send(scene, 'get', '/readyz')).status, 200)
})

test('D6 of many who use a link at once one succeeds', async () => {
  const { services } = scene.engine
  const { login } = scene.worker
  for (let round = 0; round < 2; round += 1) {
    const token = await services.database.write((tx) =>
      makeLink(tx, services.clock, { login, address: login, go_on_to: null }, 'password', 60_000),
    )
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, n) => {
        const password = `new password ${round} ${n}`
        return send(scene, 'post', '/reset-password')
          .type('form')
          .send({ token, password, again: password })
      }),
    )
    const statuses = answers.map(({ status }) => status).sort()
    assert.equal(statuses, [303, 410, 410, 410, 410, 410])
  }
})

test.run()
