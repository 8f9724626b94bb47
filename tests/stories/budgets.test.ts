import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { openStory, refusedFor, type Shown, type Story } from './story.ts'

forEachDatabaseWhenDeep('budgets', ({ test, fresh }) => {
  let story: Story
  let supplier: string
  let budget: Shown

  test.before(async () => {
    story = await openStory(await fresh())
    supplier = (await story.create('Supplier', { supplier_name: 'Timber Co' })).id
    await story.create('Cost Center', { cost_center_name: 'Shop' })
    await story.create('Item', { item_code: 'AD', item_name: 'Ad', is_stock_item: false })
  })
  test.after(() => story.close())

  const spend = (account: string, amount: number, more: object = {}): Promise<Shown> =>
    story.make('Journal Entry', {
      accounts: [
        { account, debit: amount, cost_center: 'Shop', ...more },
        { account: 'Bank', credit: amount, cost_center: 'Shop' },
      ],
    })

  const line = async (account: string): Promise<Shown> =>
    (await story.all('Budget Line', { account }))[0]!

  test('count what was spent before them too', async () => {
    await spend('Marketing Expenses', 100)
    await spend('Marketing Expenses', 70, { cost_center: 'Main' })
    budget = await story.make('Budget', {
      cost_center: 'Shop',
      fiscal_year: '2026',
      accounts: [
        { account: 'Marketing Expenses', budget_amount: 1000 },
        { account: 'Rent', budget_amount: 500 },
      ],
    })
    const begun = await line('Marketing Expenses')
    assert.equal([begun.actual, begun.remaining], [100, 900])
    await spend('Marketing Expenses', 250)
    // 100 before the budget, 250 after it; the 70 are another cost center's
    const { actual, remaining } = await line('Marketing Expenses')
    assert.equal([actual, remaining], [350, 650])
    const shown = await story.get('Budget', budget.id)
    assert.equal([shown.total_budget_amount, shown.actual_expense], [1500, 350])
  })

  test('stop what exceeds them, in any document', async () => {
    await refusedFor('actual', 'budget of the year is exceeded', spend('Rent', 500.01))
    const paid = await spend('Rent', 500)
    const bill = {
      supplier,
      items: [
        {
          item_code: 'AD',
          qty: 1,
          rate: 651,
          expense_account: 'Marketing Expenses',
          cost_center: 'Shop',
        },
      ],
    }
    await refusedFor('actual', 'exceeded', story.make('Purchase Invoice', bill))
    // A cancel makes room
    await story.cancel('Journal Entry', paid.id)
    assert.is((await line('Rent')).actual, 0)
    await spend('Rent', 400)
  })

  test('or warn by an event', async () => {
    const project = await story.create('Project', { project_name: 'Fair' })
    await story.make('Budget', {
      budget_against: 'Project',
      project: project.id,
      fiscal_year: '2026',
      action_if_annual_budget_exceeded: 'Warn',
      accounts: [{ account: 'Travel', budget_amount: 300 }],
    })
    await spend('Travel', 200, { project: project.id })
    await spend('Travel', 150, { project: project.id })
    const { id, actual, remaining } = await line('Travel')
    assert.equal([actual, remaining], [350, -50])
    assert.is((await story.events(id)).filter((kind) => kind === 'exceeded').length, 1)
  })

  test('are spread over the months', async () => {
    await story.create('Monthly Distribution', {
      distribution_id: 'Season',
      percentages: [
        { month: 1, percentage_allocation: 10 },
        { month: 2, percentage_allocation: 10 },
        { month: 3, percentage_allocation: 20 },
        { month: 6, percentage_allocation: 60 },
      ],
    })
    await story.make('Budget', {
      cost_center: 'Shop',
      fiscal_year: '2026',
      monthly_distribution: 'Season',
      action_if_accumulated_monthly_budget_exceeded: 'Stop',
      accounts: [{ account: 'Insurance', budget_amount: 1000 }],
    })
    // Until March 10 + 10 + 20 % of 1,000
    await refusedFor('actual', 'budget of the months so far', spend('Insurance', 400.01))
    await spend('Insurance', 400)
    story.clock.time = Date.parse('2026-06-01T12:00:00.000Z')
    await spend('Insurance', 600)
    await refusedFor('actual', 'exceeded', spend('Insurance', 0.01))
    story.clock.time = Date.parse('2026-03-09T12:00:00.000Z')
  })

  test('count what is ordered and asked for where they say so', async () => {
    await story.create('Cost Center', { cost_center_name: 'Fair' })
    const ads = (qty: number, more: object = {}): object => ({
      cost_center: 'Fair',
      items: [{ item_code: 'AD', qty, rate: 100, expense_account: 'Office Expenses', ...more }],
    })
    const order = (qty: number): Promise<Shown> =>
      story.make('Purchase Order', { supplier, ...ads(qty) })
    // Ordered before there is a budget: 300
    const first = await order(3)
    await story.make('Budget', {
      cost_center: 'Fair',
      fiscal_year: '2026',
      applicable_on_purchase_order: true,
      applicable_on_material_request: true,
      action_if_annual_budget_exceeded_on_mr: 'Warn',
      accounts: [{ account: 'Office Expenses', budget_amount: 1000 }],
    })
    const told = async (): Promise<readonly number[]> => {
      const { actual, ordered, requested } = await line('Office Expenses')
      return [actual, ordered, requested]
    }
    assert.equal(await told(), [0, 300, 0])
    await refusedFor('ordered', '0 spent and 1001 ordered on Office Expenses of Fair', order(7.01))
    const second = await order(7)
    assert.equal(await told(), [0, 1000, 0])
    // 200 of the first are billed: they are spent, and no more to come
    const [{ row_id }] = first.items
    const draft = await story.draftOf('Purchase Order', first.id, 'make_invoice', {
      rows: [{ row_id, qty: 2 }],
    })
    const { account, cost } = {
      account: draft.items[0].expense_account,
      cost: draft.items[0].cost_center,
    }
    assert.equal([account, cost], ['Office Expenses', 'Fair'])
    const bill = await story.submit('Purchase Invoice', draft.id)
    assert.equal(await told(), [200, 800, 0])
    await story.act('Purchase Order', second.id, 'close')
    assert.equal(await told(), [200, 100, 0])
    // Of 8 asked for 5 are ordered; 700 more than is left only warns
    const asked = await story.make('Material Request', ads(15))
    assert.equal(await told(), [200, 100, 1500])
    const { id } = await line('Office Expenses')
    assert.ok((await story.events(id)).includes('requests_exceeded'))
    const made = await story.draftOf('Material Request', asked.id, 'make_purchase_order', {
      supplier,
    })
    await story.update('Purchase Order', made.id, {
      items: [{ row_id: made.items[0].row_id, qty: 5, rate: 100 }],
    })
    await story.submit('Purchase Order', made.id)
    assert.equal(await told(), [200, 600, 1000])
    await story.cancel('Purchase Invoice', bill.id)
    await story.cancel('Purchase Order', made.id)
    await story.cancel('Material Request', asked.id)
    assert.equal(await told(), [0, 300, 0])
    assert.equal(await story.differences(), [])
  })

  test('are for expenses, once for each account', async () => {
    const plan = (accounts: readonly object[]): Promise<Shown> =>
      story.make('Budget', { cost_center: 'Shop', fiscal_year: '2026', accounts })
    await refusedFor('accounts', 'of expenses', plan([{ account: 'Sales', budget_amount: 1 }]))
    const second = await plan([{ account: 'Rent', budget_amount: 1 }]).catch(
      ({ code }: { code: string }) => code,
    )
    assert.is(second, 'CONFLICT')
    await story.cancel('Budget', budget.id)
    assert.is(await line('Rent'), undefined)
    await plan([{ account: 'Rent', budget_amount: 450 }])
    assert.is((await line('Rent')).actual, 400)
  })

  test('and every cost is that of a cost center in use', async () => {
    await story.create('Cost Center', { cost_center_name: 'All Shops', is_group: true })
    await story.create('Cost Center', { cost_center_name: 'Old Shop', disabled: true })
    for (const cost_center of ['All Shops', 'Old Shop'])
      await refusedFor('cost_center', 'must be one in use', spend('Travel', 1, { cost_center }))
  })

  test('svc verify finds nothing wrong', async () => {
    assert.equal(await story.differences(), [])
  })
})
