import type { Command } from 'commander'
import type { Plans } from '../../engine/access/plans.ts'
import type { Engine } from '../../engine/index.ts'
import {
  readTierState,
  type TierSource,
  type TierState,
} from '../../engine/storage/workspace/tier.ts'
import { printJson, printTable } from '../terminal/output.ts'
import { addWorkspaceOptions, type WorkspaceFlags, withWorkspace } from '../workspace.ts'

/** `svc tier …`: the plan of the workspace; `set` is the operator's override. */
export function register(program: Command): void {
  const tier = program.command('tier').description('show or set the tier (plan) of the workspace')

  addWorkspaceOptions(tier.command('show'))
    .description('show the tier, where it comes from, and what others there are')
    .option('--json', 'print {tier, source, tiers} as JSON')
    .action(show)

  addWorkspaceOptions(tier.command('set <tier>'))
    .description(
      'set the tier, whatever is paid for; resources above it answer 403, their records stay',
    )
    .option('--json', 'print {tier, source} as JSON')
    .action(set)

  addWorkspaceOptions(tier.command('clear'))
    .description('leave the tier to the subscription again, free where there is none')
    .option('--json', 'print {tier, source} as JSON')
    .action(clear)
}

type TierFlags = WorkspaceFlags & { readonly json?: boolean }

async function show(flags: TierFlags): Promise<void> {
  const { state, plans } = await withWorkspace(flags, readState)
  const { tier, source } = state
  if (flags.json) {
    printJson({ tier, source, tiers: plans.map(({ slug }) => slug) })
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
  console.log(`\n${WORDS_OF_SOURCE[source](state)}`)
}

const WORDS_OF_SOURCE: Readonly<Record<TierSource, (state: TierState) => string>> = {
  override: ({ tier }) => `${tier} was set by \`svc tier set\`; \`svc tier clear\` ends that`,
  subscription: ({ tier, subscription }) =>
    subscription?.subscription
      ? `${tier} comes from the subscription, which is ${subscription.status}`
      : `${tier} was chosen in the workspace, without payment`,
  default: ({ tier }) => `${tier}, because nobody has chosen another`,
}

async function readState(engine: Engine): Promise<{ state: TierState; plans: Plans['plans'] }> {
  const { database, plans } = engine.services
  return { state: await readTierState(database.read, plans), plans: plans.plans }
}

function set(tier: string, flags: TierFlags): Promise<void> {
  return change(tier, flags)
}

function clear(flags: TierFlags): Promise<void> {
  return change(undefined, flags)
}

async function change(wanted: string | undefined, flags: TierFlags): Promise<void> {
  const { tier, source } = await withWorkspace(flags, async (engine) => {
    await engine.setTier(wanted)
    return (await readState(engine)).state
  })
  if (flags.json) printJson({ tier, source })
  else console.log(`the workspace is on tier ${tier}`)
}
