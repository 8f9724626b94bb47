import { isoDateTime } from '../../base/clock.ts'
import type { Db } from '../../storage/database/database.ts'
import { lastPlace } from '../../storage/finding/logged-changes.ts'
import { newestGeneration } from '../../storage/migration/generations.ts'
import { readSetting, writeSetting } from '../../storage/workspace/settings.ts'
import type { Services } from '../work/context.ts'
import { type VerifyOptions, verifyWorkspace } from './verify.ts'
import type { Report } from './verify-report.ts'

/** Setting that keeps the last proof, as JSON. */
const KEY = 'books-proof'

/** Result of the last verification, as it is kept: the books are as they should be where it has no differences. */
export interface Proof {
  /** Moment (ISO) at which it began: what was written before is what it speaks of. */
  readonly at: string
  /** Last place of the event log then, as text. */
  readonly place: string
  /** Generation of the definitions it was computed by. */
  readonly generation: number
  /** Records and checks that it looked at, and the differences it found. */
  readonly documents: number
  readonly checks: number
  readonly differences: number
  readonly ms: number
  /** The last verification of everything, which this one goes on from; itself where it looked at everything. */
  readonly whole: { readonly at: string; readonly documents: number }
}

/** The proof that is kept; undefined where nothing was ever verified. */
export async function lastProof(db: Db): Promise<Proof | undefined> {
  const text = await readSetting(db, KEY)
  return text === undefined ? undefined : (JSON.parse(text) as Proof)
}

/** A proof in one line: `books proven at 2026-11-23 02:00, 120,412 documents, 4 differences`. */
export function proofSentence({ at, documents, differences, whole }: Proof): string {
  const found = `${counted(differences)} difference${differences === 1 ? '' : 's'}`
  const on =
    whole.at === at
      ? ''
      : ` (those written since; all ${counted(whole.documents)} at ${minuteOf(whole.at)})`
  return `books proven at ${minuteOf(at)}, ${counted(documents)} documents${on}, ${found}`
}

const counted = (count: number): string => count.toLocaleString('en-US')

const minuteOf = (moment: string): string => moment.slice(0, 16).replace('T', ' ')

/**
 * Verifies the workspace and keeps the result. With `goesOn`, it looks at what was written since the last proof alone,
 * where that had no differences and was computed by the definitions that hold; else at everything.
 */
export async function proveBooks(
  services: Services,
  { goesOn = false, ...options }: Omit<VerifyOptions, 'since' | 'only'> & { goesOn?: boolean } = {},
): Promise<Report> {
  const { database, clock } = services
  const { read, kind } = database
  const began = performance.now()
  const at = isoDateTime(clock)
  const generation = (await newestGeneration(read, kind))?.number ?? 0
  const last = await lastProof(read)
  const base =
    goesOn && last?.differences === 0 && last.generation === generation ? last : undefined
  const place = await lastPlace(read, kind)
  const since = base && BigInt(base.place)
  const report = await verifyWorkspace(services, { ...options, since })
  const isWhole = report.from === undefined || !base
  const { documents } = report
  const proof: Proof = {
    at,
    place: String(place),
    generation,
    documents,
    checks: report.checks.length,
    differences: report.checks.reduce((sum, { differences }) => sum + differences, 0),
    ms: Math.round(performance.now() - began),
    whole: isWhole ? { at, documents } : base.whole,
  }
  await database.write((tx) => writeSetting(tx, KEY, JSON.stringify(proof)))
  return report
}
