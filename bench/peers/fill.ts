import { writeFileSync } from 'node:fs'
import BetterSqlite3 from 'better-sqlite3'
import { RIDS } from '../hand-written/search.ts'
import { type SampleItem, sampleItem } from '../sample-items.ts'
import { pocketBaseId } from './dialect.ts'

/** Fills the table of `bench-item.yaml` in a workspace's database with sample items, as creates would. */
export function fillSvc(databaseFile: string, rows: number): void {
  const database = new BetterSqlite3(databaseFile)
  const insertItem = database.prepare(
    `insert into bench_items (name, owner, created, modified, modified_by, docstatus, version, item_code, item_name,
       item_group, stock_uom, brand, description, standard_rate, is_stock_item)
     values (@code, 'bench', @modified, @modified, 'bench', 0, 1, @code, @name, @group, 'Nos', @brand, @description,
       @rate, 1)`,
  )
  const insertSearch = database.prepare('insert into svc_search (rowid, body) values (?, ?)')
  const insertEvent = database.prepare(
    `insert into svc_events (id, event, resource, kind, record_id, at, actor, data)
     values (?, 'bench-items.created', 'bench-items', 'created', ?, ?, 'bench', ?)`,
  )
  const { number } = database
    .prepare(`select number from svc_doctype_numbers where doctype = 'Bench Item'`)
    .get() as { number: number }
  database.transaction(() => {
    for (let n = 0; n < rows; n += 1) {
      const item = sampleItem(n)
      const { code, name, group, brand, description, rate, modified } = item
      const values = { code, name, group, brand, description, rate, modified }
      const { lastInsertRowid } = insertItem.run(values)
      const body = `${name}\n${code}\n${description}`.toLowerCase()
      insertSearch.run(BigInt(number * RIDS) + BigInt(lastInsertRowid), body)
      insertEvent.run(`evt_bench${n}`, code, modified, JSON.stringify(valuesOf(item)))
    }
  })()
  database.pragma('wal_checkpoint(truncate)')
  database.exec('analyze')
  database.close()
}

/** Writes the same items as lines of JSON, with the ids that PocketBase shall give them. */
export function writeLines(file: string, rows: number): void {
  const lines = Array.from({ length: rows }, (_, n) => {
    const item = sampleItem(n)
    return JSON.stringify({ id: pocketBaseId(n), ...valuesOf(item), modified: item.modified })
  })
  writeFileSync(file, `${lines.join('\n')}\n`)
}

function valuesOf({ code, name, group, brand, description, rate }: SampleItem): object {
  return {
    item_code: code,
    item_name: name,
    item_group: group,
    stock_uom: 'Nos',
    brand,
    description,
    standard_rate: rate / 10_000,
    is_stock_item: true,
  }
}
