import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { openHttpStory } from './http-story.ts'
import { refusedAsConflict, refusedFor, type Shown, type Story } from './story.ts'

const STATEMENT = `Buchungstag;Verwendungszweck;Referenz;Betrag;ID
02.03.2026;Invoice 1 Blue Whale;RF-1;1.250,00;T1
03.03.2026;Rent March;;-800,00;T2
04.03.2026;Blue Whale again;;300,00;T3
05.03.2026;Blue Whale once more;;300,00;T4
06.03.2026;Card fee;;-2,50;T5
06.03.2026;Card fee;;-2,50;T5
`

forEachDatabaseWhenDeep('a statement of the bank', ({ test, fresh }) => {
  let story: Story
  let customer: string
  let statement: Shown

  test.before(async () => {
    story = await openHttpStory(await fresh())
    customer = (await story.create('Customer', { customer_name: 'Blue Whale' })).id
    const supplier = (await story.create('Supplier', { supplier_name: 'Landlord' })).id
    await story.create('Bank Account', {
      account_name: 'Giro',
      account: 'Bank',
      opening_balance: 5000,
    })
    const receive = (paid_amount: number, posting_date: string, reference_no?: string) =>
      story.make('Payment Entry', {
        party: customer,
        paid_amount,
        posting_date,
        ...(reference_no === undefined ? {} : { reference_no }),
      })
    await receive(1250, '2026-01-02', 'RF-1')
    await receive(1250, '2026-03-01')
    await receive(300, '2026-03-02')
    await story.make('Payment Entry', {
      payment_type: 'Pay',
      party_type: 'Supplier',
      party: supplier,
      paid_amount: 800,
      posting_date: '2026-03-01',
    })
  })
  test.after(() => story.close())

  const read = (content: string): Promise<Shown> =>
    story.create('Bank Statement Import', {
      bank_account: 'Giro',
      content,
      date_column: 'Buchungstag',
      description_column: 'Verwendungszweck',
      reference_column: 'Referenz',
      amount_column: 'Betrag',
      transaction_id_column: 'ID',
      date_format: 'DD.MM.YYYY',
      decimal_separator: 'Comma',
    })

  const lines = (): Promise<readonly Shown[]> =>
    story.all('Bank Transaction', { statement_import: statement.id })

  test('is read into rows; a line that stands there twice is told', async () => {
    statement = await read(STATEMENT)
    assert.equal(
      statement.transactions.map(({ date, amount, is_duplicate }: Shown) => [
        date,
        amount,
        is_duplicate,
      ]),
      [
        ['2026-03-02', 1250, false],
        ['2026-03-03', -800, false],
        ['2026-03-04', 300, false],
        ['2026-03-05', 300, false],
        ['2026-03-06', -2.5, false],
        ['2026-03-06', -2.5, true],
      ],
    )
    assert.equal(
      [statement.status, statement.total_rows, statement.skipped_rows],
      ['Pending', 6, 1],
    )
    assert.equal((await lines()).length, 0)
    await refusedFor('transactions', 'line 2', read(STATEMENT.replace('02.03.2026', '32.03.2026')))
  })

  test('becomes bank transactions once', async () => {
    const done = await story.act('Bank Statement Import', statement.id, 'import')
    assert.equal([done.status, done.imported_rows, done._created.length], ['Partial Success', 5, 5])
    await refusedAsConflict(story.act('Bank Statement Import', statement.id, 'import'))
    assert.equal(
      (await story.events(statement.id)).filter((kind) => kind !== 'updated'),
      ['created', 'completed'],
    )
    // 5,000 + 1,250 − 800 + 300 + 300 − 2.50
    assert.is((await story.get('Bank Account', 'Giro')).balance, 6047.5)

    const again = await read(STATEMENT)
    assert.is(again.skipped_rows, 6)
    const nothing = await story.act('Bank Statement Import', again.id, 'import')
    assert.equal([nothing.status, nothing.imported_rows], ['Error', 0])
    const next = await read(`${STATEMENT.split('\n')[0]}\n07.03.2026;Interest;;0,37;T6\n`)
    const whole = await story.act('Bank Statement Import', next.id, 'import')
    assert.equal([whole.status, whole.imported_rows], ['Success', 1])
  })

  test('is matched to the payments that fit, by reference before amount', async () => {
    const [first, rent, third, fourth, fee] = await lines()
    const payments = await story.all('Payment Entry')
    const [old, , three, paid] = payments
    assert.equal(
      [first, rent, third, fourth, fee].map((one) => one?.suggested_payment),
      [old?.id, paid?.id, three?.id, three?.id, null],
    )
    await story.act('Bank Statement Import', statement.id, 'match_suggested')
    assert.equal(
      (await lines()).map(({ status, matched_to }) => [status, matched_to]),
      [
        ['Reconciled', old?.id],
        ['Reconciled', paid?.id],
        ['Reconciled', three?.id],
        ['Unreconciled', null],
        ['Unreconciled', null],
      ],
    )
    // Its suggestion was given away; a payment that comes later is found
    const open = await story.act('Bank Transaction', fourth!.id, 'suggest')
    assert.is(open.suggested_payment, null)
    const late = await story.make('Payment Entry', { party: customer, paid_amount: 300 })
    const found = await story.act('Bank Transaction', fourth!.id, 'suggest')
    assert.is(found.suggested_payment, late.id)
    const matched = await story.act('Bank Transaction', fourth!.id, 'match_suggested')
    assert.equal([matched.matched_to, matched.suggested_payment], [late.id, null])
  })

  test('the payments know when they were cleared, the account what is open', async () => {
    const [first] = await lines()
    const payment = await story.get('Payment Entry', first!.matched_to)
    assert.is(payment.clearance_date, '2026-03-02')
    // What is not matched: a fee of 2.50 and 0.37 of interest
    assert.is((await story.get('Bank Account', 'Giro')).unreconciled_amount, -2.13)
  })

  test('comes in the formats of banks as well', async () => {
    const content = `:20:STARTUMS
:25:10020030/1234567
:28C:00001/001
:60F:C260301EUR5000,00
:61:2603090309C99,90N051NONREF//ABC123
:86:Order 4711
:62F:C260309EUR5099,90
`
    const { transactions } = await story.create('Bank Statement Import', {
      bank_account: 'Giro',
      file_format: 'MT940',
      content,
    })
    assert.equal(
      transactions.map(({ date, deposit, description }: Shown) => [date, deposit, description]),
      [['2026-03-09', 99.9, 'Order 4711']],
    )
  })

  test('svc verify finds nothing wrong', async () => {
    assert.equal(await story.differences(), [])
  })
})
