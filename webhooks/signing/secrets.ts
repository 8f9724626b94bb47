import { open, seal } from '../../engine/base/seal.ts'

/** A signing secret and until when it signs. */
export interface KeptSecret {
  readonly secret: string
  /** ISO 8601, UTC; null for the newest one. */
  readonly expires: string | null
}

/** Secrets that still sign after rotations; older ones go first. */
export const MAX_SECRETS = 10

/** Signing needs the secrets themselves, so they are encrypted with the key of the workspace, not hashed. */
export function sealSecrets(
  key: Buffer,
  webhookId: string,
  secrets: readonly KeptSecret[],
): string {
  return seal(key, purposeOf(webhookId), JSON.stringify(secrets))
}

/** Newest first. Throws an Error when the text was sealed with another key: `SVC_SECRET_KEY` was changed. */
export function openSecrets(key: Buffer, webhookId: string, sealed: string): readonly KeptSecret[] {
  return JSON.parse(open(key, purposeOf(webhookId), sealed)) as KeptSecret[]
}

/** The secrets that sign at a moment (ms), newest first. */
export function signingSecrets(secrets: readonly KeptSecret[], now: number): string[] {
  return secrets
    .filter(({ expires }) => expires === null || Date.parse(expires) > now)
    .map(({ secret }) => secret)
}

/** The list after a rotation: the new one, and those before it until their time is over. */
export function rotated(
  secrets: readonly KeptSecret[],
  secret: string,
  now: number,
  graceSeconds: number,
): readonly KeptSecret[] {
  const end = now + graceSeconds * 1000
  const old = secrets.map(({ secret: one, expires }) => ({
    secret: one,
    expires: new Date(expires === null ? end : Math.min(end, Date.parse(expires))).toISOString(),
  }))
  const kept = old.filter(({ expires }) => Date.parse(expires) > now)
  return [{ secret, expires: null }, ...kept].slice(0, MAX_SECRETS)
}

function purposeOf(webhookId: string): string {
  return `webhook:${webhookId}`
}
