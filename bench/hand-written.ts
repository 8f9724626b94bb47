/*
 * The yardstick: a server for `items` alone, as a good engineer writes it with Express, ajv and
 * better-sqlite3, without an engine. It works on a copy of the workspace's own database, so tables, columns
 * and indexes are the same, and it answers with the same bytes.
 *
 * node hand-written.ts DATABASE full|normal group|single
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createHandWrittenApp } from './hand-written/app.ts'
import { commitAlone, commitTogether } from './hand-written/commit.ts'
import { openDatabase } from './hand-written/database.ts'
import { itemStore } from './hand-written/items.ts'

const [file = '', durability = 'full', commit = 'group'] = process.argv.slice(2)
const database = openDatabase(file, durability === 'full')
const write = commit === 'group' ? commitTogether(database) : commitAlone(database)
const server = createServer(createHandWrittenApp(database, itemStore(database), write))

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
