import * as assert from 'uvu/assert'
import { forEachDatabase } from '../../helpers/databases.ts'
import { eventsOf, invalid, openWorkspace, refused, type Workspace } from './workspace.ts'

const DOCTYPES = `
doctype: Team
module: hr
tier: free
naming: field:team_name
fields:
  team_name: {type: data, required: true}
  region: {type: select, options: [North, South]}
---
doctype: Worker
module: hr
tier: free
naming: field:worker_name
fields:
  worker_name: {type: data, required: true}
  team: {type: link, options: Team}
  wage: {type: currency}
  is_active: {type: check, default: true}
  place: {type: data, readOnly: true}
  moves: {type: int, default: 0}
  since: {type: date}
  until: {type: date}
  slips: {type: int, rollup: {from: Slip, match: worker, count: true, where: docstatus == 1}}
validate:
  - {check: 'place != "Moon"', field: place, message: is too far}
  - {check: 'until == "" || since <= until', field: until, message: must not be before since}
events:
  sent_south: {when: 'place == "South"'}
---
doctype: Worker Skill
module: hr
tier: free
child: true
fields:
  skill: {type: data}
---
doctype: Slip
module: hr
tier: free
submittable: true
naming: "SLIP-{####}"
fields:
  run: {type: link, options: Run}
  worker: {type: link, options: Worker, required: true}
  pay: {type: currency}
  others: {type: int, lookup: {from: Slip, where: run == this.run && worker == this.worker, count: true, at: create}}
  parts: {type: table, fields: {what: {type: data}, amount: {type: currency}}}
effects:
  submit:
    - create: Note Sheet
      set: {about: name}
      submit: true
---
doctype: Note Sheet
module: hr
tier: free
submittable: true
naming: "NS-{####}"
fields:
  about: {type: link, options: Slip}
---
doctype: Bonus
module: hr
tier: free
submittable: true
naming: "BONUS-{####}"
fields:
  worker: {type: link, options: Worker}
  day: {type: date}
  lines: {type: table, fields: {why: {type: data}, amount: {type: currency}, worker: {type: link, options: Worker}}}
---
doctype: Run
module: hr
tier: free
submittable: true
naming: "RUN-{####}"
fields:
  team: {type: link, options: Team}
  until: {type: date, default: today()}
  place: {type: data}
  people:
    type: table
    fields:
      worker: {type: link, options: Worker}
      wage: {type: currency}
      is_withheld: {type: check}
      double: {type: currency, formula: wage * 2}
  found: {type: table, readOnly: true, fields: {name_of: {type: data}, total: {type: currency}}}
  total: {type: currency, formula: "people.sum(p, p.wage)"}
actions:
  collect:
    input: {least: {type: currency, default: 0}}
    steps:
      - fill: people
        each: {from: Worker, as: w, where: [team == this.team, is_active, wage >= input.least], order: -wage}
        set: {worker: w.name, wage: w.wage}
  add_one:
    input: {worker: {type: link, options: Worker}}
    steps:
      - fill: people
        keep: true
        each: {from: Worker, as: w, where: name == input.worker, limit: 1}
        set: {worker: w.name, wage: w.wage}
  list_all:
    steps:
      - {fill: found, each: {from: Worker, as: w, order: [team, -name]}, set: {name_of: w.name}}
  bonuses:
    steps:
      - fill: found
        each: {from: Bonus.lines, as: l, where: 'document.day <= this.until && worker.team == this.team', order: [amount]}
        set: {name_of: 'concat(l.parent, " ", l.idx)', total: l.amount}
  by_worker:
    steps:
      - fill: found
        each: {from: Bonus.lines, as: g, where: document.docstatus == 1, group: [worker], sum: {total: amount}, max: {last: document.day}, if: g.total > 5}
        set: {name_of: 'concat(g.worker, " ", g.last)', total: g.total}
  by_region:
    steps:
      - fill: found
        each: {from: Worker, as: g, group: {region: team.region, active: is_active}, sum: {total: wage, people: "1"}, order: -total}
        set: {name_of: 'concat(g.region, g.active ? " yes " : " no ", g.people)', total: g.total}
  flood:
    steps:
      - {fill: found, each: {from: Run.people, as: p}, set: {total: p.wage}}
  in_all:
    steps:
      - {fill: found, each: {from: Worker, as: g, where: 'wage > 1000000', sum: {total: wage}}, set: {name_of: '"all"', total: g.total}}
effects:
  submit:
    - create: Slip
      each: {table: people, as: p, if: '!p.is_withheld'}
      set: {run: name, worker: p.worker, pay: p.wage}
      rows:
        parts:
          - each: {from: Bonus.lines, as: b, where: [worker == p.worker, 'document.docstatus == 1 || document.docstatus == 1'], order: amount}
            set: {what: b.why, amount: b.amount}
          - {set: {what: '"wage"', amount: p.wage}}
      submit: true
    - update: Worker
      each: {table: people, as: p}
      record: 'p.is_withheld ? "" : p.worker'
      set: {place: place, since: until, until: 'add_days(until, 9)'}
---
doctype: Visit
module: hr
tier: free
submittable: true
naming: "V-{####}"
fields:
  team: {type: link, options: Team}
effects:
  submit:
    - update: Worker
      each: {from: Worker, as: w, where: team == this.team}
      record: w.name
      set: {moves: record.moves + 1}
`

forEachDatabase('each', ({ test, create }) => {
  let workspace: Workspace
  test.before.each(async () => {
    workspace = await openWorkspace(await create(), DOCTYPES)
    for (const [team_name, region] of [
      ['A', 'North'],
      ['B', 'South'],
    ])
      await workspace.create('Team', { team_name, region })
    for (const [worker_name, team, wage, is_active] of [
      ['Ann', 'A', 100, true],
      ['Bob', 'A', 300, true],
      ['Cid', 'A', 200, false],
      ['Dan', 'B', 50.5, true],
      ['eve', null, null, true],
    ] as const)
      await workspace.create('Worker', { worker_name, team, wage, is_active })
  })
  test.after.each(() => workspace?.close())

  const rows = (record: object, table: string, ...fields: string[]): unknown[][] =>
    (record as Record<string, Record<string, unknown>[]>)[table]!.map((row) =>
      fields.map((field) => row[field]),
    )
  const act = async (id: string, name: string, input = {}) =>
    (await workspace.act('Run', id, name, input)).record
  const worker = async (id: string) => (await workspace.get('Worker', id)).record

  test('of a query fills a table, in the order asked for, and what follows is computed', async () => {
    const { id } = await workspace.create('Run', { team: 'A', people: [{ worker: 'Dan' }] })
    const filled = await act(id, 'collect')
    assert.equal(rows(filled, 'people', 'worker', 'wage', 'double'), [
      ['Bob', 300, 600],
      ['Ann', 100, 200],
    ])
    assert.is(filled.total, 400)
    assert.equal(rows(await act(id, 'collect', { least: 200 }), 'people', 'worker'), [['Bob']])
    const more = await act(id, 'add_one', { worker: 'Cid' })
    assert.equal(rows(more, 'people', 'worker'), [['Bob'], ['Cid']])
    assert.is(more.total, 500)
    const all = await act(id, 'list_all')
    assert.equal(rows(all, 'found', 'name_of').flat(), ['eve', 'Cid', 'Bob', 'Ann', 'Dan'])
  })

  async function bonus(day: string, ...lines: object[]): Promise<string> {
    const { id } = await workspace.create('Bonus', { day, lines })
    return (await workspace.submit('Bonus', id)).id
  }

  test('goes through rows of other records, of which cancelled ones are none', async () => {
    const first = await bonus(
      '2026-03-01',
      { why: 'x', amount: 7, worker: 'Ann' },
      { amount: 2, worker: 'Dan' },
    )
    const second = await bonus(
      '2026-03-02',
      { why: 'y', amount: 4, worker: 'Bob' },
      { amount: 3, worker: 'Ann' },
    )
    await bonus('2026-03-20', { amount: 50, worker: 'Ann' })
    const gone = await bonus('2026-03-02', { amount: 1, worker: 'Ann' })
    await workspace.cancel('Bonus', gone)
    const { id } = await workspace.create('Run', { team: 'A', until: '2026-03-09' })
    assert.equal(rows(await act(id, 'bonuses'), 'found', 'name_of', 'total'), [
      [`${second} 2`, 3],
      [`${second} 1`, 4],
      [`${first} 1`, 7],
    ])
    assert.equal(rows(await act(id, 'by_worker'), 'found', 'name_of', 'total'), [
      ['Ann 2026-03-20', 60],
    ])
  })

  test('adds up groups, by what links lead to as well', async () => {
    const { id } = await workspace.create('Run', {})
    assert.equal(rows(await act(id, 'by_region'), 'found', 'name_of', 'total'), [
      ['North yes 2', 400],
      ['North no 1', 200],
      ['South yes 1', 50.5],
      [' yes 1', 0],
    ])
    assert.equal(rows(await act(id, 'in_all'), 'found', 'name_of', 'total'), [['all', 0]])
  })

  test('makes a record for each, submitted, with rows of what it finds; a cancel takes all back', async () => {
    await bonus(
      '2026-03-01',
      { why: 'x', amount: 7, worker: 'Ann' },
      { why: 'w', amount: 2, worker: 'Ann' },
    )
    await workspace.create('Run', {})
    const { id } = await workspace.create('Run', {
      place: 'South',
      until: '2026-03-09',
      people: [
        { worker: 'Ann', wage: 100 },
        { worker: 'Bob', wage: 300 },
        { worker: 'Cid', wage: 200, is_withheld: true },
      ],
    })
    await workspace.submit('Run', id)
    const slips = (await workspace.list('Slip')).data
    assert.is(slips.length, 2)
    const slip = (await workspace.get('Slip', 'SLIP-0001')).record
    assert.equal([slip.run, slip.worker, slip.pay, slip.docstatus], [id, 'Ann', 100, 1])
    assert.equal(rows(slip, 'parts', 'what', 'amount'), [
      ['w', 2],
      ['x', 7],
      ['wage', 100],
    ])
    const ann = await worker('Ann')
    assert.equal(
      [ann.place, ann.since, ann.until, ann.slips],
      ['South', '2026-03-09', '2026-03-18', 1],
    )
    assert.equal([(await worker('Cid')).place, (await worker('Cid')).slips], [null, 0])
    assert.equal(await eventsOf(workspace, 'Bob'), ['created', 'updated', 'sent_south'])

    await workspace.cancel('Run', id)
    const back = await worker('Ann')
    assert.equal([back.place, back.since, back.until, back.slips], [null, null, null, 0])
    assert.is((await workspace.get('Slip', 'SLIP-0002')).record.docstatus, 2)
    assert.is((await workspace.get('Note Sheet', 'NS-0001')).record.docstatus, 2)
  })

  test('of an update is refused as a whole where one record does not hold or is not there', async () => {
    const people = [{ worker: 'Bob' }, { worker: 'Ann' }]
    const { id } = await workspace.create('Run', { place: 'Moon', people })
    const error = await refused('VALIDATION_ERROR', workspace.submit('Run', id))
    assert.match(error.details?.[0]?.message ?? '', 'is too far')
    assert.is((await workspace.get('Run', id)).record.docstatus, 0)
    assert.is((await worker('Bob')).slips, 0)
  })

  test('of an update cannot be undone where the value has been changed since', async () => {
    const { id } = await workspace.create('Run', { place: 'East', people: [{ worker: 'Ann' }] })
    await workspace.submit('Run', id)
    await workspace.update('Worker', 'Ann', { until: '2026-12-24' })
    const error = await refused('CONFLICT', workspace.cancel('Run', id))
    assert.match(error.message, 'until of Worker "Ann", which has been changed since')
    assert.is((await worker('Ann')).place, 'East')
    await workspace.update('Worker', 'Ann', { until: '2026-03-18' })
    await workspace.cancel('Run', id)
    assert.is((await worker('Ann')).place, null)
  })

  test('of many records cancels as one, and is held back by none of its own', async () => {
    const people = Array.from({ length: 60 }, () => ({ worker: 'Ann', wage: 1 }))
    const { id } = await workspace.create('Run', { people })
    await workspace.submit('Run', id)
    assert.is((await worker('Ann')).slips, 60)
    // Each sees the ones before it.
    assert.is((await workspace.get('Slip', 'SLIP-0060')).record.others, 59)
    const foreign = await workspace.create('Slip', { run: id, worker: 'Bob' })
    await workspace.submit('Slip', foreign.id)
    const error = await refused('CONFLICT', workspace.cancel('Run', id))
    assert.equal(
      error.linked?.map((link) => (link as { id: string }).id),
      [foreign.id],
    )
    await workspace.cancel('Slip', foreign.id)
    await workspace.cancel('Run', id)
    assert.is((await worker('Ann')).slips, 0)
  })

  test('of an update counts on from what submits at the same moment have left', async () => {
    const ids: string[] = []
    for (let at = 0; at < 6; at += 1) ids.push((await workspace.create('Visit', { team: 'A' })).id)
    await Promise.all(ids.map((id) => workspace.submit('Visit', id)))
    assert.equal([(await worker('Ann')).moves, (await worker('Bob')).moves], [6, 6])
    assert.is((await worker('Dan')).moves, 0)
  })

  test('of a submitted document fills only what callers can never write', async () => {
    const { id } = await workspace.create('Run', { team: 'A' })
    await workspace.submit('Run', id)
    await refused('CONFLICT', workspace.act('Run', id, 'collect'))
    assert.is(rows(await act(id, 'list_all'), 'found', 'name_of').length, 5)
  })

  test('takes no more rows than a table may have', async () => {
    await Promise.all(
      Array.from({ length: 500 }, (_, at) => workspace.create('Worker', { worker_name: `W${at}` })),
    )
    const { id } = await workspace.create('Run', {})
    await invalid(['found'], workspace.act('Run', id, 'list_all'))
  })

  test('goes through no more than 5,000 and says so', async () => {
    const people = Array.from({ length: 500 }, () => ({ wage: 1 }))
    let id = ''
    for (let at = 0; at < 11; at += 1) ({ id } = await workspace.create('Run', { people }))
    const error = await refused('VALIDATION_ERROR', workspace.act('Run', id, 'flood'))
    assert.match(error.details?.[0]?.message ?? '', 'more than 5000 Runs meet the condition')
  })
})
