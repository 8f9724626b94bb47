import { csrfToken } from '../../../server/auth/forgery.ts'
import { reissuePair } from '../../../server/auth/key-pairs.ts'
import { findPerson } from '../../../server/auth/people.ts'
import { addPerson, cookieOf } from '../auth/people.ts'
import { bearer, openTestApp, type TestApp, type TestAppOptions } from '../test-app.ts'
import { type RawRequest, rawServer } from './raw-answers.ts'
import { type Callers, recordedRequests } from './recorded-requests.ts'

/** A workspace of the test app to which the recorded requests are sent. */
export interface RecordedWorld {
  readonly app: TestApp
  readonly callers: Callers
  /** Name and masked answer of each request, sent in their order. */
  answers(requests?: readonly RawRequest[]): Promise<ReadonlyMap<string, string>>
  close(): Promise<void>
}

/** Opens it; the same requests find the same records in any of them. */
export async function openRecordedWorld(options: TestAppOptions = {}): Promise<RecordedWorld> {
  const app = await openTestApp({
    ...options,
    settings: { rateLimit: true, corsOrigins: ['https://desk.example'], ...options.settings },
  })
  const callers = await callersOf(app)
  const server = await rawServer(app.app)
  return {
    app,
    callers,
    async answers(requests = recordedRequests(callers)) {
      const found = new Map<string, string>()
      for (const request of requests) {
        // The clock stands still: the minute's requests would be used up.
        if (found.size % 20 === 19 && !request.isOfBurst) app.clock.advance(60_000)
        found.set(request.name, await server.answer(request))
      }
      return found
    },
    async close() {
      await server.close()
      await app.close()
    },
  }
}

async function callersOf(app: TestApp): Promise<Callers> {
  const { engine, keys, secretKey } = app
  const { services } = engine
  const header = (key: string): readonly string[] => [`Authorization: ${bearer(key)}`]
  await addPerson(engine, 'boss@example.com', ['System Manager'])
  await addPerson(engine, 'plain@example.com')
  const boss = (await findPerson(services, 'boss@example.com'))!
  const plain = (await findPerson(services, 'plain@example.com'))!
  const pair = await services.database.write((tx) => reissuePair(tx, services, boss.login))
  const away = await app.newKey({ allow_ips: ['192.0.2.1'] })
  const test = await app.newKey({ env: 'test' })
  const own = await cookieOf(engine, boss)
  const theirs = await cookieOf(engine, plain)
  const paged = await cookieOf(engine, boss, { byPage: true })
  const token = `X-CSRF-Token: ${csrfToken(secretKey, paged.id)}`
  return {
    admin: header(keys.admin),
    write: [`X-API-Key: ${keys.write}`],
    draft: header(keys.draft),
    read: header(keys.read),
    both: [...header(keys.read), `X-API-Key: ${keys.read}`],
    differing: [...header(keys.read), `X-API-Key: ${keys.write}`],
    lower: [`authorization: bearer ${keys.write}`],
    nobody: [],
    unknown: header(`svc_live_${'a'.repeat(43)}`),
    short: header('svc_live_'),
    negotiate: ['Authorization: Negotiate abc'],
    away: header(away.key),
    test: header(test.key),
    pair: [`Authorization: token ${pair.api_key}:${pair.api_secret}`],
    wrongPair: [`Authorization: token ${pair.api_key}:${'0'.repeat(48)}`],
    session: [`Cookie: ${own.cookie}`],
    plain: [`Cookie: ${theirs.cookie}`],
    withoutToken: [`Cookie: ${paged.cookie}`],
    withToken: [`Cookie: ${paged.cookie}`, token],
    fromElsewhere: [`Cookie: ${own.cookie}`, 'Origin: https://evil.example'],
    guest: ['Cookie: sid=Guest'],
    badCookie: ['Cookie: sid=nothing'],
  }
}
