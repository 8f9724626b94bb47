import * as assert from 'uvu/assert'
import { forEachDatabase } from '../helpers/databases.ts'
import { type Answered, type Anything, openSite, type Site } from './api/site.ts'

const DOCTYPES = {
  maker: `
doctype: Maker
module: stock
tier: free
naming: MA-{###}
title: title
fields:
  title: {type: data, filterable: true}
  keeper: {type: data}
permissions:
  roles:
    Sales User: [all]
  rows: {Sales User: 'keeper == user.name'}
`,
  bike: `
doctype: Bike
module: stock
tier: free
naming: BI-{###}
fields:
  maker: {type: link, options: Maker}
  parts:
    type: table
    options: Bike Part
    fields:
      maker: {type: link, options: Maker}
permissions:
  roles:
    Sales User: [all]
`,
}

const SELLER = 'sam@example.com'

forEachDatabase('suggestions for links that name nothing', ({ test, fresh }) => {
  let site: Site
  let seller: string
  test.before(async () => {
    site = await openSite({
      database: await fresh(),
      doctypes: DOCTYPES,
      settings: { rateLimit: false },
    })
    seller = await site.addPerson(SELLER, ['Sales User'])
    for (const title of ['Acme Ltd', 'Blue Wheels']) await make('makers', { title })
  })
  test.after(() => site?.close())

  const make = (slug: string, json: object): Promise<Answered> =>
    site.call('POST', `/v1/${slug}`, { as: `Bearer ${site.test.keys.admin}`, json })

  /** What is wrong with a bike, as each surface tells it. */
  async function problems(json: object, as?: string): Promise<Anything> {
    const onB = as ?? `Bearer ${site.test.keys.admin}`
    const b = await site.call('POST', '/v1/bikes', { json, as: onB })
    const a = await site.call('POST', '/api/resource/Bike', {
      json,
      ...(as === undefined ? {} : { as }),
    })
    assert.equal([b.status, a.status], [422, 417], b.text)
    assert.equal(a.body.errors, b.body.error.details)
    return b.body.error.details
  }

  test('are in the detail as ids and titles on both surfaces, the words in its message', async () => {
    assert.equal(await problems({ maker: 'Acme', parts: [{ maker: 'MA-022' }] }), [
      {
        field: 'maker',
        message: 'expected an existing Maker, got "Acme"; did you mean MA-001 (Acme Ltd)?',
        code: 'no_such_record',
        suggestions: [{ id: 'MA-001', title: 'Acme Ltd' }],
      },
      {
        field: 'parts[0].maker',
        message:
          'expected an existing Maker, got "MA-022"; did you mean MA-002 (Blue Wheels) or MA-001 (Acme Ltd)?',
        code: 'no_such_record',
        suggestions: [
          { id: 'MA-002', title: 'Blue Wheels' },
          { id: 'MA-001', title: 'Acme Ltd' },
        ],
      },
    ])
    const [detail] = await problems({ maker: 'entirely else' })
    assert.equal(Object.keys(detail), ['field', 'message', 'code'])
  })

  test('have the record without a title by its id', async () => {
    await make('makers', {})
    const [detail] = await problems({ maker: 'MA-003x' })
    assert.equal(detail.suggestions[0], { id: 'MA-003', title: 'MA-003' })
  })

  test('can be sent as they are', async () => {
    const [{ suggestions }] = await problems({ maker: 'blue wheels' })
    const made = await make('bikes', { maker: suggestions[0].id })
    assert.equal([made.status, made.body.maker], [201, 'MA-002'])
  })

  test('are of records that the caller may read; a hidden one changes nothing of the answer', async () => {
    await make('makers', { title: 'Sunny Wheels', keeper: SELLER })
    const asked = ['Sun Wheels', 'Sunni Wheels', 'Sunny', 'MA-001', 'MA-999']
    const answers = () => Promise.all(asked.map((maker) => problems({ maker }, seller)))
    const before = await answers()
    const own = [{ id: 'MA-004', title: 'Sunny Wheels' }]
    assert.equal(
      before.map(([{ suggestions }]) => suggestions),
      [own, own, own, own, undefined],
    )
    for (const title of ['Sun Wheels', 'Sunni Wheels', 'Sunny'])
      assert.is((await make('makers', { title })).status, 201)
    assert.equal(await answers(), before)
    const [{ suggestions }] = await problems({ maker: 'Sun Wheels' })
    assert.equal(suggestions[0], { id: 'MA-005', title: 'Sun Wheels' })
  })

  test('are as both OpenAPI documents say', async () => {
    const [[detail], onA, onB] = await Promise.all([
      problems({ maker: 'Acme' }),
      site.call('GET', '/api/openapi.json', { as: null }),
      site.call('GET', '/v1/openapi.json', { as: `Bearer ${site.test.keys.read}` }),
    ])
    for (const { properties } of [
      onA.body.components.schemas.Error.properties.errors.items,
      onB.body.components.schemas.ErrorDetail,
    ]) {
      assert.equal(Object.keys(properties), Object.keys(detail))
      const { type, maxItems, items } = properties.suggestions
      assert.equal([type, maxItems, items.type], ['array', 3, 'object'])
      assert.equal(items.required, Object.keys(detail.suggestions[0]))
      assert.equal(Object.keys(items.properties), items.required)
    }
  })
})
