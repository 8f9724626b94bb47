import * as assert from 'uvu/assert'
import { forEachDatabase } from '../../helpers/databases.ts'
import { openWorkspace, type Workspace } from './workspace.ts'

/* Records that exclude others of their own DocType, as their rules look for them: by a find, by a sum, by rows, by nothing that is the same. */
const SHAPES = `
doctype: Stay
module: hr
tier: free
naming: "STAY-{###}"
find:
  other: {from: Stay, where: room == this.room && name != this.name && begins <= this.ends && ends >= this.begins}
fields:
  room: {type: data, required: true, filterable: true}
  begins: {type: date, required: true}
  ends: {type: date, required: true}
validate:
  - {check: other.name == "", field: begins, message: 'the room is taken by {other.name}'}
---
doctype: Share
module: hr
tier: free
submittable: true
naming: "SHARE-{###}"
fields:
  pot: {type: data, required: true, filterable: true}
  percent: {type: int, required: true}
  others:
    type: int
    internal: true
    lookup: {from: Share, where: pot == this.pot && docstatus == 1 && name != this.name, sum: percent}
validate:
  - {check: percent + others <= 100, field: percent, message: '{others} percent are given away'}
---
doctype: Sheet
module: hr
tier: free
naming: "SHEET-{###}"
fields:
  person: {type: data, required: true, filterable: true}
  hours:
    type: table
    fields:
      day: {type: date, required: true}
      twice:
        type: int
        internal: true
        lookup:
          from: Sheet.hours
          where: document.person == parent.person && document.name != parent.name && day == this.day
          count: true
validate:
  - {each: hours, check: twice == 0, field: day, message: is written down already}
---
doctype: Chief
module: hr
tier: free
naming: "CHIEF-{###}"
find:
  other: {from: Chief, where: is_chief && name != this.name}
fields:
  is_chief: {type: check}
validate:
  - {check: '!is_chief || other.name == ""', field: is_chief, message: 'there is one, {other.name}'}
---
doctype: Recipe
module: hr
tier: free
submittable: true
naming: "RECIPE-{###}"
fields:
  dish: {type: data, required: true, filterable: true}
  is_usual: {type: check, allow_on_submit: true, default: true}
effects:
  submit:
    - update: Recipe
      each: {from: Recipe, as: r, where: dish == this.dish && name != this.name && is_usual && docstatus == 1}
      record: r.name
      set: {is_usual: false}
`

forEachDatabase('records that exclude others of their own kind', ({ test, create, kind }) => {
  let here: Workspace
  // Another process on the same database; SQLite has one writer.
  let there: Workspace
  test.before(async () => {
    const database = await create()
    here = await openWorkspace(database, SHAPES)
    there = kind === 'postgres' ? await openWorkspace(database, SHAPES) : here
  })
  test.after(async () => {
    await here.close()
    if (there !== here) await there.close()
  })

  /** How many of the writes that two processes make at the same instant get in. */
  const atOnce = async (
    write: (workspace: Workspace, at: number) => Promise<unknown>,
  ): Promise<number> => {
    const writes = [0, 1, 2, 3].map((at) => write(at % 2 === 0 ? here : there, at))
    const outcomes = await Promise.allSettled(writes)
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') assert.is(outcome.reason.code, 'VALIDATION_ERROR')
    return outcomes.filter(({ status }) => status === 'fulfilled').length
  }

  const ROUNDS = [0, 1, 2, 3, 4, 5]

  test('are found by days that overlap: one gets in', async () => {
    for (const round of ROUNDS) {
      const stay = (workspace: Workspace, at: number): Promise<unknown> =>
        workspace.create('Stay', {
          room: `R${round}`,
          begins: `2026-03-0${at + 1}`,
          ends: '2026-03-20',
        })
      assert.is(await atOnce(stay), 1, `round ${round}`)
    }
  })

  test('are found by what they come to together: as many get in as there is room', async () => {
    for (const round of ROUNDS) {
      const drafts: string[] = []
      for (const percent of [40, 40, 40, 40]) {
        const { record } = await here.create('Share', { pot: `P${round}`, percent })
        drafts.push(String(record.id))
      }
      assert.is(
        await atOnce((workspace, at) => workspace.submit('Share', drafts[at]!)),
        2,
        `round ${round}`,
      )
    }
  })

  test('are found by their rows', async () => {
    for (const round of ROUNDS) {
      const sheet = (workspace: Workspace, at: number): Promise<unknown> =>
        workspace.create('Sheet', {
          person: `S${round}`,
          hours: [{ day: `2026-01-0${at + 1}` }, { day: '2026-01-09' }],
        })
      assert.is(await atOnce(sheet), 1, `round ${round}`)
    }
  })

  test('are found by what they do: the last is the usual one', async () => {
    for (const round of ROUNDS) {
      const drafts: string[] = []
      for (const dish of Array.from({ length: 4 }, () => `D${round}`))
        drafts.push(String((await here.create('Recipe', { dish })).record.id))
      assert.is(await atOnce((workspace, at) => workspace.submit('Recipe', drafts[at]!)), 4)
      const shown = await Promise.all(drafts.map((id) => here.get('Recipe', id)))
      const usual = shown.filter(({ record }) => record.is_usual)
      assert.is(usual.length, 1, `round ${round}`)
    }
  })

  test('are found where nothing is the same in both', async () => {
    assert.is(await atOnce((workspace) => workspace.create('Chief', { is_chief: true })), 1)
    assert.is(await atOnce((workspace) => workspace.create('Chief', {})), 4)
  })
})
