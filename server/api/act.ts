import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import { runAction } from '../../engine/documents/operations/act.ts'
import { amendDocument } from '../../engine/documents/operations/amend.ts'
import { cancelDocument } from '../../engine/documents/operations/cancel.ts'
import { submitDocument } from '../../engine/documents/operations/submit.ts'
import type { Context } from '../../engine/documents/work/context.ts'
import type { DocumentResult } from '../../engine/documents/work/present.ts'
import type { Field } from '../../engine/fields/field.ts'
import { looseInput } from '../../engine/schema/shapes/loose-input.ts'
import type { Args } from './args.ts'

type Transition = (
  context: Context,
  definition: DocTypeDefinition,
  id: string,
) => Promise<DocumentResult>

const TRANSITIONS: ReadonlyMap<string, Transition> = new Map([
  ['submit', submitDocument],
  ['cancel', cancelDocument],
  ['amend', amendDocument],
])

/**
 * Runs what clients call a document's method: submit, cancel, amend, or an action its DocType declares, by its
 * name or label in any case (`Make Delivery`, `make_delivery`). Throws 403, 404 naming the actions there are,
 * and what the operation throws.
 */
export function runDocumentMethod(
  context: Context,
  definition: DocTypeDefinition,
  id: string,
  method: string,
  args: Args = {},
): Promise<DocumentResult> {
  const transition = TRANSITIONS.get(method.toLowerCase())
  if (transition) return transition(context, definition, id)
  const name = actionNamed(definition, method) ?? method
  const fields = inputOf(definition, method)
  const body = looseInput({ ...definition, naming: { kind: 'uuid' }, fields }, args, {
    mode: 'create',
  })
  return runAction(context, definition, id, name, body)
}

/** Input fields of a method of a document: those its action declares, none for submit, cancel and amend. */
export function inputOf(definition: DocTypeDefinition, method: string): readonly Field[] {
  const name = actionNamed(definition, method) ?? method
  return definition.behaviour.actions?.[name]?.input ?? []
}

/** Whether every submittable document has this method. */
export function isTransition(method: string): boolean {
  return TRANSITIONS.has(method.toLowerCase())
}

/** The action that is called so, by its name or label in any case. */
export function actionNamed({ behaviour }: DocTypeDefinition, method: string): string | undefined {
  const actions = Object.entries(behaviour.actions ?? {})
  const wanted = method.toLowerCase()
  const found =
    actions.find(([name]) => name === method) ??
    actions.find(
      ([name, { label }]) =>
        label?.toLowerCase() === wanted || name.replaceAll('_', ' ') === wanted,
    )
  return found?.[0]
}
