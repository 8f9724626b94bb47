import { measureApiBesideDeliveries } from './api-beside-deliveries.ts'
import { measureDeliveryRate } from './delivery-rate.ts'
import { openFiller } from './fill.ts'
import type { Options } from './options.ts'
import { measureOutbox } from './outbox-cost.ts'
import { startReceivers } from './receiver-process.ts'
import type { Verdict } from './verdict.ts'
import { SEEDED_ROWS } from './workloads.ts'
import { createWorkspace, inFolder } from './workspace.ts'

const RECEIVERS = 100

/** Webhooks: how fast they are delivered, what they cost the API beside them, and what a change pays for them. */
export function measureWebhooks(options: Options): Promise<Verdict[]> {
  return inFolder(async (parent) => {
    const workspace = createWorkspace(parent)
    const filler = openFiller(workspace.databaseFile)
    filler.fillTo(SEEDED_ROWS)
    filler.close()
    const verdicts: Verdict[] = []
    const isWanted = (name: string): boolean => name.includes(options.only)
    const receivers = await startReceivers(RECEIVERS)
    try {
      verdicts.push(...(await measureDeliveryRate(workspace, receivers, options)))
      if (isWanted('api'))
        verdicts.push(...(await measureApiBesideDeliveries(workspace, receivers, options)))
    } finally {
      receivers.stop()
    }
    if (isWanted('outbox')) await measureOutbox(workspace)
    return verdicts
  })
}
