import type { Client } from '../data/client.ts'
import { recordPath } from '../data/client.ts'
import type { RecordData } from '../data/types.ts'

/** What is done with each of several records. */
export type BulkVerb =
  | { readonly kind: 'submit' | 'cancel' | 'delete' }
  | { readonly kind: 'update'; readonly data: Readonly<Record<string, unknown>> }

/** A record that could not be changed, and why. */
export interface BulkFailure {
  readonly id: string
  readonly message: string
}

/** How far the work has come. */
export interface BulkProgress {
  readonly done: number
  readonly total: number
  readonly failed: readonly BulkFailure[]
}

/**
 * Does the same with each record, one request after the other, each a transaction of its own. Ends early once `isStopped`
 * says so; `tell` hears of each step.
 */
export async function runBulk(
  client: Client,
  slug: string,
  ids: readonly string[],
  verb: BulkVerb,
  { tell, isStopped }: { tell: (progress: BulkProgress) => void; isStopped: () => boolean },
): Promise<BulkProgress> {
  const failed: BulkFailure[] = []
  let done = 0
  for (const id of ids) {
    if (isStopped()) break
    try {
      await askOne(client, slug, id, verb)
    } catch (error) {
      failed.push({ id, message: (error as Error).message })
    }
    done += 1
    tell({ done, total: ids.length, failed: [...failed] })
  }
  return { done, total: ids.length, failed }
}

function askOne(client: Client, slug: string, id: string, verb: BulkVerb): Promise<unknown> {
  switch (verb.kind) {
    case 'update':
      return client.ask<RecordData>(recordPath(slug, id), { method: 'PATCH', body: verb.data })
    case 'delete':
      return client.ask(recordPath(slug, id), { method: 'DELETE' })
    default:
      return client.ask(recordPath(slug, id, verb.kind), { method: 'POST', body: {} })
  }
}
