import { scryptSync } from 'node:crypto'
import { SYSTEM_ACTOR } from '../../../engine/access/actor.ts'
import { createDocument } from '../../../engine/documents/operations/create.ts'
import { updateDocument } from '../../../engine/documents/operations/update.ts'
import type { DocumentResult } from '../../../engine/documents/work/present.ts'
import type { Engine } from '../../../engine/index.ts'
import { newPassword, setPassword } from '../../../server/auth/accounts.ts'
import { findPerson, type Person, peopleOf } from '../../../server/auth/people.ts'
import { writeAccount } from '../../../server/auth/person-store.ts'
import { startSession } from '../../../server/auth/sessions.ts'

/** What people of tests sign in with. */
export const PASSWORD = 'correct horse battery'

const hashes = new Map<string, Promise<string>>()

/** The hash of a password that many people of a test have: a real one costs a tenth of a second. */
export function hashedOnce(password: string): Promise<string> {
  const known = hashes.get(password) ?? newPassword(password)
  hashes.set(password, known)
  return known
}

/**
 * Keeps a password as an older version did, at a hundredth of the cost: a wrong one is refused in no time, and the
 * right one is kept anew. For who is refused often.
 */
export async function keepAsOlder(engine: Engine, login: string, password: string): Promise<void> {
  const salt = Buffer.from('saltsalt')
  const hash = scryptSync(password, salt, 32, { N: 1024, r: 8, p: 1 })
  const kept = `scrypt$1024$8$1$${salt.toString('base64')}$${hash.toString('base64')}`
  await engine.services.database.write((tx) => writeAccount(tx, login, { password: kept }))
}

/** Somebody with these roles who can sign in, as the command line makes them. */
export async function addPerson(
  engine: Engine,
  login: string,
  roles: readonly string[] = [],
  more: object = {},
): Promise<Person> {
  const { services } = engine
  for (const role of roles) await addRole(engine, role)
  await createDocument(engine.context(SYSTEM_ACTOR, await engine.tier()), peopleOf(services), {
    login,
    ...(login.includes('@') ? { email: login } : {}),
    full_name: login,
    roles: roles.map((role) => ({ role })),
    ...more,
  })
  const hashed = await hashedOnce(PASSWORD)
  await services.database.write((tx) => setPassword(tx, services, login, hashed))
  return (await findPerson(services, login))!
}

/** Changes the record of somebody. */
export async function changePerson(
  engine: Engine,
  login: string,
  body: object,
): Promise<DocumentResult> {
  const context = engine.context(SYSTEM_ACTOR, await engine.tier())
  return updateDocument(context, peopleOf(engine.services), login, body)
}

/** The header of a session as an API client has one. */
export async function cookieOf(
  engine: Engine,
  person: Person,
  { byPage = false }: { readonly byPage?: boolean } = {},
): Promise<{ readonly cookie: string; readonly id: string }> {
  const { token, id } = await startSession(engine.services, person, {
    byPage,
    address: '127.0.0.1',
    agent: 'test',
  })
  return { cookie: `sid=${token}`, id }
}

async function addRole({ services, context, tier }: Engine, role_name: string): Promise<void> {
  const definition = services.registry.serving('roles')!
  const known = await services.partsOf(definition).store.find(services.database.read, role_name)
  if (!known) await createDocument(context(SYSTEM_ACTOR, await tier()), definition, { role_name })
}
