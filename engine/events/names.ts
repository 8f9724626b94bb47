import type { EventDeclaration } from '../definition/definition.ts'
import type { EventKind } from './log.ts'

const KINDS = {
  create: 'created',
  update: 'updated',
  submit: 'submitted',
  cancel: 'cancelled',
  delete: 'deleted',
} as const

/** The word of the event log for what `on:` names in YAML: `submit` → `submitted`. */
export function kindOfTrigger(
  on: Exclude<EventDeclaration['on'], 'change' | undefined>,
): EventKind {
  return KINDS[on]
}
