/*
 * The yardstick: a server for `items` alone, as a good engineer writes it with Express, ajv and
 * better-sqlite3, without an engine. It works on a copy of the workspace's own database, so tables, columns
 * and indexes are the same, and it answers with the same bytes. With endpoints it delivers webhooks too. As the floor
 * it is node:http alone.
 *
 * node hand-written.ts DATABASE full|normal group|single|floor [ENDPOINTS.json]
 */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createHandWrittenApp } from './hand-written/app.ts'
import { commitAlone, commitTogether } from './hand-written/commit.ts'
import { openDatabase } from './hand-written/database.ts'
import { createOutbox, type Endpoint } from './hand-written/deliveries.ts'
import { createFloor } from './hand-written/floor.ts'
import { itemStore } from './hand-written/items.ts'

const [file = '', durability = 'full', commit = 'group', endpoints] = process.argv.slice(2)
const database = openDatabase(file, durability === 'full')
const write = commit === 'single' ? commitAlone(database) : commitTogether(database)
const outbox =
  endpoints === undefined
    ? undefined
    : createOutbox(database, write, JSON.parse(readFileSync(endpoints, 'utf8')) as Endpoint[])
const items = itemStore(database, outbox)
const server = createServer(
  commit === 'floor'
    ? createFloor(database, items, write)
    : createHandWrittenApp(database, items, write, outbox),
)

server.listen(0, '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
process.on('SIGTERM', () => {
  server.close(() => {
    database.close()
    process.exit(0)
  })
  server.closeIdleConnections()
})
