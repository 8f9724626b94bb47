import fc from 'fast-check'
import * as assert from 'uvu/assert'
import { AppError } from '../../../engine/base/errors.ts'
import { hostileText, rawValue } from '../../fuzz/hostile.ts'
import { forEachDatabaseWhenDeep } from '../../helpers/databases.ts'
import { randomOf, rounds, seedsOf } from '../../helpers/random.ts'
import { expectedNames, FILTERED, randomGuess, type Seen } from './list-oracle.ts'
import { openShop, type Shop } from './list-shop.ts'

const SEEDS = seedsOf(import.meta.filename, [1])
const RECORDS = 60
const QUERIES = rounds(120)
const HOSTILE = rounds(500)

for (const seed of SEEDS)
  forEachDatabaseWhenDeep(`lists of surface A (seed ${seed})`, ({ test, create, kind }) => {
    const random = randomOf(seed)
    let shop: Shop
    let records: readonly Seen[]

    const poolOf = (path: string) => FILTERED.find((one) => one.path === path)!.pool

    test.before(async () => {
      shop = await openShop(await create())
      await shop.fill('Region', [{ title: 'France' }, { title: 'Spain' }])
      const buyers = poolOf('buyer.credit').flatMap((credit, n) =>
        poolOf('buyer.region').map((region) => ({ title: `${region}${n}`, region, credit })),
      )
      await shop.fill('Buyer', buyers)
      const bodies = Array.from({ length: RECORDS }, () => {
        const any = (path: string) => random.one(poolOf(path))
        const buyer = random.one([undefined, ...buyers])
        const item = () => ({ article: any('items.article'), qty: any('items.qty') })
        const own = Object.fromEntries(
          FILTERED.filter(({ path }) => !path.includes('.')).map(({ path }) => [path, any(path)]),
        )
        const items = Array.from({ length: random.below(4) }, item)
        return { body: { ...own, buyer: buyer?.title ?? null, items }, own, buyer, items }
      })
      const made = await shop.fill(
        'Purchase Note',
        bodies.map(({ body }) => emptied(body)),
      )
      records = bodies.map(({ own, buyer, items }, at) => ({
        name: made[at]!.id,
        own: { ...own, 'buyer.region': buyer?.region, 'buyer.credit': buyer?.credit },
        items,
      }))
    })
    test.after(() => shop?.close())

    test('find what a plain look at every record finds', async () => {
      for (let round = 0; round < QUERIES; round += 1) {
        const all = Array.from({ length: random.below(3) }, () => randomGuess(random))
        const any = Array.from({ length: random.one([0, 0, 1, 2]) }, () => randomGuess(random))
        const params = {
          filters: all.map(({ sent }) => sent),
          or_filters: any.map(({ sent }) => sent),
        }
        const label = `seed ${seed} ${JSON.stringify(params)}`
        const expected = expectedNames(records, all, any)
        const found = await shop.names('Purchase Note', { ...params, limit: 0, order_by: 'name' })
        assert.equal(found, expected, label)
        assert.is(await shop.count('Purchase Note', params), expected.length, label)
      }
    })

    const PARAMETERS =
      'fields filters or_filters order_by group_by limit_start limit limit_page_length as_dict parent'
    const OPERATORS =
      '=,!=,>,<,>=,<=,like,not like,in,not in,is,between,timespan,previous,next,descendants of,ancestors of'

    /** A list of one parameter whose value, or a part of it, is hostile. */
    const hostileParams = fc
      .tuple(
        fc.constantFrom(...PARAMETERS.split(' ')),
        fc.constantFrom(...OPERATORS.split(',')),
        fc.constantFrom(
          ...FILTERED.map(({ path }) => path),
          'name',
          'extra',
          'hour',
          'parentfield',
        ),
        fc.oneof(
          hostileText,
          rawValue,
          hostileText.map((text) => [text, { toString: text }]),
        ),
        fc.nat(5),
      )
      .map(([parameter, operator, path, value, shape]) => {
        if (shape === 0) return { filters: [[path, operator, value]] }
        if (shape === 1) return { filters: [[value, operator, value]] }
        if (shape === 2) return { filters: { [path]: [operator, value] }, or_filters: value }
        if (shape === 3) return { fields: ['name', value, `max(${JSON.stringify(value)}) as x`] }
        return { [parameter]: value }
      })

    test('answer whatever is sent with rows, or say what is wrong with it', async () => {
      const params = fc.sample(hostileParams, { numRuns: HOSTILE, seed })
      for (const one of params) {
        const label = `seed ${seed} ${kind} ${JSON.stringify(one).slice(0, 500)}`
        for (const ask of [shop.rows, shop.count]) {
          try {
            await ask('Purchase Note', one)
          } catch (error) {
            if (!(error instanceof AppError)) throw new Error(label, { cause: error })
            assert.is(error.code, 'VALIDATION_ERROR', label)
            assert.ok(error.message.isWellFormed() && error.message.length < 2000, label)
          }
        }
      }
    })
  })

function emptied(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return JSON.parse(JSON.stringify(body, (_key, value: unknown) => (value === '' ? null : value)))
}
