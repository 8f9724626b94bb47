import type { FaultName } from './faults/fault.ts'
import type { Seen } from './seen.ts'

/** `held`: nothing was lost, and it recovered; `lost`: something was lost or done twice; `failed`: it did not do as it should. */
export type Verdict = 'held' | 'lost' | 'failed' | 'not done'

/** Account of one fault. */
export interface FaultAccount {
  readonly fault: FaultName
  readonly verdict: Verdict
  /** What was done, or why it was not. */
  readonly did: string
  readonly saw: Seen
  /** Documents that clients were told of, those of them that are there as they were told, and the others. */
  readonly known: number
  readonly found: number
  readonly lost: number
  readonly twice: number
  /** Longest time until a change was answered again, in ms; null where there was nothing to recover. */
  readonly recovered_ms: number | null
  /** Sentences about what is wrong. */
  readonly problems: readonly string[]
}

/** Differences that `svc verify` counted. */
export interface VerifyAccount {
  readonly before: number
  readonly after: number
  /** Checks that found more than before. */
  readonly worse: readonly string[]
}

/** Account of a whole run. */
export interface Account {
  readonly seed: number
  readonly kind: 'sqlite' | 'postgres'
  /** Resources that the clients wrote. */
  readonly resources: readonly string[]
  readonly faults: readonly FaultAccount[]
  readonly verify: VerifyAccount
  readonly verdict: 'held' | 'lost' | 'failed'
  /** Folder of the copy where it is kept, and the name of its place on PostgreSQL. */
  readonly kept: { readonly folder: string; readonly scratch: string | null } | null
}

/** Verdict of what was found. */
export function verdictOf(
  { lost, twice, problems }: Pick<FaultAccount, 'lost' | 'twice' | 'problems'>,
  { wrong }: Seen,
): Verdict {
  if (lost > 0 || twice > 0) return 'lost'
  return problems.length > 0 || wrong > 0 ? 'failed' : 'held'
}

/** Verdict of a run: the worst of its parts; what was not done is no part of it. */
export function verdictOfAll(
  faults: readonly FaultAccount[],
  { worse }: VerifyAccount,
): Account['verdict'] {
  const verdicts = faults.map(({ verdict }) => verdict)
  if (verdicts.includes('lost') || worse.length > 0) return 'lost'
  return verdicts.includes('failed') ? 'failed' : 'held'
}
