import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { flatYaml } from '../../../cli/flat-yaml.ts'
import {
  loadDefinitions,
  loadDefinitionTexts,
  loadLayers,
  writtenDocTypes,
} from '../../../engine/definition/load/load.ts'
import type { DocTypeDefinition } from '../../../engine/definition/model/definition.ts'
import { fill, fillText } from '../../../engine/definition/normalise/parameters.ts'
import type { Path } from '../../../engine/definition/yaml/parse.ts'
import type { SourceFile } from '../../../engine/definition/yaml/source.ts'
import type { Field } from '../../../engine/fields/field.ts'
import { checkedProgram } from '../../../engine/index.ts'
import { hooks } from '../../../hooks/index.ts'
import { VOCABULARY } from '../../helpers/vocabulary.ts'
import { mistakesOf, thing } from './marked-files.ts'

const SHIPPED = new URL('../../../doctypes', import.meta.url).pathname

const file = (path: string, text: string): SourceFile => ({ path, text: `${text}\n` })
const block = (name: string, text: string): SourceFile => file(`blocks/${name}.yaml`, text)
const PRICED = block(
  'priced',
  `description: What has a price.
fields:
  qty: {type: float, min: 0, label: Quantity}
  rate: {type: float, label: Price}
  amount: {type: float, formula: qty * rate}
validate:
  - {check: qty >= 0, field: qty, message: too little}`,
)
const ROW = block(
  'row',
  'use: [{block: dated, with: {day: sold_on}}]\nfields: {item: {type: data}}',
)
const DATED = block(
  'dated',
  `parameters: {day: {}, label: {default: Day}, most: {default: 9}}
fields:
  $day: {type: date, label: $label}
  \${day}_year: {type: int, formula: year($day), max: $most}`,
)

function load(...files: SourceFile[]): DocTypeDefinition {
  return loadDefinitionTexts(files, VOCABULARY).registry.byDoctype('Thing')!
}

const names = (fields: readonly Field[] = []): string[] => fields.map(({ name }) => name)
const uses = (keys: string): SourceFile => file('thing.yaml', thing(keys))

const blocks = suite('a block')

blocks('gives its fields before those of the file, and its rules before its rules', () => {
  const { fields, behaviour, files } = load(
    PRICED,
    uses(`use: [priced]
fields: {note: {type: data}}
validate: [{check: rate >= 0, field: rate, message: no}]`),
  )
  assert.equal(names(fields), ['qty', 'rate', 'amount', 'note'])
  assert.equal(
    behaviour.validate?.map(({ message }) => message),
    ['too little', 'no'],
  )
  assert.equal(files, ['thing.yaml', 'blocks/priced.yaml'])
})

blocks('is the same as its text in its place', () => {
  const [, own = ''] = PRICED.text.split(/^(?=fields)/m)
  assert.equal(rulesOf(load(PRICED, uses('use: [priced]'))), rulesOf(load(uses(own))))
})

blocks('is changed key by key, where it stands', () => {
  const { fields } = load(
    PRICED,
    uses(`use: [priced]
fields:
  first: {type: data}
  rate: {label: Fee, min: 1}
  second: {type: data}`),
  )
  assert.equal(names(fields), ['qty', 'rate', 'second', 'amount', 'first'])
  const [, rate] = fields
  assert.equal([rate?.label, rate?.min, rate?.type], ['Fee', 1, 'float'])
})

blocks('stands behind the field that a use names', () => {
  const { fields } = load(
    PRICED,
    uses(`use: [{block: priced, after: a}]
fields:
  a: {type: data}
  b: {type: data}`),
  )
  assert.equal(names(fields), ['a', 'qty', 'rate', 'amount', 'b'])
})

blocks('does not change back what the file says of a field before that one', () => {
  const { fields } = load(
    PRICED,
    uses(`use: [{block: priced, after: a}]
fields:
  rate: {label: Fee}
  a: {type: data}`),
  )
  assert.equal(names(fields), ['rate', 'a', 'qty', 'amount'])
  assert.equal([fields[0]?.label, fields[0]?.type], ['Fee', 'float'])
})

blocks('lends a table its fields', () => {
  const { fields } = load(
    PRICED,
    block('goods', 'fields: {qty: {type: float}, item: {type: data}}'),
    uses(`fields:
  items:
    type: table
    use: [goods]
    fields: {item: {required: true}, more: {type: data}}`),
  )
  assert.equal(names(fields[0]?.child?.fields), ['qty', 'item', 'more'])
  assert.is(fields[0]?.child?.fields[1]?.required, true)
})

blocks('can be used without some fields, or keys of them', () => {
  const { fields } = load(
    PRICED,
    uses('use: [{block: priced, without: [amount, qty.label, qty.min]}]'),
  )
  assert.equal(names(fields), ['qty', 'rate'])
  const through = load(DATED, ROW, uses('use: [{block: row, without: [sold_on_year, item]}]'))
  assert.equal(names(through.fields), ['sold_on'])
  assert.equal([fields[0]?.label, fields[0]?.min], ['Qty', undefined])
})

blocks('fills in its parameters, in keys and texts, also through another block', () => {
  const { fields } = load(DATED, ROW, uses('use: [row]'))
  assert.equal(names(fields), ['sold_on', 'sold_on_year', 'item'])
  assert.equal(
    fields.map(({ label, formula, max }) => [label, formula, max]),
    [
      ['Day', undefined, undefined],
      ['Sold On Year', 'year(sold_on)', 9],
      ['Item', undefined, undefined],
    ],
  )
})

blocks('is extended and replaced by later folders, for the DocTypes of all', () => {
  const shipped = [DATED, ROW, PRICED, uses('use: [row]')]
  const over = [
    file(
      'own/blocks/row.yaml',
      'extend: true\nfields: {item: {required: true}, size: {type: int}}',
    ),
    file(
      'own/thing.yaml',
      'doctype: Thing\nextend: true\nuse: [priced]\nfields: {a: {type: data}}',
    ),
  ]
  const load2 = (layer: readonly SourceFile[]) =>
    loadLayers([shipped, layer], VOCABULARY, []).registry.byDoctype('Thing')!
  const { fields, behaviour } = load2(over)
  assert.equal(names(fields), [
    'sold_on',
    'sold_on_year',
    'item',
    'size',
    'qty',
    'rate',
    'amount',
    'a',
  ])
  assert.is(fields[2]?.required, true)
  assert.is(behaviour.validate?.length, 1)
  const replaced = load2([file('own/blocks/row.yaml', 'fields: {size: {type: int}}')])
  assert.equal(names(replaced.fields), ['size'])
})

blocks('knows a parameter with letters behind it, and leaves every other dollar', () => {
  const values = new Map<string, unknown>([
    ['side', 'sales'],
    ['most', 4],
  ])
  assert.is(fillText(['$side.$', '{side}_x $most $'].join(''), values), 'sales.sales_x 4 $')
  assert.is(fillText('^[a-z]{2}$', values), '^[a-z]{2}$')
  assert.equal(fill({ $side: ['$most', true] }, values), { sales: [4, true] })
})

const mistakes = suite('a mistake of a block')

const told = (files: readonly SourceFile[], ...expected: string[]): void =>
  assert.equal(mistakesOf(files), expected)

mistakes('is told at its line, with who uses it', () => {
  const bad = block('bad', 'fields:\n  a: {type: link, options: Elsewhere}')
  const message = 'blocks/bad.yaml:2:28: no DocType "Elsewhere"'
  const use = uses('use: [bad]')
  told([bad, use], `${message} (used by thing.yaml:4:7)`)
  const other = file('zebra.yaml', thing('use:\n  - {block: bad}', 'Zebra'))
  told([bad, use, other], `${message} (used by thing.yaml:4:7 and 1 more)`)
})

mistakes('in an expression is told there too, in rows and through other blocks', () => {
  const files = [
    block('inner', 'parameters: {x: {}}\nfields:\n  $x:\n    type: int\n    formula: nothing + 1'),
    block('outer', 'use: [{block: inner, with: {x: n}}]'),
    uses('fields:\n  rows:\n    type: table\n    use: [outer]'),
  ]
  const place = (): string[] => {
    try {
      checkedProgram(loadDefinitionTexts(files, VOCABULARY))
      return []
    } catch (error) {
      return (error as Error).message.split('\n')
    }
  }
  const [line = '', ...more] = place()
  assert.equal(more, [])
  assert.match(line, /^blocks\/inner\.yaml:5:14: unknown field 'nothing'/)
  assert.match(line, '(used by blocks/outer.yaml:1:7, which is used by thing.yaml:7:11)')
})

mistakes('in what the file changes is told in the file', () => {
  told(
    [PRICED, uses('use: [priced]\nfields: {rate: {type: float, min: 2}, qty: {max: x}}')],
    'thing.yaml:5:50: expected a number, got "x"',
  )
})

mistakes('is a name that cannot be one, in a block that uses another too', () => {
  told(
    [block('outer', "use: [{block: 'pri ced'}]"), uses("use: [outer, {block: 'x y'}]")],
    'blocks/outer.yaml:1:15: expected text like ^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$|\\$, got "pri ced"',
    'thing.yaml:4:22: expected text like ^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$, got "x y"',
  )
})

mistakes('is a name that is not there, and a word that rows have not', () => {
  told(
    [PRICED, uses('use: [pricd, {block: priced, after: b, without: [rat, qty.x]}]')],
    'thing.yaml:4:7: no block "pricd"; did you mean priced?',
    'thing.yaml:4:37: no field b to stand behind',
    'thing.yaml:4:50: the block has no rat; did you mean rate?',
    'thing.yaml:4:55: the block has no qty.x',
  )
  const name = '^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$'
  told(
    [PRICED, block('outer', 'use: [{block: pri.ced, after: a}]'), uses('use: [{block: pri.ced}]')],
    `blocks/outer.yaml:1:15: expected text like ${name}|\\$, got "pri.ced"`,
    `thing.yaml:4:15: expected text like ${name}, got "pri.ced"`,
  )
  told(
    [PRICED, uses('fields:\n  rows: {type: table, use: [priced]}')],
    'thing.yaml:5:29: the block has validate, but rows of a table take fields, find and let alone',
  )
  told(
    [PRICED, uses('fields: {a: {type: data, use: [priced]}}')],
    'thing.yaml:4:26: only a DocType and a table among its fields use blocks',
  )
})

mistakes('is a parameter that is missing, unknown, undeclared or not used', () => {
  told(
    [DATED, uses('use: [{block: dated, with: {dya: x}}]')],
    'thing.yaml:4:7: the block dated needs with: {day: …}',
    'thing.yaml:4:29: the block dated has no parameter dya',
  )
  told(
    [
      block('x', 'parameters: {a: {}}\nfields:\n  b: {type: $c}'),
      uses('fields: {a: {type: data}}'),
    ],
    'blocks/x.yaml:1:14: nothing of the block names $a; remove it',
    'blocks/x.yaml:3:13: the block has no parameter c; did you mean $a?',
  )
})

mistakes('is a value that does not fit where the parameter stands', () => {
  const sized = block('sized', 'parameters: {n: {}}\nfields:\n  a: {type: data, length: $n}')
  assert.is(load(sized, uses('use: [{block: sized, with: {n: 5}}]')).fields[0]?.length, 5)
  const [line = '', ...more] = mistakesOf([sized, uses('use: [{block: sized, with: {n: x}}]')])
  assert.equal(more, [])
  assert.match(line, /^blocks\/sized\.yaml:3:27: expected .*, got "x" \(used by thing\.yaml:4:7\)$/)
})

mistakes('is a way that leads back', () => {
  told(
    [
      block('a', 'use: [b]\nfields: {x: {type: data}}'),
      block('b', 'fields: {rows: {type: table, use: [c]}}'),
      block('c', 'use: [a]'),
      uses('use: [a]'),
    ],
    'blocks/a.yaml:1:7: a block cannot use itself: a → b → c → a',
    'blocks/b.yaml:1:36: a block cannot use itself: b → c → a → b',
    'blocks/c.yaml:1:7: a block cannot use itself: c → a → b → c',
  )
})

mistakes('is a block twice, or one to extend that is not there', () => {
  told(
    [
      PRICED,
      file('blocks/priced.yml', 'fields: {}'),
      block('x', 'extend: true'),
      uses('use: [priced]'),
    ],
    'blocks/priced.yml:1:1: the block priced is already declared in blocks/priced.yaml; remove one',
    'blocks/x.yaml:1:1: no block x to extend',
  )
})

const flat = suite('a DocType as one file')

/** What an engine does by: without the files, and the checksum of their texts. */
function rulesOf(definition: DocTypeDefinition): unknown {
  const { files: _, checksum: __, filesChecksum: ___, ...rules } = definition
  return rules
}

flat('loads to the same definition, of every shipped DocType', () => {
  const { registry } = loadDefinitions([SHIPPED], hooks)
  const texts = [...writtenDocTypes([SHIPPED])].map(([doctype, written]) =>
    file(`${doctype}.yaml`, flatYaml(written, [SHIPPED])),
  )
  const again = loadDefinitionTexts(texts, registry.vocabulary).registry
  assert.is(again.all.length, registry.all.length)
  for (const definition of registry.all)
    assert.equal(rulesOf(again.byDoctype(definition.doctype)!), rulesOf(definition))
})

flat('says behind each key which line it is from', () => {
  const files = [
    PRICED,
    uses(
      'use: [priced]\nfields: {rate: {label: Fee}}\nvalidate: [{check: qty < 9, field: qty, message: no}]',
    ),
  ]
  const { positions } = loadDefinitionTexts(files, VOCABULARY)
  const lineOf = (...path: Path): string => {
    const { file: name, line } = positions('Thing', path)!
    return `${name}:${line}`
  }
  assert.is(lineOf('fields', 'rate', 'label'), 'thing.yaml:5')
  assert.is(lineOf('fields', 'rate', 'type'), 'blocks/priced.yaml:4')
  assert.is(lineOf('validate', 0, 'message'), 'blocks/priced.yaml:7')
  assert.is(lineOf('validate', 1, 'message'), 'thing.yaml:6')
})

blocks.run()
mistakes.run()
flat.run()
