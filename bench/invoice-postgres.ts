import { openPostgresInvoices } from './hand-written/invoice-postgres.ts'
import { type Contestant, printRounds, TOGETHER, writeInvoices } from './invoice-rounds.ts'
import { engineInvoices, furnish, makeCompany, openShipped } from './invoice-sides.ts'
import type { Options } from './options.ts'

const WARM_UP = 80

/**
 * Measures invoices on PostgreSQL, the server of SVC_TEST_DATABASE_URL or one of our own: for the record, without a
 * verdict, because most of it is the server's work and the way to it.
 */
export async function measurePostgres({ rounds, seconds }: Options): Promise<void> {
  const { createTestDatabase } = await import('../tests/helpers/databases.ts')
  const sides: Contestant[] = []
  const customersOf = new Map<Contestant, string[]>()
  const removals: (() => Promise<void>)[] = []
  for (const name of ['svc', 'hand-written']) {
    const { database, remove } = await createTestDatabase('postgres')
    if (database.kind !== 'postgres') throw new Error('expected a PostgreSQL database')
    removals.push(remove)
    const engine = await openShipped(database)
    await makeCompany(engine)
    const customers = await furnish(engine)
    if (name !== 'svc') await engine.close()
    const store =
      name === 'svc' ? engineInvoices(engine) : openPostgresInvoices(database.url, TOGETHER)
    const side: Contestant = { name, store, rounds: [] }
    customersOf.set(side, customers)
    sides.push(side)
  }
  const write = (side: Contestant, from: number, count: number) =>
    writeInvoices(side.store, customersOf.get(side)!, from, count)
  let perSecond = 0
  for (const side of sides) {
    await write(side, 0, WARM_UP)
    perSecond = (await write(side, WARM_UP, WARM_UP)).perSecond
  }
  const count = TOGETHER * Math.ceil((perSecond * seconds) / TOGETHER)
  for (let round = 0, from = 2 * WARM_UP; round < rounds; round += 1, from += count) {
    process.stderr.write(`invoices, PostgreSQL, round ${round + 1} of ${rounds} …\n`)
    for (const side of round % 2 === 0 ? sides : sides.toReversed())
      side.rounds.push(await write(side, from, count))
  }
  for (const { store } of sides) await store.close()
  for (const remove of removals) await remove()
  console.log(`\nThe same on PostgreSQL, ${TOGETHER} at once, processor time of this process alone`)
  printRounds(sides)
}
