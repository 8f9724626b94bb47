import { type ByName, FLOAT, FROM, inUnits, MONEY, money, pageOf, type Row, TO } from './report.ts'

export const BUDGET_REPORTS: ByName = {
  'budget-variance': {
    params: { fiscal_year: '2026' },
    run(database, company) {
      const rows = database
        .prepare(
          `with planned as (select b.cost_center, a.account, sum(a.budget_amount) as budget
             from budgets b join budgets__accounts a on a.parent = b.rid
             where b.docstatus = 1 and b.company = @company and b.fiscal_year = '2026' and b.budget_against = 'Cost Center'
             group by 1, 2),
           spent as (select cost_center, account, sum(debit - credit) as actual from gl_entries
             where company = @company and posting_date between @from and @to and voucher_type <> 'Period Closing Voucher'
               and cost_center is not null group by 1, 2)
           select p.cost_center as dimension, p.account, budget, coalesce(actual, 0) as actual, budget - coalesce(actual, 0) as variance,
             round(coalesce(actual, 0) * 10000.0 / budget) / 100 as used
           from planned p left join spent s on s.cost_center = p.cost_center and s.account = p.account
           where budget <> 0 order by 1, 2`,
        )
        .all({ company, from: FROM, to: TO }) as Row[]
      const units = { budget: MONEY, actual: MONEY, variance: MONEY }
      return pageOf(rows, units, ['budget', 'actual', 'variance'])
    },
  },
}

export const BANK_REPORTS: ByName = {
  'bank-reconciliation-statement': {
    params: { account: 'Bank', report_date: TO },
    run(database, company) {
      const of = { company, account: 'Bank', to: TO }
      const { books } = database
        .prepare(
          `select sum(debit - credit) as books from gl_entries
           where company = @company and account = @account and posting_date <= @to`,
        )
        .get(of) as { books: number }
      const open = `with booked as (
          select voucher_type, voucher_no, sum(debit - credit) as booked, max(posting_date) as posting_date from gl_entries
          where company = @company and account = @account and posting_date <= @to group by 1, 2),
        shown as (select p.payment_document, p.payment_entry,
            sum(case when t.amount > 0 then p.allocated_amount else -p.allocated_amount end) as shown
          from bank_transactions t join bank_transactions__payment_entries p on p.parent = t.rid
          where t.docstatus < 2 and t.company = @company and (t.ledger_account = @account or t.ledger_account is null) and t.date <= @to
          group by 1, 2),
        open as materialized (select b.posting_date, b.voucher_type, b.voucher_no, booked - coalesce(shown, 0) as open
          from booked b left join shown s on s.payment_document = b.voucher_type and s.payment_entry = b.voucher_no
          where booked <> coalesce(shown, 0))`
      const rows = database
        .prepare(
          `${open}, page as (select *, sum(-open) over (order by posting_date, voucher_no, voucher_type) as so_far
             from open order by posting_date, voucher_no, voucher_type limit 99)
           select g.posting_date, g.voucher_type, g.voucher_no, max(-open, 0) as debit, max(open, 0) as credit, so_far,
             case when g.voucher_type = 'Payment Entry' then (select party from payment_entries p
               where p.name = g.voucher_no and p.docstatus = 1) else (select max(a.party) from journal_entries j
               join journal_entries__accounts a on a.parent = j.rid where j.name = g.voucher_no and j.docstatus = 1 and a.account = @account) end as party,
             case when g.voucher_type = 'Payment Entry' then (select reference_no from payment_entries p
               where p.name = g.voucher_no and p.docstatus = 1) else (select cheque_no from journal_entries j
               where j.name = g.voucher_no and j.docstatus = 1) end as reference_no
           from page g`,
        )
        .all(of) as Row[]
      const sums = database
        .prepare(
          `${open} select coalesce(sum(max(-open, 0)), 0) as debit, coalesce(sum(max(open, 0)), 0) as credit from open`,
        )
        .get(of) as { debit: number; credit: number }
      const first = { debit: Math.max(books, 0), credit: Math.max(-books, 0) }
      const vouchers = rows.map(({ so_far, ...row }) => ({
        ...row,
        balance: books + Number(so_far),
      }))
      const units = { debit: MONEY, credit: MONEY, balance: MONEY }
      return {
        rows: inUnits([{ ...first, balance: books }, ...vouchers], units),
        totals: {
          debit: money(first.debit + sums.debit),
          credit: money(first.credit + sums.credit),
        },
      }
    },
  },
}

export const LEAVE_REPORTS: ByName = {
  'employee-leave-balance': {
    params: { from_date: FROM, to_date: TO },
    run(database, company) {
      const day = `case when a.half_day and d.day = a.half_day_date then 500000 else 1000000 end`
      const rows = database
        .prepare(
          `with moves as (
             select employee, leave_type, sum(case when from_date < @from then leaves else 0 end) as opening,
               sum(case when from_date >= @from and not coalesce(is_expired, 0) then leaves else 0 end) as allocated,
               sum(case when from_date >= @from and is_expired then -leaves else 0 end) as expired, 0 as taken
             from leave_ledger_entries where company = @company and from_date <= @to and voucher_type <> 'Leave Application'
             group by 1, 2
             union all
             select a.employee, a.leave_type, -sum(case when d.day < @from then ${day} else 0 end), 0, 0,
               sum(case when d.day >= @from then ${day} else 0 end)
             from leave_applications a join leave_applications__days d on d.parent = a.rid
             where a.docstatus = 1 and a.status = 'Approved' and not coalesce(a.is_lwp, 0) and a.company = @company and d.day <= @to
             group by 1, 2)
           select g.*, e.employee_name, e.department, opening + allocated - taken - expired as closing
           from (select employee, leave_type, sum(opening) as opening, sum(allocated) as allocated, sum(taken) as taken,
               sum(expired) as expired from moves group by 1, 2) g left join employees e on e.name = g.employee
           where opening <> 0 or allocated <> 0 or taken <> 0 or expired <> 0 order by 1, 2`,
        )
        .all({ company, from: FROM, to: TO }) as Row[]
      const units = {
        opening: FLOAT,
        allocated: FLOAT,
        taken: FLOAT,
        expired: FLOAT,
        closing: FLOAT,
      }
      return pageOf(rows, units, Object.keys(units))
    },
  },
}

export const BIN_REPORTS: ByName = {
  'stock-projected-qty': {
    params: {},
    run(database, company) {
      const quantities = [
        'actual_qty',
        'planned_qty',
        'indented_qty',
        'ordered_qty',
        'reserved_qty',
        'reserved_qty_for_production',
        'reserved_qty_for_production_plan',
        'reserved_qty_for_sub_contract',
        'projected_qty',
        'reorder_level',
        'reorder_qty',
      ]
      const where = `b.company = @company and (b.actual_qty <> 0 or b.planned_qty <> 0 or b.indented_qty <> 0
        or b.ordered_qty <> 0 or b.reserved_qty <> 0 or b.projected_qty <> 0 or b.reorder_level <> 0)`
      const rows = database
        .prepare(
          `select b.item_code, i.item_name, i.item_group, b.warehouse, b.stock_uom, ${quantities.map((one) => `b.${one}`).join(', ')},
             case when b.projected_qty < coalesce(b.reorder_level, 0) then coalesce(b.reorder_level, 0) - b.projected_qty else max(-b.projected_qty, 0) end as shortage_qty
           from bins b left join items i on i.name = b.item_code where ${where} order by b.item_code, b.warehouse limit 100`,
        )
        .all({ company }) as Row[]
      database.prepare(`select count(*) as n from bins b where ${where}`).get({ company })
      const units = Object.fromEntries([...quantities, 'shortage_qty'].map((one) => [one, FLOAT]))
      return { rows: inUnits(rows, units) }
    },
  },
}
