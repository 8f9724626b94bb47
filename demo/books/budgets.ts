import { type Flow, make } from '../play/flow.ts'
import type { World } from '../world/world.ts'

/** Budgets of the first day: what may be spent in each year of the story. Nothing is refused beyond it. */
export function* budgets(world: World): Flow {
  const accounts = Object.entries(world.company.budget).map(([account, budget_amount]) => ({
    account,
    budget_amount,
  }))
  for (const fiscal_year of world.years)
    yield* make('accounts', 'Budget', {
      company: world.name,
      cost_center: 'Main',
      fiscal_year,
      action_if_annual_budget_exceeded: 'Warn',
      accounts,
    })
}
