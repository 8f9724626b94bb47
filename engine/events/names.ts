import type { EventDeclaration } from '../definition/model/definition.ts'
import { KIND_OF_TRIGGER } from '../definition/model/event-kinds.ts'
import type { EventKind } from './log.ts'

/** The word of the event log for what `trigger:` names in YAML: `submit` → `submitted`. */
export function kindOfTrigger(
  trigger: Exclude<EventDeclaration['trigger'], 'change' | undefined>,
): EventKind {
  return KIND_OF_TRIGGER[trigger]
}
