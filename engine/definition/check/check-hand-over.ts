import type { Field } from '../../fields/field.ts'
import { checkNamed, type FieldScope } from '../model/named-fields.ts'
import type { Report } from '../yaml/source.ts'
import type { Draft, World } from './world.ts'

/** Checks `permissions.hand_over`: links to people, and states of the record's own status. */
export function checkHandOver(
  { definition: { behaviour } }: Pick<Draft, 'definition'>,
  { scope, world, report }: { scope: FieldScope; world: World; report: Report },
): void {
  const PERSON = {
    use: 'be handed over (expected a link to the people of the workspace that may be changed)',
    fits: ({ link, linkTable, readOnly, createOnly }: Field) =>
      link !== undefined &&
      linkTable === undefined &&
      !readOnly &&
      !createOnly &&
      world.drafts.get(link)?.definition.serves === 'users',
  }
  const known = scope.get(behaviour.status?.field ?? '')?.options ?? []
  for (const [field, states] of Object.entries(behaviour.permissions?.hand_over ?? {})) {
    const path = ['permissions', 'hand_over', field]
    checkNamed(field, path, scope, report, PERSON)
    for (const [index, state] of states.entries())
      if (!known.includes(state))
        report(
          [...path, index],
          `expected a state of the record's status (${known.join(', ') || 'it has none'}), got ${state}`,
        )
  }
}
