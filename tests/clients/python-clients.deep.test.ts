import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { ENTRY, readFirstRun } from '../cli/process.ts'
import { requestsOf } from '../server/reference/samples.ts'
import { pythonJudge } from './judges.ts'
import { openShop, run, type Shop, SOLD } from './shop.ts'

const HERE = import.meta.dirname

const clients = suite('clients in Python that others have made')
let shop: Shop

clients.before(async () => {
  shop = await openShop()
})
clients.after(() => shop.close())

clients('of MCP has the twelve tools, sells something, and is told what is refused', () => {
  const python = join(pythonJudge('mcp'), 'python3')
  const args = [join(HERE, 'mcp_client.py'), process.execPath, ENTRY, shop.server.url, shop.key]
  const told = run(shop.folder, python, args)
  assert.match(told, '12 2 [True, True, True]')
  assert.match(told, SOLD)
})

clients('of Frappe (PyPI) reads, writes, submits, cancels and deletes', () => {
  const python = join(pythonJudge('frappe'), 'python3')
  const { user, password } = readFirstRun(shop.folder)
  const args = [join(HERE, 'frappe_client.py'), shop.server.url, user, password]
  const told = run(shop.folder, python, args)
  assert.match(told, SOLD)
  assert.match(told, 'https://frappe.example []')
})

clients('of /docs run as they stand: what it shows in Python', async () => {
  const python = join(pythonJudge('frappe'), 'python3')
  const asked = await requestsOf(shop.server, '/docs/resources/items', shop.key)
  const reads = asked.python.filter((text) => text.includes('"GET"'))
  assert.ok(reads.length >= 2)
  for (const program of reads) assert.match(run(shop.folder, python, ['-c', program]), /^200 /)
})

clients.run()
