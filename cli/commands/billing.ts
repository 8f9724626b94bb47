import type { Command } from 'commander'
import { loadPlans } from '../../engine/access/load-plans.ts'
import { AppError } from '../../engine/base/errors.ts'
import { providerFor } from '../../server/billing/configured.ts'
import type { SetUpStep } from '../../server/billing/provider.ts'
import { Failure } from '../failure.ts'
import { settingsOf } from '../settings.ts'
import { printJson } from '../terminal/output.ts'
import {
  addWorkspaceOptions,
  definitionFolders,
  type WorkspaceFlags,
  workspaceOf,
} from '../workspace.ts'

interface SetupFlags extends WorkspaceFlags {
  readonly dryRun?: boolean
  readonly json?: boolean
}

/** `svc billing …`: what the payment provider has to know of the plans. */
export function register(program: Command): void {
  const billing = program.command('billing').description('the payment provider of the workspace')
  addWorkspaceOptions(billing.command('setup'))
    .description("bring the provider's products, prices and customer portal to plans.yaml")
    .option('--dry-run', 'say what would be done and change nothing')
    .option('--json', 'print {steps: [{what, id, label, result}]} as JSON')
    .action(setup)
}

/** Safe to run again: what is right already is kept. */
async function setup({ dryRun = false, json = false, ...flags }: SetupFlags): Promise<void> {
  const { settings } = settingsOf(flags, process.env)
  const provider = providerFor(settings)
  if (!provider) {
    throw new Failure(
      'no payment provider is configured: set SVC_STRIPE_SECRET_KEY (docs/billing.md); without one plans change without payment',
    )
  }
  const { plans } = loadPlans(definitionFolders(workspaceOf(settings)))
  const steps: SetUpStep[] = []
  try {
    await provider.setUp(plans, {
      dryRun,
      onStep(step) {
        steps.push(step)
        if (!json) console.log(lineOf(step, dryRun))
      },
    })
  } catch (error) {
    // What was done before it failed stays done, and running it again goes on from there.
    if (error instanceof AppError) throw new Failure(error.message, { cause: error })
    throw error
  }
  if (json) printJson({ steps })
  if (!provider.hearsEvents) {
    console.error(
      'SVC_STRIPE_WEBHOOK_SECRET is not set: until it is, nothing can be bought (docs/billing.md)',
    )
  }
}

function lineOf({ what, id, label, result }: SetUpStep, dryRun: boolean): string {
  const done = dryRun && result !== 'kept' ? `would be ${result}` : result
  return `${what.padEnd(8)} ${id.padEnd(22)} ${label}: ${done}`
}
