import { SYSTEM_MANAGER } from '../../engine/access/roles.ts'
import { AppError } from '../../engine/base/errors.ts'
import { createDocument } from '../../engine/documents/operations/create.ts'
import type { Context } from '../../engine/documents/work/context.ts'
import type { Db } from '../../engine/storage/database/database.ts'
import { readSetting, writeSetting } from '../../engine/storage/workspace/settings.ts'
import { setPassword } from '../../server/auth/accounts.ts'
import { hashPassword, verifyPassword } from '../../server/auth/passwords.ts'
import { findPerson, peopleOf } from '../../server/auth/people.ts'

/** Names the first person of a workspace in `svc_settings`; it is there once setup is done. */
const SETTING = 'administrator'

/** The first System Manager. */
export interface Administrator {
  readonly user: string
  readonly email: string | null
  /** What people call them; undefined for their login. */
  readonly fullName?: string | undefined
  readonly password: string
}

/** Thrown where another process has set the workspace up in the meantime. */
class Claimed extends Error {}

/** True once setup is done. */
export async function isSetUp(db: Db): Promise<boolean> {
  return (await readSetting(db, SETTING)) !== undefined
}

/**
 * Makes this person the first one: their record, their password and the mark that setup is done, in one
 * transaction. False when there is one already: of several processes that set up the same workspace at once,
 * one wins.
 */
export async function claimWorkspace(
  context: Context,
  { user, email, fullName, password }: Administrator,
): Promise<boolean> {
  const { services } = context
  const people = peopleOf(services)
  const hashed = await hashPassword(password)
  const record = {
    login: user,
    email,
    full_name: fullName ?? user,
    roles: [{ role: SYSTEM_MANAGER }],
  }
  try {
    await createDocument(
      {
        ...context,
        async beforeCommit(tx) {
          if (await isSetUp(tx)) throw new Claimed()
          await setPassword(tx, services, user, hashed)
          await writeSetting(tx, SETTING, user)
        },
      },
      people,
      record,
    )
    return true
  } catch (error) {
    const isTaken = error instanceof AppError && error.code === 'CONFLICT'
    if (error instanceof Claimed || (isTaken && (await isSetUp(services.database.read))))
      return false
    throw error
  }
}

/** Whether this is the password the first person has. */
export async function isFirstPassword(
  { services }: Pick<Context, 'services'>,
  password: string,
): Promise<boolean> {
  const user = await readSetting(services.database.read, SETTING)
  const person = user === undefined ? undefined : await findPerson(services, user)
  return verifyPassword(password, person?.password)
}
