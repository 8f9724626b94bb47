import * as assert from 'uvu/assert'
import { assertSameNames } from './same-names.ts'
import type { Scene, Subscribed } from './scene.ts'

interface EventRow {
  readonly id: string
  readonly event: string
  readonly kind: string
  readonly resource: string
  readonly record_id: string
  readonly seq: bigint
}

interface DeliveryRow {
  readonly id: string
  readonly webhook_id: string
  readonly event_id: string
  readonly event: string
  readonly state: string
  readonly attempts: bigint
  readonly leased_by: string | null
}

/** I3: the log tells each change once, and nothing else. */
export async function checkEvents({ crew, workspace }: Scene): Promise<void> {
  const told = new Map<string, string[]>()
  const events = await workspace.rows<EventRow>(
    `select resource, record_id, kind from svc_events
      where resource in ('items', 'sales-invoices', 'customers') order by seq`,
  )
  for (const { resource, record_id, kind } of events) {
    const key = `${resource} ${record_id}`
    told.set(key, [...(told.get(key) ?? []), kind])
  }
  const invoiced = new Map<string, string[]>()
  for (const { resource, record, changes } of crew.documents) {
    const key = `${resource} ${record?.id}`
    assert.equal(told.get(key), changes, `events of ${key}`)
    told.delete(key)
    // Each submit and each cancel changes what the customer owes.
    const customer = `customers ${record?.customer}`
    const caused = changes.filter((change) => change === 'submitted' || change === 'cancelled')
    if (caused.length > 0)
      invoiced.set(customer, [...(invoiced.get(customer) ?? []), ...caused.map(() => 'updated')])
  }
  for (const [key, updates] of invoiced) {
    assert.equal(told.get(key), ['created', ...updates], `events of ${key}`)
    told.delete(key)
  }
  const others = [...told].filter(([, kinds]) => kinds.join() !== 'created')
  assert.equal(others, [], 'events of what nobody has changed')
}

/** I4: every event has exactly one delivery for each subscription that asks for it, and no other has one. */
export async function checkFanOut({ hooks, workspace }: Scene): Promise<void> {
  const events = await workspace.rows<EventRow>(
    'select seq, id, event from svc_events order by seq',
  )
  const rows = await workspace.rows<DeliveryRow>('select webhook_id, event_id from svc_deliveries')
  const told = new Set(events.map(({ id }) => id))
  assert.equal(
    rows.filter(({ event_id }) => !told.has(event_id)),
    [],
    'deliveries of no event',
  )
  for (const { id, plan } of hooks) {
    const [first] = await workspace.rows<{ created: string }>(
      `select created from svc_webhooks where id = '${id}'`,
    )
    const [before] = await workspace.rows<{ n: bigint }>(
      `select count(*) as n from svc_events where at < '${first?.created}'`,
    )
    const wanted = events.slice(Number(before?.n)).filter(({ event }) => isFor(plan.events, event))
    const made = rows.filter(({ webhook_id }) => webhook_id === id)
    assertSameNames(
      made.map(({ event_id }) => event_id),
      wanted.map((event) => event.id),
      `events that ${plan.name} is told of`,
    )
  }
}

/** Said again from the words of the spec, so that a mistake of the product is not ours too. */
function isFor(patterns: readonly string[], event: string): boolean {
  const [resource] = event.split('.')
  return patterns.some(
    (pattern) => pattern === '*' || pattern === event || pattern === `${resource}.*`,
  )
}

/** What may have arrived beyond what was recorded: attempts that a process had begun when it was killed. */
export type Excused = ReadonlyMap<string, number>

/**
 * I5: everything has arrived where it belongs, under one id with one body; the log of attempts has a line for
 * each request that came in, numbered without a gap. Beyond it there are only those of `excused`, and those
 * that were never answered, which have a line when a slow machine gave them the time to run out.
 */
export async function checkArrivals(
  { hooks, workspace }: Scene,
  excused: Excused = new Map(),
): Promise<void> {
  const attempts = new Map<string, number[]>()
  for (const { delivery_id, attempt } of await workspace.rows<{
    delivery_id: string
    attempt: bigint
  }>('select delivery_id, attempt from svc_delivery_attempts order by id'))
    attempts.set(delivery_id, [...(attempts.get(delivery_id) ?? []), Number(attempt)])
  const rows = await workspace.rows<DeliveryRow>('select * from svc_deliveries')
  for (const hook of hooks) {
    assert.equal(hook.problems, [])
    const own = rows.filter(({ webhook_id }) => webhook_id === hook.id)
    assert.ok(own.length > 0, `${hook.plan.name} was told nothing`)
    assertSameNames(
      hook.arrivals.keys(),
      own.map(({ id }) => id),
      `ids that reached ${hook.plan.name}`,
    )
    for (const row of own) checkArrival(hook, row, attempts.get(row.id) ?? [], excused)
  }
}

function checkArrival(
  hook: Subscribed,
  { id, event, state, leased_by, attempts }: DeliveryRow,
  logged: readonly number[],
  excused: Excused,
): void {
  const { requests, unanswered, eventName } = hook.arrivals.get(id)!
  const about = `${id} of ${hook.plan.name}`
  assert.equal([eventName, state, leased_by], [event, 'delivered', null], about)
  assert.equal(
    logged,
    Array.from({ length: Number(attempts) }, (_, n) => n + 1),
    `logged attempts of ${about}`,
  )
  const answered = requests - unanswered
  const most = logged.length + (excused.get(id) ?? 0)
  assert.ok(
    requests >= logged.length && answered <= most,
    `${about} came ${requests} times and was answered ${answered} times, with ${logged.length} attempts in the log and ${most} to explain it`,
  )
}

/** Nobody holds a delivery. */
export async function checkNothingLeased({ workspace }: Scene): Promise<void> {
  assert.equal(
    await workspace.rows('select id, leased_by from svc_deliveries where leased_by is not null'),
    [],
  )
}
