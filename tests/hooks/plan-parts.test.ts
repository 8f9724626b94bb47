import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type PlainRecord, refusalOf, runHook } from './run-hook.ts'

const test = suite('the parts of what is planned')

function row(item_code: string, qty: number, bom_no = '', more: PlainRecord = {}): PlainRecord {
  return { item_code, qty, bom_no, ...more }
}

const RECORDS = {
  BOM: {
    BIKE: { quantity: 1, items: [row('WHEEL', 2, 'WHEEL'), row('FRAME', 1, 'FRAME')] },
    CART: { quantity: 2, items: [row('WHEEL', 8, 'WHEEL'), row('BOX', 1)] },
    WHEEL: { quantity: 1, items: [row('HUB', 1, 'HUB'), row('RIM', 1)] },
    HUB: { quantity: 4, items: [row('AXLE', 4)] },
    FRAME: { quantity: 1, items: [row('TUBE', 3)] },
  },
}

function parts(...items: PlainRecord[]): readonly (readonly unknown[])[] {
  return runHook('plan_parts', { items }, RECORDS).map((part) => [
    part.production_item,
    part.parent_item_code,
    part.bom_no,
    part.bom_level,
    part.qty,
  ])
}

test('are what has a BOM of its own, what is needed first before the others', () => {
  assert.equal(parts(row('BIKE', 3, 'BIKE')), [
    ['HUB', 'WHEEL', 'HUB', 2, 6],
    ['WHEEL', 'BIKE', 'WHEEL', 1, 6],
    ['FRAME', 'BIKE', 'FRAME', 1, 3],
  ])
})

test('are made together for all products that need them', () => {
  // Two wheels for a bike, four for each cart
  const planned = parts(row('BIKE', 3, 'BIKE'), row('CART', 5, 'CART'))
  assert.equal(planned[1], ['WHEEL', 'BIKE', 'WHEEL', 1, 26])
  assert.equal(planned[0], ['HUB', 'WHEEL', 'HUB', 2, 26])
})

test('come before everything that needs them, however deep that is', () => {
  const planned = parts(row('WHEEL', 1, 'WHEEL'), row('BIKE', 1, 'BIKE'))
  assert.equal(planned[0], ['HUB', 'WHEEL', 'HUB', 2, 3])
})

test('are none of what is kept as a part, or made of raw materials alone', () => {
  assert.equal(parts(row('FRAME', 2, 'FRAME')), [])
  assert.equal(parts(row('BIKE', 1, 'BIKE', { do_not_explode: true })), [])
})

test('cannot go into themselves', () => {
  const records = {
    BOM: {
      A: { quantity: 1, items: [row('B', 1, 'B')] },
      B: { quantity: 1, items: [row('A', 1, 'A')] },
    },
  }
  const refusal = refusalOf('plan_parts', { items: [row('A', 1, 'A')] }, records)
  assert.is(refusal, 'A goes into itself: A → B → A')
})

test.run()
