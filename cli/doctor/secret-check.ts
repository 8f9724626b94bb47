import type { Database } from '../../engine/storage/database/database.ts'
import { someFactors } from '../../server/auth/factors/factor-store.ts'
import { secretOf } from '../../server/auth/factors/known-factors.ts'
import { openMail } from '../../server/mail/mail.ts'
import { someWaiting } from '../../server/mail/store.ts'
import { openSecrets } from '../../webhooks/signing/secrets.ts'
import { allWebhooks } from '../../webhooks/store.ts'
import { presentKey } from '../backup/key-check.ts'
import { counted } from '../terminal/output.ts'
import type { Workspace } from '../workspace.ts'
import { type Check, verdict } from './check.ts'

/** Mails and second factors that are tried: all were sealed with one key. */
const MOST = 20

/** Whether the secret key opens what was sealed: the secrets of webhooks, mail that waits, second factors. */
export async function secretCheck(workspace: Workspace, { read }: Database): Promise<Check> {
  const webhooks = await allWebhooks(read)
  const mails = await someWaiting(read, MOST)
  const factors = await someFactors(read, MOST)
  const key = presentKey(workspace)
  const sealed = webhooks.length + mails.length + factors.length
  const facts = { present: key !== undefined, sealed }
  if (key === undefined) {
    const isMadeLater = workspace.database.kind === 'sqlite' && sealed === 0
    const failures = isMadeLater
      ? []
      : [
          'there is none: put that of this workspace into secret.key or SVC_SECRET_KEY, without it secrets cannot be read',
        ]
    return verdict('secret_key', { failures }, 'none yet: the next start makes one', facts)
  }
  const unreadable =
    webhooks.filter(({ id, secrets }) => !opens(() => openSecrets(key, id, secrets))).length +
    mails.filter((mail) => !opens(() => openMail(key, mail))).length +
    factors.filter((factor) => secretOf(key, factor) === undefined).length
  const failures =
    unreadable === 0
      ? []
      : [
          `${unreadable} of ${counted(sealed, 'secret')} ${unreadable === 1 ? 'was' : 'were'} sealed with another key: put that one back into secret.key or SVC_SECRET_KEY`,
        ]
  const well =
    sealed === 0
      ? 'there; nothing is sealed with it yet'
      : `it opens ${sealed === 1 ? 'the one secret there is' : `all ${sealed} secrets`}`
  return verdict('secret_key', { failures }, well, { ...facts, unreadable })
}

function opens(open: () => unknown): boolean {
  try {
    open()
    return true
  } catch (_sealedWithAnother) {
    return false
  }
}
