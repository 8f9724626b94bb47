import { systemClock } from '../../engine/base/clock.ts'
import { damageAdvice } from '../../engine/storage/database/damage.ts'

/** `attention`: it works, but somebody should look; `failed`: it does not. */
export type CheckState = 'ok' | 'attention' | 'failed'

/** One thing that was looked at. */
export interface Check {
  readonly name: string
  readonly state: CheckState
  /** Text for people: what is, and what to do where it is not well. */
  readonly message: string
  /** The numbers of it, for programs. */
  readonly facts?: Readonly<Record<string, unknown>>
}

/** A check that found these things wrong, or said `well` where there are none. */
export function verdict(
  name: string,
  { failures = [], remarks = [] }: { failures?: readonly string[]; remarks?: readonly string[] },
  well: string,
  facts: Check['facts'] = {},
): Check {
  const found = [...failures, ...remarks]
  const state = failures.length > 0 ? 'failed' : remarks.length > 0 ? 'attention' : 'ok'
  return { name, state, message: found.length > 0 ? found.join('; ') : well, facts }
}

export function failed(name: string, what: string, error: unknown): Check {
  const why = damageAdvice(error) ?? (error instanceof Error ? error.message : String(error))
  return { name, state: 'failed', message: `${what}: ${why.split('\n')[0]}` }
}

/** Runs a check; one that throws has failed: an older workspace may lack a table. */
export async function guarded(name: string, check: () => Promise<Check>): Promise<Check> {
  try {
    return await check()
  } catch (error) {
    return failed(name, 'it could not be looked at; run `svc migrate` if that is not done', error)
  }
}

/** Age of a moment, in ms; 0 for none. */
export function ageOf(moment: string | null): number {
  return moment === null ? 0 : Math.max(0, systemClock.now() - Date.parse(moment))
}

/** A time in ms in the largest unit of which there is one. */
export function inWords(age: number): string {
  const seconds = Math.round(age / 1000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.round(age / 60_000)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.round(minutes / 60)
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`
}

/** A size in bytes, in MB or GB. */
export function inBytes(bytes: number): string {
  const mega = bytes / 1024 / 1024
  return mega < 1024 ? `${mega.toFixed(mega < 10 ? 1 : 0)} MB` : `${(mega / 1024).toFixed(1)} GB`
}
