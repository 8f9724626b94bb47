import type { Field } from '../../fields/field.ts'
import type { Value } from '../../fields/field-type.ts'
import { fieldType } from '../../fields/index.ts'
import type { Assignment } from '../../rules/steps/step-plans.ts'
import type { DocTypeParts } from '../work/context.ts'

/** Wire form of what a step sets: it goes through the same door as what callers send, so that it cannot be worse. */
export function wireOf(
  values: ReadonlyMap<string, Value>,
  set: readonly Assignment[],
): Record<string, unknown> {
  return Object.fromEntries(
    set.map(({ field }) => [field.name, onWire(field, values.get(field.name) ?? null)]),
  )
}

function onWire(field: Field, value: Value): unknown {
  return value === null ? null : fieldType(field.type).toWire(value, field)
}

/** Values for fields of an existing record as its DocType takes them. Throws VALIDATION_ERROR. */
export function checkedValues(
  { definition, validator }: DocTypeParts,
  values: ReadonlyMap<string, Value>,
): Iterable<readonly [string, Value]> {
  const body: Record<string, unknown> = {}
  for (const [name, value] of values) {
    const field = definition.fields.find((candidate) => candidate.name === name)!
    body[name] = onWire(field, value)
  }
  return Object.entries(validator.read('engine', body).values)
}
