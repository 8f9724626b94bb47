import type { DocTypeDefinition } from '../../definition/model/definition.ts'

/** The field of a ledger that has the posting date. */
export function dateFieldOf({ fields, behaviour }: DocTypeDefinition): string | undefined {
  const name = behaviour.ledger?.date ?? 'posting_date'
  return fields.some((field) => field.name === name) ? name : undefined
}
