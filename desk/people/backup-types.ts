/** What is made: a backup, or everything as plain data, for other programs. */
type Kind = 'backup' | 'everything'

/** A backup as the API shows it, or the zip of everything. */
export interface KeptBackup {
  readonly id: string
  readonly kind: Kind
  readonly created: string
  readonly bytes: number
}

/** Parts of a restore, one after the other; from the second on nobody is served. */
export const PHASES = ['checking', 'stopping', 'backing up', 'restoring', 'opening'] as const

/** Which part of a restore is under way. */
export type Phase = (typeof PHASES)[number]

/** What there is, and what is under way. */
export interface BackupsState {
  readonly data: readonly KeptBackup[]
  readonly making: Kind | null
  readonly restoring: { readonly id: string; readonly phase: Phase } | null
  /** The last restore: of which backup, when, and the backup of what was there before. */
  readonly restored: { readonly id: string; readonly at: string; readonly undo: string } | null
  readonly problem: string | null
}

/** What a backup holds, read whole again. */
export interface Found {
  readonly kind: string
  readonly program: string
  readonly created: string
  readonly rows: number
  readonly tables: number
  readonly files: number
  readonly command: readonly string[]
}

/** Where backups are asked for. */
export const BACKUPS = '/v1/backups'
