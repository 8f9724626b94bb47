import * as assert from 'uvu/assert'
import { verifyWorkspace } from '../../../engine/documents/verify/verify.ts'
import type { Difference } from '../../../engine/documents/verify/verify-report.ts'
import { forEachDatabase } from '../../helpers/databases.ts'
import { openTrade } from './trading.ts'
import { behindTheBack, failing, foundBy } from './verify-shops.ts'
import type { Workspace } from './workspace.ts'

forEachDatabase('svc verify of ledgers', ({ test, create }) => {
  let workspace: Workspace
  const found = async () => foundBy((await verifyWorkspace(workspace.engine.services)).checks)
  const brief = (list: readonly Difference[] = []) =>
    list.map(({ id, field, stored, expected, message }) => [id, field, stored, expected, message])

  /** A ledger row by its voucher and account: the row itself, or the one that takes it back. */
  async function rowOf(voucher: string, account: string, isMirror = false): Promise<string> {
    const rows = await workspace.engine.services.database.read
      .selectFrom('gl_entries')
      .select('name')
      .where('voucher_no', '=', voucher)
      .where('account', '=', account)
      .where('reverses', isMirror ? 'is not' : 'is', null)
      .execute()
    assert.is(rows.length, 1)
    return String(rows[0]!.name)
  }

  // INV-001 is submitted, INV-002 cancelled on a later day; MOVE-001 stands, MOVE-002 is taken back.
  test.before.each(async () => {
    workspace = await openTrade(await create())
    await workspace.create('Customer', { customer_name: 'Ann' })
    for (const rate of [100, 40]) {
      const items = [{ item: 'a', qty: 1, rate }]
      const template = 'VAT 20 %'
      const { id } = await workspace.create('Invoice', { customer: 'Ann', template, items })
      await workspace.submit('Invoice', id)
    }
    for (const qty of [5, 2]) {
      const items = [{ item: 'a', place: 'x', qty, rate: 3 }]
      const { id } = await workspace.create('Move', { items })
      await workspace.submit('Move', id)
    }
    workspace.clock.time += 86_400_000
    await workspace.cancel('Invoice', 'INV-002')
    await workspace.cancel('Move', 'MOVE-002')
  })
  test.after.each(() => workspace.close())

  test('is content with what the engine posts and takes back', async () => {
    const { checks, stale, warnings } = await verifyWorkspace(workspace.engine.services)
    assert.equal([failing(checks), stale, warnings], [[], [], []])
    assert.equal(
      checks.filter(({ kind }) => kind === 'ledger').map(({ name }) => name),
      [
        'GL Entry: balance',
        'GL Entry: mirror rows',
        'GL Entry: vouchers',
        'Stock Row: mirror rows',
        'Stock Row: vouchers',
      ],
    )
  })

  test('names a voucher that does not balance, and the invariant it breaks', async () => {
    await behindTheBack(
      workspace,
      `update gl_entries set credit = credit + 12345 where voucher_no = 'INV-001' and account = 'Sales'`,
    )
    const differences = await found()
    const message = 'what it posted does not balance: debit and credit differ'
    assert.equal(brief(differences['GL Entry: balance']), [
      ['Invoice INV-001', 'debit', 120, 121.2345, message],
    ])
    assert.equal(brief(differences['GL Entry: every voucher balances']), [
      ['voucher_type=Invoice, voucher_no=INV-001', '', -1.2345, 0, undefined],
    ])
  })

  test('does not let a wrong reversal hide a wrong posting', async () => {
    await behindTheBack(
      workspace,
      `update gl_entries set credit = 10000 where voucher_no = 'INV-002' and account = 'Sales' and reverses is null`,
      `update gl_entries set debit = 10000 where voucher_no = 'INV-002' and account = 'Sales' and reverses is not null`,
    )
    const differences = await found()
    assert.equal(brief(differences['GL Entry: balance']), [
      [
        'Invoice INV-002',
        'debit',
        48,
        9,
        'what it posted does not balance: debit and credit differ',
      ],
      [
        'Invoice INV-002',
        'debit',
        9,
        48,
        'what takes it back does not balance: debit and credit differ',
      ],
    ])
    assert.is(differences['GL Entry: every voucher balances'], undefined)
  })

  test('compares every field of a mirror row, swapped and negated, and not its date', async () => {
    const row = await rowOf('INV-002', 'Debtors', true)
    const original = await rowOf('INV-002', 'Debtors')
    await behindTheBack(
      workspace,
      `update gl_entries set account = 'VAT', party = null where name = '${row}'`,
      `update stock_rows set qty = 2000000 where reverses is not null`,
    )
    const differences = await found()
    const message = `does not mirror ${original}`
    assert.equal(brief(differences['GL Entry: mirror rows']), [
      [row, 'account', 'VAT', 'Debtors', message],
      [row, 'party', null, 'Ann', message],
    ])
    assert.equal(
      brief(differences['Stock Row: mirror rows']).map(([, ...values]) => values.slice(0, 3)),
      [['qty', 2, -2]],
    )
    assert.is(differences['GL Entry: balance'], undefined)
  })

  test('names rows of cancelled documents that nothing takes back', async () => {
    const row = await rowOf('INV-002', 'VAT')
    await behindTheBack(workspace, `delete from gl_entries where reverses = '${row}'`)
    const differences = await found()
    assert.equal(brief(differences['GL Entry: vouchers']), [
      [
        row,
        'voucher_no',
        'INV-002',
        undefined,
        'Invoice "INV-002" is cancelled, yet nothing takes the row back',
      ],
    ])
  })

  test('names rows whose voucher is gone, a draft, or not cancelled though it was taken back', async () => {
    const row = await rowOf('INV-001', 'Sales')
    const mirror = await rowOf('INV-002', 'Sales', true)
    await behindTheBack(
      workspace,
      `update gl_entries set voucher_no = 'INV-999' where name = '${row}'`,
      `update gl_entries set voucher_type = 'Receipt' where name = '${mirror}'`,
      `update moves set docstatus = 0 where name = 'MOVE-001'`,
      `update moves set docstatus = 1 where name = 'MOVE-002'`,
    )
    const differences = await found()
    assert.equal(
      brief(differences['GL Entry: vouchers']).map(([id, , , , message]) => [id, message]),
      [
        [row, 'Invoice "INV-999" does not exist'],
        [mirror, 'Receipt "INV-002" does not exist'],
      ],
    )
    const messages = brief(differences['Stock Row: vouchers']).map(([, , , , message]) =>
      String(message).replace(/[0-9a-f-]{36}/, '…'),
    )
    assert.equal(messages, [
      'Move "MOVE-001" is a draft',
      'Move "MOVE-002" is not cancelled, yet the row takes back …',
    ])
  })

  test('names mirror rows of rows that are gone or are mirror rows themselves', async () => {
    const debtors = await rowOf('INV-002', 'Debtors', true)
    const sales = await rowOf('INV-002', 'Sales', true)
    await behindTheBack(
      workspace,
      `update gl_entries set reverses = 'nothing' where name = '${debtors}'`,
      `update gl_entries set reverses = '${debtors}' where name = '${sales}'`,
    )
    const messages = brief((await found())['GL Entry: mirror rows']).map(([id, , , , message]) => [
      id,
      message,
    ])
    assert.equal(messages, [
      [debtors, 'the row it takes back does not exist'],
      [sales, 'it takes back a mirror row'],
    ])
  })

  test('makes balance records again that are gone, and leaves ledgers as they are', async () => {
    const before = await workspace.get('Bin', 'a::x')
    await behindTheBack(
      workspace,
      'delete from bins',
      `update gl_entries set credit = 1 where voucher_no = 'INV-001' and account = 'VAT'`,
    )
    const differences = await found()
    assert.equal(brief(differences['Bin.qty']), [
      ['a::x', 'qty', null, 5, 'there is no such record'],
    ])
    const { services } = workspace.engine
    const { checks, repaired } = await verifyWorkspace(services, { repair: true })
    assert.equal(
      failing(checks).map(({ name }) => name),
      ['GL Entry: balance', 'GL Entry: every voucher balances'],
    )
    assert.equal(repaired, { rollups: 3, records: 1, made: 1 })
    const { qty, value, valuation_rate, item, place, last_date } = (
      await workspace.get('Bin', 'a::x')
    ).record
    assert.equal([qty, value, valuation_rate, item, place], [5, 15, 3, 'a', 'x'])
    assert.is(last_date, before.record.last_date)
    assert.equal((await workspace.list('Bin', { q: 'a::x' })).data.length, 1)
  })
})
