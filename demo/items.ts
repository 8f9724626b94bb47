import type { DemoCompany } from './world/company.ts'
import type { Hands, Shown } from './world/hands.ts'
import { FINISHED, MACHINE, PROJECT_COST, STORES } from './world/places.ts'
import { costOf, type World } from './world/world.ts'

type Create = (body: object) => Promise<Shown>

/** Creates everything that is made, bought or sold, as items. */
export async function createItems({ company }: World, hands: Hands): Promise<void> {
  const create: Create = (body) => hands.create('stock', 'Item', body)
  await createParts(company, create)
  await createBicycles(company, create)
  await createAccessories(company, create)
  await createServices(company, create)
  await createRunningCosts(company, create)
}

async function createParts(company: DemoCompany, create: Create): Promise<void> {
  await each(company.parts, ({ code, name, group, cost, lot }) =>
    create({
      item_code: code,
      item_name: name,
      item_group: group,
      stock_uom: 'Nos',
      standard_buying_rate: cost,
      is_sales_item: false,
      default_warehouse: STORES,
      safety_stock: lot / 2,
      reorder_levels: [reorderOf(lot)],
    }),
  )
}

async function createBicycles(company: DemoCompany, create: Create): Promise<void> {
  await each(company.bicycles, (bicycle) =>
    create({
      item_code: bicycle.code,
      item_name: bicycle.name,
      item_group: bicycle.group,
      brand: 'Bergwind',
      stock_uom: 'Nos',
      standard_rate: bicycle.price,
      standard_buying_rate: costOf(company, bicycle),
      is_purchase_item: false,
      default_warehouse: FINISHED,
      safety_stock: bicycle.share * 2,
    }),
  )
}

async function createAccessories(company: DemoCompany, create: Create): Promise<void> {
  await each(company.accessories, ({ code, name, price, cost, lot, barcode }) =>
    create({
      item_code: code,
      item_name: name,
      item_group: 'Accessories',
      stock_uom: 'Nos',
      standard_rate: price,
      standard_buying_rate: cost,
      default_warehouse: STORES,
      safety_stock: lot / 4,
      reorder_levels: [reorderOf(lot)],
      barcodes: [{ barcode, barcode_type: 'EAN' }],
    }),
  )
}

async function createServices(company: DemoCompany, create: Create): Promise<void> {
  await each(company.services, ({ code, name, price }) =>
    create({
      item_code: code,
      item_name: name,
      item_group: 'Workshop Services',
      stock_uom: 'Unit',
      standard_rate: price,
      is_stock_item: false,
      is_purchase_item: false,
      income_account: 'Service',
    }),
  )
}

async function createRunningCosts(company: DemoCompany, create: Create): Promise<void> {
  await create({
    item_code: MACHINE,
    item_name: 'Machine or vehicle',
    item_group: 'Running Costs',
    stock_uom: 'Unit',
    is_stock_item: false,
    is_sales_item: false,
    expense_account: 'Fixed Assets',
  })
  await create({
    item_code: PROJECT_COST,
    item_name: 'Work and goods for a project',
    item_group: 'Running Costs',
    stock_uom: 'Unit',
    is_stock_item: false,
    is_sales_item: false,
    expense_account: 'Purchases',
  })
  await each(company.running_costs, ({ code, name, amount, account }) =>
    create({
      item_code: code,
      item_name: name,
      item_group: 'Running Costs',
      stock_uom: 'Unit',
      standard_buying_rate: amount,
      is_stock_item: false,
      is_sales_item: false,
      expense_account: account,
    }),
  )
}

/** Below a part of a lot another lot is asked for. */
function reorderOf(lot: number): object {
  return {
    warehouse: STORES,
    warehouse_reorder_level: lot / 2,
    warehouse_reorder_qty: lot,
  }
}

/** Runs all at once, started in their order. */
function each<T, R>(values: readonly T[], run: (value: T) => Promise<R>): Promise<R[]> {
  return Promise.all(values.map(run))
}
