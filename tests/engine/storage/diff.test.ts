import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { identifierFor } from '../../../engine/storage/database/identifier.ts'
import { planMigration } from '../../../engine/storage/migration/diff.ts'
import type { ActualColumn, ActualTable } from '../../../engine/storage/migration/introspect.ts'
import type {
  MigrationPlan,
  StoredShape,
  StoredShapes,
} from '../../../engine/storage/migration/migration-plan.ts'
import type { ColumnShape, TableShape } from '../../../engine/storage/records/shape.ts'
import { index, integer, table, text } from './shapes.ts'

const diff = suite('the plan of a migration')

diff('is empty when the tables are as wanted', () => {
  const shape = table('a', [text('x'), integer('n')], [index('ix_a_x', ['x'])])
  assert.equal(sentences(plan([shape], [shape])), [])
})

diff('creates a table with its indexes in the transaction', () => {
  const shape = table('a', [text('x')], [index('ix_a_x', ['x'])])
  const { steps } = plan([shape], [])
  assert.equal(
    steps.map(({ sentence }) => sentence),
    ['create table a', 'create index ix_a_x on a (x)'],
  )
  assert.ok(steps.every(({ phase }) => phase === 'transaction'))
})

diff('builds indexes of a table with rows after the transaction on PostgreSQL only', () => {
  const before = table('a', [text('x')])
  const after = table('a', [text('x')], [index('ix_a_x', ['x'])])
  assert.equal(plan([after], [before]).steps[0]!.phase, 'after')
  assert.equal(plan([after], [before], { kind: 'sqlite' }).steps[0]!.phase, 'transaction')
})

diff('says added columns in the words of the definition', () => {
  const steps = sentences(plan([table('a', [text('x'), integer('n')])], [table('a', [text('x')])]))
  assert.equal(steps, ['add column a.n (integer)'])
})

diff('refuses a new column that must be set and has no default', () => {
  const column = { ...text('x'), notNull: true }
  const { refused } = plan([table('a', [column])], [table('a', [])])
  assert.match(refused[0]!.reason, /no default/)
  assert.equal(plan([table('a', [{ ...column, default: '' }])], [table('a', [])]).refused, [])
})

diff('leaves the column of a removed field as it is, and sets it aside only when told', () => {
  const before = table('a', [text('x')])
  const kept = plan([table('a', [])], [before])
  assert.equal(kept.steps, [])
  assert.equal(
    kept.gone.get('a')?.map(({ name }) => name),
    ['x'],
  )
  const { steps } = plan([table('a', [])], [before], { retire: true })
  assert.equal(
    steps.map(({ kind, safety }) => [kind, safety]),
    [['retire-column', 'safe']],
  )
  assert.match(steps[0]!.sentence, /_dropped_x_1/)
})

diff('lets the column of a removed field be unset, which had to be set', () => {
  const before = table('a', [text('x', { notNull: true, default: '' })])
  assert.equal(sentences(plan([table('a', [])], [before])), ['allow unset values in a.x'])
})

diff('knows a column that stays without a field again and again', () => {
  const left = stored({ ...table('a', []), gone: [text('x')] })
  const actual = [table('a', [text('x'), text('theirs')])]
  assert.equal(
    plan([table('a', [])], actual, { stored: left })
      .gone.get('a')
      ?.map(({ name }) => name),
    ['x'],
  )
  const retired = plan([table('a', [])], actual, { stored: left, retire: true })
  assert.equal(sentences(retired), ['set column a.x aside as _dropped_x_1: no field uses it'])
})

diff('gives a field that comes back the values of the column it left', () => {
  const left = stored({ ...table('a', []), gone: [integer('n', { scale: 4 })] })
  const actual = [table('a', [integer('n')])]
  const back = plan([table('a', [integer('n', { scale: 4 })])], actual, { stored: left })
  assert.equal(sentences(back), [])
  assert.equal(back.returned, ['a.n'])
  assert.match(back.hints[0]!, /a\.n is back with the values it had/)
})

diff('gives a field that comes back the newest values that were set aside', () => {
  const left = stored({ ...table('a', []), gone: [text('_dropped_x_1'), text('_dropped_x_2')] })
  const actual = [table('a', [text('_dropped_x_1'), text('_dropped_x_2')])]
  const back = plan([table('a', [text('x')])], actual, { stored: left })
  assert.equal(sentences(back), ['bring column a.x back from _dropped_x_2'])
  assert.equal(back.returned, ['a.x'])
})

for (const [what, column] of [
  ['another type', text('x')],
  ['other decimal places', integer('x', { scale: 6 })],
] as const) {
  diff(`begins anew with ${what}, says where the old values are and loses none`, () => {
    const left = stored({ ...table('a', []), gone: [integer('x', { scale: 4 })] })
    const back = plan([table('a', [column])], [table('a', [integer('x')])], { stored: left })
    assert.equal(sentences(back), [
      'set column a.x aside as _dropped_x_1: no field uses it',
      `add column a.x (${column.type})`,
    ])
    assert.equal(back.returned, [])
    assert.match(back.hints[0]!, /another kind of column.*_dropped_x_1/)
    const aside = stored({ ...table('a', []), gone: [integer('_dropped_x_1', { scale: 4 })] })
    const later = plan([table('a', [column])], [table('a', [integer('_dropped_x_1')])], {
      stored: aside,
    })
    assert.equal(sentences(later), [`add column a.x (${column.type})`])
    assert.match(later.hints[0]!, /_dropped_x_1/)
  })
}

diff('names what waits for --retire and --allow-drop, and does it with them', () => {
  const gone = table('gone', [])
  const actual = [table('a', [text('_dropped_x_1'), text('y')]), gone]
  const options = { stored: stored(table('a', [text('y')]), gone) }
  const kept = plan([table('a', [])], actual, options)
  assert.equal(
    kept.waiting.map(({ sentence }) => sentence),
    [
      'drop column a._dropped_x_1 with its values',
      'set column a.y aside as _dropped_y_1: no field uses it',
      'drop column a.y with its values',
      'drop table gone with its rows',
    ],
  )
  const dropped = plan([table('a', [])], actual, { ...options, allowDrop: true })
  assert.equal(sentences(dropped), [
    'drop column a._dropped_x_1 with its values',
    'drop column a.y with its values',
    'drop table gone with its rows',
  ])
  assert.ok(dropped.steps.every(({ safety }) => safety === 'destructive'))
})

diff('never drops anything of a ledger', () => {
  const ledger = { ...table('gl', [text('x')]), ledger: true }
  const wanted = { ...ledger, columns: [] }
  assert.equal(plan([wanted], [ledger], { allowDrop: true }).steps, [])
  const kinds = plan([wanted], [ledger], { allowDrop: true, retire: true }).steps
  assert.equal(
    kinds.map(({ kind }) => kind),
    ['retire-column'],
  )
  assert.equal(plan([], [ledger], { allowDrop: true }).steps, [])
})

diff('leaves tables, columns and indexes alone that the engine did not make', () => {
  const shape = table('a', [text('x')])
  const foreign = table('a', [text('x'), text('theirs')], [index('their_index', ['x'])])
  const options = { stored: stored(shape), allowDrop: true }
  assert.equal(sentences(plan([shape], [foreign, table('theirs', [])], options)), [])
})

diff('never drops a table of the engine itself, which a part that does not run may need', () => {
  const system = { ...table('svc_other', []), system: true }
  assert.equal(sentences(plan([], [system], { allowDrop: true })), [])
})

diff('renames a column by renamed_from, once', () => {
  const before = table('a', [text('old')])
  const after = table('a', [{ ...text('new'), renamedFrom: 'old' }])
  assert.equal(sentences(plan([after], [before])), ['rename column a.old to new'])
  assert.equal(sentences(plan([after], [after])), [])
  const both = table('a', [...after.columns, text('old')])
  assert.equal(sentences(plan([both], [after])), ['add column a.old (text)'])
  assert.equal(sentences(plan([both], [both])), [])
})

diff('undoes a rename where the old name is wanted again', () => {
  const before = table('a', [renamed('new', 'old')])
  assert.equal(sentences(plan([table('a', [text('old')])], [before])), [
    'rename column a.new to old',
  ])
  const both = table('a', [text('old'), text('new')])
  assert.equal(sentences(plan([both], [before])), ['add column a.old (text)'])
})

diff('renames what stayed without a field, and nothing over a column that is there', () => {
  const left = { ...table('a', [text('y')]), gone: [text('x')] }
  const actual = [table('a', [text('x'), text('y')])]
  const options = { stored: stored(left) }
  const fresh = table('a', [text('y'), renamed('z', 'x')])
  assert.equal(sentences(plan([fresh], actual, options)), ['rename column a.x to z'])
  const late = plan([table('a', [renamed('y', 'x')])], actual, options)
  assert.equal(sentences(late), [])
  assert.match(late.hints[0]!, /removed before; its values are in x/)
})

diff('renames a chain of columns in an order that works', () => {
  const before = table('a', [text('x'), text('y')])
  const after = table('a', [
    { ...text('y'), renamedFrom: 'x' },
    { ...text('z'), renamedFrom: 'y' },
  ])
  assert.equal(sentences(plan([after], [before])), [
    'rename column a.y to z',
    'rename column a.x to y',
  ])
})

for (const [what, columns, reason] of [
  ['a circle', [renamed('x', 'y'), renamed('y', 'x')], /circle/],
  ['two new names for one column', [renamed('p', 'x'), renamed('q', 'x'), text('y')], /several/],
  ['a name that is taken', [renamed('y', 'x')], /there already/],
  ['a column that is still wanted', [renamed('z', 'x'), text('x'), text('y')], /still wanted/],
] as const) {
  diff(`refuses to rename ${what}`, () => {
    const { refused } = plan([table('a', columns)], [table('a', [text('x'), text('y')])])
    assert.ok(refused.length > 0)
    for (const refusal of refused) assert.match(refusal.reason, reason)
  })
}

diff('hints at renamed_from when a field of the same kind came while one went', () => {
  const before = table('a', [text('po')])
  const { hints } = plan([table('a', [text('po_no')])], [before])
  assert.match(hints[0]!, /renamed_from: po at po_no/)
  assert.equal(plan([table('a', [integer('n')])], [before]).hints, [])
})

diff('says where the values are when renamed_from comes too late', () => {
  const shape = table('a', [text('new'), text('_dropped_old_1')])
  const late = table('a', [renamed('new', 'old')])
  assert.match(
    plan([late], [shape], { stored: stored(table('a', [text('new')])) }).hints[0]!,
    /_dropped_old_1/,
  )
})

diff('renames a table with its columns and builds its indexes under their new names', () => {
  const before = table('a', [text('x')], [index('ix_a_x', ['x'])])
  const after = { ...table('b', [renamed('y', 'x')], [index('ix_b_y', ['y'])]), renamedFrom: 'a' }
  assert.equal(sentences(plan([after], [before])), [
    'drop index ix_a_x',
    'rename table a to b',
    'rename column b.x to y',
    'create index ix_b_y on b (y)',
  ])
})

diff('keeps an index whose columns only got other names', () => {
  const before = table('a', [text('x')], [{ ...index('ix_a', ['x']), whereNotNull: 'x' }])
  const after = table('a', [renamed('y', 'x')], [{ ...index('ix_a', ['y']), whereNotNull: 'y' }])
  assert.equal(sentences(plan([after], [before])), ['rename column a.x to y'])
})

for (const [what, other] of [
  ['other columns', index('ix_a', ['y'])],
  ['another order of columns', index('ix_a', ['y', 'x'])],
  ['uniqueness', { ...index('ix_a', ['x', 'y']), unique: true }],
  ['a predicate', { ...index('ix_a', ['x', 'y']), whereNotNull: 'x' }],
] as const) {
  diff(`builds an index again that differs by ${what}`, () => {
    const columns = [text('x'), text('y')]
    const steps = plan(
      [table('a', columns, [other])],
      [table('a', columns, [index('ix_a', ['x', 'y'])])],
    ).steps
    assert.equal(
      steps.map(({ kind }) => kind),
      ['drop-index', 'create-index'],
    )
  })
}

diff('builds an index again that an interrupted build left invalid', () => {
  const shape = table('a', [text('x')], [index('ix_a', ['x'])])
  const actual = actualOf(shape)
  const broken = { ...actual, indexes: actual.indexes.map((one) => ({ ...one, valid: false })) }
  const { steps } = planMigration([shape], new Map([['a', broken]]), {
    kind: 'postgres',
    stored: stored(shape),
  })
  assert.equal(
    steps.map(({ kind }) => kind),
    ['drop-index', 'create-index'],
  )
})

diff(
  'shortens long index names the same way every time, and refuses long table and column names',
  () => {
    const long = `ix_a_${'x'.repeat(70)}`
    const shape = table('a', [text('x')], [index(long, ['x'])])
    assert.equal(
      sentences(plan([shape], [table('a', [text('x')], [index(identifierFor(long), ['x'])])])),
      [],
    )
    assert.is(identifierFor(long).length, 63)
    assert.is.not(identifierFor(`${long}1`), identifierFor(`${long}2`))
    const { refused } = plan([table('t'.repeat(64), [text('c'.repeat(64))])], [])
    assert.is(refused.length, 2)
  },
)

diff('widens integers to text by itself, and takes the way back for destructive', () => {
  const numbers = table('a', [integer('x')])
  const words = table('a', [text('x')])
  const widened = plan([words], [numbers]).steps
  assert.equal(
    widened.map(({ kind, safety }) => [kind, safety]),
    [['convert-column', 'safe']],
  )
  const narrowed = plan([numbers], [words]).steps[0]!
  assert.is(narrowed.safety, 'destructive')
  assert.is(narrowed.checks[0]!.kind, 'not-numbers')
})

diff('takes a new scale from the shape of the last migration', () => {
  const scaled = (scale: number): TableShape => table('a', [{ ...integer('x'), scale }])
  const up = plan([scaled(4)], [table('a', [integer('x')])]).steps[0]!
  assert.is(up.sentence, 'convert column a.x from 0 to 4 decimal places')
  assert.equal(up.checks, [{ kind: 'too-large', table: 'a', column: 'x', digits: 4 }])
  const down = plan([scaled(2)], [scaled(4)]).steps[0]!
  assert.equal(down.checks, [{ kind: 'lost-digits', table: 'a', column: 'x', digits: 2 }])
  assert.equal(plan([scaled(4)], [scaled(4)]).steps, [])
})

diff('builds the indexes of a converted column again', () => {
  const indexes = [index('ix_a_x', ['x'])]
  const steps = plan(
    [table('a', [text('x')], indexes)],
    [table('a', [integer('x')], indexes)],
  ).steps
  assert.equal(
    steps.map(({ kind }) => kind),
    ['drop-index', 'convert-column', 'create-index'],
  )
})

diff('refuses another primary key and a column type svc never makes', () => {
  const keyed = { ...table('a', [{ ...text('id'), notNull: true }]), primaryKey: 'id' }
  assert.match(
    plan([keyed], [table('a', [{ ...text('id'), notNull: true }])]).refused[0]!.sentence,
    /primary key/,
  )
  const actual = actualOf(table('a', [text('x')]))
  const blob = {
    ...actual,
    columns: actual.columns.map((column) => ({ ...column, type: undefined })),
  }
  const shape = table('a', [text('x')])
  const { refused } = planMigration([shape], new Map([['a', blob]]), {
    kind: 'sqlite',
    stored: stored(shape),
  })
  assert.match(refused[0]!.reason, /type that svc never makes/)
})

diff.run()

interface Options {
  readonly kind?: 'sqlite' | 'postgres'
  readonly stored?: StoredShapes
  readonly retire?: boolean
  readonly allowDrop?: boolean
}

/** The plan from tables that the last migration made as `before` says. */
function plan(
  wanted: readonly TableShape[],
  before: readonly TableShape[],
  options: Options = {},
): MigrationPlan {
  const actual = new Map(before.map((shape) => [shape.name, actualOf(shape)]))
  return planMigration(wanted, actual, {
    kind: 'postgres',
    stored: stored(...before),
    ...options,
  })
}

function sentences({ steps, refused }: MigrationPlan): string[] {
  assert.equal(refused, [])
  return steps.map(({ sentence }) => sentence)
}

function stored(...shapes: readonly StoredShape[]): StoredShapes {
  return new Map(shapes.map((shape) => [shape.name, shape]))
}

function actualOf(shape: TableShape): ActualTable {
  const nullable = new Set(shape.columns.filter(({ notNull }) => !notNull).map(({ name }) => name))
  const own: ActualColumn[] = shape.columns.some(({ name }) => name === shape.primaryKey)
    ? []
    : [{ name: shape.primaryKey, type: 'integer', notNull: true }]
  return {
    name: shape.name,
    primaryKey: shape.primaryKey,
    columns: [...own, ...shape.columns.map(({ name, type, notNull }) => ({ name, type, notNull }))],
    indexes: shape.indexes.map(({ name, columns, unique, whereNotNull }) => ({
      name,
      columns,
      unique,
      whereNotNull,
      nullsFirst: columns.filter((column) => nullable.has(column)),
      valid: true,
    })),
  }
}

function renamed(name: string, renamedFrom: string): ColumnShape {
  return { ...text(name), renamedFrom }
}
