/** A request that takes as much as it may. */
export interface HostileRequest {
  readonly name: string
  /** How many of it are sent at the same time. */
  readonly times: number
  /** Whether they are sent one behind the other on one connection. */
  readonly pipelined?: boolean
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** Made anew for each of them. */
  readonly body?: (at: number) => object
}

/** Characters of a text that is as long as it may be. */
const LONG = 'a'.repeat(100_000)

/** Rows that a quotation may have, and taxes beside them. */
const MOST_ROWS = 500
const TAXES = 50

/** Documents that `insert_many` takes, and rows of each, so that there are as many as it takes. */
const MOST_DOCUMENTS = 200
const ROWS_EACH = 5

/** The same of documents that are submitted. */
const MOST_SUBMITTED = 30
const SUBMITTED_ROWS_EACH = 16

const item = { item_code: 'BENCH-WORK', qty: 1, rate: 1 }

/** The hostile requests of the security test, at the most that is allowed (docs/decisions/0051, 0066). */
export const HOSTILE_REQUESTS: readonly HostileRequest[] = [
  searchFor('q of 60 equal letters', 4, `/v1/notes?q=${'a'.repeat(60)}`),
  { ...searchFor('60 deep lists on one connection', 60, '/v1/notes?q=aaa'), pipelined: true },
  count('3 patterns on long texts', 4, 'Note', 3, `%${'a'.repeat(138)}b%`, 'content'),
  count('20 patterns', 4, 'Customer', 20, `%${'é'.repeat(138)}b%`, 'customer_name'),
  post('40,000 wrong rows', 4, '/v1/quotations', () => ({ items: wrongRows(40_000) })),
  post('500 rows, each wrong in all', 20, '/v1/quotations', () => ({
    items: wrongRows(MOST_ROWS),
  })),
  post('notes of 100 kB', 20, '/v1/notes', (at) => ({ title: `hostile ${at}`, content: LONG })),
  post('quotations of 500 rows', 20, '/v1/quotations', () => quotation(MOST_ROWS)),
  post('invoices of 500 rows, submitted', 4, '/api/resource/Sales Invoice', () => ({
    ...invoice(MOST_ROWS),
    docstatus: 1,
  })),
  post('deliveries of 500 rows, submitted', 4, '/api/resource/Delivery Note', () => ({
    ...invoice(MOST_ROWS, 'BENCH-GOODS', 'Stores'),
    docstatus: 1,
  })),
  post('a hundred bodies of 1 MB', 100, '/v1/notes', (at) => ({
    title: `hostile ${at}`,
    content: 'a',
    x: bigBody(),
  })),
  insertMany('insert_many of small ones', 20, () => ({
    doctype: 'Note',
    title: 'hostile',
    content: 'x'.repeat(5_100),
  })),
  insertMany('insert_many of many rows', 20, () => ({
    ...invoice(ROWS_EACH),
    doctype: 'Quotation',
  })),
  insertMany(
    'insert_many of submitted ones',
    4,
    () => ({ ...invoice(SUBMITTED_ROWS_EACH), doctype: 'Sales Invoice', docstatus: 1 }),
    MOST_SUBMITTED,
  ),
  searchFor('a list of everything', 4, everything('Quotation')),
]

function searchFor(name: string, times: number, path: string): HostileRequest {
  return { name, times, method: 'GET', path }
}

function post(
  name: string,
  times: number,
  path: string,
  body: (at: number) => object,
): HostileRequest {
  return { name, times, method: 'POST', path: encodeURI(path), body }
}

function count(
  name: string,
  times: number,
  doctype: string,
  patterns: number,
  pattern: string,
  field: string,
): HostileRequest {
  const or_filters = Array.from({ length: patterns }, () => [field, 'like', pattern])
  return post(name, times, '/api/method/frappe.client.get_count', () => ({ doctype, or_filters }))
}

function insertMany(
  name: string,
  times: number,
  doc: () => object,
  length = MOST_DOCUMENTS,
): HostileRequest {
  return post(name, times, '/api/method/frappe.client.insert_many', () => ({
    docs: Array.from({ length }, doc),
  }))
}

/** A list of nearly as many cells as it may have: of the rows that those before have made. */
function everything(doctype: string): string {
  const row = ['item_code', 'item_name', 'qty', 'rate', 'amount', 'uom']
  const fields = ['name', ...row.map((name) => `items.${name} as ${name}`)]
  const query = `limit_page_length=0&fields=${encodeURIComponent(JSON.stringify(fields))}`
  return `/api/resource/${doctype}?${query}`
}

function wrongRows(rows: number): readonly object[] {
  return Array.from({ length: rows }, () => ({ a: 1 }))
}

function quotation(rows: number): object {
  const taxes = Array.from({ length: TAXES }, () => ({
    charge_type: 'On Net Total',
    account_head: 'Output Tax',
    description: 'tax',
    rate: 1,
  }))
  return { customer: 'CUST-00001', items: Array.from({ length: rows }, () => item), taxes }
}

function invoice(rows: number, item_code = 'BENCH-WORK', warehouse?: string): object {
  const row = { ...item, item_code, ...(warehouse === undefined ? {} : { warehouse }) }
  return { customer: 'CUST-00001', items: Array.from({ length: rows }, () => row) }
}

/** Values of nearly 1 MB that are small for who sends them, and many for who reads them. */
function bigBody(): readonly object[] {
  return Array.from({ length: 100_000 }, () => ({ a: 1 }))
}
