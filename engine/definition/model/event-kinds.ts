import type { DocTypeDefinition } from './definition.ts'
import { isKeptByEngine } from './kept.ts'

/** Word of `trigger:` in YAML → word of the event log (contract §3, Events). */
export const KIND_OF_TRIGGER = {
  create: 'created',
  update: 'updated',
  submit: 'submitted',
  cancel: 'cancelled',
  delete: 'deleted',
} as const

/**
 * Kinds of event that records have without declaring them. Records that only the engine writes have the declared ones
 * alone: the events of the documents behind them report the rest.
 */
export function undeclaredKinds(
  definition: Pick<DocTypeDefinition, 'submittable' | 'behaviour'>,
): readonly string[] {
  return [
    ...(isKeptByEngine(definition) ? [] : ['created', 'updated', 'deleted']),
    ...(definition.submittable ? ['submitted', 'cancelled'] : []),
  ]
}
