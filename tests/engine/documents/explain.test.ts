import { appendFileSync } from 'node:fs'
import * as assert from 'uvu/assert'
import { explainField } from '../../../engine/documents/explain/explain.ts'
import type { Explanation } from '../../../engine/documents/explain/explanation.ts'
import { forEachDatabase } from '../../helpers/databases.ts'
import { openWorkspace, refusal, type Workspace } from './workspace.ts'

/** Every internal name begins with it. */
const MARK = 'inner_'

const DOCTYPES = `
doctype: Hive
module: stock
tier: free
naming: field:code
title: label
fields:
  code: {type: data, required: true}
  label: {type: data}
  keeper: {type: data}
  rate: {type: currency, default: 2.5}
  honey: {type: float, rollup: {from: Harvest.jars, match: hive, sum: litres, where: parent.docstatus == 1}}
  harvests: {type: int, rollup: {from: Harvest, match: hive, count: true, where: docstatus == 1}}
  last_day: {type: date, rollup: {from: Harvest, match: hive, max: day, where: docstatus == 1}}
  inner_worth: {type: currency, internal: true, rollup: {from: Harvest, match: hive, sum: inner_total, where: docstatus == 1}}
  inner_debt: {type: currency, internal: true, formula: inner_worth * 0.1}
  worth: {type: currency, formula: inner_worth - inner_debt}
  kept: {type: float, rollup: {from: Comb Book, match: hive, sum: combs}}
---
doctype: Harvest
module: stock
tier: free
submittable: true
naming: "HV-{YYYY}-{###}"
fields:
  hive: {type: link, options: Hive, required: true}
  day: {type: date, default: today()}
  label: {type: data, fetch: hive.label}
  keeper: {type: data, fetch: {from: hive.keeper, when: empty}}
  mood: {type: select, options: [calm, wild], default: calm}
  tariff: {type: currency, default: hive.rate}
  inner_rate: {type: currency, internal: true, fetch: hive.rate}
  inner_double: {type: currency, internal: true, formula: inner_rate * 2}
  jars:
    type: table
    options: Harvest Jar
    fields:
      hive: {type: link, options: Hive, default: parent.hive}
      litres: {type: float}
      price: {type: currency, formula: litres * parent.inner_double}
  inner_total: {type: currency, internal: true, formula: "jars.sum(j, j.price)"}
  total: {type: currency, formula: inner_total}
  litres: {type: float, formula: "jars.filter(j, has(j.hive)).sum(j, j.litres)"}
  best: {type: data, lookup: {from: Hive, where: 'keeper == this.keeper && name != this.hive', latest: rate, value: label}}
  others: {type: float, lookup: {from: Harvest.jars, where: 'hive == this.hive && document.name != this.name', sum: litres}}
  rate_then: {type: currency, lookup: {from: Hive, match: hive, value: rate, at: submit}}
  paid: {type: currency}
  paid_at: {type: datetime, readOnly: true}
  booked: {type: check, readOnly: true}
effects:
  submit:
    - post: Comb Book
      date: day
      rows: [{each: jars, as: j, set: {hive: j.hive, combs: j.litres}}]
    - set: {booked: "true"}
actions:
  pay: {input: {amount: {type: currency}}, when: docstatus == 1, steps: [{set: {paid: input.amount}}]}
events:
  paid: {when: paid > 0 && paid >= total, set: {paid_at: now()}}
status:
  field: status
  derive:
    Draft: docstatus == 0
    Cancelled: docstatus == 2
    Late: paid < total && day < today()
    Settled: paid >= inner_total
    Open: "true"
---
doctype: Comb Book
module: stock
tier: free
naming: uuid
ledger: {negate: [combs]}
fields:
  posting_date: {type: date}
  hive: {type: link, options: Hive}
  combs: {type: float}
`

type Input = readonly [field: string, value: unknown]

forEachDatabase('an explanation', ({ test, create }) => {
  let workspace: Workspace
  let first: string
  let second: string

  test.before(async () => {
    workspace = await openWorkspace(await create(), DOCTYPES)
    await workspace.create('Hive', { code: 'A', label: 'Apple tree', keeper: 'Ann' })
    await workspace.create('Hive', { code: 'B', label: 'Brook', keeper: 'Ann', rate: 4 })
    first = await harvest([3, 1.5])
    second = await harvest([2])
  })
  test.after(() => workspace.close())

  async function harvest(litres: readonly number[]): Promise<string> {
    const jars = litres.map((one) => ({ litres: one }))
    const { id } = await workspace.create('Harvest', { hive: 'A', jars })
    return (await workspace.submit('Harvest', id)).id
  }

  async function explained(
    doctype: string,
    id: string,
    field: string,
    { depth = 1, limit = 20, cursor }: { depth?: number; limit?: number; cursor?: string } = {},
  ): Promise<Explanation> {
    const query = { depth, limit, cursor }
    const context = workspace.context()
    return explainField(context, workspace.definition(doctype), id, field, query)
  }

  const inputsOf = ({ inputs }: Explanation): Input[] =>
    inputs.map(({ field, value }) => [field, value])
  const recordsOf = ({ records = [] }: Explanation) => records.map(({ id, value }) => [id, value])

  test('of a formula has the values in it, and its text and line', async () => {
    const { record } = await workspace.get('Harvest', first)
    const [{ row_id }] = record.jars as [{ row_id: string }]
    const byId = await explained('Harvest', first, `jars.${row_id}.price`)
    assert.is(byId.field, `jars.${row_id}.price`)
    assert.is(byId.label, 'Price')
    assert.is(byId.value, 15)
    assert.is(byId.how, 'formula')
    assert.is(byId.at, undefined)
    assert.equal(inputsOf(byId), [
      ['jars[0].litres', 3],
      ['hive.rate', 2.5],
    ])
    assert.is(byId.where?.text, 'litres * (parent.hive.rate * 2)')
    assert.match(byId.where?.file ?? '', /doctype-1\.yaml$/)
    const line = DOCTYPES.split('---')[1]!
      .trim()
      .split('\n')
      .findIndex((one) => one.includes('price:'))
    assert.is(byId.where?.line, line + 1)
    const byPlace = await explained('Harvest', first, 'jars[1].price')
    assert.equal([byPlace.value, inputsOf(byPlace)[0]], [7.5, ['jars[1].litres', 1.5]])
  })

  test('of a formula over rows has all of them, in pages', async () => {
    const all = await explained('Harvest', first, 'litres')
    assert.is(all.value, 4.5)
    assert.equal(inputsOf(all), [
      ['jars[0].hive', 'A'],
      ['jars[1].hive', 'A'],
      ['jars[0].litres', 3],
      ['jars[1].litres', 1.5],
    ])
    const page = await explained('Harvest', first, 'litres', { limit: 3 })
    assert.is(page.inputs.length, 3)
    const { next_cursor: cursor } = page
    assert.ok(cursor)
    const rest = await explained('Harvest', first, 'litres', { limit: 3, cursor: cursor! })
    assert.equal(inputsOf(rest), [['jars[1].litres', 1.5]])
    assert.is(rest.next_cursor, undefined)
    const other = explained('Harvest', first, 'total', { cursor: cursor! })
    assert.is((await refusal(other)).code, 'VALIDATION_ERROR')
  })

  test('of a rollup has the rows that add up to it, over all pages', async () => {
    const honey = await explained('Hive', 'A', 'honey')
    assert.equal([honey.value, honey.how, honey.inputs], [6.5, 'rollup', []])
    assert.is(
      honey.where?.text,
      'from: Harvest.jars, match: hive, sum: litres, where: parent.docstatus == 1',
    )
    assert.equal(recordsOf(honey), [
      [first, 3],
      [first, 1.5],
      [second, 2],
    ])
    const seen: unknown[] = []
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const page: Explanation = await explained('Hive', 'A', 'honey', { limit: 1, cursor })
      seen.push(...recordsOf(page))
      cursor = page.next_cursor
    }
    assert.equal(seen, recordsOf(honey))
    assert.equal(recordsOf(await explained('Hive', 'A', 'harvests')), [
      [first, 1],
      [second, 1],
    ])
    assert.equal(recordsOf(await explained('Hive', 'B', 'honey')), [])
    const last = await explained('Hive', 'A', 'last_day')
    assert.equal(recordsOf(last), [
      [first, '2026-03-09'],
      [second, '2026-03-09'],
    ])
    assert.equal(honey.records?.[0], { resource: 'harvests', id: first, title: first, value: 3 })
  })

  test('looks through internal fields, and names none', async () => {
    const worth = await explained('Hive', 'A', 'worth', { depth: 5 })
    assert.is(worth.value, 29.25)
    assert.is(worth.where?.text, 'Harvest - (Harvest * 0.1)')
    assert.equal(inputsOf(worth), [['Harvest', 32.5]])
    const { explain } = worth.inputs[0]!
    assert.is(explain?.how, 'rollup')
    assert.equal(recordsOf(explain!), [
      [first, 22.5],
      [second, 10],
    ])
    const few = await explained('Hive', 'A', 'worth', { limit: 1 })
    assert.equal(few.inputs[0]?.explain?.records?.[1], {
      resource: null,
      id: null,
      title: '1 more',
      value: 10,
    })
    for (const field of ['total', 'status', 'jars[0].price', 'others', 'best', 'label'])
      assert.not.match(JSON.stringify(await explained('Harvest', first, field, { depth: 5 })), MARK)
    assert.not.match(JSON.stringify(worth), MARK)
    const error = await refusal(explained('Hive', 'A', 'inner_worth'))
    assert.is(error.code, 'NOT_FOUND')
  })

  test('of a fetched value names the record, and when it was taken', async () => {
    workspace.clock.time += 60_000
    const submitted = new Date(workspace.clock.time).toISOString()
    const id = await harvest([1])
    workspace.clock.time += 60_000
    await workspace.update('Hive', 'A', { label: 'Apricot tree' })
    const label = await explained('Harvest', id, 'label')
    assert.equal([label.value, label.how, label.at], ['Apple tree', 'fetch', submitted])
    assert.is(label.where?.text, 'hive.label')
    assert.equal(inputsOf(label), [['hive', 'A']])
    assert.equal(label.records, [
      { resource: 'hives', id: 'A', title: 'Apricot tree', value: 'Apple tree' },
    ])
    await workspace.update('Hive', 'A', { label: 'Apple tree' })
    await workspace.cancel('Harvest', id)
    assert.is((await explained('Harvest', id, 'label')).at, submitted)
  })

  test('tells a proposal from what somebody sent', async () => {
    const { id } = await workspace.create('Harvest', { hive: 'A', keeper: 'Bob', tariff: 9 })
    assert.is((await explained('Harvest', id, 'keeper')).how, 'entered')
    assert.is((await explained('Harvest', first, 'keeper')).how, 'fetch')
    assert.is((await explained('Harvest', id, 'tariff')).how, 'entered')
    const tariff = await explained('Harvest', first, 'tariff')
    assert.equal([tariff.how, inputsOf(tariff)], ['default', [['hive.rate', 2.5]]])
    const mood = await explained('Harvest', first, 'mood')
    assert.equal([mood.how, mood.where?.text], ['default', 'calm'])
    const day = await explained('Harvest', first, 'day')
    assert.equal([day.how, day.where?.text], ['default', 'today()'])
    await workspace.remove('Harvest', id)
  })

  test('of an entered value tells by whom and when', async () => {
    const { id, record } = await workspace.create('Harvest', { hive: 'B', keeper: 'Bob' })
    workspace.clock.time += 60_000
    const changed = new Date(workspace.clock.time).toISOString()
    await workspace.update('Harvest', id, { keeper: 'Cleo' })
    workspace.clock.time += 60_000
    await workspace.update('Harvest', id, { paid: 1 })
    const keeper = await explained('Harvest', id, 'keeper')
    assert.equal([keeper.how, keeper.at], ['entered', changed])
    assert.equal(inputsOf(keeper), [['actor', record.owner]])
    const hive = await explained('Harvest', id, 'hive')
    assert.is(hive.at, record.created)
    await workspace.remove('Harvest', id)
  })

  test('of a look-up names what it found, while it would find it again', async () => {
    const best = await explained('Harvest', first, 'best')
    assert.equal([best.value, best.how, recordsOf(best)], ['Brook', 'lookup', [['B', 'Brook']]])
    assert.equal(inputsOf(best), [
      ['keeper', 'Ann'],
      ['hive', 'A'],
    ])
    const others = await explained('Harvest', second, 'others')
    assert.equal(
      [others.value, recordsOf(others)],
      [
        4.5,
        [
          [first, 3],
          [first, 1.5],
        ],
      ],
    )
    const rate = await explained('Harvest', first, 'rate_then')
    assert.equal([rate.value, recordsOf(rate)], [2.5, [['A', 2.5]]])
    await workspace.update('Hive', 'B', { label: 'Brookside' })
    const since = await explained('Harvest', first, 'best')
    assert.equal([since.value, since.how, since.records], ['Brook', 'lookup', undefined])
    assert.ok(since.at)
    await workspace.update('Hive', 'B', { label: 'Brook' })
  })

  test('of a status has the condition that held, and the day', async () => {
    const open = await explained('Harvest', first, 'status')
    assert.equal([open.value, open.how, open.where?.text], ['Open', 'status', 'true'])
    workspace.clock.time += 86_400_000
    // Nothing has been written since: it is still what the last change made it.
    const stale = await explained('Harvest', first, 'status')
    assert.equal([stale.value, stale.where?.text], ['Open', 'true'])
    const { record } = await workspace.get('Harvest', first)
    assert.is(stale.at, record.modified)
    await workspace.act('Harvest', first, 'pay', { amount: 1 })
    const late = await explained('Harvest', first, 'status')
    assert.equal([late.value, late.where?.text], ['Late', 'paid < total && day < today()'])
    assert.equal(inputsOf(late), [
      ['paid', 1],
      ['total', 22.5],
      ['day', '2026-03-09'],
      ['today()', '2026-03-10'],
    ])
    await workspace.act('Harvest', first, 'pay', { amount: 22.5 })
    const settled = await explained('Harvest', first, 'status')
    assert.equal(
      [settled.value, settled.where?.text],
      ['Settled', 'paid >= (jars.sum(j, j.price))'],
    )
  })

  test('of what steps and events set says which', async () => {
    const paidAt = await explained('Harvest', first, 'paid_at')
    assert.equal([paidAt.how, paidAt.where?.text], ['formula', 'now()'])
    assert.is(paidAt.at, new Date(workspace.clock.time).toISOString())
    const booked = await explained('Harvest', first, 'booked')
    assert.equal([booked.how, booked.where?.text], ['formula', 'true'])
  })

  test('of a sum over a ledger leads to its rows, and from these to the documents', async () => {
    const kept = await explained('Hive', 'A', 'kept', { limit: 100 })
    const sum = kept.records!.reduce((all, { value }) => all + Number(value), 0)
    assert.is(sum, kept.value)
    const { resource, id, title, value } = kept.records![0]!
    assert.equal([resource, title, value], ['comb-books', `Harvest ${first}`, 3])
    const combs = await explained('Comb Book', id!, 'combs')
    assert.equal([combs.value, combs.how], [3, 'formula'])
    assert.is(combs.where?.text, 'j.litres')
    assert.match(combs.where?.file ?? '', /doctype-1\.yaml$/)
    assert.equal(combs.records, [{ resource: 'harvests', id: first, title: first, value: 3 }])
    const mirror = kept.records!.find((one) => Number(one.value) < 0)
    const back = await explained('Comb Book', mirror!.id!, 'combs')
    assert.equal([back.how, back.records?.[0]?.resource], ['fetch', 'comb-books'])
  })

  test('of a name has its series', async () => {
    const name = await explained('Harvest', first, 'name')
    assert.equal([name.value, name.how, name.where?.text], [first, 'series', 'HV-{YYYY}-{###}'])
    const code = await explained('Hive', 'A', 'id')
    assert.equal([code.value, code.how, inputsOf(code)], ['A', 'series', [['code', 'A']]])
  })

  test('of inputs comes with depth', async () => {
    const flat = await explained('Harvest', first, 'litres')
    assert.ok(flat.inputs.every(({ explain }) => explain === undefined))
    const { inputs } = await explained('Harvest', first, 'litres', { depth: 2 })
    assert.is(inputs[2]?.explain?.how, 'entered')
  })

  test('of a field there is not is refused with the one that may be meant', async () => {
    for (const [field, meant] of [
      ['totl', 'total'],
      ['jar[0].price', 'jars'],
      ['jars[0].pric', 'price'],
    ] as const) {
      const error = await refusal(explained('Harvest', first, field))
      assert.is(error.code, 'NOT_FOUND', field)
      assert.match(error.message, `did you mean ${meant}?`)
    }
    for (const field of ['jars[7].price', 'jars.nothing.price', 'jars.price', '', 'total.x'])
      assert.is((await refusal(explained('Harvest', first, field))).code, 'NOT_FOUND', field)
  })

  test('has no line once the file is another one', async () => {
    const definition = workspace.definition('Harvest')
    appendFileSync(definition.files[0]!, '\n# later\n')
    assert.is((await explained('Harvest', first, 'total')).where?.line, null)
  })
})
