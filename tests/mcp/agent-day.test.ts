import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Folder, readFirstRun, type Served, serve, temporaryFolder } from '../cli/process.ts'
import { blocksOf, EXAMPLES, shellIn, withPackages } from '../examples/example.ts'
import { prepareStarted } from '../helpers/prepared-start.ts'

const day = suite('docs/examples/agent-day')
let folder: Folder
let served: Served

day.before(async () => {
  folder = temporaryFolder()
  await prepareStarted(folder.path)
  served = await serve(folder.path)
})
day.after(async () => {
  await served.end()
  folder.remove()
})

day('answers a lead with a quotation and an invoice, with tools alone', async () => {
  const headers = {
    'Content-Type': 'application/json',
    'X-API-Key': readFirstRun(folder.path).admin_key,
  }
  const post = (resource: string, data: object) =>
    fetch(`${served.url}/v1/${resource}`, { method: 'POST', headers, body: JSON.stringify(data) })
  await post('leads', { lead_name: 'Blue Bikes', email_id: 'hello@bluebikes.example' })
  await post('items', { item_code: 'BELL-01', item_name: 'Bell', standard_rate: 12.5 })
  const example = join(folder.path, 'agent-day')
  cpSync(join(EXAMPLES, 'agent-day'), example, { recursive: true })
  withPackages(example)
  const steps = blocksOf('agent-day', 'sh').join('').replace('http://127.0.0.1:8000', served.url)
  const [stdout = ''] = await shellIn(example, folder.path)([steps], { SVC_DATA: folder.path })
  assert.match(stdout, /^a quotation needs .*items$/m)
  assert.match(stdout, /^Blue Bikes waits for an answer; Bell is what we sell$/m)
  assert.match(stdout, /^QTN-\S+ went to Blue Bikes: 37\.5 USD, Open$/m)
  assert.match(stdout, /^SINV-\S+ is due on \d{4}-\d\d-\d\d: 37\.5 USD, Unpaid$/m)
  assert.match(stdout, /^changing SINV-\S+ now: .*submitted/m)
  const happened = stdout.split('today:\n')[1]?.match(/[a-z-]+\.[a-z]+/g)
  assert.equal(happened?.slice(0, 9), [
    'leads.updated',
    'customers.created',
    'leads.updated',
    'leads.converted',
    'quotations.created',
    'quotations.submitted',
    'leads.updated',
    'sales-invoices.created',
    'sales-invoices.submitted',
  ])
  const invoices = await fetch(`${served.url}/v1/sales-invoices`, { headers })
  const { data } = (await invoices.json()) as { data: { docstatus: number; grand_total: number }[] }
  assert.equal(
    data.map(({ docstatus, grand_total }) => [docstatus, grand_total]),
    [[1, 37.5]],
  )
})

day.run()
