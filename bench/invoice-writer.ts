import { join } from 'node:path'
import type * as sides from './invoice-sides.ts'

/** Work for a process that writes invoices: numbers of the first and of all, and how many at once. */
export interface Order {
  readonly from: number
  readonly count: number
  readonly together: number
}

/** What it took. */
export interface Done {
  /** Processor time of this process, in ms. */
  readonly cpuMs: number
}

/*
 * A process that creates and submits invoices with the engine of the build in a folder: `FOLDER URL [CUSTOMER…]`. Without customers it
 * furnishes the database first. It says the customers, then answers each order.
 */
const [build = '', url = '', ...known] = process.argv.slice(2)
const { engineInvoices, furnish, invoiceBody, makeCompany, openShipped } = (await import(
  join(build, 'bench', 'invoice-sides.ts')
)) as typeof sides
const engine = await openShipped({ kind: 'postgres', url })
if (known.length === 0) await makeCompany(engine)
const customers = known.length > 0 ? known : await furnish(engine)
const { create, submit, close } = engineInvoices(engine)

async function write({ from, count, together }: Order): Promise<Done> {
  let next = from
  const writer = async (): Promise<void> => {
    while (next < from + count) {
      const body = invoiceBody(next, customers)
      next += 1
      await submit(await create(body))
    }
  }
  const before = process.cpuUsage()
  await Promise.all(Array.from({ length: together }, writer))
  const { user, system } = process.cpuUsage(before)
  return { cpuMs: (user + system) / 1000 }
}

process.on('message', (order: Order) => {
  write(order).then(
    (done) => process.send!(done),
    (error: unknown) => {
      console.error(error)
      process.exit(1)
    },
  )
})
process.on('disconnect', () => void close())
process.send!(customers)
