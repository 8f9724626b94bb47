import * as assert from 'uvu/assert'
import { forEachDatabase } from '../../helpers/databases.ts'
import { invalid, openWorkspace, type Workspace } from './workspace.ts'

const DOCTYPES = `
doctype: Calendar
module: hr
tier: free
naming: field:title
fields:
  title: {type: data, required: true}
  opens: {type: date}
  days:
    type: table
    options: Calendar Day
    fields:
      day: {type: date, required: true}
      half: {type: check}
      note: {type: data}
---
doctype: Absence
module: hr
tier: free
submittable: true
naming: "ABS-{###}"
fields:
  person: {type: data, required: true, filterable: true}
  calendar: {type: link, options: Calendar}
  from_date: {type: date, required: true}
  to_date: {type: date, required: true}
  cost: {type: currency}
  rooms:
    type: table
    options: Absence Room
    fields:
      room: {type: data}
      others: {type: int, lookup: {from: Absence.rooms, where: 'room == this.room && document.name != parent.name', count: true}}
  holidays:
    type: float
    scale: 1
    lookup: {from: Calendar.days, where: 'document.name == this.calendar && day >= this.from_date && day <= this.to_date', sum: 'half ? 0.5 : 1'}
  last_note: {type: data, lookup: {from: Calendar.days, where: 'document.title == this.calendar', value: note, latest: day}}
  eve: {type: link, options: Calendar.days, lookup: {from: Calendar.days, where: 'document.name == this.calendar && half', value: row_id}}
  opens: {type: date, lookup: {from: Calendar.days, where: 'document.name == this.calendar && !half', value: document.opens}}
  overlaps:
    type: int
    hidden: true
    lookup: {from: Absence, where: 'person == this.person && name != this.name && from_date <= this.to_date && to_date >= this.from_date', count: true}
  overlap_days:
    type: int
    lookup: {from: Absence, where: 'person == this.person && name != this.name && from_date <= this.to_date && to_date >= this.from_date', sum: 'days_between(to_date < this.to_date ? to_date : this.to_date, from_date > this.from_date ? from_date : this.from_date) + 1'}
  cancelled: {type: int, lookup: {from: Absence, where: 'person == this.person && docstatus == 2', count: true}}
  spent: {type: currency, lookup: {from: Absence, where: 'person == this.person && name != this.name', sum: cost * 2, at: always}}
  first: {type: date, lookup: {from: Absence, where: 'person == this.person && name != this.name', min: from_date, at: create}}
  dearest: {type: currency, lookup: {from: Absence, where: 'person == this.person && name != this.name', max: cost, at: submit}}
  note: {type: data}
actions:
  remark:
    steps: [{set: {note: '"seen"'}}]
validate:
  - {check: overlaps == 0 || note == "double", field: from_date, message: is absent already}
`

type Row = Readonly<Record<string, unknown>>

forEachDatabase('a lookup over what a condition finds', ({ test, create }) => {
  let workspace: Workspace
  test.before(async () => {
    workspace = await openWorkspace(await create(), DOCTYPES)
    await workspace.create('Calendar', {
      title: 'DE',
      opens: '2026-01-02',
      days: [
        { day: '2026-12-24', half: true, note: 'eve' },
        { day: '2026-12-25', note: 'first' },
        { day: '2026-12-26', note: 'second' },
      ],
    })
    await workspace.create('Calendar', { title: 'FR', days: [{ day: '2026-12-25' }] })
  })
  test.after(() => workspace.close())

  const absence = async (body: object): Promise<Row> =>
    (await workspace.create('Absence', body)).record
  const change = async (id: unknown, body: object): Promise<Row> =>
    (await workspace.update('Absence', String(id), body)).record

  test('adds up rows of a table of the record it names, and gives 0 where there are none', async () => {
    const dates = { from_date: '2026-12-24', to_date: '2026-12-25' }
    const record = await absence({ person: 'H', calendar: 'DE', ...dates })
    assert.is(record.holidays, 1.5)
    assert.is((await change(record.id, { to_date: '2026-12-31' })).holidays, 2.5)
    assert.is((await change(record.id, { calendar: 'FR' })).holidays, 1)
    assert.is((await change(record.id, { calendar: null })).holidays, 0)
  })

  test('reads one row of a table, the latest, and a field of its document', async () => {
    const dates = { from_date: '2026-01-01', to_date: '2026-01-01' }
    const record = await absence({ person: 'R', calendar: 'DE', ...dates })
    assert.equal([record.last_note, record.opens], ['second', '2026-01-02'])
    const other = await change(record.id, { calendar: 'FR' })
    assert.equal([other.last_note, other.opens], [null, null])
  })

  test('finds the row itself, to link to it', async () => {
    const dates = { from_date: '2026-01-01', to_date: '2026-01-01' }
    const record = await absence({ person: 'E', calendar: 'DE', ...dates })
    const { days } = (await workspace.get('Calendar', 'DE')).record
    assert.is(record.eve, (days as readonly Row[])[0]!.row_id)
    assert.is((await change(record.id, { calendar: null })).eve, null)
  })

  test('counts what overlaps, without the record itself and without what is cancelled', async () => {
    const one = await absence({ person: 'O', from_date: '2026-05-04', to_date: '2026-05-08' })
    assert.equal([one.overlaps, one.overlap_days], [0, 0])
    assert.is((await change(one.id, { to_date: '2026-05-09' })).overlaps, 0)
    const body = { person: 'O', from_date: '2026-05-08', to_date: '2026-05-12' }
    await invalid(['from_date'], absence(body))
    const two = await absence({ ...body, note: 'double' })
    // 8 and 9 May.
    assert.equal([two.overlaps, two.overlap_days], [1, 2])
    await change(one.id, { note: 'double' })
    await workspace.submit('Absence', String(one.id))
    await workspace.cancel('Absence', String(one.id))
    const again = await change(two.id, { note: null })
    assert.equal([again.overlaps, again.cancelled], [0, 1])
  })

  test('sees what the same transaction has written', async () => {
    const definition = workspace.definition('Absence')
    const body = { person: 'T', from_date: '2026-06-01', to_date: '2026-06-02' }
    const { createTogether } = await import('../../../engine/documents/operations/save.ts')
    await invalid(
      ['from_date'],
      createTogether(workspace.context(), [
        { definition, body },
        { definition, body },
      ]),
    )
  })

  test('gives sums of money, extremes, and nothing for extremes of nothing', async () => {
    const day = (n: number) => ({ from_date: `2026-07-0${n}`, to_date: `2026-07-0${n}` })
    const one = await absence({ person: 'M', cost: 10.05, ...day(3) })
    assert.equal([one.first, one.dearest, one.spent], [null, null, 0])
    await absence({ person: 'M', cost: 20.1, ...day(2) })
    const last = await absence({ person: 'M', cost: 1, ...day(4) })
    assert.equal([last.first, last.dearest, last.spent], ['2026-07-02', null, 60.3])
    const done = (await workspace.submit('Absence', String(last.id))).record
    assert.is(done.dearest, 20.1)
    await change(one.id, { cost: 30 })
    // at: always goes on after the submit, at: submit does not.
    const noted = (await workspace.act('Absence', String(last.id), 'remark')).record
    assert.equal([noted.spent, noted.dearest], [100.2, 20.1])
    const over = (await workspace.cancel('Absence', String(last.id))).record
    assert.is(over.spent, 100.2)
  })

  test('counts from a row of the record, with its document as parent', async () => {
    const day = { from_date: '2026-08-01', to_date: '2026-08-01' }
    await absence({ person: 'A', ...day, rooms: [{ room: 'blue' }, { room: 'red' }] })
    const record = await absence({ person: 'B', ...day, rooms: [{ room: 'blue' }, {}] })
    const others = (record.rooms as readonly Row[]).map((row) => row.others)
    assert.equal(others, [1, 0])
  })
})
