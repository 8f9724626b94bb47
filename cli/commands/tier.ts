import type { Command } from 'commander'
import type { Plans } from '../../engine/access/plans.ts'
import type { Engine } from '../../engine/index.ts'
import { printJson, printTable } from '../output.ts'
import { addWorkspaceOptions, type WorkspaceFlags, withWorkspace } from '../workspace.ts'

/** `svc tier …`: the plan of the workspace; `set` is the operator's override. */
export function register(program: Command): void {
  const tier = program.command('tier').description('show or set the tier (plan) of the workspace')

  addWorkspaceOptions(tier.command('show'))
    .description('show the tier and what others there are')
    .option('--json', 'print JSON')
    .action(show)

  addWorkspaceOptions(tier.command('set <tier>'))
    .description('set the tier; resources above it answer 403, their records stay')
    .action(set)
}

async function show(flags: WorkspaceFlags & { readonly json?: boolean }): Promise<void> {
  const { tier, plans } = await withWorkspace(flags, readTier)
  if (flags.json) {
    printJson({ tier, tiers: plans.map(({ slug }) => slug) })
    return
  }
  printTable(
    ['', 'TIER', 'PRICE PER USER AND MONTH', 'SEATS', 'REQUESTS A MINUTE'],
    plans.map((plan) => [
      plan.slug === tier ? '*' : '',
      plan.slug,
      `${plan.price_per_user_month} ${plan.currency}`,
      plan.seats === null ? 'no limit' : String(plan.seats),
      String(plan.requests_per_minute),
    ]),
    'no tiers',
  )
}

async function readTier(engine: Engine): Promise<{ tier: string; plans: Plans['plans'] }> {
  return { tier: await engine.tier(), plans: engine.services.plans.plans }
}

async function set(tier: string, flags: WorkspaceFlags): Promise<void> {
  await withWorkspace(flags, (engine) => engine.setTier(tier))
  console.log(`the workspace is on tier ${tier}`)
}
