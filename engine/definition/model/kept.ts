import type { DocTypeDefinition } from './definition.ts'

/** Whether nobody but the engine writes the records: of ledgers, the balances that ledgers make, declared flows. */
export function isKeptByEngine(
  definition: Pick<DocTypeDefinition, 'behaviour' | 'serves'>,
): boolean {
  const { ledger, upsertFrom } = definition.behaviour
  return ledger !== undefined || upsertFrom !== undefined || isDeclared(definition)
}

/** Whether the records only show what the definitions say. */
export function isDeclared({ serves }: Pick<DocTypeDefinition, 'serves'>): boolean {
  return serves === 'workflows'
}
