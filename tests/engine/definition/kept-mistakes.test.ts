import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { loadDefinitionTexts } from '../../../engine/definition/load/load.ts'
import { VOCABULARY } from '../../helpers/vocabulary.ts'
import { assertMistakes, mistakesOf, thing } from './marked-files.ts'

const test = suite('rights of single fields')

const FIELDS = `fields:
  a: {type: data}
  b: {type: int, filterable: true}
  c: {type: int, internal: true, default: 1}
  sum: {type: int, formula: b * 2}
  rows: {type: table, fields: {d: {type: int}}}
permissions:
  fields:`

test('name a field, or a column of a table, that somebody reads or sets', () =>
  assertMistakes(
    [
      thing(
        `${FIELDS}\n    →aa: {read: [X]}\n    →rows.e: {write: [X]}\n    →c: {read: [X]}\n    sum: {→write: [X]}`,
      ),
    ],
    'no field "aa"; did you mean a?',
    'no field "rows.e"; did you mean rows.d?',
    'is internal, so nobody reads or sets it; remove it here',
    'nobody sets this field: the workspace fills it, and those who may read it read it; remove write',
  ))

/** Places where everybody would hear of the field `a`, which only some may read. */
const TOLD: readonly (readonly [place: string, text: string, use: string])[] = [
  ['the title', 'title: →a', 'be the title (expected text)'],
  ['the search', 'search: [→a]', 'be searched'],
  ['a name', 'naming: →"T-{a}"', 'be part of a name'],
  ['a calendar', 'views: {board: {by: k, card: [→a]}}', 'be a column of the list'],
]

for (const [place, text, use] of TOLD)
  test(`are not of what everybody is told: ${place}`, () =>
    assertMistakes(
      [
        thing(
          `${text}\nfields: {a: {type: data, required: true}, k: {type: check}}\npermissions: {fields: {a: {read: [X]}}}`,
        ),
      ],
      `only some may read a (permissions.fields), so it cannot ${use}`,
    ))

test('are not gone round by an event that tells the value under another name', () =>
  assertMistakes(
    [
      thing(
        'fields: {a: {type: int}}\nevents: {big: {when: a > 1, data: {size: →a * 2}}}\npermissions: {fields: {a: {read: [X]}}}',
      ),
    ],
    'tells Thing.a, which only some may read (permissions.fields); list the field itself: who may read it gets it',
  ))

const person = (more: string): string =>
  thing(`fields: {login: {type: data}, boss: {type: data}}\n${more}`, 'Person')

const decides = (name: string): string =>
  `Person.${name} decides here who may, and everybody who may change Persons sets it: say who may set it, "permissions: {fields: {${name}: {write: [Role]}}}" of Person`

test('have to say who sets what the rows of a role elsewhere depend on, also by what is fetched', () => {
  const claim = thing(
    `fields:
  person: {type: link, options: Person}
  login: {type: data, internal: true, fetch: person.login}
permissions: {rows: {X: →login == user.name}}`,
    'Claim',
  )
  assertMistakes([claim, person('')], decides('login'))
  const said = person('permissions: {fields: {login: {write: [X]}}}')
  assert.equal(mistakesOf([claim.replace('→', ''), said].map(fileOf)), [])
})

test('and what a check that reads user depends on, through links and finds', () => {
  const claim = thing(
    `find: {chief: {from: Person, where: boss == this.team, latest: boss}}
fields: {person: {type: link, options: Person}, team: {type: data}}
validate:
  - {check: →person.login != user.name, field: person, message: is you}
  - {check: →chief.boss != user.name, field: person, message: is the chief}
  - {check: person.boss != "x", field: person, message: is x}`,
    'Claim',
  )
  assertMistakes([claim, person('')], decides('login'), decides('boss'))
})

test('pass on to what is computed of a field, and end at what says its own', () => {
  const files = [
    thing(
      `fields:
  a: {type: int}
  b: {type: int}
  hidden_sum: {type: int, internal: true, formula: a + b}
  twice: {type: int, formula: hidden_sum * 2}
  told: {type: int, formula: a * 0}
  told_twice: {type: int, formula: told * 2}
  rows: {type: table, fields: {share: {type: int, formula: parent.a}}}
permissions: {fields: {a: {read: [X, Y]}, b: {read: [Y, Z]}, told: {read: [X, Y, Z]}}}`,
    ),
    thing(
      'fields: {thing: {type: link, options: Thing}, seen: {type: int, fetch: thing.twice}}',
      'Other',
    ),
  ]
  const { registry } = loadDefinitionTexts(files.map(fileOf), VOCABULARY)
  const readers = (doctype: string) =>
    Object.fromEntries(
      Object.entries(registry.byDoctype(doctype)!.behaviour.permissions?.fields ?? {}).map(
        ([name, { read }]) => [name, read?.join()],
      ),
    )
  assert.equal(readers('Thing'), {
    a: 'X,Y',
    b: 'Y,Z',
    told: 'X,Y,Z',
    twice: 'Y',
    told_twice: 'X,Y,Z',
    'rows.share': 'X,Y',
  })
  assert.equal(readers('Other'), { seen: 'Y' })
})

test('do not leave a field that nobody could read', () =>
  assertMistakes(
    [
      thing(
        'fields:\n  a: {type: int}\n  b: {type: int}\n  →s: {type: int, formula: a + b}\npermissions: {fields: {a: {read: [X]}, b: {read: [Y]}}}',
      ).replace('→s: ', 's: →'),
    ],
    'is made of fields that nobody may read all of (permissions.fields); say who reads it, "permissions: {fields: {s: {read: [Role]}}}", or make it internal',
  ))

test.run()

function fileOf(text: string, index: number): { readonly path: string; readonly text: string } {
  return { path: `${'ab'[index]}.yaml`, text }
}
