import { once } from '../../base/once.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Registry } from '../../definition/model/registry.ts'
import { createValidator, sharedAjv, type Validator } from '../../schema/shapes/validator.ts'
import { createScopes, type Scopes } from '../base/scopes.ts'
import type { RollupPlan } from '../rollups/rollup-plan.ts'
import { type Behaviour, behaviourOf } from './behaviour.ts'
import { type CompiledRules, compileRules } from './compute.ts'
import { rollupsInOrder } from './rollup-order.ts'

/**
 * Compiled form of checked definitions, each part made at its first use and once. It knows of no database: engines of
 * one process that stand on the same definitions may share it.
 */
export interface Program {
  readonly registry: Registry
  readonly scopes: Scopes
  rulesOf(definition: DocTypeDefinition): CompiledRules
  behaviourOf(definition: DocTypeDefinition): Behaviour
  /** Reads what callers send of a record. */
  validatorOf(definition: DocTypeDefinition): Validator
  /** Reads the input of an action (its fields as those of a DocType). */
  inputValidatorOf(definition: DocTypeDefinition, action: string): Validator
  /** All rollups, each after those its value follows from. */
  rollupsInOrder(): readonly RollupPlan[]
}

/** The program of definitions that have been checked. */
export function createProgram(registry: Registry): Program {
  const scopes = createScopes(registry)
  const ajv = sharedAjv()
  const rulesOf = kept((definition) => compileRules(definition, registry, scopes))
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
    rulesOf,
    behaviourOf: kept((definition) =>
      behaviourOf(definition, registry, scopes, () => rulesOf(definition).rules),
    ),
    validatorOf: kept((definition) => createValidator(ajv, definition)),
    inputValidatorOf: (definition, action) => inputsOf(definition)(action),
    rollupsInOrder: once(() => rollupsInOrder(registry, scopes, rulesOf)),
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
