import type { Client } from '../data/client.ts'
import type { Job } from '../data/jobs.ts'

/** What is done with each of several records. */
export type BulkVerb =
  | { readonly kind: 'submit' | 'cancel' | 'delete' }
  | { readonly kind: 'update'; readonly data: Readonly<Record<string, unknown>> }

/** The records it is done with: the chosen ones, or all that the filters of the list find. */
export type BulkScope =
  | { readonly ids: readonly string[] }
  | { readonly filter: Readonly<Record<string, string>> }

/** Begins to do the same with many records: a job, in which each is a transaction of its own. Throws ApiError. */
export async function beginBulk(
  client: Client,
  slug: string,
  scope: BulkScope,
  verb: BulkVerb,
): Promise<Job> {
  const body = {
    ...('ids' in scope ? scope : { filter: filterOf(scope.filter, verb) }),
    do: verb.kind,
    ...(verb.kind === 'update' ? { data: verb.data } : {}),
  }
  const path = `/v1/${encodeURIComponent(slug)}/_bulk`
  return (await client.ask<{ job: Job }>(path, { method: 'POST', body })).body.job
}

/** State of the records that a verb is for: those that have passed it are left alone. */
const STATES: Readonly<Record<string, string>> = { submit: '0', cancel: '1' }

/** The API wants at least one filter; every record was made at some time. */
function filterOf(
  filter: Readonly<Record<string, string>>,
  { kind }: BulkVerb,
): Readonly<Record<string, string>> {
  const state = STATES[kind]
  if (state !== undefined) return { ...filter, docstatus: state }
  return Object.keys(filter).length > 0 ? filter : { created__gte: '1970-01-01T00:00:00Z' }
}
