import { once } from '../../base/once.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Registry } from '../../definition/model/registry.ts'
import type { Parse } from '../../expression/syntax/parse.ts'
import { createValidator, sharedAjv, type Validator } from '../../schema/shapes/validator.ts'
import { createScopes, type Scopes } from '../base/scopes.ts'
import { type Behaviour, type BehaviourParts, behaviourOf, behaviourParts } from './behaviour.ts'
import { type WorkspaceGraph, workspaceGraph } from './workspace-graph.ts'

/**
 * What definitions are compiled to, each part once: when they are checked (check.ts), or, where a cache says that they
 * have passed, at its first use. It knows of no database: engines of one process that stand on the same definitions
 * may share it.
 */
export interface Program {
  readonly registry: Registry
  readonly scopes: Scopes
  /** Whether a check has compiled all of it. */
  readonly isWhole: boolean
  /** What a definition declares, part by part, with the mistakes in each. */
  partsOf(definition: DocTypeDefinition): BehaviourParts
  /** The same for definitions without mistakes. */
  behaviourOf(definition: DocTypeDefinition): Behaviour
  /** Reads what callers send of a record. */
  validatorOf(definition: DocTypeDefinition): Validator
  /** Reads the input of an action (its fields as those of a DocType). */
  inputValidatorOf(definition: DocTypeDefinition, action: string): Validator
  graph(): WorkspaceGraph
}

/** The program of a registry, of which nothing is compiled yet. */
export function createProgram(registry: Registry, parse?: Parse): Program {
  const scopes = createScopes(registry, parse)
  const ajv = sharedAjv()
  const partsOf = kept((definition) => behaviourParts({ definition, registry, scopes }))
  const inputsOf = kept((definition) => {
    const made = new Map<string, Validator>()
    return (action: string): Validator => {
      const known = made.get(action)
      if (known) return known
      const fields = definition.behaviour.actions?.[action]?.input ?? []
      const validator = createValidator(ajv, { ...definition, naming: { kind: 'uuid' }, fields })
      made.set(action, validator)
      return validator
    }
  })
  return {
    registry,
    scopes,
    isWhole: false,
    partsOf,
    behaviourOf: kept((definition) => behaviourOf(partsOf(definition))),
    validatorOf: kept((definition) => createValidator(ajv, definition)),
    inputValidatorOf: (definition, action) => inputsOf(definition)(action),
    graph: once(() => workspaceGraph(registry, partsOf)),
  }
}

function kept<T>(make: (definition: DocTypeDefinition) => T): (definition: DocTypeDefinition) => T {
  const made = new Map<DocTypeDefinition, T>()
  return (definition) => {
    const known = made.get(definition)
    if (known !== undefined) return known
    const value = make(definition)
    made.set(definition, value)
    return value
  }
}
