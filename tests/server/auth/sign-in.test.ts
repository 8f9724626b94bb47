import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { AppError } from '../../../engine/base/errors.ts'
import { signIn } from '../../../server/auth/accounts.ts'
import { hashPassword, passwordProblem, verifyPassword } from '../../../server/auth/passwords.ts'
import { writeAccount } from '../../../server/auth/person-store.ts'
import { countAttempt, forgetAttempts } from '../../../server/auth/throttle.ts'
import { forEachDatabaseWhenDeep } from '../../helpers/databases.ts'
import { openTestApp, type TestApp } from '../test-app.ts'
import { addPerson, changePerson, keepAsOlder, PASSWORD } from './people.ts'

forEachDatabaseWhenDeep('signing in', ({ test, fresh }) => {
  let app: TestApp
  let addresses = 0
  /** An address of its own for each test, so that none waits for another's attempts. */
  const address = (): string => `198.18.${++addresses}.7`

  test.before(async () => {
    app = await openTestApp({ database: await fresh() })
    await addPerson(app.engine, 'ann@example.com', ['Sales User'])
    await addPerson(app.engine, 'ben@example.com')
  })
  test.after(() => app.close())

  const tried = (
    login: string,
    password: string,
    from = address(),
    device?: string,
  ): Promise<string> =>
    signIn(app.engine.services, login, password, { address: from, device }).then(
      (person) => person.login,
      (error: unknown) => {
        assert.instance(error, AppError)
        return `${(error as AppError).code} ${(error as AppError).message}`
      },
    )

  test('knows people by their name in any case, and their password exactly', async () => {
    assert.is(await tried('ann@example.com', PASSWORD), 'ann@example.com')
    assert.is(await tried(' Ann@Example.com ', PASSWORD), 'ann@example.com')
    assert.is(await tried('ann@example.com', PASSWORD.toUpperCase()), REFUSED)
  })

  test('says the same to a wrong name, no password yet, and somebody disabled', async () => {
    await addPerson(app.engine, 'dan@example.com')
    await changePerson(app.engine, 'dan@example.com', { enabled: false })
    const { database } = app.engine.services
    await addPerson(app.engine, 'eve@example.com')
    await database.write((tx) => writeAccount(tx, 'eve@example.com', { password: null }))
    for (const login of ['nobody@example.com', 'dan@example.com', 'eve@example.com', 'x\0y'])
      assert.is(await tried(login, PASSWORD), REFUSED, login)
    assert.is(await tried('ann@example.com', ''), 'UNAUTHORIZED Incomplete login details')
    assert.is(await tried('', PASSWORD), 'UNAUTHORIZED Incomplete login details')
  })

  test('stops guessing at one account from one network, in any spelling, for five minutes', async () => {
    await keepAsOlder(app.engine, 'ben@example.com', PASSWORD)
    const guess = (login: string, password = 'wrong') => tried(login, password, '203.0.113.7')
    const spellings = ['ben@example.com', 'BEN@example.com', ' ben@example.com', 'Ben@Example.Com']
    for (const login of spellings) assert.is(await guess(login), REFUSED)
    assert.is(await tried('ben@example.com', 'wrong', '203.0.113.99'), REFUSED)
    const isLocked = /^RATE_LIMITED .*300 seconds$/
    assert.match(await guess('ben@example.com', PASSWORD), isLocked)
    assert.match(await tried('ben@example.com', PASSWORD, '203.0.113.99'), isLocked)
    assert.is(await tried('ben@example.com', PASSWORD), 'ben@example.com', 'who is elsewhere')
    assert.match(await guess('ben@example.com', PASSWORD), isLocked)
    app.clock.advance(5 * 60_000 + 1)
    assert.is(await guess('ben@example.com', PASSWORD), 'ben@example.com')
    const { services } = app.engine
    for (let n = 0; n < 5; n += 1)
      await countAttempt(services, { login: 'ben@example.com', address: `2001:db8:0:7::${n}` })
    assert.match(await tried('ben@example.com', PASSWORD, '2001:db8:0:7:9::1'), isLocked)
    await countAttempt(services, { login: 'ben@example.com', address: '2001:db8:0:8::1' })
  })

  test('stops guessing at one account from many networks, but not a browser that is known to it', async () => {
    const { services } = app.engine
    const login = 'ben@example.com'
    const device = 'a'.repeat(22)
    app.clock.advance(16 * 60_000)
    for (let n = 0; n < 50; n += 1)
      await countAttempt(services, { login, address: `198.19.${n}.1` })
    assert.match(await tried(login, PASSWORD), /^RATE_LIMITED/)
    assert.is(await tried(login, PASSWORD, '198.19.1.1', device), login)
    for (let n = 0; n < 5; n += 1)
      await countAttempt(services, { login, address: address(), device })
    assert.match(await tried(login, PASSWORD, address(), device), /^RATE_LIMITED/)
    await countAttempt(services, { login, address: address(), device: 'b'.repeat(22) })
    app.clock.advance(5 * 60_000 + 1)
    await countAttempt(services, { login, address: address() })
  })

  test('tells of bursts and locks, and of a name only if it is somebody', async () => {
    const { services } = app.engine
    await addPerson(app.engine, 'Gus')
    for (const login of ['Gus', 'my secret typed here'])
      for (let n = 0; n < 5; n += 1)
        await countAttempt(services, { login, address: '::ffff:192.0.2.9' })
    const lines = await services.events.page(services.database.read, {
      filter: { resource: 'security' },
      order: 'desc',
      limit: 4,
    })
    assert.equal(
      lines.toReversed().map(({ kind, record_id, data }) => [kind, record_id, JSON.parse(data)]),
      ['Gus', null].flatMap((person) => {
        const id = person ?? '192.0.2.0/24'
        const until = new Date(app.clock.now() + 5 * 60_000).toISOString()
        const head = { id, person, address: '192.0.2.9' }
        return [
          ['sign_in_failed', id, { ...head, step: 'password', attempts: 3 }],
          ['locked_out', id, { ...head, step: 'password', of: 'account', until }],
        ]
      }),
    )
  })

  test('counts attempts that come at once', async () => {
    await addPerson(app.engine, 'fay@example.com')
    await keepAsOlder(app.engine, 'fay@example.com', PASSWORD)
    const from = address()
    const all = await Promise.all(
      Array.from({ length: 12 }, () => tried('fay@example.com', 'no', from)),
    )
    assert.is(all.filter((one) => one === REFUSED).length, 5)
    assert.is(all.filter((one) => one.startsWith('RATE_LIMITED')).length, 7)
  })

  test('stops an address that tries many names, and not one whose people sign in', async () => {
    const { services } = app.engine
    const office = { login: 'ann@example.com', address: address() }
    for (let n = 0; n < 35; n += 1) {
      await countAttempt(services, office)
      await forgetAttempts(services, office)
    }
    const guesser = address()
    for (let n = 0; n < 30; n += 1)
      await countAttempt(services, { login: `name${n}@example.com`, address: guesser })
    assert.match(await tried('ann@example.com', PASSWORD, guesser), /^RATE_LIMITED/)
    assert.is(await tried('ann@example.com', PASSWORD), 'ann@example.com')
  })

  test('makes a hash of an older cost anew', async () => {
    const { database, registry } = app.engine.services
    await keepAsOlder(app.engine, 'ann@example.com', PASSWORD)
    assert.is(await tried('ann@example.com', PASSWORD), 'ann@example.com')
    const { findPerson } = await import('../../../server/auth/people.ts')
    const person = await findPerson({ registry, database }, 'ann@example.com')
    assert.match(person!.password!, /^scrypt\$32768\$8\$3\$/)
    assert.is(await tried('ann@example.com', PASSWORD), 'ann@example.com')
  })
})

const REFUSED = 'UNAUTHORIZED Invalid login credentials'

const passwords = suite('passwords')

passwords('are taken however their characters are put together', async () => {
  const kept = await hashPassword('Zürich im März')
  assert.ok(await verifyPassword('Zürich im März'.normalize('NFD'), kept))
  assert.not(await verifyPassword('Zurich im Marz', kept))
  assert.not(await verifyPassword('anything', undefined))
  assert.is(passwordProblem('short'), 'expected at least 8 characters, got 5')
  assert.is(passwordProblem('x'.repeat(1025)), 'expected at most 1024 bytes, got 1025')
  assert.is(passwordProblem('x'.repeat(1024)), undefined)
})

passwords.run()
