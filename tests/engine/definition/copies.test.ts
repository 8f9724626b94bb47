import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { loadDefinitionTexts } from '../../../engine/definition/load/load.ts'
import type { Behaviour } from '../../../engine/definition/model/definition.ts'
import type { Field } from '../../../engine/fields/field.ts'
import { checkedProgram } from '../../../engine/index.ts'
import { VOCABULARY } from '../../helpers/vocabulary.ts'
import { assertMistakes, mistakesOf, thing } from './marked-files.ts'

const LEDGER = thing(
  `ledger: {balance: [debit, credit]}
fields:
  posting_date: {type: date}
  part: {type: data}
  place: {type: data}
  debit: {type: currency}
  credit: {type: currency}`,
  'Entry',
)
const FIELDS = `submittable: true
fields:
  posting_date: {type: date}
  place: {type: data}
  size: {type: int}
  maker: {type: data}
  items:
    type: table
    fields: {part: {type: data}, size: {type: int}, price: {type: currency}}
  copies:
    type: table
    ROWS
    fields: {part: {type: data}, size: {type: int}}`
const ROWS = 'rows: {each: items, copy: [part], set: {size: row.size}}'

function filesOf(parts: string, rows = ROWS): { path: string; text: string }[] {
  return [
    { path: 'a.yaml', text: thing(`${FIELDS.replace('ROWS', rows)}\n${parts}`) },
    { path: 'b.yaml', text: LEDGER },
  ]
}

function load(
  parts: string,
  rows?: string,
): { readonly behaviour: Behaviour; readonly fields: readonly Field[] } {
  const { registry } = loadDefinitionTexts(filesOf(parts, rows), VOCABULARY)
  return registry.byDoctype('Thing')!
}

/** Mistakes of expressions, as `file:line:column: message`. */
function problemsOf(files: ReturnType<typeof filesOf>): string[] {
  try {
    checkedProgram(loadDefinitionTexts(files, VOCABULARY))
    return []
  } catch (error) {
    return (error as Error).message.split('\n')
  }
}

const copy = suite('copy')

copy('is set with the row of the nearest each, and with the document where there is none', () => {
  const { behaviour, fields } = load(`effects:
  submit:
    - post: Entry
      rows:
        - {each: items, as: i, copy: [part], set: {debit: i.price, place: place}}
        - {copy: [place], set: {credit: 'items.sum(i, i.price)'}}
actions:
  again:
    input: {maker: {type: data}}
    steps:
      - {copy: [input.maker, size]}
      - create: Thing
        copy: [place]
        rows:
          items: {each: {table: items, as: r, if: r.size > 0}, copy: [part, price], set: {size: 2 * r.size}}
      - create: Thing
        each: {from: Thing, as: t}
        copy: [place]
        rows: {items: [{copy: [t.size]}, {each: items, copy: [part]}]}
      - {update: Thing, record: t.name, each: {from: Thing, as: t}, copy: [place]}
      - {fill: items, each: {table: copies}, copy: [part, size]}`)
  assert.equal(behaviour.effects?.submit, [
    {
      post: 'Entry',
      rows: [
        { each: 'items', as: 'i', set: { part: 'i.part', debit: 'i.price', place: 'place' } },
        { set: { place: 'place', credit: 'items.sum(i, i.price)' } },
      ],
    },
  ])
  assert.equal(behaviour.actions?.again?.steps, [
    { set: { maker: 'input.maker', size: 'size' } },
    {
      create: 'Thing',
      rows: {
        items: {
          each: { table: 'items', as: 'r', if: 'r.size > 0' },
          set: { part: 'r.part', price: 'r.price', size: '2 * r.size' },
        },
      },
      set: { place: 'place' },
    },
    {
      create: 'Thing',
      each: { from: 'Thing', as: 't' },
      rows: { items: [{ set: { size: 't.size' } }, { each: 'items', set: { part: 'row.part' } }] },
      set: { place: 't.place' },
    },
    {
      update: 'Thing',
      record: 't.name',
      each: { from: 'Thing', as: 't' },
      set: { place: 't.place' },
    },
    {
      fill: 'items',
      each: { table: 'copies' },
      set: { part: 'row.part', size: 'row.size' },
    },
  ])
  assert.equal(fields.find(({ name }) => name === 'copies')?.rows?.[0]?.set, {
    part: 'row.part',
    size: 'row.size',
  })
})

copy('takes, of rows within rows, those beside which it stands', () => {
  const rows = 'rows: {each: items, as: i, within: {each: kit.parts, as: p}, copy: [part, p.size]}'
  const { fields } = load('', rows)
  assert.equal(fields.find(({ name }) => name === 'copies')?.rows?.[0]?.set, {
    part: 'i.part',
    size: 'p.size',
  })
})

copy('is checked where it stands in the list, on both sides', () => {
  const [target = '', source = '', ...more] = problemsOf(
    filesOf(`actions:
  again:
    steps:
      - create: Thing
        rows:
          items:
            each: items
            as: i
            copy:
              - part
              - colour
              - price
      - {create: Thing, copy: [place], rows: {copies: {each: items, copy: [part, size]}}}
      - {update: Thing, record: name, each: {from: Entry, as: e}, copy: [size]}`),
  )
  assert.equal(more, [])
  assert.match(target, /^a\.yaml:27:17: no field "colour"/)
  assert.match(source, /^a\.yaml:30:74: unknown field 'size'.*`e\.size`$/)
})

copy('has each name once, and not beside the same in set', () => {
  assertMistakes(
    [
      thing(
        'fields: {a: {type: int}, b: {type: int}}\nactions: {x: {steps: [{copy: [a, →input.a, →b], set: {b: 1}}]}}',
      ),
    ],
    'a is there twice; remove one of them',
    'b stands in set already; remove one of them',
  )
  assertMistakes(
    [thing('fields: {a: {type: int}}\nactions: {x: {steps: [{copy: [→i.A, a]}]}}')],
    'expected text like ^[a-z][a-z0-9_]*(?:\\.[a-z][a-z0-9_]*)*$, got "i.A"',
  )
})

copy('may be all that rows are made of, but something has to be', () => {
  assert.equal(load('', 'rows: {each: items, copy: [part]}').fields.at(-1)?.rows?.[0]?.set, {
    part: 'row.part',
  })
  const [line = ''] = mistakesOf(filesOf('', 'rows: {each: items}'))
  assert.match(line, 'needs the key set')
})

copy('is taken from a block with its parameters, told at its line', () => {
  const block = {
    path: 'blocks/again.yaml',
    text: `parameters: {field: {}}
actions:
  again:
    steps:
      - {create: Thing, copy: [$field]}
`,
  }
  const user = (field: string): { path: string; text: string }[] => [
    block,
    ...filesOf(`use: [{block: again, with: {field: ${field}}}]`),
  ]
  const { registry } = loadDefinitionTexts(user('place'), VOCABULARY)
  assert.equal(registry.byDoctype('Thing')?.behaviour.actions?.again?.steps, [
    { create: 'Thing', set: { place: 'place' } },
  ])
  const [line = '', ...more] = problemsOf(user('palce'))
  assert.equal(more, [])
  assert.match(line, /^blocks\/again\.yaml:5:32: no field "palce".*\(used by a\.yaml:17:7\)$/)
})

copy(
  'says a list of let for its names: that of the table gone through, else that of the document',
  () => {
    const block = {
      path: 'blocks/sized.yaml',
      text: 'let: {all: [part, size]}\nfields: {note: {type: data}}\n',
    }
    const [a, b] = filesOf(`let: {all: [place, size], told: [place, input.maker]}
actions:
  again:
    input: {maker: {type: data}}
    steps:
      - {copy: [all]}
      - create: Thing
        copy: [told]
        rows: {items: {each: items, as: i, copy: [all, price]}, copies: {each: {table: copies}, copy: [all]}}`)
    const table = 'fields: {part: {type: data}, size: {type: int}, price: {type: currency}}'
    const text = a!.text.replace(table, `use: [sized]\n    ${table}`)
    const { registry } = loadDefinitionTexts([block, { path: 'a.yaml', text }, b!], VOCABULARY)
    assert.equal(registry.byDoctype('Thing')?.behaviour.actions?.again?.steps, [
      { set: { place: 'place', size: 'size' } },
      {
        create: 'Thing',
        rows: {
          items: {
            each: 'items',
            as: 'i',
            set: { part: 'i.part', size: 'i.size', price: 'i.price' },
          },
          copies: { each: { table: 'copies' }, set: { place: 'row.place', size: 'row.size' } },
        },
        set: { place: 'place', maker: 'input.maker' },
      },
    ])
  },
)

copy('tells a mistake in a list where it stands there', () => {
  const [line = '', ...more] = problemsOf(
    filesOf(
      'let: {all: [place, sise]}\nactions: {x: {steps: [{create: Thing, copy: [maker, all]}]}}',
    ),
  )
  assert.equal(more, [])
  assert.match(line, /^a\.yaml:17:20: no field "sise"/)
  assertMistakes(
    [
      thing(
        'let: {→both: [a, b]}\nfields: {a: {type: int}, b: {type: int}, both: {type: int}}\nactions: {x: {steps: [{copy: [b, →both]}]}}',
      ),
    ],
    'a let cannot be called both: there is a field of that name',
    'b is there twice; remove one of them',
  )
})

copy.run()
