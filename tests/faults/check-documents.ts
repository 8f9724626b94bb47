import * as assert from 'uvu/assert'
import { send } from './exchange.ts'
import { assertSameNames } from './same-names.ts'
import type { Scene } from './scene.ts'

/** Acknowledged requests that are sent a second time. */
const REPLAYED = 40
/** Documents that are read at a time. */
const AT_ONCE = 16

/** I6: who asks again for what was answered gets the same answer, and nothing happens. */
export async function checkReplays({ crew, random, servers, workspace }: Scene): Promise<void> {
  assert.ok(crew.acknowledged.length > 0, 'nothing was written')
  for (let n = 0; n < REPLAYED; n += 1) {
    const { request, answer } = random.one(crew.acknowledged)
    const again = await send(random.one(servers).url, workspace.key(), request)
    const replay = { ...answer, isReplayed: true }
    assert.equal(again, replay, `${request.method} ${request.path} asked again`)
  }
}

/** I1: every document is there as its last answer showed it. */
export async function checkAnswered({ crew, call }: Scene): Promise<void> {
  for (let start = 0; start < crew.documents.length; start += AT_ONCE)
    await Promise.all(
      crew.documents.slice(start, start + AT_ONCE).map(async ({ resource, record, marker }) => {
        assert.ok(record, `${marker} was never answered`)
        assert.equal(await call('GET', `/v1/${resource}/${record.id}`), record, marker)
      }),
    )
}

/** I2, I6: each document is there once, and no other. */
export async function checkOnce({ crew, workspace }: Scene): Promise<void> {
  const check = async (resource: string, text: string): Promise<void> => {
    const rows = await workspace.rows<{ marker: string }>(text)
    const own = crew.documents.filter((document) => document.resource === resource)
    assertSameNames(
      rows.map(({ marker }) => marker),
      own.map(({ marker }) => marker),
      resource,
    )
  }
  await check('sales-invoices', 'select po_no as marker from sales_invoices')
  await check('items', `select item_code as marker from items where item_code <> 'BOLT'`)
}

interface Booked {
  readonly debtors: bigint | null
  readonly all: bigint | null
}

/** I8: ledger and rollups are the sums of what was answered. */
export async function checkSums({ crew, workspace, call }: Scene): Promise<void> {
  const owed = new Map<string, bigint>()
  for (const { resource, record } of crew.documents) {
    if (resource !== 'sales-invoices' || record?.docstatus !== 1) continue
    const customer = String(record.customer)
    owed.set(customer, (owed.get(customer) ?? 0n) + stored(record.rounded_total))
  }
  assert.ok(owed.size > 0, 'no invoice was submitted')
  for (const [customer, total] of owed) {
    const shown = await call<{ outstanding_total: number }>('GET', `/v1/customers/${customer}`)
    assert.is(stored(shown.outstanding_total), total, `what ${customer} owes`)
  }
  const [booked] = await workspace.rows<Booked>(`
    select cast(sum(case when account = 'Debtors' then debit - credit else 0 end) as bigint) as debtors,
      cast(sum(debit - credit) as bigint) as "all"
    from gl_entries`)
  const total = [...owed.values()].reduce((sum, each) => sum + each, 0n)
  assert.is(booked?.debtors, total, 'the balance of all debtors')
  assert.is(booked?.all, 0n, 'debit less credit of the whole ledger')
}

/** Money as it is stored: 1/10⁴. */
function stored(amount: unknown): bigint {
  return BigInt(Math.round(Number(amount) * 10_000))
}

/** I7, I8: the database is whole, and `svc verify` finds no difference. */
export async function checkWhole({ workspace }: Scene): Promise<void> {
  if (workspace.kind === 'sqlite') {
    assert.equal(await workspace.rows('pragma integrity_check'), [{ integrity_check: 'ok' }])
    assert.equal(await workspace.rows('pragma foreign_key_check'), [])
  }
  const { code, stdout, stderr } = await workspace.command('verify')
  assert.is(code, 0, `svc verify: ${stderr}\n${stdout}`)
}
