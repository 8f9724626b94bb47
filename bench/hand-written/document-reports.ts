import {
  type ByName,
  FLOAT,
  FROM,
  type HandWrittenReport,
  inUnits,
  MONEY,
  type Row,
  TO,
} from './report.ts'

const SPAN = { from_date: FROM, to_date: TO }

/** Every row of a span of time: a page of them, and the sums of some columns over all. */
function register(
  page: string,
  from: string,
  order: string,
  units: Readonly<Record<string, number>>,
  totals: Readonly<Record<string, string>>,
): Pick<HandWrittenReport, 'params' | 'run'> {
  return {
    params: SPAN,
    run(database, company) {
      const of = { company, from: FROM, to: TO }
      const rows = database
        .prepare(`select ${page} from ${from} order by ${order} limit 100`)
        .all(of) as Row[]
      const sums = Object.entries(totals).map(([name, sql]) => `sum(${sql}) as ${name}`)
      const all = database
        .prepare(`select count(*) as n, ${sums.join(', ')} from ${from}`)
        .all(of) as Row[]
      const [{ n: _n, ...total } = {}] = inUnits(all, units)
      return { rows: inUnits(rows, units), totals: total as Record<string, number> }
    },
  }
}

function invoices(table: string, party: string): Pick<HandWrittenReport, 'params' | 'run'> {
  const amounts = {
    net_total: 'base_net_total',
    taxes: 'base_total_taxes_and_charges',
    grand_total: 'base_grand_total',
    outstanding: 'base_outstanding_amount',
  }
  const units = { ...Object.fromEntries(Object.keys(amounts).map((one) => [one, MONEY])) }
  return register(
    `name as invoice, posting_date, due_date, ${party}, ${party}_name, project, currency, grand_total / 10000.0 as invoice_total,
       ${Object.entries(amounts)
         .map(([name, sql]) => `${sql} as ${name}`)
         .join(', ')}, status`,
    `${table} where docstatus = 1 and company = @company and posting_date between @from and @to`,
    'posting_date, name',
    units,
    amounts,
  )
}

function invoiceRows(table: string, party: string): Pick<HandWrittenReport, 'params' | 'run'> {
  return register(
    `r.item_code, r.item_name, i.item_group, d.name as invoice, d.posting_date, d.${party}, d.${party}_name, r.uom, r.qty,
       (r.rate * (d.conversion_rate / 100000) + 500000) / 1000000 as rate, r.base_net_amount as amount`,
    `${table}__items r join ${table} d on d.rid = r.parent left join items i on i.name = r.item_code
     where d.docstatus = 1 and d.company = @company and d.posting_date between @from and @to`,
    'd.posting_date, d.name, r.idx',
    { qty: FLOAT, rate: MONEY, amount: MONEY },
    { qty: 'r.qty', amount: 'r.base_net_amount' },
  )
}

/** Amounts as they are in the company's currency: `net_amount` in ten-thousandths times a rate in milliardths. */
const IN_COMPANY = '(r.net_amount * d.conversion_rate + 500000000) / 1000000000'

function orders(
  table: string,
  party: string,
  done: string,
  due: string,
): Pick<HandWrittenReport, 'params' | 'run'> {
  const share = (qty: string): string =>
    `case when qty = 0 then 0 else (2 * ${qty} * amount + qty) / (2 * qty) end`
  const from = `(select d.name as number, d.transaction_date, d.${party}, d.${party}_name, d.status, r.item_code, r.item_name, r.warehouse, r.idx,
      r.qty, r.${done}, r.billed_qty, ${due} as due, ${IN_COMPANY} as amount,
      case when d.closed then 0 else max(r.qty - r.${done}, 0) end as pending_qty,
      case when d.closed then 0 else max(r.qty - coalesce(r.billed_qty, 0), 0) end as unbilled_qty
    from ${table}__items r join ${table} d on d.rid = r.parent
    where d.docstatus = 1 and d.company = @company and d.transaction_date between @from and @to)`
  return register(
    `number as ${table.slice(0, -1)}, *, ${share('pending_qty')} as pending_amount, ${share('billed_qty')} as billed_amount,
       case when pending_qty > 0 and due < date('now') then cast(julianday(date('now')) - julianday(due) as integer) else 0 end as delay`,
    from,
    'transaction_date, number, idx',
    {
      qty: FLOAT,
      [done]: FLOAT,
      pending_qty: FLOAT,
      billed_qty: FLOAT,
      unbilled_qty: FLOAT,
      amount: MONEY,
      pending_amount: MONEY,
      billed_amount: MONEY,
    },
    {
      qty: 'qty',
      [done]: done,
      pending_qty: 'pending_qty',
      billed_qty: 'billed_qty',
      amount: 'amount',
      pending_amount: share('pending_qty'),
      billed_amount: share('billed_qty'),
    },
  )
}

/** Quantities or amounts that were traded each month, by the party. */
function analytics(
  table: string,
  party: string,
  day: string,
  number: string,
  params: Readonly<Record<string, string>> = {},
  unit = MONEY,
): Pick<HandWrittenReport, 'params' | 'run'> {
  const months = Array.from({ length: 12 }, (_, at) => String(at + 1).padStart(2, '0'))
  return {
    params: { ...SPAN, ...params },
    run(database, company) {
      const columns = months.map(
        (month) =>
          `sum(case when day between '2026-${month}-01' and '2026-${month}-31' then number else 0 end) as number_2026_${month}`,
      )
      const all = database
        .prepare(
          `select g.*, p.${party}_name as heading_name from (select heading, ${columns.join(', ')}, sum(number) as total
             from (select d.${party} as heading, d.${day} as day, ${number} as number from ${table}__items r join ${table} d on d.rid = r.parent
               where d.docstatus = 1 and d.company = @company and d.${day} between @from and @to)
             group by heading) g left join ${party}s p on p.name = heading order by total desc, heading`,
        )
        .all({ company, from: FROM, to: TO }) as Row[]
      const names = [...months.map((month) => `number_2026_${month}`), 'total']
      const units = Object.fromEntries(names.map((name) => [name, unit]))
      const rows = inUnits(all, units)
      return {
        rows: rows.slice(0, 100),
        totals: Object.fromEntries(
          names.map((name) => [name, rows.reduce((sum, row) => sum + Number(row[name]), 0)]),
        ),
      }
    },
  }
}

const GROSS_PROFIT: Pick<HandWrittenReport, 'params' | 'run'> = {
  params: SPAN,
  run(database, company) {
    const of = `d.docstatus = 1 and d.company = @company and d.posting_date between @from and @to group by 1`
    const all = database
      .prepare(
        `select heading, sum(qty) as qty, sum(sold) as selling_amount, sum(cost) as buying_amount, sum(sold) - sum(cost) as gross_profit
         from (select r.item_code as heading, sum(r.qty) as qty, sum(r.base_net_amount) as sold, 0 as cost
             from sales_invoices__items r join sales_invoices d on d.rid = r.parent where ${of}
           union all select r.item_code, 0, 0, sum(r.cost) from delivery_notes__items r join delivery_notes d on d.rid = r.parent where ${of}
           union all select r.parent_item, 0, 0, sum(r.cost) from delivery_notes__packed_items r join delivery_notes d on d.rid = r.parent where ${of}
           union all select r.parent_item, 0, 0, -sum(r.booked_value) from sales_invoices__stock_items r join sales_invoices d on d.rid = r.parent where ${of})
         group by heading order by heading`,
      )
      .all({ company, from: FROM, to: TO }) as Row[]
    const units = {
      qty: FLOAT,
      selling_amount: MONEY,
      buying_amount: MONEY,
      gross_profit: MONEY,
    }
    const rows = inUnits(all, units)
    const sum = (name: string): number => rows.reduce((all, row) => all + Number(row[name]), 0)
    const totals = Object.fromEntries(Object.keys(units).map((name) => [name, sum(name)]))
    return { rows: rows.slice(0, 100), totals }
  },
}

export const DOCUMENT_REPORTS: ByName = {
  'sales-register': invoices('sales_invoices', 'customer'),
  'purchase-register': invoices('purchase_invoices', 'supplier'),
  'item-wise-sales-register': invoiceRows('sales_invoices', 'customer'),
  'item-wise-purchase-register': invoiceRows('purchase_invoices', 'supplier'),
  'sales-analytics': analytics('sales_invoices', 'customer', 'posting_date', 'r.base_net_amount'),
  'sales-analytics (orders)': analytics(
    'sales_orders',
    'customer',
    'transaction_date',
    // A number with six places.
    '(r.net_amount * d.conversion_rate + 5000000) / 10000000',
    { doc_type: 'Sales Order' },
    FLOAT,
  ),
  'purchase-analytics': analytics(
    'purchase_invoices',
    'supplier',
    'posting_date',
    'r.base_net_amount',
  ),
  'gross-profit': GROSS_PROFIT,
  'sales-order-analysis': orders('sales_orders', 'customer', 'delivered_qty', 'd.delivery_date'),
  'purchase-order-analysis': orders(
    'purchase_orders',
    'supplier',
    'received_qty',
    'r.schedule_date',
  ),
}
