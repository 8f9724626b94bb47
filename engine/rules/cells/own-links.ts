import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Registry } from '../../definition/model/registry.ts'
import type { ComputedCell } from './computed-cell.ts'
import { areOwn, isOwn } from './own-values.ts'

/**
 * Links with a bond (`debit_to`, `items.income_account`) whose value, when rules fill it, belongs to what the record
 * belongs to: it is a link of that owner, of a record that belongs to it too, or another link here that is looked at.
 * What comes from anywhere else is to be looked at like what was sent.
 *
 *     account: { type: link, options: Account, default: company.default_income_account }   # the company's own
 *     account: { type: link, options: Account, default: project.account }                  # of whom, nobody knows
 */
export function ownLinks(
  definition: DocTypeDefinition,
  registry: Registry,
  cells: readonly ComputedCell[],
): ReadonlySet<string> {
  const own = new Set<string>()
  for (const cell of cells) {
    const { field, table, bond, formula, lookup, call } = cell
    if (
      !bond ||
      (lookup && field.lookup!.when !== 'empty') ||
      call ||
      field.defaultValue !== undefined
    )
      continue
    const columns = definition.fields.find(({ name }) => name === table)?.child?.fields
    const level = { definition, registry, columns, bond }
    if (columns && definition.fields.some(({ name, fetch }) => name === table && fetch)) continue
    const isFetched = !field.fetch || field.fetch.when === 'empty' || isOwn(field.fetch.link, level)
    // Of others' records nothing is proposed (fill-proposal.ts).
    if (isFetched && areOwn(formula, level)) own.add(cell.path)
  }
  return own
}
