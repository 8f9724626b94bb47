import BetterSqlite3 from 'better-sqlite3'
import { BRANDS, GROUP_OF_NEW, GROUPS, type SampleItem, sampleItem } from './sample-items.ts'

/** Fills a workspace's database by SQL: the same rows that creates would write, but in minutes. */
export interface Filler {
  /** Adds sample items up to this number; `change` may give some another group or name. */
  fillTo(rows: number, change?: (n: number, item: SampleItem) => SampleItem): void
  /** Moves what was written into the database file and counts anew for the planner. */
  checkpoint(): void
  close(): void
}

const ROWS_PER_TRANSACTION = 10_000
/** Room for the rids of one DocType in the search table. */
const RIDS_PER_DOCTYPE = 2 ** 36

/** Opens the database and adds the groups and brands of the sample items. */
export function openFiller(file: string): Filler {
  const database = new BetterSqlite3(file)
  database.pragma('synchronous = off')
  database.pragma('cache_size = -262144')
  let rows = 0

  const insertGroup = database.prepare(
    `insert into item_groups (name, owner, created, modified, modified_by, item_group_name, is_group)
     values (@name, 'bench', @now, @now, 'bench', @name, 0)`,
  )
  const insertBrand = database.prepare(
    `insert into brands (name, owner, created, modified, modified_by, brand)
     values (@name, 'bench', @now, @now, 'bench', @name)`,
  )
  const insertItem = database.prepare(
    `insert into items (name, owner, created, modified, modified_by, docstatus, version, item_code,
       item_name, item_group, stock_uom, brand, description, disabled, standard_rate, is_sales_item,
       is_purchase_item, is_stock_item, is_fixed_asset, has_batch_no, has_serial_no, is_traced,
       inspection_required_before_purchase, inspection_required_before_delivery, has_variants)
     values (@code, 'bench', @modified, @modified, 'bench', 0, 1, @code, @name, @group, 'Nos', @brand,
       @description, @disabled, @rate, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0)`,
  )
  const insertSearch = database.prepare('insert into svc_search (rowid, body) values (?, ?)')
  const insertEvent = database.prepare(
    `insert into svc_events (id, event, resource, kind, record_id, at, actor, data)
     values (?, 'items.created', 'items', 'created', ?, ?, 'bench', ?)`,
  )
  const { number } = database
    .prepare(`select number from svc_doctype_numbers where doctype = 'Item'`)
    .get() as { number: number }

  const addMasters = database.transaction(() => {
    const now = new Date().toISOString()
    for (const name of [...GROUPS, GROUP_OF_NEW]) insertGroup.run({ name, now })
    for (const name of BRANDS) insertBrand.run({ name, now })
  })

  function addItem(n: number, item: SampleItem): void {
    const { code, name, group, brand, description, isDisabled, rate, modified } = item
    const columns = { code, name, group, brand, description, rate, modified }
    const { lastInsertRowid } = insertItem.run({ ...columns, disabled: Number(isDisabled) })
    const body = `${name}\n${code}\n${description}`.toLowerCase()
    insertSearch.run(BigInt(number * RIDS_PER_DOCTYPE) + BigInt(lastInsertRowid), body)
    insertEvent.run(`evt_bench${n}`, code, modified, JSON.stringify(item))
  }

  function checkpoint(): void {
    database.pragma('wal_checkpoint(truncate)')
    database.exec('analyze')
  }

  addMasters()
  return {
    fillTo(wanted, change = (_n, item) => item) {
      const addSome = database.transaction((to: number) => {
        for (; rows < to; rows += 1) addItem(rows, change(rows, sampleItem(rows)))
      })
      while (rows < wanted) addSome(Math.min(wanted, rows + ROWS_PER_TRANSACTION))
    },
    checkpoint,
    close() {
      checkpoint()
      database.close()
    },
  }
}
