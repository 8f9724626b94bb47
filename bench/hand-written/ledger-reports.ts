import type BetterSqlite3 from 'better-sqlite3'
import { type ByName, FLOAT, FROM, inUnits, MONEY, money, pageOf, type Row, TO } from './report.ts'

interface Node {
  readonly name: string
  readonly account_name: string
  readonly root_type: string
  readonly parent_account: string | null
}

/** Sums of accounts and of the groups above them, in the order of the tree. */
function inTree(
  database: BetterSqlite3.Database,
  leaves: readonly Row[],
  columns: readonly string[],
  order = 'root_type, name',
) {
  const nodes = database
    .prepare(`select name, account_name, root_type, parent_account from accounts order by ${order}`)
    .all() as Node[]
  const parents = new Map(nodes.map((node) => [node.name, node.parent_account]))
  const sums = new Map<string, number[]>()
  for (const leaf of leaves) {
    for (let at: string | null | undefined = leaf.account as string; at; at = parents.get(at)) {
      const known = sums.get(at) ?? columns.map(() => 0)
      columns.forEach((column, index) => {
        known[index]! += Number(leaf[column])
      })
      sums.set(at, known)
    }
  }
  const below = Map.groupBy(nodes, ({ parent_account }) => parent_account ?? '')
  const rows: Row[] = []
  const place = (of: string, indent: number): void => {
    for (const { name, account_name, root_type } of below.get(of) ?? []) {
      const found = sums.get(name)
      if (found) {
        const amounts = Object.fromEntries(columns.map((column, i) => [column, money(found[i])]))
        rows.push({ account: name, account_name, root_type, indent, ...amounts })
      }
      place(name, indent + 1)
    }
  }
  place('', 0)
  return rows
}

/** Reports of accounts, customers and stock that go through the whole ledger. */
export const LEDGER_REPORTS: ByName = {
  'trial-balance': {
    params: { from_date: FROM, to_date: TO },
    run(database, company) {
      const leaves = database
        .prepare(
          `select account, sum(case when posting_date < ? then debit - credit else 0 end) as opening,
             sum(case when posting_date < ? then 0 else debit end) as debit,
             sum(case when posting_date < ? then 0 else credit end) as credit
           from gl_entries where company = ? and posting_date <= ?
             and (voucher_type <> 'Period Closing Voucher' or posting_date < ?) group by account`,
        )
        .all(FROM, FROM, FROM, company, TO, FROM) as Row[]
      const rows = inTree(database, leaves, ['opening', 'debit', 'credit'], 'name')
      const top = rows.filter(({ indent }) => indent === 0)
      const sum = (column: string): number =>
        top.reduce((total, row) => total + Number(row[column]), 0)
      return { rows, totals: { debit: sum('debit'), credit: sum('credit') } }
    },
  },
  'profit-and-loss-statement': {
    params: { from_date: FROM, to_date: TO, periodicity: 'Monthly' },
    run(database, company) {
      const months = Array.from({ length: 12 }, (_, at) => String(at + 1).padStart(2, '0'))
      const signed = `case when root_type = 'Income' then credit - debit else debit - credit end`
      const columns = months.map((month) => `amount_2026_${month}`)
      const leaves = database
        .prepare(
          `select account, ${months.map((month) => `sum(case when posting_date between '2026-${month}-01' and '2026-${month}-31' then ${signed} else 0 end) as amount_2026_${month}`).join(', ')},
             sum(${signed}) as total
           from gl_entries where company = ? and posting_date between ? and ?
             and root_type in ('Income', 'Expense') and voucher_type <> 'Period Closing Voucher' group by account`,
        )
        .all(company, FROM, TO) as Row[]
      const rows = inTree(database, leaves, [...columns, 'total'], 'root_type desc, name')
      const totals = Object.fromEntries(
        [...columns, 'total'].map((column) => [
          column,
          rows
            .filter(({ indent }) => indent === 0)
            .reduce(
              (sum, row) => sum + (row.root_type === 'Income' ? 1 : -1) * Number(row[column]),
              0,
            ),
        ]),
      )
      return { rows, totals }
    },
  },
  'balance-sheet': {
    params: { from_date: FROM, to_date: TO, periodicity: 'Yearly' },
    run(database, company) {
      const leaves = database
        .prepare(
          `select account, sum(case when root_type = 'Asset' then debit - credit else credit - debit end) as balance
           from gl_entries where company = ? and posting_date <= ? and root_type in ('Asset', 'Liability', 'Equity')
           group by account`,
        )
        .all(company, TO) as Row[]
      const rows = inTree(database, leaves, ['balance'])
      const profit = rows
        .filter(({ indent }) => indent === 0)
        .reduce((sum, row) => sum + (row.root_type === 'Asset' ? 1 : -1) * Number(row.balance), 0)
      return { rows, profit }
    },
  },
  'general-ledger': {
    params: { from_date: '2026-06-01', to_date: '2026-06-30' },
    run(database, company) {
      const [from, to] = ['2026-06-01', '2026-06-30']
      const all = `with r as (
        select account, 1 as kind, null as posting_date, 'Opening' as voucher_type, null as voucher_no, null as party,
          max(sum(debit) - sum(credit), 0) as debit, max(sum(credit) - sum(debit), 0) as credit, 0 as rid
        from gl_entries where company = @company and posting_date < @from group by account having sum(debit) <> sum(credit)
        union all
        select account, 2, posting_date, voucher_type, voucher_no, party, debit, credit, rid
        from gl_entries where company = @company and posting_date between @from and @to)`
      const rows = database
        .prepare(
          `${all} select *, sum(debit - credit) over (partition by account order by kind, posting_date, voucher_no, rid) as balance
           from r order by account, kind, posting_date, voucher_no, rid limit 100`,
        )
        .all({ company, from, to }) as Row[]
      const totals = database
        .prepare(`${all} select count(*) as n, sum(debit) as debit, sum(credit) as credit from r`)
        .get({ company, from, to }) as Row
      return {
        rows: rows.map((row) => ({
          ...row,
          debit: money(row.debit),
          credit: money(row.credit),
          balance: money(row.balance),
        })),
        totals: { debit: money(totals.debit), credit: money(totals.credit) },
      }
    },
  },
  'trial-balance-for-party': {
    params: { from_date: FROM, to_date: TO, party_type: 'Customer' },
    run(database, company) {
      const rows = database
        .prepare(
          `select *, max(opening, 0) as opening_debit, max(-opening, 0) as opening_credit,
             max(opening + debit - credit, 0) as closing_debit, max(credit - debit - opening, 0) as closing_credit
           from (select party, sum(case when posting_date < @from then debit - credit else 0 end) as opening,
             sum(case when posting_date < @from then 0 else debit end) as debit,
             sum(case when posting_date < @from then 0 else credit end) as credit
           from gl_entries where company = @company and posting_date <= @to and party_type = 'Customer' and party is not null
           group by party) where opening <> 0 or debit <> 0 or credit <> 0 order by party`,
        )
        .all({ company, from: FROM, to: TO }) as Row[]
      const amounts = {
        debit: MONEY,
        credit: MONEY,
        opening_debit: MONEY,
        opening_credit: MONEY,
        closing_debit: MONEY,
        closing_credit: MONEY,
      }
      return pageOf(rows, amounts, Object.keys(amounts))
    },
  },
  'cash-flow': {
    params: { from_date: FROM, to_date: TO, periodicity: 'Quarterly' },
    run(database, company) {
      const activity = `case when account_type in ('Fixed Asset', 'Accumulated Depreciation', 'Capital Work in Progress', 'Gain or Loss on Disposal') then 'Investing'
        when root_type = 'Equity' or (root_type = 'Liability' and coalesce(account_type, '') = '') then 'Financing' else 'Operating' end`
      const quarters = [
        ['01-01', '03-31'],
        ['04-01', '06-30'],
        ['07-01', '09-30'],
        ['10-01', '12-31'],
      ].map(
        ([first, last], at) =>
          `sum(case when o.posting_date between '2026-${first}' and '2026-${last}' then o.amount else 0 end) as q${at + 1}`,
      )
      const side = `company = @company and posting_date between @from and @to and coalesce(account_type, '')`
      const rows = database
        .prepare(
          `with moved as materialized (select voucher_type, voucher_no, case when reverses is null then '' else 'reversal' end as reverses, posting_date,
               sum(debit - credit) as cash from gl_entries where ${side} in ('Bank', 'Cash') group by 1, 2, 3, 4 having sum(debit - credit) <> 0),
             other as (select voucher_type, voucher_no, case when reverses is null then '' else 'reversal' end as reverses, posting_date,
               ${activity} as activity, account, sum(credit - debit) as amount from gl_entries where ${side} not in ('Bank', 'Cash')
               group by 1, 2, 3, 4, 5, 6 having sum(credit - debit) <> 0)
           select o.activity, o.account, ${quarters.join(', ')}, sum(o.amount) as total
           from other o join moved m using (voucher_type, voucher_no, reverses, posting_date) group by 1, 2 order by 1 desc, 2`,
        )
        .all({ company, from: FROM, to: TO }) as Row[]
      return pageOf(rows, { total: MONEY }, ['total'])
    },
  },
  'stock-ledger': {
    params: { from_date: '2026-06-01', to_date: '2026-06-30' },
    run(database, company) {
      const all = `with r as (
        select item_code, warehouse, 1 as kind, null as posting_date, null as posting_time, 'Opening' as voucher_type, null as voucher_no,
          max(sum(actual_qty), 0) as in_qty, max(-sum(actual_qty), 0) as out_qty, sum(stock_value_difference) as value, 0 as rid
        from stock_ledger_entries where company = @company and posting_date < @from group by 1, 2
        having sum(actual_qty) <> 0 or sum(stock_value_difference) <> 0
        union all
        select item_code, warehouse, 2, posting_date, posting_time, voucher_type, voucher_no, max(actual_qty, 0), max(-actual_qty, 0),
          stock_value_difference, rid
        from stock_ledger_entries where company = @company and posting_date between @from and @to)`
      const window = 'over (partition by item_code, warehouse order by kind, posting_date, rid)'
      const rows = database
        .prepare(
          `${all} select *, sum(in_qty - out_qty) ${window} as balance_qty, sum(value) ${window} as balance_value
           from r order by item_code, warehouse, kind, posting_date, rid limit 100`,
        )
        .all({ company, from: '2026-06-01', to: '2026-06-30' }) as Row[]
      const totals = database
        .prepare(
          `${all} select count(*) as n, sum(in_qty) as i, sum(out_qty) as o, sum(value) as v from r`,
        )
        .get({ company, from: '2026-06-01', to: '2026-06-30' }) as Row
      const units = {
        in_qty: FLOAT,
        out_qty: FLOAT,
        value: MONEY,
        balance_qty: FLOAT,
        balance_value: MONEY,
      }
      return { rows: inUnits(rows, units), totals: { value_change: money(totals.v) } }
    },
  },
  'stock-ageing': {
    params: { to_date: TO },
    run(database, company) {
      const rows = database
        .prepare(
          `with days as (select l.item_code, l.warehouse, coalesce(r.posting_date, l.posting_date) as day, sum(l.actual_qty) as moved
             from stock_ledger_entries l left join stock_ledger_entries r on r.name = l.reverses
             where l.company = @company and l.posting_date <= @to group by 1, 2, 3),
           queue as (select *, max(moved, 0) as came, sum(max(moved, 0)) over (partition by item_code, warehouse order by day) as so_far,
             sum(max(-moved, 0)) over (partition by item_code, warehouse) as went from days),
           rest as (select item_code, warehouse, day, min(max(so_far - went, 0), came) as left_over,
             cast(julianday(@to) - julianday(day) as integer) as age from queue)
           select g.*, i.item_name, i.item_group, i.stock_uom from (select item_code, warehouse, sum(left_over) as qty,
             sum(left_over * age) as days, min(day) as earliest, max(day) as latest,
             sum(case when age <= 30 then left_over else 0 end) as b1, sum(case when age > 30 and age <= 60 then left_over else 0 end) as b2,
             sum(case when age > 60 and age <= 90 then left_over else 0 end) as b3, sum(case when age > 90 then left_over else 0 end) as b4
           from rest where left_over > 0 group by 1, 2) g left join items i on i.name = g.item_code order by 1, 2`,
        )
        .all({ company, to: TO }) as Row[]
      return pageOf(rows, { qty: FLOAT, days: FLOAT, b1: FLOAT, b2: FLOAT, b3: FLOAT, b4: FLOAT }, [
        'qty',
      ])
    },
  },
  'stock-balance': {
    params: { from_date: FROM, to_date: TO },
    run(database, company) {
      const inside = (sign: string, of: string): string =>
        `sum(case when posting_date >= @from and actual_qty ${sign} 0 then ${of} else 0 end)`
      const rows = database
        .prepare(
          `select g.*, i.item_name, i.item_group from (select item_code, warehouse, stock_uom,
             sum(case when posting_date < @from then actual_qty else 0 end) as opening_qty,
             sum(case when posting_date < @from then stock_value_difference else 0 end) as opening_value,
             ${inside('>', 'actual_qty')} as in_qty, ${inside('>', 'stock_value_difference')} as in_value,
             ${inside('<', '-actual_qty')} as out_qty, ${inside('<', '-stock_value_difference')} as out_value,
             sum(actual_qty) as balance_qty, sum(stock_value_difference) as balance_value
           from stock_ledger_entries where company = @company and posting_date <= @to group by 1, 2, 3) g
           left join items i on i.name = g.item_code order by item_code, warehouse`,
        )
        .all({ company, from: FROM, to: TO }) as Row[]
      const units = {
        opening_qty: FLOAT,
        opening_value: MONEY,
        in_qty: FLOAT,
        in_value: MONEY,
        out_qty: FLOAT,
        out_value: MONEY,
        balance_qty: FLOAT,
        balance_value: MONEY,
      }
      return pageOf(rows, units, ['balance_value'])
    },
  },
}
