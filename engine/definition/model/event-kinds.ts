import type { DocTypeDefinition } from './definition.ts'
import { isKeptByEngine } from './kept.ts'

/** What `on:` of an event names in YAML → the word of the event log (contract §3, Events). */
export const KIND_OF_TRIGGER = {
  create: 'created',
  update: 'updated',
  submit: 'submitted',
  cancel: 'cancelled',
  delete: 'deleted',
} as const

/**
 * The kinds of event that records have without declaring them. What only the engine writes is told of by the
 * events of the documents behind it: it has the declared ones alone.
 */
export function undeclaredKinds(
  definition: Pick<DocTypeDefinition, 'submittable' | 'behaviour'>,
): readonly string[] {
  return [
    ...(isKeptByEngine(definition) ? [] : ['created', 'updated', 'deleted']),
    ...(definition.submittable ? ['submitted', 'cancelled'] : []),
  ]
}
