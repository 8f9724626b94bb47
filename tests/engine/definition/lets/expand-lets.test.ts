import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { loadDefinitionTexts } from '../../../../engine/definition/load/load.ts'
import type { DocTypeDefinition } from '../../../../engine/definition/model/definition.ts'
import type { SourceFile } from '../../../../engine/definition/yaml/source.ts'
import type { Field } from '../../../../engine/fields/field.ts'
import { checkedProgram } from '../../../../engine/index.ts'
import { VOCABULARY } from '../../../helpers/vocabulary.ts'
import { assertMistakes, thing } from '../marked-files.ts'

const FIELDS = `submittable: true
let: {total: 'items.sum(i, i.left)', is_open: total > 0, day: posting_date}
fields:
  posting_date: {type: date}
  rate: {type: float}
  state: {type: data, formula: 'is_open ? "open" : ""'}
  items:
    type: table
    let: {left: qty - billed, worth: left * parent.rate, was_less: old.qty < qty}
    fields:
      part: {type: link, options: Part}
      qty: {type: float}
      billed: {type: float}
      value: {type: float, formula: worth}`
const PART = thing('fields: {weight: {type: float}, size: {type: int}}', 'Part')

const file = (path: string, text: string): SourceFile => ({ path, text: `${text}\n` })

function load(parts: string, fields = FIELDS, ...more: SourceFile[]): DocTypeDefinition {
  const files = [file('a.yaml', thing(`${fields}\n${parts}`)), file('b.yaml', PART), ...more]
  const loaded = loadDefinitionTexts(files, VOCABULARY)
  checkedProgram(loaded)
  return loaded.registry.byDoctype('Thing')!
}

/** Mistakes of expressions, as `file:line:column: message`. */
function problemsOf(parts: string, fields = FIELDS): string[] {
  try {
    load(parts, fields)
    return []
  } catch (error) {
    return (error as Error).message.split('\n')
  }
}

const formulaOf = (fields: readonly Field[] = [], name: string): string | undefined =>
  fields.find((field) => field.name === name)?.formula

const USES = `validate:
  - {each: items, check: '!was_less || day != ""', field: qty, message: "{left} of {parent.total}"}`

const lets = suite('let')

lets('is what its text would be, in the record, its rows and from one to the other', () => {
  const { fields, behaviour } = load(USES.replace('day', 'parent.day'))
  assert.is(formulaOf(fields, 'state'), '(items.sum(i, (i.qty - i.billed)) > 0) ? "open" : ""')
  const rows = fields.find(({ name }) => name === 'items')?.child?.fields
  assert.is(formulaOf(rows, 'value'), '((qty - billed) * parent.rate)')
  assert.equal(behaviour.validate, [
    {
      each: 'items',
      check: '!(old.qty < qty) || parent.posting_date != ""',
      field: 'qty',
      message: '{(qty - billed)} of {parent.items.sum(i, (i.qty - i.billed))}',
    },
  ])
})

const WIDE = `let: {is_late: posting_date < today(), maker_is_known: maker.weight > 0}
submittable: true
find: {best: {from: Part, where: 'size > 1 && !this.is_late', latest: weight}}
fields:
  posting_date: {type: date}
  maker: {type: link, options: Part}
  least: {type: float, default: 'is_late ? 1 : 2', visible_when: is_late, required_when: maker_is_known}
  most: {type: float, formula: 'is_late ? best.weight : 0'}
  names: {type: data, lookup: {from: Part, where: '!this.is_late', value: name}}
  items:
    type: table
    let: {left: 'qty - parent.least', open: 'parent.is_late && left > 0', heavy: part.weight > 5}
    fields:
      part: {type: link, options: Part}
      qty: {type: float}
      other: {type: data, lookup: {from: Part, where: this.open && parent.is_late, value: name}}
  rest:
    type: table
    rows: {each: items, as: i, if: i.open, set: {qty: i.left}}
    fields: {qty: {type: float}, heavy: {type: check, formula: 'parent.items.exists(i, i.heavy)'}}
status:
  field: status
  derive: {Late: is_late && docstatus < 2, Fine: true}
  tick: {daily: is_late}
unique: [{fields: [maker], where: docstatus < 2}]
permissions: {rows: {All: {read: '!is_late || owner == user.name'}}}
events:
  late: {trigger: update, when: is_late, data: {how_late: is_late}}
effects:
  submit:
    - {create: Task, each: {table: items, as: i, if: i.open}, if: is_late, set: {subject: 'i.left > 1 ? "a" : "b"'}}
    - {create: Task, each: {from: Part, as: p, where: size > 1 && this.is_late}, set: {subject: p.name}, rows: {steps: {each: items, if: row.open, set: {size: row.left}}}}
actions:
  again:
    when: maker_is_known
    every: day
    input: {size: {type: float, default: '1'}}
    steps:
      - {fill: rest, each: {table: items, as: i}, set: {qty: i.left}}
      - {update: Part, each: {from: Part, as: p}, record: 'is_late ? p.name : ""', set: {size: record.size + 1}}`
const TASK = file(
  'c.yaml',
  thing(
    'fields: {subject: {type: data}, steps: {type: table, fields: {size: {type: float}}}}',
    'Task',
  ),
)

lets('can be used wherever expressions of the record are', () => {
  const plain = WIDE.replace('    every: day\n', '')
  const { fields, behaviour, finds } = load('', plain, TASK)
  const text = JSON.stringify([fields, behaviour, finds])
  for (const name of ['is_late', 'maker_is_known', 'left', 'open', 'heavy', 'this.is_late'])
    assert.not.match(text, new RegExp(`[^."a-z_]${name.replace('.', '\\.')}\\b(?!":)`))
  const late = '(posting_date < today())'
  const row = '(parent.posting_date < today())'
  const { names, items, rest } = Object.fromEntries(fields.map((field) => [field.name, field]))
  assert.is(names?.lookup?.where, '!(this.posting_date < today())')
  assert.is(
    items?.child?.fields.find(({ name }) => name === 'other')?.lookup?.where,
    `(${row} && (this.qty - parent.least) > 0) && ${row}`.replace('((', '((').replaceAll('  ', ' '),
  )
  assert.equal(rest?.rows, [
    {
      each: 'items',
      as: 'i',
      if: `(${late} && (i.qty - least) > 0)`,
      set: { qty: '(i.qty - least)' },
    },
  ])
  const [task, found] = behaviour.effects?.submit ?? []
  assert.equal(task, {
    create: 'Task',
    each: { table: 'items', as: 'i', if: `(${late} && (i.qty - least) > 0)` },
    if: late,
    set: { subject: '(i.qty - least) > 1 ? "a" : "b"' },
  })
  assert.match(JSON.stringify(found), 'size > 1 && (this.posting_date < today())')
  assert.match(JSON.stringify(found), '"size":"(row.qty - least)"')
  assert.equal(behaviour.permissions?.rows, {
    All: { read: `!${late} || owner == user.name` },
  })
  assert.equal(behaviour.events?.late?.data, { how_late: late })
  // What is read behind the link of a row is kept with the row, as if it was written there.
  assert.ok(items?.child?.fields.some(({ name }) => name === 'part__weight'))
})

lets('is expanded with rows of its own, whatever those around it are called', () => {
  const own = `let: {all: 'items.sum(i, i.qty)', part_of: 'items.sum(i, i.qty / parts.sum(p, p.qty))'}
fields:
  x: {type: float, formula: 'parts.sum(i, i.qty * all)'}
  y: {type: float, formula: part_of}
  items: {type: table, fields: {qty: {type: float}}}
  parts: {type: table, fields: {qty: {type: float}}}`
  const { fields } = load('', own)
  assert.is(formulaOf(fields, 'x'), 'parts.sum(i, i.qty * items.sum(i2, i2.qty))')
  assert.is(formulaOf(fields, 'y'), 'items.sum(i, i.qty / parts.sum(p, p.qty))')
})

lets(
  'is shared by rows with a file of their own, and by blocks, as far as somebody uses it',
  () => {
    const shared = file(
      'd.yaml',
      thing('child: true\nlet: {left: qty - 1}\nfields: {qty: {type: float}}', 'Shared Row'),
    )
    const block: SourceFile = file(
      'blocks/counted.yaml',
      'parameters: {by: {}}\nlet: {twice: 2 * $by, unsaid: 3 * $by}\nfields: {$by: {type: float}}',
    )
    const other = file(
      'e.yaml',
      thing(
        'use: [{block: counted, with: {by: n}}]\nfields: {z: {type: float, formula: unsaid}}',
        'Other',
      ),
    )
    const { fields } = load(
      '',
      `use: [{block: counted, with: {by: m}}]
fields:
  items: {type: table, options: Shared Row}
  lines: {type: table, use: [{block: counted, with: {by: k}}], fields: {w: {type: float, formula: twice}}}
  x: {type: float, formula: 'items.sum(i, i.left) + twice'}`,
      shared,
      block,
      other,
    )
    assert.is(formulaOf(fields, 'x'), 'items.sum(i, (i.qty - 1)) + (2 * m)')
    assert.is(formulaOf(fields.find(({ name }) => name === 'lines')?.child?.fields, 'w'), '(2 * k)')
  },
)

const mistakes = suite('a mistake of a let')

mistakes('is told once, at its line, whoever uses it', () => {
  const wrong = `let: {left: 'm - qty', worth: left * 2}
fields:
  m: {type: float}
  a: {type: float, formula: left}
  b: {type: float, formula: 'worth + left'}`
  const [line = '', ...more] = problemsOf('', wrong)
  assert.equal(more, [])
  assert.match(line, /^a\.yaml:4:18: unknown field 'qty'.* in {2}`m - qty`$/)
})

mistakes('is one of its use where the let does not fit there', () => {
  const [line = '', ...more] = problemsOf(
    '',
    `let: {left: 'm - 1'}
fields:
  m: {type: float}
  a: {type: data, formula: 'm > 0 && left ? "x" : ""'}`,
  )
  assert.equal(more, [])
  assert.match(
    line,
    /^a\.yaml:7:38: expected a condition, got decimal.* in {2}`m > 0 && left \? "x" : ""`$/,
  )
  // Each use by itself, where the let is another name of a field.
  const uses = problemsOf(
    '',
    `let: {open: is_open}
fields:
  is_open: {type: check}
  a: {type: check, formula: open == 1}
  b: {type: check, formula: 'is_open && (open) > 0'}`,
  )
  assert.is(uses.length, 2)
  assert.match(uses[0] ?? '', /^a\.yaml:7:29: operator == not defined.* in {2}`open == 1`$/)
  assert.match(uses[1] ?? '', /^a\.yaml:8:42: operator > not defined/)
})

mistakes('behind a let in the same text has its place all the same', () => {
  const [line = '', ...more] = problemsOf(
    '',
    `let: {left: 'm - 1'}
fields:
  m: {type: float}
  a: {type: float, formula: left + left * nothing}`,
  )
  assert.equal(more, [])
  assert.match(line, /^a\.yaml:7:43: unknown field 'nothing'.* in {2}`left \+ left \* nothing`$/)
})

mistakes('is a name that is taken, that nothing uses, or that leads back to itself', () => {
  assertMistakes(
    [
      thing(`let:
  →a: b + 1
  →name: 1 + 1
  →parent: 1 + 1
  →part: 1 + 1
  →idle: 1 + 1
  ring: →round + 1
  round: ring + 1
find: {part: {from: Thing, match: a}}
fields:
  a: {type: float, formula: ring}
  b: {type: float, formula: a + name + parent + part}
  c: {type: data, →let: {x: '1'}}`),
    ],
    'a let cannot be called a: there is a field of that name',
    'a let cannot be called name: every record has it by itself',
    'a let cannot be called parent: expressions have a record of that name',
    'a let cannot be called part: there is a find of that name',
    'nothing uses the let idle; remove it',
    'a let cannot use itself: ring → round → ring',
    'is for a DocType, and for a table that has fields here',
  )
})

mistakes('is a syntax error, and what cannot be read where it is used', () => {
  assertMistakes(
    [
      thing(`let: {half: "a / →", less: →old.a < a, long: →i.a > 1}
fields:
  a: {type: float}
  b: {type: float, formula: half}
  items:
    type: table
    let: {less: 'qty < →old.qty'}
    fields: {qty: {type: float}}
  c: {type: data, formula: 'items.exists(i, i.less) && items.exists(i, long) ? "" : ""'}
  d: {type: data, formula: 'old.less && →less.a ? "" : ""'}`),
    ],
    'syntax error: unexpected token: the end (quote an expression with , : # or ? in YAML)',
    'old is not known where less is used',
    'a row is called i, which hides what is meant here; call it otherwise',
    'old is not known where less is used',
    'less is a let, which has no fields',
  )
})

mistakes('is to read it from another DocType', () => {
  const reader = file(
    'f.yaml',
    thing('fields: {t: {type: link, options: Thing}, x: {type: float, formula: t.left}}', 'Reader'),
  )
  const fields = "let: {left: 'm - 1'}\nfields: {m: {type: float}, n: {type: float, formula: left}}"
  try {
    load('', fields, reader)
    assert.unreachable()
  } catch (error) {
    assert.match((error as Error).message, /^f\.yaml:4:\d+: unknown field 'left'/)
  }
})

lets.run()
mistakes.run()
