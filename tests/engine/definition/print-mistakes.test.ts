import { suite } from 'uvu'
import { assertMistakes, thing } from './marked-files.ts'

const FIELDS = `fields:
  title: {type: data}
  off: {type: check}
  amount: {type: currency}
  owner_of: {type: link, options: Thing}
  rows: {type: table, options: Thing Row, fields: {label: {type: data}, value: {type: float}, secret: {type: password}}}
`

const SCENARIOS: readonly (readonly [name: string, print: string, ...messages: string[]])[] = [
  [
    'an unknown key',
    '{→colour: red}',
    'unknown key colour; expected one of title titles parties number meta tables totals strong below notes labels bank letterhead card',
  ],
  ['an unknown field', '{meta: [title, →titel]}', 'no field "titel"'],
  [
    'a heading for what is never on',
    '{titles: {title: →Sheet}}',
    'a field of the type data cannot be on or off (expected a check), got "title"',
  ],
  [
    'a party that is no record',
    '{parties: [→title]}',
    'a field of the type data cannot lead to a record (expected a link or a dynamic link), got "title"',
  ],
  [
    'a table that is none',
    '{tables: [{table: →title, columns: [label]}]}',
    'a field of the type data cannot be printed as a table, got "title"',
  ],
  [
    'an unknown column',
    '{below: [{table: rows, columns: [label, →vale]}]}',
    'no field "vale"; did you mean value?',
  ],
  [
    'a secret column',
    '{tables: [{table: rows, columns: [→secret]}]}',
    'a field of the type password cannot be printed here, got "secret"',
  ],
  [
    'a sum that is no number',
    '{totals: [-amount, →title]}',
    'a field of the type data cannot be a sum (expected a number), got "title"',
  ],
  [
    'rows without a sum',
    '{totals: [→{rows: rows, label: label}]}',
    'expected field, or rows with label and value',
  ],
  [
    'a sum of rows that are no numbers',
    '{totals: [{rows: rows, label: label, value: →label}]}',
    'a field of the type data cannot be a sum (expected a number), got "label"',
  ],
  [
    'an unknown field in a line of an address',
    "{card: {postal: ['{title}', →'{city}']}}",
    'no field "city"',
  ],
  [
    'records that do not point here',
    '{card: {address: {from: Thing, link: →title}}}',
    'a field of the type data cannot lead to a record (expected a link or a dynamic link), got "title"',
  ],
]

const test = suite('a mistake in what is printed is reported at its place:')
for (const [name, print, ...messages] of SCENARIOS)
  test(name, () => assertMistakes([`${thing(FIELDS)}print: ${print}\n`], ...messages))
test.run()
