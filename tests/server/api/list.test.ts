import * as assert from 'uvu/assert'
import { refused } from '../../engine/documents/workspace.ts'
import { forEachDatabase } from '../../helpers/databases.ts'
import { openShop, personWith, type Shop } from './list-shop.ts'

type Row = Readonly<Record<string, unknown>>

forEachDatabase('lists of surface A', ({ test, create }) => {
  let shop: Shop
  test.before(async () => {
    shop = await openShop(await create())
    await shop.fill('Region', [
      { title: 'World' },
      { title: 'Europe', parent_region: 'World' },
      { title: 'France', parent_region: 'Europe' },
      { title: 'Spain', parent_region: 'Europe' },
      { title: 'Mordor', parent_region: 'World' },
      { title: 'Udûn', parent_region: 'Mordor' },
      { title: 'Nowhere' },
    ])
    await shop.fill('Vault', [{ title: 'Main' }])
    await shop.fill('Buyer', [
      { title: 'Ann', region: 'France', credit: 10 },
      { title: 'Ben', region: 'Spain', credit: 20 },
      { title: 'Cid' },
    ])
  })
  test.after(() => shop?.close())

  const sortedNames = async (doctype: string, filters: Row) =>
    (await shop.names(doctype, { filters })).map(String).toSorted()

  /** [operator, node, regions found by name, buyers found by region]. */
  const TREE: readonly (readonly [
    string,
    string | number,
    readonly string[],
    readonly string[],
  ])[] = [
    ['descendants of', 'World', ['Europe', 'France', 'Mordor', 'Spain', 'Udûn'], ['Ann', 'Ben']],
    ['descendants of', 'France', [], []],
    ['descendants of (inclusive)', 'Europe', ['Europe', 'France', 'Spain'], ['Ann', 'Ben']],
    ['descendants of (inclusive)', 'France', ['France'], ['Ann']],
    ['not descendants of', 'Europe', ['Europe', 'Mordor', 'Nowhere', 'Udûn', 'World'], ['Cid']],
    ['ancestors of', 'France', ['Europe', 'World'], []],
    ['ancestors of', 'World', [], []],
    [
      'not ancestors of',
      'Udûn',
      ['Europe', 'France', 'Nowhere', 'Spain', 'Udûn'],
      ['Ann', 'Ben', 'Cid'],
    ],
    ['descendants of', 'unknown', [], []],
    ['descendants of', 1, [], []],
  ]

  for (const [operator, node, regions, buyers] of TREE) {
    test(`${operator} ${node}`, async () => {
      assert.equal(await sortedNames('Region', { name: [operator, node] }), regions)
      assert.equal(await sortedNames('Buyer', { region: [operator, node] }), buyers)
    })
  }

  test('a circle of parents ends', async () => {
    await shop.fill('Region', [{ title: 'Hen' }, { title: 'Egg', parent_region: 'Hen' }])
    await shop.update('Region', 'Hen', { parent_region: 'Egg' })
    assert.equal(await sortedNames('Region', { name: ['descendants of', 'Hen'] }), ['Egg', 'Hen'])
    assert.equal(await sortedNames('Region', { name: ['ancestors of', 'Hen'] }), ['Egg', 'Hen'])
  })

  test('a record comes once, however many of its rows meet the filters, and all of them by one row', async () => {
    await shop.fill('Purchase Note', [
      {
        note: 'once',
        items: [
          { article: 'Nut', qty: 5 },
          { article: 'Nut', qty: 6 },
          { article: 'Bolt', qty: 1 },
        ],
        extras: [{ article: 'Nut' }],
      },
      {
        note: 'once',
        items: [
          { article: 'Bolt', qty: 9 },
          { article: 'Nut', qty: 1 },
        ],
      },
    ])
    const filters = [
      ['note', '=', 'once'],
      ['items.article', '=', 'Nut'],
      ['items.qty', '>', 2],
    ]
    assert.is((await shop.rows('Purchase Note', { filters })).length, 1)
    assert.is(await shop.count('Purchase Note', { filters }), 1)
    const counted = await shop.rows('Purchase Note', { filters, fields: ['count(name) as n'] })
    assert.equal(counted, [{ n: 1 }])
    const fields = ['name', 'items.qty']
    const rows = await shop.rows('Purchase Note', { filters, fields, order_by: 'items.qty' })
    assert.equal(
      rows.map((row) => (row as Row).qty),
      [5, 6],
    )
    const both = [...filters, ['extras.article', '=', 'Nut']]
    assert.is(await shop.count('Purchase Note', { filters: both }), 1)
    assert.is((await shop.rows('Purchase Note', { filters: both, fields })).length, 2)
  })

  test('sums are exact beyond 64 bits', async () => {
    const amount = 99_999_999_999_999
    await shop.fill(
      'Purchase Note',
      Array.from({ length: 12 }, () => ({ note: 'big', amount, number: Number.MAX_SAFE_INTEGER })),
    )
    const fields = ['sum(amount) as s', 'avg(amount) as a', 'sum(number) as n']
    const filters = { note: 'big' }
    const order_by = 'sum(amount) desc, avg(amount)'
    assert.equal(await shop.rows('Purchase Note', { filters, fields, order_by }), [
      { s: amount * 12, a: amount, n: Number(BigInt(Number.MAX_SAFE_INTEGER) * 12n) },
    ])
  })

  test('of nothing a sum is unset and a count 0', async () => {
    const fields = ['sum(amount) as s', 'avg(amount) as a', 'max(day) as d', 'count(name) as n']
    const filters = { note: 'nobody wrote this' }
    const rows = await shop.rows('Purchase Note', { fields, filters })
    assert.equal(rows, [{ s: null, a: null, d: null, n: 0 }])
  })

  test('all rows come at once where no limit is set, and pages never overlap', async () => {
    const total = 1001
    await shop.fill(
      'Purchase Note',
      Array.from({ length: total }, (_, n) => ({
        note: 'many',
        number: n % 7,
        items: n % 2 === 0 ? [{ article: `A${n % 3}` }] : [],
      })),
    )
    const filters = { note: 'many' }
    const list = (params: Row) => shop.names('Purchase Note', { filters, ...params })
    assert.is((await list({})).length, 20)
    assert.is((await list({ limit_page_length: 1000 })).length, 1000)
    assert.is((await list({ limit_page_length: '0' })).length, total)
    assert.is(await shop.count('Purchase Note', { filters }), total)
    const withRows = { fields: 'name,items', limit_page_length: 0, filters }
    const rows = (await shop.rows('Purchase Note', withRows)) as { items: unknown[] }[]
    assert.is(rows.filter(({ items }) => items.length === 1).length, 501)
    for (const order_by of ['number', 'number desc', 'number desc, items.article']) {
      const all = await list({ order_by, limit_page_length: 0 })
      const walked: unknown[] = []
      for (let start = 0; start < total; start += 300)
        walked.push(...(await list({ order_by, limit_start: start, limit_page_length: 300 })))
      assert.equal(walked, all)
      assert.is(new Set(walked).size, total)
    }
  })

  const clerk = personWith('Clerk')

  test('only what the caller may read is listed, counted and added up', async () => {
    assert.equal(await shop.names('Buyer', {}, clerk), ['Ann'])
    assert.is(await shop.count('Buyer', {}, clerk), 1)
    const fields = ['sum(credit) as s', 'count(name) as n']
    assert.equal(await shop.rows('Buyer', { fields }, clerk), [{ s: 10, n: 1 }])
    const or_filters = { name: ['!=', 'x'], credit: 20 }
    assert.equal(await shop.names('Buyer', { or_filters }, clerk), ['Ann'])
    await refused('FORBIDDEN', shop.rows('Vault', {}, clerk))
    await refused('FORBIDDEN', shop.count('Vault', {}, clerk))
  })

  test('a linked record the caller may not read tells nothing', async () => {
    await shop.fill('Purchase Note', [
      { note: 'linked', buyer: 'Ann', vault: 'Main' },
      { note: 'linked', buyer: 'Ben' },
    ])
    const params = {
      filters: { note: 'linked' },
      fields: ['buyer', 'buyer.credit'],
      order_by: 'buyer',
    }
    assert.equal(await shop.rows('Purchase Note', params, clerk), [
      { buyer: 'Ann', credit: 10 },
      { buyer: 'Ben', credit: null },
    ])
    const richer = [
      ['note', '=', 'linked'],
      ['buyer.credit', '>', 15],
    ]
    assert.is(await shop.count('Purchase Note', { filters: richer }), 1)
    assert.is(await shop.count('Purchase Note', { filters: richer }, clerk), 0)
    for (const more of [
      { fields: ['vault.title'] },
      { filters: { 'vault.title': 'Main' } },
      { order_by: 'vault.title' },
      { group_by: 'vault.title' },
    ])
      await refused('FORBIDDEN', shop.rows('Purchase Note', more, clerk))
  })

  test('rows are read with the rights to their records', async () => {
    await shop.fill('Purchase Note', [
      { note: 'rights', status: 'Late', items: [{ article: 'Late' }] },
      { note: 'rights', status: 'Paid', items: [{ article: 'Paid' }] },
    ])
    const params = {
      parent: 'Purchase Note',
      fields: ['article'],
      filters: { article: ['in', 'Late,Paid'] },
    }
    assert.equal((await shop.names('Purchase Note Item', params)).toSorted(), ['Late', 'Paid'])
    assert.equal(await shop.names('Purchase Note Item', params, clerk), ['Paid'])
    assert.is(await shop.count('Purchase Note Item', params, clerk), 1)
    const elsewhere = { ...params, parent: 'Return Note' }
    await refused('FORBIDDEN', shop.rows('Purchase Note Item', elsewhere, clerk))
    const items = { filters: { article: 'Late' }, fields: 'name,items' }
    assert.equal(await shop.rows('Purchase Note', items, clerk), [])
  })

  test('a tree ends where the caller may not read on', async () => {
    const filters = { name: ['descendants of', 'World'] }
    assert.ok((await sortedNames('Region', filters)).includes('Udûn'))
    const seen = await shop.names('Region', { filters, order_by: 'name' }, clerk)
    assert.equal(seen, ['Europe', 'France', 'Spain'])
  })
})
