import type BetterSqlite3 from 'better-sqlite3'

/** A report as somebody would write it for this one database: its SQL, and the JSON of its rows. */
export type HandWrittenReport = (database: BetterSqlite3.Database, company: string) => unknown

const FROM = '2026-01-01'
const TO = '2026-12-31'

type Row = Record<string, number | string | null>

/** Money is kept in ten-thousandths. */
const money = (value: number | string | null | undefined): number => Number(value ?? 0) / 10_000

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
) {
  const nodes = database
    .prepare('select name, account_name, root_type, parent_account from accounts order by name')
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

/** The reports that go through the whole ledger, by their slugs. */
export const HAND_WRITTEN_REPORTS: Readonly<
  Record<
    string,
    { readonly params: Readonly<Record<string, string>>; readonly run: HandWrittenReport }
  >
> = {
  'trial-balance': {
    params: { from_date: FROM, to_date: TO },
    run(database, company) {
      const leaves = database
        .prepare(
          `select account, sum(case when posting_date < ? then debit - credit else 0 end) as opening,
             sum(case when posting_date < ? then 0 else debit end) as debit,
             sum(case when posting_date < ? then 0 else credit end) as credit
           from gl_entries where company = ? and posting_date <= ? group by account`,
        )
        .all(FROM, FROM, FROM, company, TO) as Row[]
      const rows = inTree(database, leaves, ['opening', 'debit', 'credit'])
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
      const columns = months.map((month) => `m${month}`)
      const leaves = database
        .prepare(
          `select account, ${months.map((month) => `sum(case when posting_date between '2026-${month}-01' and '2026-${month}-31' then ${signed} else 0 end) as m${month}`).join(', ')},
             sum(${signed}) as total
           from gl_entries where company = ? and posting_date between ? and ?
             and root_type in ('Income', 'Expense') and voucher_type <> 'Period Closing Voucher' group by account`,
        )
        .all(company, FROM, TO) as Row[]
      const rows = inTree(database, leaves, [...columns, 'total'])
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
          `${all} select *, sum(debit - credit) over (partition by account order by account, kind, posting_date, rid) as balance
           from r order by account, kind, posting_date, rid limit 100`,
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
  'accounts-receivable': {
    params: { report_date: TO },
    run(database, company) {
      const all = `with v as materialized (
        select party, against_voucher_type as voucher_type, against_voucher_no as voucher_no, min(posting_date) as posting_date,
          max(due_date) as due_date, sum(case when amount > 0 then amount else 0 end) as invoiced,
          sum(case when amount < 0 then -amount else 0 end) as paid, sum(amount) as outstanding
        from payment_ledger_entries where company = @company and account_type = 'Receivable' and party_type = 'Customer'
          and posting_date <= @to group by 1, 2, 3 having sum(amount) <> 0),
        a as (select v.*, c.customer_name, c.customer_group,
          max(cast(julianday(@to) - julianday(due_date) as integer), 0) as age
          from v left join customers c on c.name = v.party)`
      const buckets = [
        'age <= 30',
        'age > 30 and age <= 60',
        'age > 60 and age <= 90',
        'age > 90 and age <= 120',
        'age > 120',
      ].map((bucket, at) => `case when ${bucket} then outstanding else 0 end as b${at + 1}`)
      const rows = database
        .prepare(
          `${all} select *, ${buckets.join(', ')} from a order by party, posting_date, voucher_no limit 100`,
        )
        .all({ company, to: TO }) as Row[]
      const totals = database
        .prepare(
          `${all} select count(*) as n, sum(outstanding) as outstanding, ${[1, 2, 3, 4, 5].map((at) => `sum(b${at}) as b${at}`).join(', ')}
           from (select *, ${buckets.join(', ')} from a)`,
        )
        .get({ company, to: TO }) as Row
      return {
        rows: rows.map((row) => ({ ...row, outstanding: money(row.outstanding) })),
        totals: { outstanding: money(totals.outstanding) },
      }
    },
  },
  'customer-ledger-summary': {
    params: { from_date: FROM, to_date: TO },
    run(database, company) {
      const rows = database
        .prepare(
          `select party, c.customer_name, c.customer_group, opening, invoiced, credited, paid,
             opening + invoiced - credited - paid as closing
           from (select party, sum(case when posting_date < @from then debit - credit else 0 end) as opening,
               sum(case when posting_date >= @from and voucher_type = 'Sales Invoice' then debit else 0 end) as invoiced,
               sum(case when posting_date >= @from and voucher_type = 'Sales Invoice' then credit else 0 end) as credited,
               sum(case when posting_date >= @from and voucher_type <> 'Sales Invoice' then credit - debit else 0 end) as paid
             from gl_entries where company = @company and posting_date <= @to and party_type = 'Customer' and party is not null
             group by party) g left join customers c on c.name = g.party order by party`,
        )
        .all({ company, from: FROM, to: TO }) as Row[]
      const closing = rows.reduce((sum, row) => sum + Number(row.closing), 0)
      const shown = rows.slice(0, 100).map((row) => ({ ...row, closing: money(row.closing) }))
      return { rows: shown, totals: { closing: money(closing) } }
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
      const value = rows.reduce((sum, row) => sum + Number(row.balance_value), 0)
      const shown = rows
        .slice(0, 100)
        .map((row) => ({ ...row, balance_value: money(row.balance_value) }))
      return { rows: shown, totals: { balance_value: money(value) } }
    },
  },
}
