import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  NamingProblem,
  namingFields,
  parseNaming,
  parseNamingPattern,
} from '../../../engine/definition/model/naming-pattern.ts'
import { pluralise, singularise, titleCase } from '../../../engine/definition/normalise/slug.ts'

const naming = suite('a naming')

naming('is one of the forms of docs/doctypes/cookbook/numbering.md', () => {
  assert.equal(parseNaming(undefined), { kind: 'uuid' })
  for (const kind of ['prompt', 'autoincrement', 'uuid']) assert.equal(parseNaming(kind), { kind })
  assert.equal(parseNaming('field:item_code'), { kind: 'field', field: 'item_code' })
  assert.equal(parseNaming('SO-{YYYY}-{#####}'), { kind: 'series', pattern: 'SO-{YYYY}-{#####}' })
  assert.equal(parseNaming('{a}::{b}'), { kind: 'format', pattern: '{a}::{b}' })
})

naming('in parts is text, dates, fields and one counter', () => {
  assert.equal(parseNamingPattern('B-{YY}{WW}-{item_code}/{###}x'), [
    { kind: 'text', text: 'B-' },
    { kind: 'date', token: 'YY' },
    { kind: 'date', token: 'WW' },
    { kind: 'text', text: '-' },
    { kind: 'field', field: 'item_code' },
    { kind: 'text', text: '/' },
    { kind: 'counter', digits: 3 },
    { kind: 'text', text: 'x' },
  ])
  assert.equal(namingFields(parseNaming('{a}::{b}-{#}')), ['a', 'b'])
})

naming('by a series may be by a field where a check is on', () => {
  assert.equal(parseNaming('C-{###}, field:title if by_title'), {
    kind: 'series',
    pattern: 'C-{###}',
    instead: { field: 'title', when: 'by_title' },
  })
  assert.equal(namingFields(parseNaming('C-{a}-{###}, field:title if by_title')), ['a', 'title'])
})

naming('that could not tell two records apart is refused', () => {
  for (const text of [
    '{a}, field:title if by_title',
    'prompt, field:title if by_title',
    '',
    'SO',
    'SO-{YYYY}',
    '{}',
    '{###',
    'a}',
    '{A b}',
    'field:',
    'field:Item',
    '{#}{#}',
    `{${'#'.repeat(13)}}`,
  ]) {
    assert.throws(
      () => parseNaming(text),
      (error: Error) => error instanceof NamingProblem,
      text,
    )
  }
})

const words = suite('a plural')

words('and its singular follow the usual rules', () => {
  const pairs = [
    'Order Orders',
    'Company Companies',
    'Day Days',
    'Address Addresses',
    'Tax Taxes',
    'Batch Batches',
    'Log Logs',
  ]
  for (const [one, many] of pairs.map((pair) => pair.split(' ') as [string, string])) {
    assert.is(pluralise(one), many)
    assert.is(singularise(many), one)
  }
  assert.is(singularise('Taxes and Charges'), 'Taxes and Charge')
  assert.is(singularise('Address'), 'Address')
})

words('stands in no field label that is derived', () => {
  assert.is(titleCase('base_net_total'), 'Base Net Total')
})

for (const each of [naming, words]) each.run()
