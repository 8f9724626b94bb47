import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { loadDefinitionTexts } from '../../../engine/definition/load/load.ts'
import { madeName } from '../../../engine/definition/model/made-name.ts'
import { publicFields } from '../../../engine/fields/public-fields.ts'
import { VOCABULARY } from '../../helpers/vocabulary.ts'
import { assertMistakes, thing } from './marked-files.ts'

const test = suite('columns that the loader makes')

const MASTER = thing(
  'naming: field:code\nfields:\n  code: {type: data, required: true}\n  price: {type: currency}\n  kind: {type: select, options: [A, B]}\n  other: {type: link, options: Master}\n  key: {type: password}\n  facts: {type: json}',
  'Master',
)

const load = (...keys: readonly string[]) =>
  loadDefinitionTexts(
    [
      MASTER,
      ...keys.map((text, index) => thing(text, index === 0 ? 'Thing' : `Thing ${index}`)),
    ].map((text, index) => ({ path: `${index}.yaml`, text })),
    VOCABULARY,
  ).registry

const madeOf = (text: string, more: readonly string[] = []) => {
  const { fields } = load(text, ...more).byDoctype('Thing')!
  return [...fields, ...fields.flatMap(({ child }) => child?.fields ?? [])].filter(
    ({ made }) => made,
  )
}

test('keep one field for all expressions that read it, with its type, and say which', () => {
  const made = madeOf(
    'submittable: true\nfields:\n  m: {type: link, options: Master}\n  a: {type: currency, formula: m.price * 2}\n  b: {type: currency, formula: m.price + 1}\n  c: {type: check, formula: m.kind == "A"}\nstatus: {field: s, derive: {X: m.price > 1, Y: "true"}}',
  )
  assert.equal(
    made.map(({ name, type, fetch, internal, made }) => [name, type, fetch, internal, made!.by]),
    [
      [
        'm__kind',
        'select',
        { link: 'm', field: 'kind', when: 'draft' },
        true,
        ['fields.c.formula'],
      ],
      [
        'm__price',
        'currency',
        { link: 'm', field: 'price', when: 'draft' },
        true,
        ['fields.a.formula', 'fields.b.formula', 'status.derive.X'],
      ],
    ],
  )
})

test('are texts where they keep a link: nothing is held by a copy', () => {
  const made = madeOf(
    'fields:\n  m: {type: link, options: Master}\n  a: {type: currency, formula: m.other.other.price}',
  )
  assert.equal(
    made.map(({ name, type, link, made }) => [name, type, link, made!.names]),
    [
      ['m__other', 'data', undefined, 'Master'],
      ['m__other__other', 'data', undefined, 'Master'],
      ['m__other__other__price', 'currency', undefined, undefined],
    ],
  )
})

test('are known to nobody outside, and are not made for what is taken at one moment', () => {
  const definition = load(
    'fields:\n  m: {type: link, options: Master}\n  a: {type: currency, default: m.price}\n  b: {type: data, required_when: m.price > 1}\nvalidate: [{check: m.price > 0, field: a, message: "costs {m.price}"}]',
  ).byDoctype('Thing')!
  assert.is(publicFields(definition).length, definition.fields.length)
})

test('are made where a rollup of another DocType reads them', () => {
  const made = madeOf('fields:\n  m: {type: link, options: Master}\n  n: {type: float}', [
    'fields:\n  n: {type: float, rollup: {from: Thing, match: m, sum: n, where: m.kind == "A"}}',
  ])
  assert.equal(
    made.map(({ name, made }) => [name, made!.by]),
    [['m__kind', ['Thing 1: fields.n.rollup.where']]],
  )
})

test('are made once for a find, with the name of what it finds', () => {
  const made = madeOf(
    'fields:\n  items:\n    type: table\n    find: {m: {from: Master, match: {code: c}, at: submit}}\n    fields:\n      c: {type: data}\n      d: {type: check, formula: m.price > 1}\n  all: {type: currency, formula: "items.sum(i, i.m.price)"}',
  )
  const lookup = { from: 'Master', equals: { code: 'c' }, at: 'submit', find: 'm', when: 'always' }
  assert.equal(
    made.map(({ name, lookup, made }) => [name, lookup, made!.by]),
    [
      ['m__name', { ...lookup, value: 'name' }, ['fields.items.find.m']],
      [
        'm__price',
        { ...lookup, value: 'price' },
        ['fields.all.formula', 'fields.items.fields.d.formula'],
      ],
    ],
  )
})

test('have names that PostgreSQL can tell apart', () => {
  const [one, other] = ['a', 'b'].map((end) => madeName('l'.repeat(30), 'f'.repeat(40) + end))
  assert.ok(one!.length < 63 && one !== other)
})

test.run()

const mistakes = suite('a find')
const FINDS = 'naming: uuid\nfields: {a: {type: data}, m: {type: link, options: Master}}\nfind:\n  '

for (const [what, text, message] of [
  [
    'a DocType that there is',
    'f: {from: →Mastr, match: a}',
    'no DocType "Mastr"; did you mean Master?',
  ],
  ['one way to find', '→f: {from: Master}', 'needs either match or where'],
  [
    'fields that there are',
    'f: {from: Master, match: {→cod: a}}',
    'no field "cod"; did you mean code?',
  ],
  [
    'a latest that there is',
    'f: {from: Master, where: price > 1, latest: →pric}',
    'no field "pric"; did you mean price?',
  ],
  [
    'a name of its own',
    '→a: {from: Master, match: a}',
    'there is a field a already; call the find otherwise',
  ],
  [
    'no name that expressions have',
    '→old: {from: Master, match: a}',
    'a find cannot be called old: expressions have a record of that name',
  ],
  [
    'renew for what is taken once',
    'f: {from: Master, match: a, at: submit, →renew: a != old.a}',
    'is for at: create, got at: submit, which searches anew by itself; remove it',
  ],
] as const)
  mistakes(`needs ${what}`, () => assertMistakes([MASTER, thing(FINDS + text)], message))

mistakes('cannot be asked by a form', () =>
  assertMistakes(
    [
      MASTER,
      thing(
        'fields: {a: {type: data, visible_when: →f.price > 1}}\nfind: {f: {from: Master, match: a}}',
      ),
    ],
    'f is internal, so it cannot be asked by a form; name a field that callers know, or make it hidden instead',
  ),
)

mistakes.run()
