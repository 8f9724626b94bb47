import type { DocTypeParts } from '../work/context.ts'

/** A record that a step has made, and its name for later steps. */
export interface CreatedRecord {
  readonly kind: 'created'
  readonly as: string | undefined
  readonly parts: DocTypeParts
  readonly name: string
}
