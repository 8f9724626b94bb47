import type { DocTypeDefinition } from './definition.ts'

/** Ledgers, and the balances that ledgers make: nobody writes them but the engine. */
export function isKeptByEngine({ behaviour }: Pick<DocTypeDefinition, 'behaviour'>): boolean {
  return behaviour.ledger !== undefined || behaviour.upsertFrom !== undefined
}
