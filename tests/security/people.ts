import supertest from 'supertest'
import { createRoles } from '../../cli/setup/roles.ts'
import { SYSTEM_ACTOR } from '../../engine/access/actor.ts'
import { createDocument } from '../../engine/documents/operations/create.ts'
import { updateDocument } from '../../engine/documents/operations/update.ts'
import { setPassword } from '../../server/auth/accounts.ts'
import { reissuePair } from '../../server/auth/key-pairs.ts'
import { findPerson, type Person, peopleOf } from '../../server/auth/people.ts'
import { startSession } from '../../server/auth/sessions.ts'
import { hashedOnce } from '../server/auth/people.ts'
import type { TestApp } from '../server/test-app.ts'

/** Somebody of a test: their login is their e-mail address. */
export interface Member {
  readonly login: string
  /** For `Authorization`: the pair of surface A, which has all of the person's rights. */
  readonly authorization: string
  readonly apiKey: string
  readonly apiSecret: string
}

export type Verb = 'get' | 'post' | 'patch' | 'put' | 'delete'

/** Adds somebody with these roles, with a pair of key and secret; the record is made as the command line does. */
export async function addMember(
  { engine }: Pick<TestApp, 'engine'>,
  login: string,
  roles: readonly string[],
  password?: string,
): Promise<Member> {
  const { services } = engine
  await createRoles(engine)
  await createDocument(engine.context(SYSTEM_ACTOR, await engine.tier()), peopleOf(services), {
    email: login,
    full_name: `Member ${login}`,
    roles: roles.map((role) => ({ role })),
  })
  const hashed = password === undefined ? undefined : await hashedOnce(password)
  const { api_key, api_secret } = await services.database.write(async (tx) => {
    if (hashed !== undefined) await setPassword(tx, services, login, hashed)
    return reissuePair(tx, services, login)
  })
  const authorization = `token ${api_key}:${api_secret}`
  return { login, authorization, apiKey: api_key, apiSecret: api_secret }
}

/** Changes the record of somebody, as the command line does. */
export async function changeMember(
  { engine }: Pick<TestApp, 'engine'>,
  login: string,
  body: object,
): Promise<void> {
  const context = engine.context(SYSTEM_ACTOR, await engine.tier())
  await updateDocument(context, peopleOf(engine.services), login, body)
}

/** Somebody who must be there. */
export async function personOf(
  { engine }: Pick<TestApp, 'engine'>,
  login: string,
): Promise<Person> {
  const person = await findPerson(engine.services, login)
  if (!person) throw new Error(`expected a person called ${login}`)
  return person
}

/** The value of `Cookie` of a new session; `byPage` as our own sign-in page starts it. */
export async function sessionOf(app: TestApp, login: string, byPage = false): Promise<string> {
  const person = await personOf(app, login)
  const start = { byPage, address: '203.0.113.9', agent: 'test' }
  const { token } = await startSession(app.engine.services, person, start)
  return `sid=${token}`
}

/** A call with these headers. */
export function send(
  { app }: Pick<TestApp, 'app'>,
  verb: Verb,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): supertest.Test {
  return supertest(app)[verb](path).set(headers)
}
