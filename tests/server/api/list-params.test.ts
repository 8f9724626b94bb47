import * as assert from 'uvu/assert'
import { AppError } from '../../../engine/base/errors.ts'
import { DataError } from '../../../server/api/data-error.ts'
import { listRecords } from '../../../server/api/lists/list.ts'
import { refusal } from '../../engine/documents/workspace.ts'
import { forEachDatabase } from '../../helpers/databases.ts'
import { openShop, type Shop } from './list-shop.ts'

const JSON_OF = JSON.stringify
const DEEP = '['.repeat(20_000) + ']'.repeat(20_000)

forEachDatabase('parameters of a list', ({ test, create }) => {
  let shop: Shop
  test.before(async () => {
    shop = await openShop(await create())
    await shop.fill('Region', [
      { title: 'World' },
      { title: 'Europe', parent_region: 'World' },
      { title: 'France', parent_region: 'Europe' },
    ])
    await shop.fill('Buyer', [{ title: 'Ann', region: 'France', credit: 12.5, pin: '1234' }])
    await shop.fill('Purchase Note', [
      {
        buyer: 'Ann',
        status: 'Open',
        note: '50% off',
        amount: 10.5,
        number: 3,
        urgent: true,
        day: '2026-03-01',
        at: '2026-03-09T10:00:00Z',
        hour: '09:30:00',
        extra: { a: 1 },
        code: 'hidden',
        items: [
          { article: 'Nut', qty: 1.5, secret: 's' },
          { article: 'Bolt', qty: 2 },
        ],
        taxes: [{ title: 'VAT', rate: 20 }],
      },
      { status: 'Paid', note: '500', amount: -0.5, items: [{ article: 'Nut', qty: 3 }] },
      { amount: 100, urgent: false },
    ])
  })
  test.after(() => shop.close())

  const FIRST = 'PN-00001'
  const SECOND = 'PN-00002'
  const THIRD = 'PN-00003'

  /** [fields, the answer for the first note]. */
  const FIELDS: readonly (readonly [fields: unknown, row: Readonly<Record<string, unknown>>])[] = [
    [undefined, { name: FIRST }],
    ['', { name: FIRST }],
    ['[]', { name: FIRST }],
    ['name,status', { name: FIRST, status: 'Open' }],
    ['["name","status"]', { name: FIRST, status: 'Open' }],
    [JSON_OF('["status"]'), { status: 'Open' }],
    [['status', 'name'], { status: 'Open', name: FIRST }],
    [['`tabPurchase Note`.`status`'], { status: 'Open' }],
    [['`status`', '`tabPurchase Note`.name as n'], { status: 'Open', n: FIRST }],
    ['status as s, amount AS `a`', { s: 'Open', a: 10.5 }],
    [['buyer.region', 'buyer.credit as c'], { region: 'France', c: 12.5 }],
    [['tab_link.name as v'], { v: null }],
    [['buyer.name', 'buyer.creation'], { name: 'Ann', creation: '2026-03-09 12:00:04.000000' }],
    [['creation', 'owner', 'idx', 'docstatus'], standard(5)],
    [['urgent', 'day', 'at', 'hour'], moments()],
    [['extra', 'story', 'share'], { extra: '{"a":1}', story: null, share: null }],
    [['status', 'status as again'], { status: 'Open', again: 'Open' }],
  ]

  function standard(second: number): Record<string, unknown> {
    const creation = `2026-03-09 12:00:0${second}.000000`
    return { creation, owner: 'Administrator', idx: 0, docstatus: 0 }
  }

  function moments(): Record<string, unknown> {
    return { urgent: 1, day: '2026-03-01', at: '2026-03-09 10:00:00.000000', hour: '09:30:00' }
  }

  for (const [fields, row] of FIELDS) {
    test(`fields ${JSON_OF(fields)}`, async () => {
      assert.equal(await shop.rows('Purchase Note', { fields, filters: { name: FIRST } }), [row])
    })
  }

  const STAR =
    'name creation modified modified_by owner docstatus idx buyer vault tab_link status note story amount share number urgent day at hour extra amended_from'

  for (const fields of ['*', '"*"', JSON_OF('"*"'), ['*'], '["*"]', ['`tabPurchase Note`.*']]) {
    test(`fields ${JSON_OF(fields)} are all but tables and secrets, unset ones as null`, async () => {
      const [row] = await shop.rows('Purchase Note', { fields, filters: { name: THIRD } })
      assert.equal(Object.keys(row!), STAR.split(' '))
      assert.is((row as Record<string, unknown>).status, null)
    })
  }

  test('a field of a table gives a row for each of its rows', async () => {
    const fields = ['name', 'items.article', 'items.idx', 'items.parent']
    assert.equal(await shop.rows('Purchase Note', { fields, as_dict: 0, order_by: 'name' }), [
      [FIRST, 'Nut', 1, FIRST],
      [FIRST, 'Bolt', 2, FIRST],
      [SECOND, 'Nut', 1, SECOND],
      [THIRD, null, null, THIRD],
    ])
    const byDoctype = ['name', '`tabPurchase Note Item`.`article`']
    assert.is((await shop.rows('Purchase Note', { fields: byDoctype })).length, 4)
  })

  test('an order by an aggregate alone makes a group of all', async () => {
    for (const order_by of ['count(*)', 'max(note) desc', 'sum(amount)'])
      assert.equal(await shop.rows('Purchase Note', { fields: 'name', order_by }), [
        { name: FIRST },
      ])
  })

  test('a field that is asked for twice comes once, and under two names twice', async () => {
    const query = { order_by: 'name asc', limit: 1 }
    assert.equal(await shop.rows('Purchase Note', { ...query, fields: 'name,name' }), [
      { name: FIRST },
    ])
    const fields = 'name as value,name as label'
    assert.equal(await shop.rows('Purchase Note', { ...query, fields }), [
      { value: FIRST, label: FIRST },
    ])
    const three = await refusal(shop.rows('Purchase Note', { fields: `${fields},name as third` }))
    assert.match(three.message, 'under at most 2 names, got third')
  })

  test('a table gives its rows', async () => {
    const fields = 'name,items,taxes'
    const rows = await shop.rows('Purchase Note', { fields, order_by: 'name asc' })
    const [first] = rows as { items: Record<string, unknown>[]; taxes: unknown[] }[]
    const [nut, bolt] = first!.items
    assert.equal([nut!.article, nut!.qty, nut!.idx, bolt!.idx], ['Nut', 1.5, 1, 2])
    assert.equal(
      [nut!.parent, nut!.parentfield, nut!.parenttype, nut!.doctype, typeof nut!.name],
      [FIRST, 'items', 'Purchase Note', 'Purchase Note Item', 'string'],
    )
    assert.not.ok('secret' in nut!)
    assert.equal(first!.taxes.length, 1)
    assert.equal((rows[2] as { items: unknown }).items, [])
    const arrays = await shop.rows('Purchase Note', { fields, as_dict: '0', order_by: 'name' })
    assert.is(((arrays[0] as unknown[])[1] as unknown[]).length, 2)
  })

  /** [fields, group_by, order_by, rows]. */
  const AGGREGATES: readonly (readonly [unknown, string, string, readonly unknown[]])[] = [
    [['count(name) as n'], '', '', [{ n: 3 }]],
    ['count(*) as n, sum(amount) as s', '', '', [{ n: 3, s: 110 }]],
    [[{ COUNT: '*', as: 'n' }, { SUM: 'amount' }], '', '', [{ n: 3, 'SUM(amount)': 110 }]],
    ['count(name)', '', '', [{ 'count(name)': 3 }]],
    ['count(distinct buyer) as n', '', '', [{ n: 1 }]],
    [['count(buyer) as n', 'max(day) as d'], '', '', [{ n: 1, d: '2026-03-01' }]],
    [['avg(amount) as a', 'min(amount) as m'], '', '', [{ a: 36.6666666667, m: -0.5 }]],
    [['sum(`tabPurchase Note`.`number`) as s'], '', '', [{ s: 3 }]],
    [['sum(items.qty) as q', 'count(name) as n'], '', '', [{ q: 6.5, n: 4 }]],
    ['max(urgent) as u, min(at) as t', '', '', [{ u: 1, t: '2026-03-09 10:00:00.000000' }]],
    [
      ['status', 'count(name) as n'],
      'status',
      'n desc, status',
      [
        { status: null, n: 1 },
        { status: 'Open', n: 1 },
        { status: 'Paid', n: 1 },
      ],
    ],
    [
      ['items.article', 'sum(items.qty) as q'],
      'items.article',
      'sum(items.qty) desc',
      [
        { article: 'Nut', q: 4.5 },
        { article: 'Bolt', q: 2 },
        { article: null, q: null },
      ],
    ],
    [
      ['urgent', 'avg(amount) as a'],
      '`tabPurchase Note`.`urgent`',
      'avg(amount)',
      [
        { urgent: 1, a: 10.5 },
        { urgent: 0, a: 100 },
        { urgent: 0, a: -0.5 },
      ].toSorted((a, b) => a.a - b.a),
    ],
    [['name', 'sum(amount) as s'], '', '', [{ name: FIRST, s: 110 }]],
    [['idx', 'count(*) as n'], 'idx, docstatus', 'idx', [{ idx: 0, n: 3 }]],
  ]

  for (const [fields, group_by, order_by, rows] of AGGREGATES) {
    test(`fields ${JSON_OF(fields)} by ${group_by || 'nothing'}`, async () => {
      assert.equal(await shop.rows('Purchase Note', { fields, group_by, order_by }), rows)
    })
  }

  /** [filters, names]. */
  const FILTERS: readonly (readonly [filters: unknown, names: readonly string[]])[] = [
    [undefined, [FIRST, SECOND, THIRD]],
    ['null', [FIRST, SECOND, THIRD]],
    [{}, [FIRST, SECOND, THIRD]],
    [[], [FIRST, SECOND, THIRD]],
    [{ status: 'Open' }, [FIRST]],
    ['{"status":"Open"}', [FIRST]],
    [JSON_OF('{"status":"Open"}'), [FIRST]],
    [{ amount: ['>', 5] }, [FIRST, THIRD]],
    [{ amount: ['>', '5'], status: ['in', ['Open', 'Paid']] }, [FIRST]],
    [[['status', 'Open']], [FIRST]],
    [[['status', '=', 'Open']], [FIRST]],
    [['status', '=', 'Open'], [FIRST]],
    [[['status', ['!=', 'Open']]], [SECOND, THIRD]],
    [[['Purchase Note', 'status', '=', 'Open']], [FIRST]],
    [[['Purchase%20Note', 'amount', '>', '5']], [FIRST, THIRD]],
    [[['Purchase Note', 'amount', '>', '5', false]], [FIRST, THIRD]],
    [[{ status: 'Open' }], [FIRST]],
    [SECOND, [SECOND]],
    [JSON_OF(SECOND), [SECOND]],
    [{ name: SECOND }, [SECOND]],
    [[['Purchase Note Item', 'article', '=', 'Nut']], [FIRST, SECOND]],
    [[['Purchase%20Note%20Item', 'qty', '>', '2']], [SECOND]],
    [[['items.article', '=', 'Bolt']], [FIRST]],
    [[['`tabPurchase Note Item`.`article`', '=', 'Bolt']], [FIRST]],
    [{ article: 'Bolt' }, [FIRST]],
    [{ rate: ['>', 0] }, [FIRST]],
    [{ 'buyer.region': 'France' }, [FIRST]],
    [{ owner: 'Administrator', docstatus: '0' }, [FIRST, SECOND, THIRD]],
    [{ creation: ['>', '2026-03-09 12:00:05.000000'] }, [SECOND, THIRD]],
    [{ urgent: 1 }, [FIRST]],
    [{ urgent: 'true' }, [FIRST]],
    [{ urgent: 0 }, [SECOND, THIRD]],
    [{ amount: ['>=', 10.5] }, [FIRST, THIRD]],
    [{ amount: ['=<', '-0.5'] }, [SECOND]],
    [{ note: ['like', '50%'] }, [FIRST, SECOND]],
    [{ note: ['like', '%OFF'] }, [FIRST]],
    [{ note: ['like', '5_0'] }, [SECOND]],
    [{ note: ['LIKE', '5_%o__'] }, [FIRST]],
    [{ note: ['not like', '%off%'] }, [SECOND, THIRD]],
    [{ amount: ['like', '-0.5%'] }, [SECOND]],
    [{ number: ['like', '3'] }, [FIRST]],
    [{ at: ['like', '2026-03-09 10:00%'] }, [FIRST]],
    [{ status: ['in', 'Open, Paid'] }, [FIRST, SECOND]],
    [{ status: ['not in', ['Open']] }, [SECOND, THIRD]],
    [{ status: ['Not  In', 'Open,Paid'] }, [THIRD]],
    [{ status: ['in', [null, 'Open']] }, [FIRST, THIRD]],
    [{ status: ['in', []] }, []],
    [{ number: ['in', 3] }, [FIRST]],
    [{ note: ['like', null] }, [THIRD]],
    [{ status: ['not in', []] }, [FIRST, SECOND, THIRD]],
    [{ status: ['is', 'set'] }, [FIRST, SECOND]],
    [{ status: ['is', 'Not Set'] }, [THIRD]],
    [{ status: 'Nowhere' }, []],
    [{ status: '' }, [THIRD]],
    [{ status: null }, [THIRD]],
    [{ day: ['between', ['2026-02-01', '2026-03-01']] }, [FIRST]],
    [{ day: ['between', '2026-03-02,2026-04-01'] }, []],
    [{ at: ['between', ['2026-03-09', '2026-03-09']] }, [FIRST]],
    [{ at: ['between', ['2026-03-09 10:00:01', '2026-03-09']] }, []],
    [{ amount: ['between', [-1, '10.5']] }, [FIRST, SECOND]],
    [{ day: ['timespan', 'this month'] }, [FIRST]],
    [{ at: ['timespan', 'today'] }, [FIRST]],
    [{ at: ['Timespan', 'Yesterday'] }, []],
    [{ day: ['previous', '1 month'] }, []],
    [{ day: ['previous', '1 week'] }, [FIRST]],
    [{ day: ['next', '1 year'] }, []],
  ]

  for (const [filters, names] of FILTERS) {
    test(`filters ${JSON_OF(filters)}`, async () => {
      assert.equal(await shop.names('Purchase Note', { filters, order_by: 'name' }), names)
      assert.is(await shop.count('Purchase Note', { filters }), names.length)
      if (filters === undefined || !Array.isArray(filters)) return
      const asText = { filters: JSON_OF(filters), order_by: 'name' }
      assert.equal(await shop.names('Purchase Note', asText), names)
    })
  }

  test('or_filters are one of theirs, and all of the filters', async () => {
    const or_filters = { status: 'Open', amount: ['>', 50] }
    const order_by = 'name'
    const names = (params: Record<string, unknown>) =>
      shop.names('Purchase Note', { order_by, ...params })
    assert.equal(await names({ or_filters }), [FIRST, THIRD])
    assert.equal(await names({ or_filters, filters: { urgent: 0 } }), [THIRD])
    const mixed = [
      ['article', '=', 'Bolt'],
      ['status', 'is', 'not set'],
    ]
    assert.equal(await names({ or_filters: mixed }), [FIRST, THIRD])
    assert.is(await shop.count('Purchase Note', { or_filters: mixed }), 2)
  })

  /** [order_by, names]. */
  const ORDERS: readonly (readonly [string | undefined, readonly string[]])[] = [
    [undefined, [THIRD, SECOND, FIRST]],
    ['creation desc', [THIRD, SECOND, FIRST]],
    ['creation', [FIRST, SECOND, THIRD]],
    ['modified DESC', [THIRD, SECOND, FIRST]],
    ['KEEP_DEFAULT_ORDERING', [THIRD, SECOND, FIRST]],
    ['amount asc', [SECOND, FIRST, THIRD]],
    ['`tabPurchase Note`.`amount` desc', [THIRD, FIRST, SECOND]],
    ['tabPurchase Note.amount desc', [THIRD, FIRST, SECOND]],
    ['status', [THIRD, FIRST, SECOND]],
    ['status desc', [SECOND, FIRST, THIRD]],
    ['urgent desc, amount desc', [FIRST, THIRD, SECOND]],
    ['buyer.credit desc, name asc', [FIRST, SECOND, THIRD]],
    ['idx desc, docstatus asc, name desc', [THIRD, SECOND, FIRST]],
  ]

  for (const [order_by, names] of ORDERS) {
    test(`order_by ${order_by}`, async () => {
      assert.equal(await shop.names('Purchase Note', { order_by }), names)
    })
  }

  /** [parameters, number of rows]. */
  const PAGES: readonly (readonly [Readonly<Record<string, unknown>>, readonly string[]])[] = [
    [{ limit_page_length: 2 }, [FIRST, SECOND]],
    [{ limit_page_length: '2', limit_start: '1' }, [SECOND, THIRD]],
    [{ limit: '1' }, [FIRST]],
    [{ limit: '1', limit_page_length: '2' }, [FIRST, SECOND]],
    [{ limit_page_length: '0', limit: 1 }, [FIRST, SECOND, THIRD]],
    [{ limit_page_length: 0, limit_start: 2 }, [THIRD]],
    [{ limit_start: 5 }, []],
    [{ limit_page_length: '', limit: 'null' }, [FIRST, SECOND, THIRD]],
    [{ debug: 'true', unknown: 'x', as_list: 1 }, [FIRST, SECOND, THIRD]],
  ]

  for (const [params, names] of PAGES) {
    test(`page ${JSON_OF(params)}`, async () => {
      assert.equal(await shop.names('Purchase Note', { order_by: 'name', ...params }), names)
    })
  }

  test('as_dict says whether rows are objects or arrays', async () => {
    const params = { fields: 'name,amount', filters: FIRST }
    for (const as_dict of [undefined, 'true', '1', 1, true])
      assert.equal(await shop.rows('Purchase Note', { ...params, as_dict }), [
        { name: FIRST, amount: 10.5 },
      ])
    for (const as_dict of ['false', '0', 0, false, 'False'])
      assert.equal(await shop.rows('Purchase Note', { ...params, as_dict }), [[FIRST, 10.5]])
  })

  test('rows are listed with the DocType they belong to', async () => {
    const params = { fields: 'parent,parentfield,parenttype,idx,article,owner', as_dict: 0 }
    const rows = (more: Record<string, unknown>) =>
      shop.rows('Purchase Note Item', { ...params, order_by: 'parent, idx', ...more })
    const found = await rows({ parent: 'Purchase Note' })
    assert.equal(found, [
      [FIRST, 'items', 'Purchase Note', 1, 'Nut', 'Administrator'],
      [FIRST, 'items', 'Purchase Note', 2, 'Bolt', 'Administrator'],
      [SECOND, 'items', 'Purchase Note', 1, 'Nut', 'Administrator'],
    ])
    const filters = { parent: FIRST, qty: ['>', '1.5'] }
    assert.equal(await rows({ parent: 'Purchase Note', filters }), [found[1]])
    assert.is(await shop.count('Purchase Note Item', { parent: 'Purchase Note', filters }), 1)
    assert.equal(await rows({ parent: 'Return Note' }), [])
    for (const parent of [undefined, 'Buyer', 'nothing']) {
      const error = await refusal(rows({ parent }))
      assert.match(error.message, 'Purchase Note, Return Note')
    }
  })

  test('rows that only one DocType has need not say which', async () => {
    const { registry } = shop.engine.services
    const taxes = registry.child('Purchase Note Tax')!
    const rows = await listRecords(shop.context(), taxes, { fields: '*', as_dict: { toString: 1 } })
    assert.equal(
      rows.map((row) => [(row as { title: string }).title, (row as { rate: number }).rate]),
      [['VAT', 20]],
    )
  })

  /** What may not stand in a query: [parameters, words of the message]; all are DataErrors. */
  const NOT_PERMITTED: readonly (readonly [Readonly<Record<string, unknown>>, string])[] = [
    [{ fields: 'nothing' }, 'Field not permitted in query: nothing'],
    [{ fields: 'code' }, 'Field not permitted in query: code'],
    [{ fields: ['items.secret'] }, 'Field not permitted in query: items.secret'],
    [{ fields: ['buyer.pin'] }, 'Field not permitted in query: buyer.pin'],
    [{ fields: ['status.name'] }, 'Field not permitted in query: status.name'],
    [{ fields: ['`tabBuyer`.`credit`'] }, 'Field not permitted in query: `tabBuyer`.`credit`'],
    [{ fields: ['rid'] }, 'Field not permitted in query: rid'],
    [{ fields: ['version'] }, 'Field not permitted in query: version'],
    [{ fields: ['__proto__'] }, 'Field not permitted in query: __proto__'],
    [{ fields: ['name as __proto__'] }, 'Field not permitted in query: name as __proto__'],
    [{ fields: ['max(code)'] }, 'Field not permitted in query: code'],
    [{ fields: ['sum(note)'] }, 'sum: expected a field of numbers, got note'],
    [{ fields: ['sleep(5)'] }, 'Function not permitted in query: sleep'],
    [{ fields: [['name']] }, 'expected each as text'],
    [{ fields: [{ COUNT: '*', SUM: 'amount' }] }, 'expected one function'],
    [{ fields: [{ COUNT: '*', as: 5 }] }, 'expected the name after "as" as text'],
    [{ fields: [{ COUNT: 'x'.repeat(301) }] }, 'expected one function'],
    [{ fields: [`count(${'x'.repeat(301)})`] }, 'Field not permitted in query'],
    [{ fields: ['items', 'count(name)'] }, 'items: a group has no rows'],
    [{ fields: "name, (select 1) as x from svc_api_keys; --'" }, 'Field not permitted in query'],
    [{ filters: { nothing: 1 } }, 'Field not permitted in query: nothing'],
    [{ filters: { code: ['is', 'set'] } }, 'Field not permitted in query: code'],
    [{ filters: { secret: 's' } }, 'Field not permitted in query: secret'],
    [{ filters: { items: ['is', 'set'] } }, 'Field not permitted in query: items'],
    [{ filters: [['Buyer', 'credit', '>', 1]] }, 'Field not permitted in query: Buyer.credit'],
    [{ filters: [['Purchase Note Item', 'a.b.c', '=', 1]] }, 'Field not permitted in query'],
    [{ fields: ['x'.repeat(301)] }, 'Field not permitted in query'],
    [{ order_by: 'nothing desc' }, 'Field not permitted in query: nothing'],
    [{ order_by: 'code' }, 'Field not permitted in query: code'],
    [{ order_by: 'name sideways' }, 'Field not permitted in query: name sideways'],
    [{ order_by: '1; drop table x' }, 'Field not permitted in query'],
    [{ group_by: 'code' }, 'Field not permitted in query: code'],
  ]

  for (const [params, words] of NOT_PERMITTED) {
    test(`${JSON_OF(params)} is a DataError`, async () => {
      const error = await refusal(shop.rows('Purchase Note', params))
      assert.instance(error, DataError)
      assert.match(error.message, words)
    })
  }

  /** Parameters that mean nothing: [parameters, words of the message]. */
  const INVALID: readonly (readonly [Readonly<Record<string, unknown>>, string])[] = [
    [{ filters: { amount: ['=>=', 5] } }, 'Operator must be one of =, !=, >, <'],
    [{ filters: [['amount', 'constructor', 5]] }, 'Operator must be one of'],
    [{ filters: { amount: 'many' } }, 'amount: expected a number, got "many"'],
    [{ filters: { amount: {} } }, 'got an object'],
    [{ filters: { day: '2026-02-30' } }, 'expected a day as YYYY-MM-DD'],
    [{ filters: { day: ['between', ['2026-02-01']] } }, 'expected two values'],
    [{ filters: { day: ['timespan', 'last age'] } }, 'expected one of yesterday, today'],
    [{ filters: { note: ['timespan', 'today'] } }, 'for dates'],
    [{ filters: { day: ['previous', '2 weeks'] } }, 'expected one of 1 week'],
    [{ filters: { note: ['is', 'empty'] } }, 'expected set or not set'],
    [{ filters: { note: ['like', ['a']] } }, 'expected a text with % and _'],
    [{ filters: { note: ['like', 'x'.repeat(141)] } }, 'at most 140 characters'],
    [{ filters: { note: 'a\0b' } }, 'NUL'],
    [{ filters: { note: ['descendants of', 'World'] } }, 'is no link into a tree'],
    [
      { filters: { 'buyer.region': ['descendants of', ['World']] } },
      'expected the name of a record',
    ],
    [{ filters: '[["status"' }, 'expected JSON'],
    [{ filters: [['status']] }, 'expected each condition as'],
    [{ filters: [1] }, 'expected each condition as'],
    [{ filters: [[1, 2]] }, 'expected the name of a field'],
    [{ filters: Array.from({ length: 201 }, () => ['name', 'x']) }, 'expected at most 200'],
    [{ filters: { note: ['in', Array(10_001).fill('x')] } }, 'at most 10000 values'],
    [{ filters: { note: [{ toString: 1 }, 'x'] } }, 'Operator must be one of'],
    [{ filters: { note: ['is', { toString: 1 }] } }, 'expected set or not set'],
    [{ filters: { note: ['like', { toString: 1 }] } }, 'expected a text'],
    [{ filters: { day: ['timespan', { toString: 1 }] } }, 'expected one of'],
    [{ filters: `[["note",${DEEP},1]]` }, 'at most 32 levels'],
    [{ fields: DEEP }, 'at most 32 levels'],
    [{ limit: { toString: 1 } }, 'limit: expected a whole number'],
    [{ limit: 'all' }, 'limit: expected a whole number from 0, got "all"'],
    [{ limit_start: '-1' }, 'limit_start: expected a whole number from 0'],
    [{ limit_page_length: 1.5 }, 'limit_page_length: expected a whole number'],
    [{ limit_page_length: '99999999999999999999' }, 'expected a whole number'],
    [{ order_by: {} }, 'order_by: expected a text'],
    [{ fields: 'items.qty,extras.qty,taxes.rate' }, 'fields of at most one table'],
  ]

  for (const [params, words] of INVALID) {
    test(`${JSON_OF(params).slice(0, 100)} is refused`, async () => {
      const error = await refusal(shop.rows('Purchase Note', params))
      assert.instance(error, AppError)
      assert.not.instance(error, DataError)
      assert.is(error.code, 'VALIDATION_ERROR')
      assert.match(error.message, words)
    })
  }
})
