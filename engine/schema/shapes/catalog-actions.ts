import type { ActionDeclaration, DocTypeDefinition } from '../../definition/model/definition.ts'
import { isKeptByEngine } from '../../definition/model/kept.ts'
import type { Registry } from '../../definition/model/registry.ts'
import { titleCase } from '../../definition/normalise/slug.ts'
import { known, ownerOf, type ResourceField, resourceField } from './resource-field.ts'

/** An action as clients need it to offer it: a button, the form behind it, and when it can be pressed. */
export interface ResourceAction {
  readonly name: string
  readonly label: string
  readonly description?: string
  /** Condition on the record; the action answers 409 while it does not hold. */
  readonly when?: string
  /** Fields the caller may send, as those of a form; empty where it takes nothing. */
  readonly input: readonly ResourceField[]
  /** Slugs of the resources it may create records of; the answer names those it made in `_created`. */
  readonly creates: readonly string[]
}

/** An action a caller may run, by its name. */
export type NamedAction = readonly [name: string, declared: ActionDeclaration]

/** The actions callers may run: none of those that the workspace runs itself. */
export function callableActions(definition: DocTypeDefinition): readonly NamedAction[] {
  if (isKeptByEngine(definition)) return []
  return Object.entries(definition.behaviour.actions ?? {}).filter(
    ([, { system }]) => system !== true,
  )
}

/** Actions of a resource as the catalogue lists them. */
export function resourceActions(
  registry: Registry,
  definition: DocTypeDefinition,
): readonly ResourceAction[] {
  const of = ownerOf(definition)
  return callableActions(definition).map(([name, declared]) => ({
    name,
    label: actionLabel(name, declared),
    ...known({ description: declared.description, when: of.tell(declared.when) }),
    input: (declared.input ?? []).map((field) => resourceField(registry, field, of)),
    creates: createdBy(registry, declared),
  }))
}

/** Label of the action's button. */
export function actionLabel(name: string, { label }: ActionDeclaration): string {
  return label ?? titleCase(name)
}

/** Slugs of what the steps of an action create, each once, in the order of the steps. */
export function createdBy(registry: Registry, { steps = [] }: ActionDeclaration): string[] {
  const slugs = steps.flatMap((step) =>
    'create' in step ? (registry.byDoctype(step.create)?.slug ?? []) : [],
  )
  return [...new Set(slugs)]
}
