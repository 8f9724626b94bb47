import { join } from 'node:path'
import { createMasters, createUnlessThere } from '../../cli/setup/masters.ts'
import { TEST_COMPANY } from '../../cli/setup/set-up.ts'
import { cancelDocument } from '../../engine/documents/operations/cancel.ts'
import { createDocument } from '../../engine/documents/operations/create.ts'
import { removeDocument } from '../../engine/documents/operations/remove.ts'
import { submitDocument } from '../../engine/documents/operations/submit.ts'
import { updateDocument } from '../../engine/documents/operations/update.ts'
import type { Context } from '../../engine/documents/work/context.ts'
import type { DocumentResult } from '../../engine/documents/work/present.ts'
import { type Body, type Generator, type GeneratorOptions, generator } from './generate.ts'
import { madeBeside } from './generate-beside.ts'
import type { Random } from './random.ts'

const SHIPPED = join(import.meta.dirname, '../../doctypes')

/**
 * A generator for a furnished workspace of the shipped DocTypes: amounts are in the company's currency or one
 * other, items it makes are in stock, and documents are posted on the day they are made, in their order.
 */
export function shippedGenerator(
  context: Context,
  random: Random,
  { chance = 1 }: Pick<GeneratorOptions, 'chance'> = {},
): Generator {
  const begin = firstBodies()
  return generator(context, random, {
    chance,
    prefer: { Currency: [TEST_COMPANY.currency, 'EUR'] },
    leaveOut: new Set([
      ...['posting_date', 'posting_time', 'set_posting_time', 'has_variants'],
      // A till has to be open, a coupon has its number of uses, and what is deferred waits on an account without a party.
      ...['pos_profile', 'coupon_code', 'deferred_account'],
      // Nobody has points enough by chance, and cases follow one another.
      ...['loyalty_points', 'from_case_no', 'to_case_no'],
    ]),
    begin,
    prepare: async (definition, made) => {
      // A year that is closed lets no earlier one be closed, and leave that is granted is not granted again.
      if (ONCE.has(definition.doctype)) await cancelDocument(context, definition, made.id)
      // Whatever is posted on a day of theirs would be refused, and none may be of the same days.
      if (definition.doctype === 'Accounting Period')
        await updateDocument(context, definition, made.id, { disabled: true, ...oneDay(made.id) })
      if (definition.doctype === 'Employee') await putOnPayroll(context, made)
      Object.assign(begin, await madeBeside(context, definition, made))
      if (definition.doctype === 'Payroll Period')
        await removeDocument(context, definition, made.id)
      if (definition.doctype !== 'Item') return
      await putInStock(context, made)
      await createUnlessThere(context, definition, {
        item_code: SERVICE,
        item_name: 'Service',
        is_stock_item: false,
      })
    },
  })
}

/** A day long ago, of a name with a number. */
function oneDay(name: string): Body {
  const number = Number(/\d+/.exec(name)?.[0])
  const day = new Date(Date.UTC(1990, 0, number)).toISOString().slice(0, 10)
  return { start_date: day, end_date: day }
}

/** What bodies begin with, where trying would take too long to find it. */
function firstBodies(): Record<string, Body> {
  return {
    Batch: { item: BATCHED },
    'Serial No': { item_code: NUMBERED },
    'Serial and Batch Bundle': { item_code: BATCHED, entries: [{ batch_no: BATCH, qty: 1 }] },
    // What is worth nothing cannot be paid.
    Item: { standard_rate: 100, standard_buying_rate: 50, allow_alternative_item: true },
    // All that is open is requested once only.
    'Payment Request': { grand_total: 0.01 },
    'Bank Statement Import': {
      file_format: 'CSV',
      content: 'Date,Description,Amount\n2026-03-01,Order,12.50\n',
    },
    'Journal Entry Template': {
      accounts: [
        { account: 'Bank', side: 'Debit', percentage: 100 },
        { account: 'Sales', side: 'Credit', percentage: 100 },
      ],
    },
    // What every posting had to name would be refused.
    'Accounting Dimension': { dimension_defaults: [{ company: TEST_COMPANY.company }] },
    'Cost Center Allocation': {
      main_cost_center: SHARED,
      allocation_percentages: [{ cost_center: 'Main', percentage: 100 }],
    },
    'Number Series': { pattern: 'NS/{YYYY}/{#####}', disabled: true },
    'Process Deferred Accounting': {
      type: 'Income',
      end_date: '2026-02-28',
      entries: [
        {
          deferred_account: 'Deferred Income',
          account: 'Sales',
          service_start_date: '2026-01-01',
          service_end_date: '2026-03-31',
          base_amount: 90,
        },
      ],
    },
    'Leave Encashment': { leave_type: PAID_OUT, encashment_days: 0.5, day_rate: 1 },
    'Attendance Request': { from_date: '2026-02-02', to_date: '2026-02-03', half_day: false },
    'Monthly Distribution': { percentages: [{ month: 1, percentage_allocation: 100 }] },
    'Journal Entry': {
      accounts: [
        { account: 'Bank', debit: 25 },
        { account: 'Sales', credit: 25 },
      ],
    },
    'Work Order': { operations: [{ operation: OPERATION, time_in_mins: 10 }] },
    'Job Card': { operation: OPERATION },
    'Product Bundle': { new_item_code: SERVICE, disabled: true },
    // An early year, so that there are later ones left to be closed.
    'Period Closing Voucher': { fiscal_year: '2022' },
  }
}

/** The masters and the company that `svc setup` gives a workspace, without its first person and key. */
export async function furnish(context: Context): Promise<void> {
  await createMasters(context, [SHIPPED])
  const { company, country, currency } = TEST_COMPANY
  await createUnlessThere(context, context.services.registry.byDoctype('Company')!, {
    company_name: company,
    abbr: 'TC',
    country,
    default_currency: currency,
    is_default: true,
  })
  await createUnlessThere(context, context.services.registry.byDoctype('Cost Center')!, {
    cost_center_name: SHARED,
  })
  await createUnlessThere(context, context.services.registry.byDoctype('Leave Type')!, {
    leave_type_name: PAID_OUT,
  })
  await createUnlessThere(context, context.services.registry.byDoctype('Operation')!, {
    name: OPERATION,
  })
  await createUnlessThere(context, context.services.registry.byDoctype('Loyalty Program')!, {
    loyalty_program_name: 'Points',
    from_date: '2020-01-01',
    auto_opt_in: true,
    expense_account: 'Sales',
    collection_rules: [{ tier_name: 'All', collection_factor: 1 }],
  })
  await putBatchInStock(context)
}

/** An item by batch and one by serial number, which nothing names by chance, and a batch that is in stock. */
async function putBatchInStock(context: Context): Promise<void> {
  const make = (doctype: string, body: object): Promise<DocumentResult> =>
    createDocument(context, context.services.registry.byDoctype(doctype)!, body)
  await make('Item', { item_code: BATCHED, item_name: 'Paint', has_batch_no: true })
  await make('Item', { item_code: NUMBERED, item_name: 'Drill', has_serial_no: true })
  await make('Batch', { batch_id: BATCH, item: BATCHED })
  const { id } = await make('Stock Entry', {
    stock_entry_type: 'Material Receipt',
    items: [
      { item_code: BATCHED, batch_no: BATCH, t_warehouse: 'Stores', qty: 10, basic_rate: 10 },
    ],
  })
  await submitDocument(context, context.services.registry.byDoctype('Stock Entry')!, id)
}

/** Who is paid needs a salary structure first, and an assignment to it. */
async function putOnPayroll(context: Context, { id, record }: DocumentResult): Promise<void> {
  const { registry } = context.services
  const structures = registry.byDoctype('Salary Structure')!
  const isThere = await createUnlessThere(context, structures, {
    name: STRUCTURE,
    earnings: [{ salary_component: 'Basic' }],
  })
  if (isThere) await submitDocument(context, structures, STRUCTURE)
  const assignments = registry.byDoctype('Salary Structure Assignment')!
  const { id: assignment } = await createDocument(context, assignments, {
    employee: id,
    salary_structure: STRUCTURE,
    from_date: record.date_of_joining ?? '2020-01-01',
    base: 3000,
  })
  await submitDocument(context, assignments, assignment)
  const allocations = registry.byDoctype('Leave Allocation')!
  const allocation = await createDocument(context, allocations, {
    employee: id,
    leave_type: PAID_OUT,
    from_date: '2026-01-01',
    to_date: '2029-12-31',
    new_leaves_allocated: 30,
  })
  await submitDocument(context, allocations, allocation.id)
}

/** Leave that everybody has, to be paid for. */
const PAID_OUT = 'Paid Out'

/** Whose costs others bear. */
const SHARED = 'Rooms'

/** Of everybody whom the generator employs. */
const STRUCTURE = 'Standard'

/** What a delivery takes has to be there first: a receipt of the item into every warehouse. */
async function putInStock(context: Context, { id }: DocumentResult): Promise<void> {
  const entries = context.services.registry.byDoctype('Stock Entry')!
  const entry = await createDocument(context, entries, {
    stock_entry_type: 'Material Receipt',
    items: WAREHOUSES.map((t_warehouse) => ({
      item_code: id,
      t_warehouse,
      qty: 10_000,
      basic_rate: 10,
    })),
  })
  await submitDocument(context, entries, entry.id)
}

/** What leaves no room for another of its kind is cancelled as soon as it was made for links. */
const ONCE: ReadonlySet<string> = new Set([
  'Period Closing Voucher',
  'Leave Policy Assignment',
  'Loan',
  'Stock Reservation Entry',
])

const BATCHED = 'BATCHED'
const NUMBERED = 'NUMBERED'
const BATCH = 'BATCH-1'
/** An item that is not kept in stock; it is made beside the first that are, and no link chooses it by chance. */
const SERVICE = 'SERVICE'

/** What jobs are for: an operation that the orders behind them have. */
const OPERATION = 'Assembly'

/** Those of masters.yaml. */
const WAREHOUSES = ['Stores', 'Work In Progress', 'Finished Goods']
