import * as assert from 'uvu/assert'
import { verifyWorkspace } from '../../../engine/documents/verify/verify.ts'
import { forEachDatabase } from '../../helpers/databases.ts'
import { behindTheBack } from './verify-shops.ts'
import { invalid, openWorkspace, type Workspace } from './workspace.ts'

const DOCTYPES = `
doctype: Kit
module: sales
tier: free
naming: field:title
fields:
  title: {type: data, required: true}
  parts: {type: table, fields: {part: {type: link, options: Part}, qty: {type: float}}}
---
doctype: Part
module: sales
tier: free
naming: field:title
fields: {title: {type: data, required: true}, weight: {type: float}}
---
doctype: Load
module: sales
tier: free
submittable: true
naming: "LOAD-{###}"
fields:
  is_sent: {type: check, default: true}
  items:
    type: table
    fields: {kit: {type: link, options: Kit}, part: {type: link, options: Part}, qty: {type: float}}
  heavy:
    type: table
    rows:
      - {each: items, as: i, if: is_sent && i.part.weight > 5, copy: [part, qty], set: {weight: i.part.weight * i.qty, own: true}}
      - each: items
        as: i
        within: {each: kit.parts, as: p}
        if: is_sent && p.part.weight > 5
        copy: [p.part]
        set: {qty: i.qty * p.qty, weight: i.qty * p.qty * p.part.weight}
    fields: {part: {type: link, options: Part}, qty: {type: float}, weight: {type: currency}, own: {type: check}}
---
doctype: Crate
module: sales
tier: free
submittable: true
naming: "CRATE-{###}"
fields:
  site: {type: data}
  items:
    type: table
    fields: {kit: {type: link, options: Kit}, qty: {type: float}, spare: {type: check}}
  packed:
    type: table
    rows:
      each: items
      as: i
      within: {each: kit.parts, as: p}
      if: "!i.spare"
      set: {row: i.idx, part: p.part, qty: p.qty * i.qty, site: site, kind: Part}
    fields:
      row: {type: int}
      part: {type: data}
      qty: {type: float}
      site: {type: data}
      kind: {type: select, options: [Part, Whole]}
      double: {type: float, formula: qty * 2}
  many:
    type: table
    rows: {each: items, as: i, if: i.qty > 1, set: {kit: i.kit, qty: i.qty}}
    fields: {kit: {type: link, options: Kit}, qty: {type: float}}
  total: {type: float, formula: "packed.sum(p, p.double)"}
`

type Rows = readonly Readonly<Record<string, unknown>>[]

forEachDatabase('rows that are made of other rows', ({ test, create }) => {
  let workspace: Workspace
  test.before(async () => {
    workspace = await openWorkspace(await create(), DOCTYPES)
    for (const [title, weight] of Object.entries({
      Wheel: 2,
      Frame: 7.5,
      Bell: 1,
      Bulb: 1,
      Diode: 1,
      Saddle: 1,
    }))
      await workspace.create('Part', { title, weight })
    await workspace.create('Kit', {
      title: 'Bike',
      parts: [
        { part: 'Wheel', qty: 2 },
        { part: 'Frame', qty: 1 },
      ],
    })
    await workspace.create('Kit', { title: 'Bell', parts: [{ part: 'Bell', qty: 1 }] })
  })
  test.after(() => workspace.close())

  const packed = (record: Readonly<Record<string, unknown>>): unknown[] =>
    (record.packed as Rows).map(({ row, part, qty }) => [row, part, qty])
  const ids = (record: Readonly<Record<string, unknown>>): unknown[] =>
    (record.packed as Rows).map(({ row_id }) => row_id)
  const items = [
    { kit: 'Bike', qty: 3 },
    { qty: 5 },
    { kit: 'Bike', qty: 9, spare: true },
    { kit: 'Bell', qty: 1 },
  ]

  test('follow them while the record is a draft, and keep their ids by their place', async () => {
    const first = await workspace.create('Crate', { site: 'Oslo', items })
    assert.equal(packed(first.record), [
      [1, 'Wheel', 6],
      [1, 'Frame', 3],
      [4, 'Bell', 1],
    ])
    const [row] = first.record.packed as Rows
    assert.equal([row?.site, row?.kind, row?.double], ['Oslo', 'Part', 12])
    assert.is(first.record.total, 20)
    assert.equal(
      (first.record.many as Rows).map(({ kit, qty }) => [kit, qty]),
      [
        ['Bike', 3],
        [null, 5],
        ['Bike', 9],
      ],
    )
    const { record } = await workspace.update('Crate', first.id, {
      site: 'Bergen',
      items: [
        { kit: 'Bell', qty: 2 },
        { kit: 'Bell', qty: 4 },
      ],
    })
    assert.equal(packed(record), [
      [1, 'Bell', 2],
      [2, 'Bell', 4],
    ])
    assert.equal(ids(record), ids(first.record).slice(0, 2))
    assert.equal((record.packed as Rows)[0]?.site, 'Bergen')
  })

  test('are those of several tables one behind the other, by what is behind the links of both now', async () => {
    const heavy = (record: Readonly<Record<string, unknown>>): unknown[] =>
      (record.heavy as Rows).map(({ part, qty, weight, own }) => [part, qty, weight, own])
    const { id, record } = await workspace.create('Load', {
      items: [
        { kit: 'Bike', qty: 2 },
        { part: 'Frame', qty: 0.1 },
        { part: 'Bell', qty: 3 },
      ],
    })
    assert.equal(heavy(record), [
      ['Frame', 0.1, 0.75, true],
      ['Frame', 2, 15, false],
    ])
    await workspace.update('Part', 'Wheel', { weight: 6 })
    const again = await workspace.update('Load', id, {})
    assert.equal(heavy(again.record), [
      ['Frame', 0.1, 0.75, true],
      ['Wheel', 4, 24, false],
      ['Frame', 2, 15, false],
    ])
    assert.equal((await workspace.update('Load', id, { is_sent: false })).record.heavy, [])
    await workspace.update('Part', 'Wheel', { weight: 2 })
  })

  test('are frozen by the submit, whatever becomes of what they were made of', async () => {
    const kit = { title: 'Lamp', parts: [{ part: 'Bulb', qty: 2 }] }
    await workspace.create('Kit', kit)
    const lamps = [{ kit: 'Lamp', qty: 2 }]
    const draft = await workspace.create('Crate', { items: lamps })
    const done = await workspace.create('Crate', { items: lamps })
    await workspace.submit('Crate', done.id)
    await workspace.update('Kit', 'Lamp', { parts: [{ part: 'Diode', qty: 1 }] })
    assert.equal(packed((await workspace.get('Crate', done.id)).record), [[1, 'Bulb', 4]])
    const { record } = await workspace.update('Crate', draft.id, { site: 'Oslo' })
    assert.equal(packed(record), [[1, 'Diode', 2]])
  })

  test('are nobody’s to send', async () => {
    await invalid(['packed'], workspace.create('Crate', { items, packed: [{ part: 'Gold' }] }))
  })

  test('are proved by svc verify, as far as they follow from the record alone', async () => {
    const { id } = await workspace.create('Crate', { items })
    await workspace.submit('Crate', id)
    const found = async () => {
      const { checks } = await verifyWorkspace(workspace.engine.services)
      return checks.flatMap((check) =>
        check.found.map(({ id: of, field, stored, expected }) => [of, field, stored, expected]),
      )
    }
    assert.equal(await found(), [])
    const ofCrate = async () => (await found()).filter(([of]) => of === id)
    await behindTheBack(workspace, `update crates__many set qty = 7000000 where idx = 2`)
    assert.equal(await ofCrate(), [[id, 'many[1].qty', 7, 5]])
    await behindTheBack(workspace, `delete from crates__many where idx = 3`)
    assert.equal(await ofCrate(), [[id, 'many', null, undefined]])
  })

  test('made within another record are proved too, while that is as it was before', async () => {
    workspace.clock.time += 1000
    const { id } = await workspace.create('Crate', { items })
    const draft = await workspace.create('Crate', { items })
    await workspace.submit('Crate', id)
    const found = async (options: object = {}) => {
      const { checks } = await verifyWorkspace(workspace.engine.services, options)
      return checks.flatMap((check) =>
        check.found
          .filter(({ id: of }) => of === id || of === draft.id)
          .map(({ id: of, field, stored, expected, message }) => [
            of,
            field,
            stored,
            message ?? expected,
          ]),
      )
    }
    assert.equal(await found(), [])
    // Of the submitted one a value, of the draft a row.
    const ridOf = (name: string): string => `(select rid from crates where name = '${name}')`
    await behindTheBack(
      workspace,
      `update crates__packed set part = 'Gold' where idx = 1 and parent = ${ridOf(id)}`,
      `delete from crates__packed where idx = 2 and parent = ${ridOf(draft.id)}`,
    )
    const wrong = [
      [id, 'packed[0].part', 'Gold', 'Wheel'],
      [draft.id, 'total', 20, 14],
      [draft.id, 'packed', null, 'has 2 rows; expected 3'],
    ]
    assert.equal(await found(), wrong)
    // What was submitted is left to a person.
    assert.equal(await found({ repair: true }), wrong.slice(0, 1))
    assert.equal(packed((await workspace.get('Crate', draft.id)).record), [
      [1, 'Wheel', 6],
      [1, 'Frame', 3],
      [4, 'Bell', 1],
    ])
    // A row more, which the draft never had.
    await behindTheBack(
      workspace,
      `update crates__packed set part = 'Wheel' where idx = 1 and parent = ${ridOf(id)}`,
      `delete from crates__items where idx = 4 and parent = ${ridOf(draft.id)}`,
    )
    assert.equal(await found(), [[draft.id, 'packed', null, 'has 3 rows; expected 2']])
    assert.equal(await found({ repair: true }), [])
    // A kit that was changed since says nothing of what crates took from it.
    await workspace.update('Kit', 'Bike', { parts: [{ part: 'Saddle', qty: 1 }] })
    assert.equal(await found(), [])
  })
})
