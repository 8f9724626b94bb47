import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { openHttpStory } from './http-story.ts'
import { refusedAsConflict, refusedFor, type Shown, type Story } from './story.ts'

forEachDatabaseWhenDeep('what employees spend', ({ test, fresh }) => {
  let story: Story
  let grace: string

  test.before(async () => {
    story = await openHttpStory(await fresh())
    grace = (await story.create('Employee', { first_name: 'Grace', last_name: 'Krill' })).id
  })
  test.after(() => story.close())

  const advance = async (amount: number): Promise<Shown> => {
    const { id } = await story.make('Employee Advance', {
      employee: grace,
      purpose: 'Fair in Lisbon',
      advance_amount: amount,
    })
    const payment = await story.draftOf('Employee Advance', id, 'make_payment')
    await story.submit('Payment Entry', payment.id)
    return story.get('Employee Advance', id)
  }

  test('an advance is paid, a claim uses it up, and the rest is paid back in two ways', async () => {
    const draft = await story.make('Employee Advance', {
      employee: grace,
      purpose: 'Fair in Lisbon',
      advance_amount: 200,
    })
    assert.equal([draft.status, draft.advance_account], ['Unpaid', 'Employee Advances'])
    const payment = await story.draftOf('Employee Advance', draft.id, 'make_payment')
    assert.equal(
      [payment.party_type, payment.party, payment.paid_amount, payment.unallocated_amount],
      ['Employee', grace, 200, 0],
    )
    await story.submit('Payment Entry', payment.id)
    assert.equal(await story.books(payment.id), { Bank: -200, 'Employee Advances': 200 })
    const paid = await story.get('Employee Advance', draft.id)
    assert.equal([paid.status, paid.paid_amount, paid.pending_amount], ['Paid', 200, 200])

    const claim = await story.create('Expense Claim', {
      employee: grace,
      expenses: [
        { expense_type: 'Travel', amount: 300 },
        { expense_type: 'Meals', amount: 45.5, sanctioned_amount: 40 },
        { expense_type: 'Calls', amount: 12 },
      ],
      taxes: [{ account_head: 'Input Tax', tax_amount: 20 }],
      advances: [{ employee_advance: draft.id }],
    })
    assert.equal([claim.status, claim.approval_status, claim.currency], ['Draft', 'Draft', 'USD'])
    await refusedFor(
      'approval_status',
      'Approved or Rejected',
      story.submit('Expense Claim', claim.id),
    )
    await story.update('Expense Claim', claim.id, { approval_status: 'Approved' })
    const approved = await story.submit('Expense Claim', claim.id)
    // 300 + 45.50 + 12; 300 + 40 + 12; less the advance of 200, with 20 of tax
    assert.equal(
      [
        approved.total_claimed_amount,
        approved.total_sanctioned_amount,
        approved.total_advance_amount,
        approved.grand_total,
        approved.outstanding_amount,
        approved.status,
      ],
      [357.5, 352, 200, 172, 172, 'Unpaid'],
    )
    assert.equal(await story.books(claim.id), {
      Travel: 340,
      'Telephone and Internet': 12,
      'Input Tax': 20,
      'Employee Advances': -200,
      'Payroll Payable': -172,
    })
    assert.is((await story.get('Employee Advance', draft.id)).status, 'Claimed')

    const part = await story.draftOf('Expense Claim', claim.id, 'make_payment')
    await story.update('Payment Entry', part.id, {
      paid_amount: 100,
      claims: [{ expense_claim: claim.id, allocated_amount: 100 }],
    })
    await story.submit('Payment Entry', part.id)
    assert.equal(await story.books(part.id), { Bank: -100, 'Payroll Payable': 100 })
    assert.equal(await left(claim), ['Unpaid', 100, 72])
    await story.make('Journal Entry', {
      accounts: [
        {
          account: 'Payroll Payable',
          party_type: 'Employee',
          party: grace,
          debit: 72,
          expense_claim: claim.id,
        },
        { account: 'Cash', credit: 72 },
      ],
    })
    assert.equal(await left(claim), ['Paid', 172, 0])
    const kinds = (await story.events(claim.id)).filter((kind) => kind !== 'updated')
    assert.equal(kinds, ['created', 'submitted', 'approved', 'paid'])

    await refusedAsConflict(story.cancel('Expense Claim', claim.id))
    await story.cancel('Payment Entry', part.id)
    assert.equal(await left(claim), ['Unpaid', 72, 100])
    assert.equal(await story.differences(), [])
  })

  const left = async ({ id }: Shown): Promise<unknown[]> => {
    const claim = await story.get('Expense Claim', id)
    return [claim.status, claim.total_amount_reimbursed, claim.outstanding_amount]
  }

  test('what is left of an advance is given back', async () => {
    const { id } = await advance(150)
    await story.make('Expense Claim', {
      employee: grace,
      approval_status: 'Approved',
      expenses: [{ expense_type: 'Travel', amount: 50 }],
      advances: [{ employee_advance: id, allocated_amount: 50 }],
    })
    const back = await story.draftOf('Employee Advance', id, 'make_return')
    assert.equal([back.payment_type, back.paid_amount], ['Receive', 100])
    await story.submit('Payment Entry', back.id)
    assert.equal(await story.books(back.id), { Bank: 100, 'Employee Advances': -100 })
    const settled = await story.get('Employee Advance', id)
    assert.equal(
      [settled.status, settled.claimed_amount, settled.return_amount, settled.pending_amount],
      ['Partly Claimed and Returned', 50, 100, 0],
    )
    assert.ok((await story.events(id)).includes('settled'))
    await refusedFor(
      'claims[0].allocated_amount',
      'more is allocated',
      pay({
        paid_to: 'Employee Advances',
        paid_amount: 1,
        claims: [{ employee_advance: id, allocated_amount: 1 }],
      }),
    )
    assert.equal(await story.differences(), [])
  })

  const pay = (more: object): Promise<Shown> =>
    story.make('Payment Entry', {
      payment_type: 'Pay',
      party_type: 'Employee',
      party: grace,
      ...more,
    })

  test('a rejected claim posts nothing, and is nothing to pay', async () => {
    const { id } = await story.make('Expense Claim', {
      employee: grace,
      approval_status: 'Rejected',
      expenses: [{ expense_type: 'Meals', amount: 80 }],
    })
    const claim = await story.get('Expense Claim', id)
    assert.equal([claim.status, claim.grand_total, claim.outstanding_amount], ['Rejected', 0, 0])
    assert.equal(await story.books(id), {})
    await refusedAsConflict(story.act('Expense Claim', id, 'make_payment'))
  })

  test('refused: more than was claimed, than the advance has, than is outstanding; of others', async () => {
    const expenses = [{ expense_type: 'Travel', amount: 30 }]
    const more = [{ amount: 30, sanctioned_amount: 31 }]
    const claim = (body: object): Promise<Shown> =>
      story.make('Expense Claim', { employee: grace, approval_status: 'Approved', ...body })
    await refusedFor(
      'expenses[0].sanctioned_amount',
      'more than claimed',
      claim({ expenses: more }),
    )
    const { id } = await advance(20)
    const over = [{ employee_advance: id, allocated_amount: 21 }]
    await refusedFor(
      'advances[0].allocated_amount',
      'more is used',
      claim({ expenses, advances: over }),
    )
    const other = (await story.create('Employee', { first_name: 'Otto' })).id
    const advances = [{ employee_advance: id }]
    await refusedFor('advances', 'somebody else', claim({ employee: other, expenses, advances }))

    const open = await claim({ expenses })
    const claims = (allocated_amount: number, party = grace) => ({
      party,
      paid_amount: 40,
      claims: [{ expense_claim: open.id, allocated_amount }],
    })
    await refusedFor('claims[0].allocated_amount', 'more is allocated', pay(claims(31)))
    await refusedFor('claims', "the employee's", pay(claims(30, other)))
    const payment = await pay(claims(30))
    assert.is(payment.unallocated_amount, 10)
    await refusedFor('claims[0].allocated_amount', 'more is allocated', pay(claims(30)))
    await story.cancel('Payment Entry', payment.id)
    await story.cancel('Expense Claim', open.id)
    assert.equal(await story.books(open.id), {})
    assert.equal(await story.differences(), [])
  })
})
