import type { DocTypeDefinition } from './definition.ts'

/** Ledgers, the balances that ledgers make, and the declared flows: nobody writes them but the engine. */
export function isKeptByEngine(
  definition: Pick<DocTypeDefinition, 'behaviour' | 'serves'>,
): boolean {
  const { ledger, upsertFrom } = definition.behaviour
  return ledger !== undefined || upsertFrom !== undefined || isDeclared(definition)
}

/** Records that only tell what the definitions say. */
export function isDeclared({ serves }: Pick<DocTypeDefinition, 'serves'>): boolean {
  return serves === 'workflows'
}
