import { type ByName, FROM, inUnits, MONEY, money, pageOf, type Row, TO } from './report.ts'

/** Side of those who owe, or of those who are owed. */
interface Side {
  readonly accountType: string
  readonly partyType: string
  readonly invoice: string
  readonly parties: string
  /** The beginning of the names of the columns that tell of the party. */
  readonly party: string
  readonly reports: string
  readonly summary: string
  /** Word of the summary for notes. */
  readonly noted: string
}

const CUSTOMERS: Side = {
  accountType: 'Receivable',
  partyType: 'Customer',
  invoice: 'Sales Invoice',
  parties: 'customers',
  party: 'customer',
  reports: 'accounts-receivable',
  summary: 'customer-ledger-summary',
  noted: 'credited',
}

const SUPPLIERS: Side = {
  accountType: 'Payable',
  partyType: 'Supplier',
  invoice: 'Purchase Invoice',
  parties: 'suppliers',
  party: 'supplier',
  reports: 'accounts-payable',
  summary: 'supplier-ledger-summary',
  noted: 'debited',
}

/** SQL of what is owed, document by document. */
const owedSql = ({
  accountType,
  partyType,
  invoice,
  parties,
  party,
}: Side): string => `with v as materialized (
  select party, against_voucher_type as voucher_type, against_voucher_no as voucher_no,
    min(case when voucher_no = against_voucher_no then posting_date end) as posting_date,
    max(case when voucher_no = against_voucher_no then due_date end) as due_date,
    sum(case when voucher_no = against_voucher_no and case when reverses is null then amount > 0 else amount < 0 end then amount else 0 end) as invoiced,
    sum(case when voucher_type = '${invoice}' and voucher_no = against_voucher_no
      and case when reverses is null then amount < 0 else amount > 0 end then -amount else 0 end) as own_less,
    sum(case when voucher_type = '${invoice}' and voucher_no <> against_voucher_no then -amount else 0 end) as noted,
    sum(amount) as outstanding
  from payment_ledger_entries where company = @company and account_type = '${accountType}' and party_type = '${partyType}'
    and posting_date <= @to group by 1, 2, 3 having sum(amount) <> 0),
  n as (select *, noted + case when invoiced = 0 then own_less else 0 end as credit_note from v),
  a as (select n.*, invoiced - credit_note - outstanding as paid, c.${party}_name, c.${party}_group,
    max(cast(julianday(@to) - julianday(coalesce(due_date, n.posting_date)) as integer), 0) as age
    from n left join ${parties} c on c.name = n.party)`

const OWED = {
  invoiced: MONEY,
  paid: MONEY,
  credit_note: MONEY,
  advance: MONEY,
  outstanding: MONEY,
  bucket1: MONEY,
  bucket2: MONEY,
  bucket3: MONEY,
  bucket4: MONEY,
  bucket5: MONEY,
}

const BUCKETS = [
  'age <= 30',
  'age > 30 and age <= 60',
  'age > 60 and age <= 90',
  'age > 90 and age <= 120',
  'age > 120',
]
  .map((bucket, at) => `case when ${bucket} then outstanding else 0 end as bucket${at + 1}`)
  .join(', ')

/** Reports of what is owed in two of its ledgers' forms, and of what has moved in a year. */
function owedReports(side: Side): ByName {
  const { accountType, partyType, invoice, parties, party, noted } = side
  return {
    [side.reports]: {
      params: { report_date: TO },
      run(database, company) {
        const rows = database
          .prepare(
            `${owedSql(side)} select *, ${BUCKETS} from a order by party, posting_date, voucher_no limit 100`,
          )
          .all({ company, to: TO }) as Row[]
        const totals = database
          .prepare(
            `${owedSql(side)} select count(*) as n, sum(invoiced) as invoiced, sum(paid) as paid, sum(credit_note) as credit_note,
             sum(outstanding) as outstanding, ${[1, 2, 3, 4, 5].map((at) => `sum(bucket${at}) as bucket${at}`).join(', ')}
           from (select *, ${BUCKETS} from a)`,
          )
          .get({ company, to: TO }) as Row
        return {
          rows: inUnits(rows, OWED),
          totals: { outstanding: money(totals.outstanding), invoiced: money(totals.invoiced) },
        }
      },
    },
    [`${side.reports}-summary`]: {
      params: { report_date: TO },
      run(database, company) {
        const rows = database
          .prepare(
            `${owedSql(side)} select party, ${party}_name, ${party}_group, sum(invoiced) as invoiced, sum(paid) as paid,
             sum(credit_note) as credit_note, sum(max(-outstanding, 0)) as advance, sum(outstanding) as outstanding,
             ${[1, 2, 3, 4, 5].map((at) => `sum(bucket${at}) as bucket${at}`).join(', ')}
           from (select *, ${BUCKETS} from a) group by party order by outstanding desc, party`,
          )
          .all({ company, to: TO }) as Row[]
        return pageOf(rows, OWED, ['invoiced', 'outstanding'])
      },
    },
    [side.summary]: {
      params: { from_date: FROM, to_date: TO },
      run(database, company) {
        const own = `posting_date >= @from and voucher_type = '${invoice}' and voucher_no = against_voucher_no and case when reverses is null`
        const rows = database
          .prepare(
            `select g.*, c.${party}_name, c.${party}_group, opening + invoiced - ${noted} - closing as paid
           from (select party, sum(opening) as opening, sum(invoiced) as invoiced,
               sum(noted + case when invoiced = 0 then own_less else 0 end) as ${noted}, sum(closing) as closing
             from (select party, voucher_type, voucher_no, sum(case when posting_date < @from then amount else 0 end) as opening,
                 sum(case when ${own} then amount > 0 else amount < 0 end then amount else 0 end) as invoiced,
                 sum(case when ${own} then amount < 0 else amount > 0 end then -amount else 0 end) as own_less,
                 sum(case when posting_date >= @from and voucher_type = '${invoice}' and voucher_no <> against_voucher_no then -amount else 0 end) as noted,
                 sum(amount) as closing
               from payment_ledger_entries where company = @company and account_type = '${accountType}' and party_type = '${partyType}'
                 and posting_date <= @to group by 1, 2, 3) group by party) g
           left join ${parties} c on c.name = g.party order by party`,
          )
          .all({ company, from: FROM, to: TO }) as Row[]
        const amounts = {
          opening: MONEY,
          invoiced: MONEY,
          [noted]: MONEY,
          paid: MONEY,
          closing: MONEY,
        }
        return pageOf(rows, amounts, Object.keys(amounts))
      },
    },
  }
}

export const RECEIVABLE_REPORTS = owedReports(CUSTOMERS)
export const PAYABLE_REPORTS = owedReports(SUPPLIERS)
