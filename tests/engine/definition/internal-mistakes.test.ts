import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { assertMistakes, mistakesOf, thing } from './marked-files.ts'

const test = suite('an internal field')

/** Words that mean nothing beside `internal`, as they are written. */
const SENSELESS: readonly (readonly [word: string, value: string, why: string])[] = [
  ['filterable', 'true', 'is for callers of the API, who never see an internal field'],
  ['createOnly', 'true', 'is for callers of the API, who never see an internal field'],
  ['allow_on_submit', 'true', 'is for callers of the API, who never see an internal field'],
  ['label', 'X', 'is for people, who never see an internal field'],
  ['placeholder', 'x', 'is for people, who never see an internal field'],
  ['section', 'X', 'is for people, who never see an internal field'],
  ['visible_when', 'b > 1', 'is for people, who never see an internal field'],
  ['required', 'true', 'refuses a value by the name of the field, which nobody may hear'],
  ['required_when', 'b > 1', 'refuses a value by the name of the field, which nobody may hear'],
  ['unique', 'true', 'refuses a value by the name of the field, which nobody may hear'],
  ['hidden', 'true', 'says less than internal'],
  ['readOnly', 'true', 'goes without saying: nobody may set an internal field'],
]

for (const [word, value, why] of SENSELESS)
  test(`takes no ${word}`, () =>
    assertMistakes(
      [
        thing(
          `fields:\n  a: {type: int, internal: true, default: 1, →${word}: ${value}}\n  b: {type: int}`,
        ),
      ],
      `${why}; remove ${word}, or internal`,
    ))

const OTHERWISE = 'name a field that callers know, or make it hidden instead'

/** Places where callers would hear the name of the internal field `a`. */
const TOLD: readonly (readonly [place: string, text: string, use: string])[] = [
  ['the title', 'title: →a', 'be the title (expected text)'],
  ['the search', 'search: [→a]', 'be searched'],
  ['a column of the list', 'list: [→a]', 'be a column of the list'],
  ['a name', 'naming: →"T-{a}"', 'be part of a name'],
  ['unique', 'unique: [{fields: [→a, b]}]', 'be unique'],
  [
    'the field of a message',
    'validate: [{check: b > 1, field: →a, message: is small}]',
    'be what a message is about',
  ],
  ['the data of an event', 'events: {x: {when: b > 1, data: [→a]}}', 'be told of in an event'],
]

for (const [place, text, use] of TOLD)
  test(`is not ${place}`, () =>
    assertMistakes(
      [thing(`${text}\nfields:\n  a: {type: data, internal: true}\n  b: {type: int}`)],
      `a is internal, so it cannot ${use}; ${OTHERWISE}`,
    ))

test('is not the status', () =>
  assertMistakes(
    [
      thing(
        'status: {field: a, derive: {Open: "true"}}\nfields:\n  a: {type: select, options: [Open], →internal: true}',
      ),
    ],
    'callers are told the status of a record; remove internal',
  ))

test('is no currency, DocType or condition of a field that callers see', () => {
  assertMistakes(
    [
      thing(`fields:
  a: {type: data, internal: true, default: '"USD"'}
  cost: {type: currency, currency: →a}
  kept: {type: currency, currency: a, internal: true}
  of: {type: dynamic_link, options: →a}
  shown: {type: data, visible_when: →a == "x"}`),
    ],
    `a is internal, so it cannot be the currency of a field that callers see; ${OTHERWISE}`,
    `a is internal, so it cannot name the DocType of a field that callers see; ${OTHERWISE}`,
    `a is internal, so it cannot be asked by a form; ${OTHERWISE}`,
  )
})

test('is no input of an action', () =>
  assertMistakes(
    [
      thing(
        'fields: {b: {type: int}}\nactions: {go: {input: {a: {type: int, →internal: true}}, steps: [{set: {b: input.a}}]}}',
      ),
    ],
    'is not for what callers send to an action; remove it',
  ))

test('may have what computes it, a description, and be a table', () => {
  const text = thing(`fields:
  a: {type: link, options: Thing, internal: true, default_from: b > 1, renew: b != old.b, no_copy: true, description: Why.}
  b: {type: int, formula: c}
  c: {type: int, internal: true, default: 1}
  rows: {type: table, internal: true, fields: {d: {type: data}}}`)
  assert.equal(mistakesOf([{ path: 'a.yaml', text }]), [])
})

test.run()
