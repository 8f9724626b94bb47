import type { Dice } from '../../../engine/base/dice.ts'
import type { ChaosCopy } from '../copy.ts'
import type { Scene } from '../scene.ts'

/** Faults in the order in which they are made. */
export const FAULT_NAMES = [
  'kill',
  'freeze',
  'cut',
  'disk-full',
  'read-only',
  'clock',
  'damage',
] as const

export type FaultName = (typeof FAULT_NAMES)[number]

/** What a fault did, in words, and how long it took to recover. */
export interface Deed {
  readonly did: string
  /** Longest time from the end of the fault to the next change that was answered, in ms; null where nothing was to be. */
  readonly recoveredMs: number | null
  /** Sentences about what should not have happened. */
  readonly problems: readonly string[]
}

/** Time and chance that a fault has. */
export interface Share {
  readonly dice: Dice
  /** By `performance.now()`; a fault that has begun is brought to its end. */
  readonly until: number
}

/** Fault that a copy is hurt with, while clients write to it. */
export interface Fault {
  readonly name: FaultName
  /** What is done, for people who are asked whether it may be. */
  readonly what: string
  /** Reason why it cannot be done on this machine, or to this database; undefined where it can. */
  missing(
    kind: ChaosCopy['workspace']['database']['kind'],
    scratch?: ChaosCopy['scratch'],
  ): string | undefined
  /** Hurts the copy and lets it recover. The clients are at work when it begins and when it ends. */
  make(scene: Scene, share: Share): Promise<Deed>
}
