import * as assert from 'uvu/assert'
import { forEachDatabase } from '../../helpers/databases.ts'
import { invalid, openWorkspace, refused, type Workspace } from './workspace.ts'

const rest =
  'module: crm\ntier: free\nfields:\n  title: {type: data, required: true}\n  kind: {type: data}\n  day: {type: date}'
const DOCTYPES = [
  `doctype: Series\nresource: series-things\nnaming: "S-{YY}{MM}{DD}-W{WW}-{##}"\n${rest}`,
  `doctype: By Kind\nresource: by-kinds\nnaming: "{kind}/{###}/x"\n${rest}`,
  `doctype: Joined\nresource: joined-things\nnaming: "{kind}::{day}"\n${rest}`,
  `doctype: Named\nresource: named-things\nnaming: field:title\n${rest}`,
  `doctype: Asked\nresource: asked-things\nnaming: prompt\n${rest}`,
  `doctype: Counted\nresource: counted-things\nnaming: autoincrement\n${rest}`,
  `doctype: Random\nresource: random-things\n${rest}`,
  `doctype: Gapless\nresource: gapless-things\nnaming: "G-{##}"\nmodule: crm\ntier: free
fields:\n  code: {type: data, unique: true}\n  other: {type: link, options: Named}`,
].join('\n---\n')

const UUID_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

forEachDatabase('a name', ({ test, create }) => {
  let workspace: Workspace
  test.before(async () => {
    workspace = await openWorkspace(await create(), DOCTYPES)
  })
  test.after(() => workspace.close())

  const named = async (doctype: string, body: object): Promise<string> =>
    (await workspace.create(doctype, { title: 'x', ...body })).id

  test('of a series has the date and counts on; a new date starts anew, digits grow', async () => {
    assert.is(await named('Series', {}), 'S-260309-W11-01')
    assert.is(await named('Series', {}), 'S-260309-W11-02')
    const then = workspace.clock.time
    workspace.clock.time = Date.parse('2027-01-01T00:00:00.000Z')
    assert.is(await named('Series', {}), 'S-270101-W53-01')
    // A Sunday is the last day of its week (ISO 8601).
    workspace.clock.time = Date.parse('2026-03-08T12:00:00.000Z')
    assert.is(await named('Series', {}), 'S-260308-W10-01')
    workspace.clock.time = then
    for (let count = 3; count < 100; count += 1) await named('Series', {})
    assert.is(await named('Series', {}), 'S-260309-W11-100')
  })

  test('of a series with a field counts for each value, and needs the value', async () => {
    assert.is(await named('By Kind', { kind: 'a' }), 'a/001/x')
    assert.is(await named('By Kind', { kind: 'b' }), 'b/001/x')
    assert.is(await named('By Kind', { kind: 'a' }), 'a/002/x')
    await invalid(['kind'], named('By Kind', {}))
  })

  test('of a pattern without a counter joins the values, once', async () => {
    assert.is(await named('Joined', { kind: 'a', day: '2026-01-02' }), 'a::2026-01-02')
    await refused('CONFLICT', named('Joined', { kind: 'a', day: '2026-01-02' }))
    await invalid(['day'], named('Joined', { kind: 'a' }))
  })

  test('that is a field is taken once, never changes, and is what links name', async () => {
    assert.is(await named('Named', { title: 'Ännchen / 50% "x"' }), 'Ännchen / 50% "x"')
    const error = await refused('CONFLICT', named('Named', { title: 'Ännchen / 50% "x"' }))
    assert.equal(error.details, [{ field: 'title', message: 'is taken', code: 'not_unique' }])
    await invalid(['title'], workspace.update('Named', 'Ännchen / 50% "x"', { title: 'y' }))
    await invalid(['title'], named('Named', { title: null }))
    await invalid(['title'], named('Named', { title: ' ' }))
    await invalid(['title'], named('Named', { title: 'tab\there' }))
  })

  test('that is asked for comes from the body, and only there', async () => {
    assert.is(await named('Asked', { name: 'mine' }), 'mine')
    await refused('CONFLICT', named('Asked', { name: 'mine' }))
    for (const name of [
      undefined,
      null,
      '',
      ' x',
      'x ',
      7,
      'x'.repeat(141),
      'a\nb',
      'a\0b',
      '\ud800',
    ])
      await invalid(['name'], named('Asked', { name }))
    await invalid(['name'], workspace.update('Asked', 'mine', { name: 'other' }))
    await invalid(['name'], named('Random', { name: 'mine' }))
  })

  test('that differs only in case or form is another name', async () => {
    for (const name of ['straße', 'STRASSE', 'Straße', 'cafe\u0301', 'café']) {
      await named('Asked', { name })
      assert.is((await workspace.get('Asked', name)).id, name)
    }
  })

  test('that counts is 1, 2, 3; one without naming is a UUID of version 7', async () => {
    assert.equal(
      [await named('Counted', {}), await named('Counted', {}), await named('Counted', {})],
      ['1', '2', '3'],
    )
    const id = await named('Random', {})
    assert.match(id, UUID_7)
    workspace.clock.time += 1
    assert.ok((await named('Random', {})) > id)
  })

  test('of a deleted record is free again; a number of a series is not given twice', async () => {
    const id = await named('Counted', {})
    await workspace.remove('Counted', id)
    assert.is.not(await named('Counted', {}), id)
    await workspace.remove('Asked', 'mine')
    await named('Asked', { name: 'mine' })
  })

  test('of 50 creates at once counts 1 to 50 without a hole, though others fail beside them', async () => {
    await workspace.create('Gapless', { code: 'first' })
    const makers = Array.from({ length: 50 }, (_, index) => [
      workspace.create('Gapless', { code: `c${index}` }),
      workspace.create('Gapless', { code: 'first' }),
      workspace.create('Gapless', { other: 'nobody' }),
      workspace.create('Gapless', {}, { beforeCommit: () => Promise.reject(new Error('late')) }),
    ])
    const outcomes = await Promise.allSettled(makers.flat())
    const names = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value.id] : []))
    const expected = Array.from({ length: 50 }, (_, index) => index + 2)
    assert.equal(
      names.map((name) => Number(name.slice(2))).toSorted((a, b) => a - b),
      expected,
    )
    assert.is(names.toSorted()[0], 'G-02')
    assert.is((await workspace.create('Gapless', {})).id, 'G-52')
  })
})
