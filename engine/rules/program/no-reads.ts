import type { RuleReads } from '../base/reads.ts'

/** Reads where no other record is read: formulas and statuses look at the document alone, whatever its database is. */
export const NO_READS: RuleReads = {
  kind: 'sqlite',
  get: () => undefined,
  locked: () => undefined,
  holds: () => true,
  asked: () => 0,
  value: () => null,
}
