import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type FaultAccount, verdictOf, verdictOfAll } from '../../cli/chaos/account.ts'
import { ask } from '../../cli/chaos/ask.ts'
import { createLoad, type Load } from '../../cli/chaos/load.ts'
import { learnRecipes, type Recipe, type Send } from '../../cli/chaos/recipes.ts'
import { noneSeen } from '../../cli/chaos/seen.ts'
import { tally } from '../../cli/chaos/tally.ts'
import { runSql } from '../../engine/storage/database/statements.ts'
import { openTestApp, type TestApp } from '../server/test-app.ts'

/* What `svc chaos` writes and how it judges; tests/cli/chaos.deep.test.ts does it whole. */

const chaos = suite('the clients of svc chaos')

let app: TestApp
let server: Server
let url = ''
let send: Send
let recipes: readonly Recipe[]
let load: Load

chaos.before(async () => {
  app = await openTestApp({ settings: { rateLimit: false } })
  server = app.app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  send = (request) => ask(url, app.keys.admin, request)
})
chaos.after(async () => {
  server.close()
  server.closeAllConnections()
  await app.close()
})

/** Changes the database past the engine, as no fault may. */
function change(text: string, values: readonly unknown[]): Promise<unknown> {
  return app.engine.services.database.write((tx) => runSql(tx, text, values as never))
}

chaos('find out from the definitions alone what may be written', async () => {
  const { registry: whole } = app.engine.services
  const own = ['gadgets', 'parcels']
  const registry = { ...whole, all: whole.all.filter(({ slug }) => own.includes(slug)) }
  recipes = await learnRecipes({ registry, send, prefix: 'test', most: 100, patienceMs: 60_000 })
  const gadget = recipes.find(({ slug }) => slug === 'gadgets')
  assert.is(gadget?.marker, 'code', 'the name of each is its marker')
  assert.equal([gadget?.submits, gadget?.removes, gadget?.changes], [false, true, 'title'])
  const parcel = recipes.find(({ slug }) => slug === 'parcels')
  assert.equal(
    [parcel?.marker, parcel?.submits, parcel?.cancels, parcel?.removes],
    ['receiver', true, true, true],
  )
})

chaos('write, and find all that they were told of', async () => {
  const { admin: apiKey } = app.keys
  load = createLoad({ apiKey, recipes, seed: 1, prefix: 'test', urls: () => [url] })
  load.start()
  while (load.seen().acknowledged < 60) await sleep(5)
  await load.stop()
  assert.is(await load.settle(), 0)
  assert.equal(load.problems(), [])
  const { known, found, lost, twice } = await tally(load, send)
  assert.ok(known > 10, `${known} documents`)
  assert.equal([found, lost, twice], [known, [], []])
})

chaos('tell what is lost, torn, back from the dead, or there twice', async () => {
  const there = load.documents().filter(({ isRemoved, id }) => !isRemoved && id !== undefined)
  const gadgets = there.filter(({ recipe }) => recipe.slug === 'gadgets')
  const parcels = there.filter(({ recipe }) => recipe.slug === 'parcels')
  const [gone, changed, alive] = gadgets
  const [torn, one, other] = parcels
  assert.ok(gone && changed && alive && torn && one && other, 'enough was written')
  await change('delete from gadgets where name = ?', [gone.id])
  changed.text = 'as it was answered'
  alive.isRemoved = true
  await change('update parcels set docstatus = ? where name = ?', [
    torn.docstatus === 2 ? 1 : 2,
    torn.id,
  ])
  await change('update parcels set receiver = ? where name = ?', [one.marker, other.id])
  one.wasOpen = true
  for (const document of [gone, changed, alive, torn, one, other]) document.isChecked = false
  const { known, found, lost, twice } = await tally(load, send)
  assert.equal([known, found], [6, 1])
  const told = lost.join('\n')
  assert.match(told, new RegExp(`/v1/gadgets/${gone.id} was answered, and is not there`))
  assert.match(told, /title is .*the answer said "as it was answered"/)
  assert.match(told, new RegExp(`/v1/gadgets/${alive.id} was removed, and is there`))
  assert.match(told, /docstatus is \d, the answer said \d/)
  assert.match(told, /receiver is /)
  assert.equal(twice, [`parcels ${one.marker} is there 2 times`])
})

chaos('nothing lost is held, a 500 is not, and what was not done is no part of the verdict', () => {
  const nothing = { lost: 0, twice: 0, problems: [] }
  const seen = noneSeen()
  assert.is(verdictOf(nothing, seen), 'held')
  assert.is(verdictOf({ ...nothing, lost: 1 }, seen), 'lost')
  assert.is(verdictOf({ ...nothing, twice: 1 }, seen), 'lost')
  assert.is(verdictOf({ ...nothing, problems: ['slow'] }, seen), 'failed')
  assert.is(verdictOf(nothing, { ...seen, wrong: 1 }), 'failed')
  const account = (verdict: FaultAccount['verdict']): FaultAccount => ({
    fault: 'kill',
    verdict,
    did: '',
    saw: seen,
    known: 0,
    found: 0,
    ...nothing,
    recovered_ms: null,
  })
  const clean = { before: 3, after: 3, worse: [] }
  assert.is(verdictOfAll([account('held'), account('not done')], clean), 'held')
  assert.is(verdictOfAll([account('held'), account('failed')], clean), 'failed')
  assert.is(verdictOfAll([account('failed'), account('lost')], clean), 'lost')
  assert.is(verdictOfAll([account('held')], { ...clean, worse: ['Customer.outstanding'] }), 'lost')
})

chaos.run()
