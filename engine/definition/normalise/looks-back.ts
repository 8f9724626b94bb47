import { isMap } from '../yaml/source.ts'

/** Words of `looks_back` that name the field of their own name where they are not there. */
const OWN = ['basis', 'flow', 'takes', 'may_lack', 'guessed']

/** `ledger:` as written, with the fields that `looks_back` names by its own words. */
export function withOwnNames(ledger: unknown, fields: unknown): unknown {
  if (!isMap(ledger) || !isMap(ledger.looks_back) || !isMap(fields)) return ledger
  const named: Record<string, unknown> = { ...ledger.looks_back }
  for (const word of OWN) if (word in fields) named[word] ??= word
  return { ...ledger, looks_back: named }
}
