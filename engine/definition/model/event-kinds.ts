import type { Field } from '../../fields/field.ts'
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

/** Whether something of a submitted document may still change (`allow_on_submit`). */
export function isRevisable({
  submittable,
  fields,
}: Pick<DocTypeDefinition, 'submittable' | 'fields'>): boolean {
  const isOpen = ({ allowOnSubmit, child }: Field): boolean =>
    allowOnSubmit || child?.fields.some((column) => column.allowOnSubmit) === true
  return submittable && fields.some(isOpen)
}

/**
 * Kinds of event that records have without declaring them. Records that only the engine writes have the declared ones
 * alone: the events of the documents behind them report the rest.
 */
export function undeclaredKinds(
  definition: Pick<DocTypeDefinition, 'submittable' | 'behaviour' | 'fields'>,
): readonly string[] {
  return [
    ...(isKeptByEngine(definition) ? [] : ['created', 'updated', 'deleted']),
    ...(definition.submittable ? ['submitted', 'cancelled'] : []),
    ...(isRevisable(definition) ? ['revised'] : []),
  ]
}
