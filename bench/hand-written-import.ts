/*
 * The yardstick of `svc import`: a program that imports customers alone from a CSV file, as a good engineer
 * writes it with csv-parse and better-sqlite3, into a copy of the workspace's own database.
 *
 * node hand-written-import.ts FILE.csv DATABASE full|normal
 */
import { createReadStream } from 'node:fs'
import { parse } from 'csv-parse'
import type { CustomerCells } from './hand-written/customer.ts'
import { customerImport } from './hand-written/customers.ts'
import { openDatabase } from './hand-written/database.ts'

/** Lines that share a transaction. */
const BATCH = 500

const [csv = '', file = '', durability = 'full'] = process.argv.slice(2)
const database = openDatabase(file, durability === 'full')
const customers = customerImport(database)
const counts = { created: 0, failed: 0 }
let batch: CustomerCells[] = []

function flush(): void {
  const failed = customers.write(batch)
  counts.failed += failed
  counts.created += batch.length - failed
  batch = []
}

for await (const cells of createReadStream(csv).pipe(parse({ columns: true, bom: true }))) {
  batch.push(cells)
  if (batch.length === BATCH) flush()
}
if (batch.length > 0) flush()
database.close()
console.log(JSON.stringify(counts))
