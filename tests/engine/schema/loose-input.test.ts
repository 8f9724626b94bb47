import * as assert from 'uvu/assert'
import { AppError } from '../../../engine/base/errors.ts'
import { looseInput } from '../../../engine/schema/shapes/loose-input.ts'
import { shownRecord } from '../../../server/api/shown-record.ts'
import { forEachDatabase } from '../../helpers/databases.ts'
import { randomOf, rounds, seedsOf } from '../../helpers/random.ts'
import { invalid, openWorkspace, type Workspace } from '../documents/workspace.ts'

const SEEDS = seedsOf(import.meta.filename, [1])

const DOCTYPES = `
doctype: Crate
module: stock
tier: free
submittable: true
naming: CR-{#####}
fields:
  code: {type: data, createOnly: true}
  title: {type: data, required: true}
  weight: {type: float, min: 0}
  price: {type: currency}
  pieces: {type: int}
  fragile: {type: check}
  packed: {type: datetime}
  day: {type: date}
  hour: {type: time}
  kind: {type: select, options: [Wood, Steel]}
  extra: {type: json}
  pin: {type: password}
  rows: {type: table, options: Crate Row}
  total: {type: float, formula: 'rows.sum(r, r.qty)'}
---
doctype: Crate Row
child: true
module: stock
tier: free
fields:
  article: {type: data, required: true}
  batch: {type: data, createOnly: true}
  qty: {type: float}
  done: {type: check}
---
doctype: Berth
module: stock
tier: free
naming: prompt
fields:
  depth: {type: int}
`

forEachDatabase('loose input', ({ test, create }) => {
  let workspace: Workspace
  test.before(async () => {
    workspace = await openWorkspace(await create(), DOCTYPES)
  })
  test.after(() => workspace?.close())

  const crate = () => workspace.definition('Crate')
  const created = (body: unknown) =>
    workspace.create('Crate', looseInput(crate(), body, { mode: 'create' }))

  async function saved(
    current: Readonly<Record<string, unknown>>,
    body: unknown,
  ): Promise<Readonly<Record<string, unknown>>> {
    const strict = looseInput(crate(), body, { mode: 'update', current })
    return (await workspace.update('Crate', String(current.id), strict)).record
  }

  test('takes a document of texts, as n8n and forms send it', async () => {
    const { record } = await created({
      doctype: 'Crate',
      title: 123,
      weight: '2.5',
      price: '',
      pieces: '3',
      fragile: '1',
      packed: '2026-03-09 10:00:00',
      extra: '{"a":[1]}',
      rows: '[{"article":"A","qty":"1.5","done":"true","idx":1,"doctype":"Crate Row"}]',
      flags: { ignore: 1 },
      unknown: 'x',
      owner: 'eve@example.com',
      total: '99',
    })
    assert.equal(
      [record.title, record.weight, record.price, record.pieces, record.fragile, record.packed],
      ['123', 2.5, null, 3, true, '2026-03-09T10:00:00.000Z'],
    )
    assert.equal([record.extra, record.owner, record.total], [{ a: [1] }, 'Administrator', 1.5])
    const [row] = record.rows as Record<string, unknown>[]
    assert.equal([row!.article, row!.qty, row!.done], ['A', 1.5, true])
  })

  test('names every problem where it is', async () => {
    await invalid(['extra'], created({ title: 'x', extra: 'no JSON' }))
    await invalid(
      ['pieces', 'extra', 'title'],
      created({ pieces: 'x', extra: '{"of": 9007199254740993}' }),
    )
    await invalid(
      ['pieces', 'kind', 'rows[1].qty', 'title'],
      created({ pieces: 'x', kind: 'Iron', rows: [{ article: 'A' }, { article: 'B', qty: 'y' }] }),
    )
    for (const body of [null, [], 'text', 5]) {
      assert.throws(
        () => looseInput(crate(), body, { mode: 'create' }),
        (error: unknown) => error instanceof AppError && error.code === 'VALIDATION_ERROR',
      )
    }
    await invalid(['rows'], created({ title: 'x', rows: 'no rows' }))
    await invalid(['rows[0]'], created({ title: 'x', rows: ['no row'] }))
  })

  test('a document that comes back whole as it was read changes nothing', async () => {
    const { record } = await created({
      code: 'C1',
      title: 'whole',
      packed: '2026-03-09',
      extra: [1],
      rows: [
        { article: 'A', batch: 'B1' },
        { article: 'B', done: 1 },
      ],
    })
    const shown = shownRecord(crate(), record)
    assert.equal(await saved(record, shown), record)
    assert.equal(await saved(record, shownRecord(crate(), record, { omitUnset: true })), record)
  })

  test('rows with a name are changed, without one added, absent ones removed', async () => {
    const { record } = await created({
      title: 'rows',
      rows: [{ article: 'A', qty: 1 }, { article: 'B' }, { article: 'C' }],
    })
    const [a, , c] = shownRecord(crate(), record).rows as Record<string, unknown>[]
    const local = { name: 'new-crate-row-1', __islocal: 1, article: 'D' }
    const after = await saved(record, { rows: [{ ...c, qty: '7' }, local, { name: a!.name }] })
    const rows = after.rows as Record<string, unknown>[]
    assert.equal(
      rows.map(({ article, qty }) => [article, qty]),
      [
        ['C', 7],
        ['D', null],
        ['A', 1],
      ],
    )
    assert.equal([rows[0]!.row_id, rows[2]!.row_id], [c!.name, a!.name])
    assert.equal((await saved(after, { title: 'kept' })).rows, rows)
    assert.equal((await saved(after, { rows: [] })).rows, [])
  })

  test('what may be set at creation only is refused when it changes', async () => {
    const { record } = await created({
      code: 'C2',
      title: 'x',
      rows: [{ article: 'A', batch: 'B' }],
    })
    assert.is((await saved(record, { code: 'C2', title: 'y' })).title, 'y')
    await invalid(['code'], (async () => saved(record, { code: 'C3' }))())
    const [row] = record.rows as { row_id: string }[]
    const changed = [{ name: row!.row_id, batch: 'other' }]
    await invalid(['rows[0].batch'], (async () => saved(record, { rows: changed }))())
  })

  test('a password that comes back as stars stays', () => {
    const strict = looseInput(crate(), { pin: '****', title: 'x' }, { mode: 'update' })
    assert.equal(strict, { title: 'x' })
    assert.equal(looseInput(crate(), { pin: '1234' }, { mode: 'update' }), { pin: '1234' })
  })

  test('a record gets the name it is given where its DocType asks for one', () => {
    const berth = workspace.definition('Berth')
    const loose = (body: unknown, mode: 'create' | 'update') => looseInput(berth, body, { mode })
    assert.equal(loose({ name: 'B1', depth: '5' }, 'create'), { name: 'B1', depth: 5 })
    assert.equal(loose({ __newname: 12 }, 'create'), { name: '12' })
    assert.equal(loose({ name: 'B1', depth: '' }, 'update'), { depth: null })
    assert.equal(looseInput(crate(), { name: 'CR-1', id: 'CR-1' }, { mode: 'create' }), {})
  })

  for (const seed of SEEDS)
    test(`whatever values a record has, it comes back as it was (seed ${seed})`, async () => {
      const random = randomOf(seed)
      const texts = ['', 'plain', '123', 'true', '****', '{"a":1}', ' edge ', 'é😀', 'null', '0']
      const text = () => random.one(texts)
      const amount = () => (random.below(2_000_000) - 1_000_000) / 100
      for (let round = 0; round < rounds(25); round += 1) {
        const body = {
          title: random.one(texts.slice(1)),
          code: text(),
          weight: random.below(1000) / 8,
          price: amount(),
          pieces: random.below(1000) - 500,
          fragile: random.one([true, false, 0, 1, '0', '1']),
          packed: new Date(1.7e12 + random.below(1e12)).toISOString(),
          day: new Date(random.below(2e9) * 1000).toISOString().slice(0, 10),
          kind: random.one(['', 'Wood', 'Steel']),
          extra: random.one([{ a: text() }, [amount()], '[1]', '']),
          rows: Array.from({ length: random.below(4) }, () => ({
            article: random.one(texts.slice(1)),
            batch: text(),
            qty: random.one([amount(), String(amount()), '']),
          })),
        }
        const { record } = await created(body)
        const shown = shownRecord(crate(), record)
        assert.equal(await saved(record, shown), record, `seed ${seed} round ${round}`)
        const asText = Object.fromEntries(
          Object.entries(shown).map(([key, value]) => [
            key,
            value === null ? '' : Array.isArray(value) ? JSON.stringify(value) : String(value),
          ]),
        )
        assert.equal(await saved(record, asText), record, `seed ${seed} round ${round} as texts`)
      }
    })
})
