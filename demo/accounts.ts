import { SYSTEM_ACTOR } from '../engine/access/actor.ts'
import { createDocument } from '../engine/documents/operations/create.ts'
import type { Engine } from '../engine/index.ts'
import { newPassword, setPassword } from '../server/auth/accounts.ts'
import { generatePassword } from '../server/auth/passwords.ts'
import { findPerson, peopleOf } from '../server/auth/people.ts'
import { writeAccount } from '../server/auth/person-store.ts'
import type { DemoAccount } from './world/company.ts'

/** Account to sign in with; the only time the password is seen. */
export interface SignIn {
  readonly email: string
  readonly full_name: string
  readonly roles: readonly string[]
  readonly password: string
}

/**
 * Makes the demo accounts: people with the roles of their work, who see `tier` instead of the workspace's (spec
 * §1, Plans). A demo account takes no seat. Somebody of that address who is there already is left alone.
 */
export async function createDemoAccounts(
  engine: Engine,
  accounts: readonly DemoAccount[],
  tier: string,
): Promise<readonly SignIn[]> {
  const made: SignIn[] = []
  for (const { email, full_name, roles } of accounts) {
    if (await findPerson(engine.services, email)) continue
    const password = generatePassword()
    await createAccount(engine, { email, full_name, roles, password }, tier)
    made.push({ email, full_name, roles, password })
  }
  return made
}

async function createAccount(engine: Engine, person: SignIn, tier: string): Promise<void> {
  const { services } = engine
  const { email, full_name, roles, password } = person
  const hashed = await newPassword(password)
  await createDocument(
    {
      ...engine.context(SYSTEM_ACTOR, tier),
      async beforeCommit(tx) {
        await setPassword(tx, services, email, hashed)
        await writeAccount(tx, email, { demo_tier: tier })
      },
    },
    peopleOf(services),
    { login: email, email, full_name, roles: roles.map((role) => ({ role })) },
  )
}
