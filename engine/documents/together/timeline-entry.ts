import type { FieldChange } from './told-changes.ts'

/** What happened in a timeline. */
export const TIMELINE_KINDS = [
  'created',
  'changed',
  'submitted',
  'cancelled',
  'amended',
  'action',
  'comment',
  'mail',
  'file',
  'assigned',
] as const

/** Line of a timeline: what happened to a record, or was said about it (contract §7.4). */
export interface Entry {
  /** Id of the event, or of the record that was made about this one. */
  readonly id: string
  /** Moment, ISO 8601 in UTC. */
  readonly at: string
  readonly actor: { readonly name: string; readonly title: string }
  readonly kind: (typeof TIMELINE_KINDS)[number]
  readonly changes: readonly FieldChange[]
  /** What was said, mailed, attached or given to do. */
  readonly text?: string
  /** Events that the DocType declares and that happened with it, e.g. `paid`. */
  readonly events?: readonly string[]
  /** Slug of the comment, mail, file or to-do whose id this is. */
  readonly resource?: string
}
