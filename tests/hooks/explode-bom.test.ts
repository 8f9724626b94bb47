import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type PlainRecord, refusalOf, runHook } from './run-hook.ts'

const test = suite('what goes into a product')

function bom(quantity: number, ...items: PlainRecord[]): PlainRecord {
  return { quantity, items }
}

function row(item_code: string, qty: number, more: PlainRecord = {}): PlainRecord {
  return { item_code, qty, ...more }
}

const RECORDS = {
  BOM: {
    BIKE: bom(1, row('WHEEL', 2, { bom_no: 'WHEEL' }), row('FRAME', 1, { rate: 80 })),
    WHEEL: bom(1, row('SPOKE', 32, { bom_no: 'SPOKE' }), row('RIM', 1, { rate: 15 })),
    SPOKE: bom(300, row('WIRE', 7, { rate: 4, stock_uom: 'm' })),
    PAINTED: bom(1, row('BIKE', 1, { bom_no: 'BIKE' }), row('RIM', 1, { rate: 15 })),
    NOTHING: bom(0, row('WIRE', 1)),
  },
}

function exploded(input: PlainRecord): readonly (readonly unknown[])[] {
  return runHook('explode_bom', input, RECORDS).map((part) => [
    part.item_code,
    part.stock_qty,
    part.level,
  ])
}

test('goes down all levels, in proportion to what each BOM makes, and is rounded once', () => {
  // 64 spokes of 7 / 300 m are 1.493333…
  assert.equal(exploded({ bom: 'BIKE' }), [
    ['WIRE', 1.493333, 3],
    ['RIM', 2, 2],
    ['FRAME', 1, 1],
  ])
  assert.equal(exploded({ bom: 'BIKE', quantity: 1_000 })[0], ['WIRE', 1_493.333333, 3])
})

test('has its cost, the unit and how much one of the product takes', () => {
  const [wire, rim] = runHook('explode_bom', { bom: 'BIKE', quantity: 3 }, RECORDS)
  // 4.48 m at 4; the exact quantity is taken, not the rounded one.
  assert.equal(wire, {
    item_code: 'WIRE',
    qty: 4.48,
    stock_qty: 4.48,
    required_qty: 4.48,
    qty_consumed_per_unit: 1.493333,
    rate: 4,
    amount: 17.92,
    source_warehouse: '',
    stock_uom: 'm',
    bom_no: 'SPOKE',
    level: 3,
  })
  assert.is(rim?.amount, 90)
})

test('is added up where it goes in twice', () => {
  assert.equal(exploded({ bom: 'PAINTED' }), [
    ['WIRE', 1.493333, 4],
    ['RIM', 3, 3],
    ['FRAME', 1, 2],
  ])
})

test('may be one row for each item, whatever it costs and wherever it lies', () => {
  const items = [
    row('RIM', 1, { rate: 15 }),
    row('RIM', 2, { rate: 16 }),
    row('RIM', 4, { rate: 15, source_warehouse: 'Attic' }),
  ]
  assert.equal(exploded({ items }).length, 3)
  assert.equal(exploded({ items, by_item: true }), [['RIM', 7, 1]])
})

test('leaves a part whole that is kept as one', () => {
  const items = [row('WHEEL', 2, { bom_no: 'WHEEL', do_not_explode: true })]
  assert.equal(exploded({ items }), [['WHEEL', 2, 1]])
})

test('costs what a stock unit does, whichever unit a row counts in', () => {
  const items = [row('SCREW', 2, { stock_qty: 24, conversion_factor: 12, rate: 3 })]
  const [screw] = runHook('explode_bom', { items }, RECORDS)
  assert.equal([screw?.stock_qty, screw?.rate, screw?.amount], [24, 0.25, 6])
})

test('is the first level alone where that is asked for', () => {
  assert.equal(exploded({ bom: 'BIKE', quantity: 5, multi_level: false }), [
    ['WHEEL', 10, 1],
    ['FRAME', 5, 1],
  ])
})

test('may be that of rows which are not saved', () => {
  const items = [row('WHEEL', 4, { bom_no: 'WHEEL' }), row('AXLE', 2, { stock_qty: 20 })]
  assert.equal(exploded({ bom: 'CART', items, quantity: 1 }).slice(1), [
    ['RIM', 4, 2],
    ['AXLE', 20, 1],
  ])
})

test('cannot be itself, nor made by a BOM that makes nothing', () => {
  const items = [row('BIKE', 1, { bom_no: 'BIKE' })]
  assert.is(
    refusalOf('explode_bom', { bom: 'WHEEL', items }, RECORDS),
    'WHEEL goes into itself: WHEEL → BIKE → WHEEL',
  )
  const nothing = [row('X', 1, { bom_no: 'NOTHING' })]
  assert.match(refusalOf('explode_bom', { items: nothing }, RECORDS), /NOTHING makes nothing/)
})

test('goes down twenty levels, and stays a size that can be shown', () => {
  const chain = (levels: number): Parameters<typeof refusalOf>[2] => ({
    BOM: Object.fromEntries(
      Array.from({ length: levels }, (_, level) => [
        `B${level}`,
        bom(1, row('PART', 2, level === levels - 1 ? {} : { bom_no: `B${level + 1}` })),
      ]),
    ),
  })
  assert.is(runHook('explode_bom', { bom: 'B0' }, chain(20))[0]?.stock_qty, 2 ** 20)
  assert.match(refusalOf('explode_bom', { bom: 'B0' }, chain(21)), /more than 20 levels/)
  const wide = {
    BOM: Object.fromEntries(
      Array.from({ length: 6 }, (_, level) => [
        `B${level}`,
        bom(1, ...Array.from({ length: 10 }, () => row('PART', 1, { bom_no: `B${level + 1}` }))),
      ]),
    ),
  }
  assert.match(refusalOf('explode_bom', { bom: 'B0' }, wide), /more than 20000 rows/)
})

test('is nothing without a BOM', () => {
  assert.equal(exploded({ bom: '' }), [])
  assert.equal(exploded({ bom: 'UNKNOWN', quantity: 3 }), [])
})

test.run()
