import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { loadDefinitionTexts } from '../../../engine/definition/load/load.ts'
import type { DocTypeDefinition } from '../../../engine/definition/model/definition.ts'
import type { Field } from '../../../engine/fields/field.ts'
import { thing } from './marked-files.ts'

function load(...texts: readonly string[]): DocTypeDefinition {
  const { registry } = loadDefinitionTexts(
    texts.map((text, index) => ({ path: `${index}.yaml`, text })),
  )
  return registry.byDoctype('Thing')!
}

function field(keys: string, name = 'a'): Field {
  const definition = load(thing(`fields:\n${keys}`))
  return definition.fields.find((candidate) => candidate.name === name)!
}

const derived = suite('what a file does not say')

derived('about names follows from the name of the DocType', () => {
  const names: Readonly<Record<string, readonly string[]>> = {
    'Sales Order': ['sales-orders', 'sales_orders', 'Sales Orders'],
    Country: ['countries', 'countries', 'Countries'],
    Day: ['days', 'days', 'Days'],
    Address: ['addresses', 'addresses', 'Addresses'],
    Box: ['boxes', 'boxes', 'Boxes'],
    Batch: ['batches', 'batches', 'Batches'],
    BOM: ['boms', 'boms', 'BOMs'],
  }
  for (const [doctype, [slug, table, labelPlural]] of Object.entries(names)) {
    const { registry } = loadDefinitionTexts([
      { path: 'a.yaml', text: thing('fields: {}', doctype) },
    ])
    const definition = registry.byDoctype(doctype)!
    assert.equal(
      [definition.slug, definition.table, definition.labelPlural],
      [slug, table, labelPlural],
    )
    assert.is(definition.label, doctype)
  }
})

derived('is written nowhere when it was said', () => {
  const { slug, label, labelPlural, icon } = load(
    thing('resource: stuff\nlabel: Item\nlabel_plural: Stuff\nicon: box\nfields: {}'),
  )
  assert.equal([slug, label, labelPlural, icon], ['stuff', 'Item', 'Stuff', 'box'])
})

derived('about the naming is uuid, about the title the field of the naming or the name', () => {
  const plain = load(thing('fields: {}'))
  assert.equal(
    [plain.naming, plain.idField, plain.titleField, plain.searchFields],
    [{ kind: 'uuid' }, 'name', 'name', []],
  )
  const named = load(thing('naming: field:code\nfields: {code: {type: data, required: true}}'))
  assert.equal([named.idField, named.titleField, named.searchFields], ['code', 'code', ['code']])
  assert.ok(named.fields[0]?.createOnly, 'a name never changes, so its field cannot')
})

derived('about the list is the first columns that fit one', () => {
  const columns = load(
    thing(`fields:
  rows: {type: table, fields: {a: {type: data}}}
  secret: {type: password}
  notes: {type: html}
  gone: {type: data, hidden: true}
  kept: {type: data, internal: true}
${'abcdefgh'
  .split('')
  .map((name) => `  ${name}: {type: data}`)
  .join('\n')}`),
  )
  assert.equal(columns.listFields, [...'abcdef'])
  assert.equal(load(thing('list: [b, b]\nfields: {a: {type: data}, b: {type: data}}')).listFields, [
    'b',
  ])
})

derived('about actions is their order, but for those of next, which come first', () => {
  const actions = 'actions: {a: {steps: [{set: {x: 1}}]}, b: {steps: [{set: {x: 2}}]}}'
  const ordered = (next: string): readonly string[] =>
    Object.keys(load(thing(`${next}fields: {x: {type: int}}\n${actions}`)).behaviour.actions ?? {})
  assert.equal(ordered(''), ['a', 'b'])
  assert.equal(ordered('next: [b]\n'), ['b', 'a'])
  assert.throws(() => ordered('next: [c]\n'), /there is no action "c"/)
})

derived('about a field is nothing at all', () => {
  assert.equal(field('  due_date: {type: date}', 'due_date'), {
    name: 'due_date',
    type: 'date',
    label: 'Due Date',
    required: false,
    unique: false,
    filterable: false,
    createOnly: false,
    readOnly: false,
    hidden: false,
    internal: false,
    allowOnSubmit: false,
    noCopy: false,
  })
})

const fields = suite('a field')

fields('that is an amount is in the currency of its record, unless it says another', () => {
  const { fields: all } = load(
    thing(`fields:
  currency: {type: link, options: Thing}
  home: {type: link, options: Thing}
  total: {type: currency}
  base: {type: currency, currency: home}
  rows: {type: table, fields: {amount: {type: currency}, qty: {type: float}}}`),
  )
  const [, , total, base, rows] = all
  assert.equal([total?.currencyField, base?.currencyField], ['currency', 'home'])
  assert.equal(
    rows?.child?.fields.map(({ currencyField }) => currencyField),
    ['currency', undefined],
  )
  assert.is(field('  total: {type: currency}', 'total').currencyField, undefined)
  const hidden = '  total: {type: currency}\n  currency: {type: data, internal: true}'
  assert.is(field(hidden, 'total').currencyField, undefined)
  const ofCompany = `  company_currency: {type: data}
  total: {type: currency}
  rows: {type: table, fields: {amount: {type: currency}, currency: {type: data}}}`
  assert.is(field(ofCompany, 'total').currencyField, 'company_currency')
  assert.is(field(ofCompany, 'rows').child?.fields[0]?.currencyField, 'currency')
  assert.is(field(`${ofCompany}\n  currency: {type: data}`, 'total').currencyField, 'currency')
})

fields('that is computed cannot be set by callers', () => {
  const readOnly = (keys: string): boolean =>
    field(`  a: {${keys}}\n  b: {type: link, options: Thing}`).readOnly
  assert.ok(readOnly('type: int, formula: 1 + 1'))
  assert.ok(readOnly('type: int, rollup: {from: Thing, match: b, count: true}'))
  assert.ok(readOnly('type: data, lookup: {from: Thing, match: b, value: b, at: submit}'))
  assert.ok(readOnly('type: data, fetch: b.owner'))
  assert.ok(readOnly('type: data, fetch: {from: b.owner, at: always}'))
  assert.ok(readOnly('type: data, internal: true'))
  assert.not(readOnly('type: data, fetch: {from: b.owner, when: empty}'))
  assert.not(readOnly('type: data'))
})

fields('that adds up others is in no copy', () => {
  const isLeftOut = (keys: string): boolean =>
    field(`  a: {${keys}}\n  b: {type: link, options: Thing}`).noCopy
  assert.ok(isLeftOut('type: int, rollup: {from: Thing, match: b, count: true}'))
  assert.ok(isLeftOut('type: int, no_copy: true'))
  assert.not(isLeftOut('type: int, formula: 1 + 1'))
})

fields('takes its value at a moment, or where there is none', () => {
  const source = (keys: string) =>
    field(`  a: {type: data, ${keys}}\n  b: {type: link, options: Thing}`)
  const fetched = (when: string) => ({ link: 'b', field: 'owner', when })
  assert.equal(source('fetch: b.owner').fetch, fetched('draft'))
  assert.equal(source('fetch: {from: b.owner}').fetch, fetched('draft'))
  assert.equal(source('fetch: {from: b.owner, at: always}').fetch, fetched('always'))
  assert.equal(source('fetch: {from: b.owner, when: empty}').fetch, fetched('empty'))
  const lookup = (more: string) => {
    const { at, when } = source(`lookup: {from: Thing, match: b, value: a${more}}`).lookup!
    return [at, when]
  }
  assert.equal(lookup(''), ['draft', 'always'])
  assert.equal(lookup(', at: submit'), ['submit', 'always'])
  assert.equal(lookup(', at: create, when: empty'), ['create', 'empty'])
  assert.not(source('lookup: {from: Thing, match: b, value: a, when: empty}').readOnly)
})

fields('says numbers, true and false of an expression as they are', () => {
  assert.is(field('  a: {type: int, formula: 5}').formula, '5')
  const { behaviour } = load(
    thing(`fields: {a: {type: int}, b: {type: check}}
status: {field: status, derive: {Open: b, Done: true}}
validate: [{check: true, field: a, message: never}]
actions: {act: {steps: [{set: {a: -1.5, b: false}}]}}`),
  )
  assert.equal(behaviour.status?.derive, { Open: 'b', Done: 'true' })
  assert.is(behaviour.validate?.[0]?.check, 'true')
  assert.equal(behaviour.actions?.act?.steps, [{ set: { a: '-1.5', b: 'false' } }])
})

fields('that says what kind of record a link names has a DocType as default', () => {
  const { default: source, defaultValue } = field(
    '  a: {type: data, default: Thing}\n  b: {type: dynamic_link, options: a}',
  )
  assert.equal([source, defaultValue], ['"Thing"', 'Thing'])
})

fields('links to a DocType or to the rows of its table', () => {
  assert.equal(
    [
      field('  a: {type: link, options: Thing}').link,
      field('  a: {type: link, options: Thing}').linkTable,
    ],
    ['Thing', undefined],
  )
  const row = field(
    '  a: {type: link, options: Thing.rows}\n  rows: {type: table, fields: {x: {type: data}}}',
  )
  assert.equal([row.link, row.linkTable], ['Thing', 'rows'])
  assert.is(field('  a: {type: dynamic_link, options: b}\n  b: {type: data}').linkFrom, 'b')
})

fields('of rows says how many there may be', () => {
  const rows = (keys: string): unknown => {
    const { child } = field(
      `  a: {type: table, label: Time Logs, ${keys}fields: {x: {type: data}}}`,
    )
    return [child?.name, child?.minRows, child?.maxRows]
  }
  assert.equal(rows(''), ['Thing Time Log', 0, 500])
  assert.equal(rows('required: true, '), ['Thing Time Log', 1, 500])
  assert.equal(rows('min: 2, max: 20, options: Log, '), ['Log', 2, 20])
})

fields('has one rollup and one lookup, as written', () => {
  const rollup = field(
    '  a: {type: currency, rollup: {from: Thing.rows, match: x, sum: y * 2, where: y > 0}}\n  rows: {type: table, fields: {x: {type: data}}}',
  ).rollup
  assert.equal(rollup, {
    from: 'Thing.rows',
    match: 'x',
    operation: 'sum',
    value: 'y * 2',
    where: 'y > 0',
  })
  const counted = field('  a: {type: int, rollup: {from: Thing, match: x, count: true}}')
  assert.ok(counted.noCopy, 'amend and duplicate start without it')
  const count = counted.rollup
  assert.equal(count, { from: 'Thing', match: 'x', operation: 'count' })
  const lookup = field(
    '  a: {type: int, lookup: {from: Thing, match: x, value: a, at: submit}}',
  ).lookup
  assert.equal(lookup, { from: 'Thing', match: 'x', value: 'a', at: 'submit', when: 'always' })
})

const defaults = suite('a default')

defaults('that is a literal is known at load, another is an expression', () => {
  const table: readonly (readonly [keys: string, source: string, value: unknown])[] = [
    ['type: int, default: 5', '5', 5],
    ['type: check, default: false', 'false', false],
    ['type: check, default: "true"', 'true', true],
    ['type: float, default: -1.5', '-1.5', -1.5],
    ['type: select, options: [To Do, Done], default: To Do', '"To Do"', 'To Do'],
    [`type: data, default: '"USD"'`, '"USD"', 'USD'],
    [`type: data, default: "'USD'"`, "'USD'", 'USD'],
    [`type: data, default: '""'`, '""', undefined],
    ['type: date, default: today()', 'today()', undefined],
    ['type: date, default: "add_days(b, 30)"', 'add_days(b, 30)', undefined],
    ['type: data, default: user.email', 'user.email', undefined],
    ['type: select, options: [X], default: b', 'b', undefined],
    ['type: int, default: 1 + 1', '1 + 1', undefined],
  ]
  for (const [keys, source, value] of table) {
    const made = field(`  a: {${keys}}\n  b: {type: date}`)
    assert.equal([made.default, made.defaultValue], [source, value], keys)
  }
})

const status = suite('the field of a status')

status('that is not declared is a filterable select of the states', () => {
  const derivedStatus = load(
    thing('fields: {}\nstatus: {field: state, derive: {Open: docstatus == 0, Done: "true"}}'),
  ).fields[0]!
  assert.equal(derivedStatus.options, ['Open', 'Done'])
  assert.ok(derivedStatus.filterable && derivedStatus.readOnly)
  assert.is(derivedStatus.label, 'State')
  const chosen = load(
    thing(
      'fields: {}\nstatus: {field: status, initial: Open, flow: {Open: [Done, Lost], Done: []}}\nactions: {win: {moves: Won}}',
    ),
  ).fields[0]!
  assert.equal(chosen.options, ['Open', 'Done', 'Lost', 'Won'])
  assert.not(chosen.readOnly)
  assert.equal([chosen.default, chosen.defaultValue], ['"Open"', 'Open'])
})

status('is called status unless it has another name', () => {
  const definition = load(thing('fields: {}\nstatus: {derive: {Open: docstatus == 0, Done: true}}'))
  assert.equal(definition.behaviour.status?.field, 'status')
  assert.equal(definition.fields.at(-1)?.name, 'status')
})

status('tells who may move it, after what is said about it', () => {
  const definition = load(
    thing(
      'fields: {state: {type: select, description: How far it is.}}\nstatus: {field: state, initial: Open, flow: {Open: {Done: [Clerk, Chief], Lost: [All]}, Done: [Open], Lost: []}}',
    ),
  )
  const [field] = definition.fields
  assert.equal(field?.options, ['Open', 'Done', 'Lost'])
  assert.is(
    field?.description,
    'How far it is. Open → Done (Clerk or Chief), Lost (All). Done → Open.',
  )
  assert.equal(definition.behaviour.status?.flow, {
    Open: ['Done', 'Lost'],
    Done: ['Open'],
    Lost: [],
  })
  assert.equal(definition.behaviour.status?.movers, {
    Open: { Done: ['Clerk', 'Chief'], Lost: ['All'] },
  })
})

status('keeps its place and what is declared about it', () => {
  const [first, second] = load(
    thing(`fields:
  status: {type: select, label: Stage, filterable: false}
  b: {type: data}
status: {field: status, derive: {Open: "true"}}`),
  ).fields
  assert.equal(
    [first?.label, first?.options, first?.filterable, first?.readOnly],
    ['Stage', ['Open'], false, true],
  )
  assert.is(second?.name, 'b')
})

const frozen = suite('a loaded definition')

frozen('is frozen to its last part and survives JSON', () => {
  const definition = load(
    thing(`status: {field: status, derive: {Open: "true"}}
permissions: {roles: {Clerk: [read]}}
events: {made: {trigger: create, data: [name]}}
fields:
  rows: {type: table, fields: {a: {type: select, options: [A]}}}`),
  )
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    assert.ok(Object.isFrozen(value))
    for (const part of Object.values(value)) walk(part)
  }
  walk(definition)
  assert.equal(JSON.parse(JSON.stringify(definition)), definition)
})

frozen('carries its behaviour as it was written', () => {
  const { behaviour } = load(
    thing(`fields: {a: {type: int}}
validate:
  - {check: a > 0, field: a, message: must be above 0, during: [submit]}
actions:
  act: {when: a > 1, steps: [{set: {a: a + 1}}]}
upsert_from: Thing
ledger: {negate: [a]}`),
  )
  assert.equal(behaviour, {
    validate: [{ check: 'a > 0', field: 'a', message: 'must be above 0', during: ['submit'] }],
    actions: { act: { when: 'a > 1', steps: [{ set: { a: 'a + 1' } }] } },
    ledger: { negate: ['a'] },
    upsertFrom: 'Thing',
  })
})

for (const each of [derived, fields, defaults, status, frozen]) each.run()
