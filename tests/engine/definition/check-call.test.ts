import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { loadDefinitionTexts } from '../../../engine/definition/load/load.ts'
import { assertMistakes, thing } from './marked-files.ts'

const test = suite('a call of a hook')

const BOM = thing(
  `fields:
  quantity: {type: float}
  items: {type: table, fields: {item_code: {type: data}, qty: {type: float}}}`,
  'BOM',
)

function table(call: string, columns = 'item_code: {type: data}'): string {
  return thing(`fields:
  bom: {type: data}
  quantity: {type: float}
  day: {type: date}
  rows: {type: table, fields: {item_code: {type: data}, qty: {type: float}}}
  odd: {type: table, fields: {item_code: {type: data}, qty: {type: date}}}
  parts:
    type: table
    call: {${call}}
    fields: {${columns}}`)
}

const PART = thing('fields: {item_code: {type: data}, qty: {type: float}}', 'Part')

const INPUTS = 'expected one of bom, quantity, items, multi_level, by_item'

const SCENARIOS: readonly (readonly [name: string, text: string, ...messages: string[]])[] = [
  ['without a mistake', table('hook: explode_bom, with: {bom: bom, items: rows}')],
  ['without a name', table('with: {bom: bom}').replace('call:', '→call:'), 'needs the key hook'],
  [
    'of a hook that is not there',
    table('hook: →explode_boms, with: {bom: bom}'),
    'no hook "explode_boms"; did you mean explode_bom?',
  ],
  [
    'with an input that it does not take',
    table('hook: explode_bom, with: {bom: bom, →colour: day}'),
    `no input "colour"; ${INPUTS}`,
  ],
  [
    'with a table that is not there',
    table('hook: explode_bom, with: {items: →row}'),
    'expected the name of a table: no table "row"; did you mean rows?',
  ],
  [
    'with a table whose column does not fit',
    table('hook: explode_bom, with: {items: →odd}'),
    'the hook reads qty as decimal, which is of the type date',
  ],
  ['on a condition', table('hook: explode_bom, if: day == "2026-03-01", with: {bom: bom}')],
  [
    'with records that a condition finds',
    table('hook: explode_bom, with: {items: {from: Part, where: item_code == this.bom, limit: 9}}'),
  ],
  [
    'with records of a DocType that is not there',
    table('hook: explode_bom, with: {items: {from: →Parts, where: "true"}}'),
    'no DocType "Parts"; did you mean Part?',
  ],
  [
    'with records that lack a field',
    table('hook: explode_bom, with: {items: {from: →→BOM, where: "true"}}'),
    'the hook reads BOM.item_code, which is not there',
    'the hook reads BOM.qty, which is not there',
  ],
  [
    'with records in an order that there is not',
    table('hook: explode_bom, with: {items: {from: Part, where: "true", latest: →qtys}}'),
    'no field "qtys"; did you mean qty?',
  ],
  [
    'with records for a single value',
    table('hook: explode_bom, with: {bom: →{from: Part, where: "true"}}'),
    'the hook explode_bom takes one value as bom, no rows',
  ],
  [
    'at a moment that is none',
    table('hook: explode_bom, with: {bom: bom}, at: →never'),
    'expected one of create draft submit always, got "never"',
  ],
  [
    'with a value for a table',
    table('hook: explode_bom, →value: qty, with: {bom: bom}'),
    'a table takes all its columns name; remove value',
  ],
  [
    'no column of which takes what the hook gives',
    table('hook: →explode_bom, with: {bom: bom}', 'note: {type: data, readOnly: true}'),
    'no column takes what the hook gives; expected some of item_code, qty, stock_qty, required_qty, qty_consumed_per_unit, rate, amount, source_warehouse, stock_uom, bom_no, level',
  ],
  [
    'with a column that nothing fills',
    table(
      'hook: explode_bom, with: {bom: bom}',
      'item_code: {type: data}, →quantity: {type: float}',
    ),
    'nothing fills it: no output "quantity"; expected one of item_code, qty, stock_qty, required_qty, qty_consumed_per_unit, rate, amount, source_warehouse, stock_uom, bom_no, level',
  ],
  [
    'with a column that cannot hold what it gives',
    table('hook: explode_bom, with: {bom: bom}', 'item_code: {type: data}, qty: {type: →date}'),
    'the hook gives decimal, which no field of the type date holds',
  ],
]

/** A table whose column calls a hook that gives rows. */
function column(call: string): string {
  return thing(`fields:
  currency: {type: data}
  taxed: {type: check}
  taxes: {type: table, fields: {charge_type: {type: data}, account_head: {type: data}, rate: {type: percent}, charge: {type: currency}}}
  odd: {type: table, fields: {qty: {type: date}}}
  items:
    type: table
    fields:
      amount: {type: currency}
      qty: {type: float}
      net: {type: currency, call: {hook: net_amounts, value: net_amount, ${call}}}`)
}

const TEMPLATE = thing(
  'fields: {taxes: {type: table, fields: {tax_type: {type: data}, tax_rate: {type: percent}}}}',
  'Item Tax Template',
)
const COLUMNS: readonly (readonly [name: string, text: string, ...messages: string[]])[] = [
  [
    'for all rows of a table',
    column('if: parent.taxed, with: {items: parent.items, taxes: parent.taxes}'),
  ],
  [
    'for all rows with a table that is not the record’s',
    column('with: {items: →items, taxes: parent.taxes}'),
    'expected a table of the record the rows belong to: parent.items',
  ],
  [
    'for all rows with a table that is not there',
    column('with: {items: →parent.item, taxes: parent.taxes}'),
    'expected the name of a table: no table "item"; did you mean items?',
  ],
  [
    'for all rows with a table that does not fit',
    column('with: {items: →→parent.odd, taxes: parent.taxes}'),
    'the hook reads amount, which is not there',
    'the hook reads qty as decimal, which is of the type date',
  ],
]

for (const [name, text, ...messages] of COLUMNS)
  test(name, () => assertMistakes([text, TEMPLATE], ...messages))

for (const [name, text, ...messages] of SCENARIOS)
  test(name, () => assertMistakes([text, BOM, PART], ...messages))

test('of a hook whose DocType lacks what it reads', () => {
  assertMistakes(
    [table('hook: →→explode_bom, with: {bom: bom}'), thing('fields: {items: {type: int}}', 'BOM')],
    'the hook reads BOM.quantity, which is not there',
    'the hook reads the rows of BOM.items, which is of the type int',
  )
})

test('of a hook whose DocType is not there', () => {
  assertMistakes([table('hook: →explode_bom, with: {bom: bom}')], 'no DocType "BOM"')
})

test('of a hook where none was handed in', () => {
  const files = [table('hook: explode_bom, with: {bom: bom}'), BOM].map((text, index) => ({
    path: `${index}.yaml`,
    text,
  }))
  assert.throws(
    () => loadDefinitionTexts(files),
    /^0\.yaml:12:18: no hook "explode_bom"; there is none$/,
  )
})

test.run()
