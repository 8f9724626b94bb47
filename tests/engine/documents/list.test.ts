import * as assert from 'uvu/assert'
import { forEachDatabase } from '../../helpers/databases.ts'
import { invalid, openWorkspace, refused, type Workspace } from './workspace.ts'

const DOCTYPES = `
doctype: Thing
module: stock
tier: free
naming: "T-{###}"
title: title
search: [title, code]
fields:
  title: {type: data, filterable: true}
  code: {type: data, filterable: true}
  count: {type: int, filterable: true}
  day: {type: date, filterable: true}
  done: {type: check, filterable: true}
  part_of: {type: link, options: Thing, filterable: true}
  story: {type: long_text}
  secret: {type: password}
  rows:
    type: table
    options: Thing Row
    fields:
      text: {type: data}
`

const TITLES = [
  '100%',
  '1000',
  'a_b',
  'axb',
  "o'hara",
  'Ärger',
  'ärmel',
  'back\\slash',
  'a,b',
  '😀 smile',
  'İstanbul',
  '"q"',
]

forEachDatabase('a list', ({ test, create }) => {
  let workspace: Workspace
  const ids: string[] = []
  test.before(async () => {
    workspace = await openWorkspace(await create(), DOCTYPES)
    for (const [index, title] of TITLES.entries()) {
      const { id } = await workspace.create('Thing', {
        title,
        ...(index % 3 === 0 ? {} : { count: index % 4, code: `C${index}` }),
        done: index % 2 === 0,
        part_of: ids[0] ?? null,
        rows: [{ text: title }],
        secret: 'hidden',
        story: 'long',
      })
      ids.push(id)
      if (index % 4 === 3) workspace.clock.time += 1000
    }
  })
  test.after(() => workspace.close())

  async function titles(parameters: Record<string, string>): Promise<string[]> {
    const { data } = await workspace.list('Thing', { limit: '100', ...parameters })
    return data.map(({ title }) => String(title)).toSorted()
  }

  const FINDS: readonly (readonly [Record<string, string>, readonly string[]])[] = [
    [{ title__like: '%' }, ['100%']],
    [{ title__like: '_' }, ['a_b']],
    [{ title__like: "'" }, ["o'hara"]],
    [{ title__like: '\\' }, ['back\\slash']],
    [{ title__like: 'ÄR' }, ['Ärger', 'ärmel']],
    [{ title__like: 'SMILE' }, ['😀 smile']],
    [{ title: '100%' }, ['100%']],
    [{ title: 'ärger' }, []],
    [{ title__in: 'a\\,b,axb' }, ['a,b', 'axb']],
    [{ title__in: 'back\\\\slash' }, ['back\\slash']],
    [{ q: '%' }, ['100%']],
    [{ q: 'är' }, ['Ärger', 'ärmel']],
    [{ q: 'ärm' }, ['ärmel']],
    [{ q: "o'h" }, ["o'hara"]],
    [{ q: '"q"' }, ['"q"']],
    [{ q: 'a_b' }, ['a_b']],
    [{ q: 'back\\' }, ['back\\slash']],
    [{ q: 'nothing of the kind' }, []],
  ]
  for (const [parameters, expected] of FINDS) {
    test(`with ${JSON.stringify(parameters)} finds ${JSON.stringify(expected)}`, async () => {
      assert.equal(await titles(parameters), [...expected].toSorted())
      const { total } = await workspace.list('Thing', parameters)
      assert.is(total, expected.length)
    })
  }

  test('"not equal" also finds what is unset, "unset" finds only that', async () => {
    const all = TITLES.length
    const count = async (parameters: Record<string, string>): Promise<number> =>
      (await workspace.list('Thing', parameters)).total!
    const unset = await count({ code: '' })
    assert.is(unset, 4)
    assert.is(await count({ code__ne: '' }), all - unset)
    assert.is(await count({ code__ne: 'C1' }), all - 1)
    assert.is((await count({ done: 'true' })) + (await count({ done: '0' })), all)
  })

  for (const sort of ['count', 'code', 'title', 'modified', 'created', 'name', 'done']) {
    for (const order of ['asc', 'desc']) {
      test(`walked by cursor, sorted by ${sort} ${order}, shows every record once, as by offset`, async () => {
        const walked: unknown[] = []
        let cursor: string | undefined = ''
        while (cursor !== undefined) {
          const page: Awaited<ReturnType<Workspace['list']>> = await workspace.list('Thing', {
            sort,
            order,
            limit: '5',
            cursor,
          })
          assert.is(page.total, undefined)
          walked.push(...page.data.map(({ id }) => id))
          cursor = page.nextCursor
        }
        const { data, total } = await workspace.list('Thing', { sort, order, limit: '100' })
        assert.equal(
          walked,
          data.map(({ id }) => id),
        )
        assert.is(total, TITLES.length)
        const offset = await workspace.list('Thing', { sort, order, limit: '5', offset: '5' })
        assert.equal(
          offset.data.map(({ id }) => id),
          walked.slice(5, 10),
        )
        const turned = await workspace.list('Thing', {
          sort,
          order: order === 'asc' ? 'desc' : 'asc',
          limit: '100',
        })
        assert.equal(turned.data.map(({ id }) => id).toReversed(), walked)
      })
    }
  }

  test('refuses an unset value where values have an order', async () => {
    for (const operator of ['gt', 'gte', 'lt', 'lte', 'in']) {
      const parameter = `day__${operator}`
      await invalid([parameter], workspace.list('Thing', { [parameter]: '\u00a0' }))
    }
    assert.is((await workspace.list('Thing', { day: ' ' })).total, TITLES.length)
  })

  test('takes back only its own cursor', async () => {
    const { nextCursor } = await workspace.list('Thing', { limit: '2', cursor: '', sort: 'title' })
    const cursor = nextCursor!
    for (const parameters of [
      { cursor, sort: 'code' },
      { cursor, sort: 'title', order: 'asc' },
      { cursor, sort: 'title', done: '1' },
      { cursor, sort: 'title', q: 'a' },
      { cursor: `${cursor}x`, sort: 'title' },
      { cursor: cursor.slice(1), sort: 'title' },
      { cursor: 'x', sort: 'title' },
    ])
      await refused('VALIDATION_ERROR', workspace.list('Thing', parameters))
    await workspace.list('Thing', { cursor, sort: 'title', limit: '7' })
  })

  test('shows scalars without long texts and secrets, or the fields it is asked for', async () => {
    const { data } = await workspace.list('Thing', { id: ids[1]! })
    const [record] = data
    assert.not.ok('story' in record! || 'secret' in record! || 'rows' in record!)
    assert.ok('title' in record! && 'modified' in record! && 'part_of' in record!)
    const chosen = await workspace.list('Thing', { id: ids[1]!, fields: 'story,rows,secret' })
    assert.equal(Object.keys(chosen.data[0]!).toSorted(), ['rows', 'secret', 'story'])
    assert.equal([chosen.data[0]!.story, chosen.data[0]!.secret], ['long', null])
    assert.is((chosen.data[0]!.rows as { text: string }[])[0]!.text, TITLES[1])
  })

  test('adds the titles of linked records', async () => {
    const { data } = await workspace.list('Thing', { _titles: '1', limit: '100' })
    for (const { part_of, _titles } of data)
      assert.equal(_titles, part_of === null ? {} : { part_of: TITLES[0] })
  })
})
