import { open, seal } from '../../../engine/base/seal.ts'
import { type FactorRow, selectFactors } from './factor-store.ts'
import type { KnownPasskey, PasskeyData } from './passkeys.ts'
import type { FactorDeps } from './tickets.ts'

/** An app that shows codes. */
export interface KnownTotp {
  readonly id: string
  readonly secret: string
}

/** Second factors of somebody, opened. */
export interface KnownFactors {
  readonly apps: readonly KnownTotp[]
  readonly passkeys: readonly (KnownPasskey & { readonly id: string })[]
}

/**
 * The second factors of somebody. One that was sealed with another key, as after a restore without it, is as if it were
 * lost: recovery codes go on working, and `svc doctor` tells.
 */
export async function knownFactors(
  { services, secretKey }: FactorDeps,
  login: string,
): Promise<KnownFactors> {
  const rows = await selectFactors(services.database.read, login)
  const apps: KnownTotp[] = []
  const passkeys: (KnownPasskey & { readonly id: string })[] = []
  for (const row of rows) {
    const { id, kind, credential, counter } = row
    const secret = secretOf(secretKey, row)
    if (secret === undefined) continue
    if (kind === 'totp') apps.push({ id, secret })
    else {
      const kept = JSON.parse(secret) as PasskeyData
      passkeys.push({ id, credential: credential ?? '', counter: Number(counter), ...kept })
    }
  }
  return { apps, passkeys }
}

/** Secret of a factor as it is kept. */
export function sealedSecret(secretKey: Buffer, id: string, secret: string): string {
  return seal(secretKey, sealedAs(id), secret)
}

/** Opened secret of a factor; undefined where it was sealed with another key. */
export function secretOf(
  secretKey: Buffer,
  { id, secret }: Pick<FactorRow, 'id' | 'secret'>,
): string | undefined {
  try {
    return open(secretKey, sealedAs(id), secret)
  } catch (_sealedWithAnother) {
    return undefined
  }
}

function sealedAs(id: string): string {
  return `factor ${id}`
}
