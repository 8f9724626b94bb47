import { rmSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { DefinitionErrors } from '../../../engine/definition/yaml/problems.ts'
import { loadChecked } from '../../../engine/index.ts'
import { hooks } from '../../../hooks/index.ts'
import { forEachDatabase } from '../../helpers/databases.ts'
import { invalid, openWorkspace, refused, type Workspace, writeDoctypes } from './workspace.ts'

/** A place where a write evaluates an expression over what the caller sent. */
interface Case {
  readonly what: string
  /** A field of the DocType, or else another key of it. */
  readonly field?: string
  readonly key?: string
  /** A rollup of Place kept from the DocType `@`. */
  readonly rollup?: string
  readonly body: object
  readonly message: RegExp
}

const ZERO = { body: { x: 0, place: 'here' }, message: /division by zero/ }
const LARGE = /too large/

const CASES: readonly Case[] = [
  { what: 'formula', field: '{type: float, formula: 1 / x}', ...ZERO },
  {
    what: 'formula of a row',
    field: '{type: table, fields: {w: {type: float, formula: 1 / parent.x}}}',
    ...ZERO,
    body: { ...ZERO.body, v: [{}] },
  },
  { what: 'default', field: '{type: float, default: 1 / x}', ...ZERO },
  { what: 'required_when', field: '{type: data, required_when: 1 / x > 0}', ...ZERO },
  {
    what: 'validate check',
    key: 'validate: [{check: 1 / x > 0, field: x, message: no}]',
    ...ZERO,
  },
  { what: 'status', key: 'status: {field: state, derive: {A: 1 / x > 0, B: "true"}}', ...ZERO },
  {
    what: 'lookup match',
    field:
      '{type: float, lookup: {from: Place, match: concat(round(1 / x)), value: price}}',
    ...ZERO,
  },
  {
    what: 'lookup where',
    field:
      '{type: float, lookup: {from: Place, where: price / this.x > 0, value: price}}',
    ...ZERO,
  },
  { what: 'rollup sum', rollup: '{from: @, match: place, sum: 1 / x}', ...ZERO },
  { what: 'rollup where', rollup: '{from: @, match: place, sum: x, where: 1 / x > 0}', ...ZERO },
  {
    what: 'rollup of rows',
    rollup: '{from: @.rows, match: parent.place, sum: 1 / parent.x}',
    ...ZERO,
    body: { ...ZERO.body, rows: [{}] },
  },
  {
    what: 'whole number',
    field: '{type: int, formula: days * days * days}',
    body: { days: 9_007_199_254_740_991 },
    message: LARGE,
  },
  {
    what: 'product',
    field: '{type: float, formula: x * x}',
    body: { x: 99_999_999.999999 },
    message: LARGE,
  },
  {
    what: 'rollup of a product',
    rollup: '{from: @, match: place, sum: x * x}',
    body: { x: 99_999_999.999999, place: 'here' },
    message: LARGE,
  },
  {
    what: 'date',
    field: '{type: date, formula: "add_days(today(), days)"}',
    body: { days: 10_000_000 },
    message: /outside the years/,
  },
  {
    what: 'date of a lookup',
    field:
      '{type: float, lookup: {from: Place, where: "add_days(since, this.days) > today()", value: price}}',
    body: { days: 10_000_000 },
    message: /outside the years/,
  },
  {
    what: 'whole number of a lookup',
    field:
      '{type: float, lookup: {from: Place, where: count * this.days > 1, value: price}}',
    body: { days: 9_007_199_254_740_991 },
    message: LARGE,
  },
]

const nameOf = (index: number): string => `Slip No ${index}`

/** One DocType for each case, and the place they all can link to. */
function yaml(): string {
  const rollups = CASES.flatMap(({ rollup }, index) =>
    rollup ? [`  r${index}: {type: float, rollup: ${rollup.replace('@', nameOf(index))}}`] : [],
  )
  const place = `
doctype: Place
module: setup
tier: free
naming: prompt
fields:
  title: {type: data}
  price: {type: float}
  count: {type: int}
  since: {type: date}
${rollups.join('\n')}`
  const slips = CASES.map(
    ({ field, key = '' }, index) => `
doctype: ${nameOf(index)}
module: setup
tier: free
naming: "S${index}-{#####}"
fields:
  x: {type: float}
  days: {type: int}
  place: {type: link, options: Place}
  rows: {type: table, fields: {note: {type: data}}}
${field ? `  v: ${field}` : ''}
${key}`,
  )
  return [place, ...slips].join('\n---\n')
}

forEachDatabase('what cannot be computed from the data', ({ test, create }) => {
  let workspace: Workspace
  test.before(async () => {
    workspace = await openWorkspace(await create(), yaml())
    const here = { price: 3, count: 900_719_925_474_099, since: '2026-01-01' }
    await workspace.create('Place', { name: 'here', title: 'Here', ...here })
  })
  test.after(() => workspace.close())

  for (const [index, { what, body, message }] of CASES.entries()) {
    test(`is refused with 422 and leaves nothing behind: ${what}`, async () => {
      const doctype = nameOf(index)
      const error = await refused('VALIDATION_ERROR', workspace.create(doctype, body))
      assert.match(JSON.stringify([error.message, error.details]), message)
      assert.is((await workspace.list(doctype)).total, 0)
      // With other data it goes, and a change back is refused like the create.
      const sound = { ...body, x: 4, days: 2, ...(what === 'required_when' ? { v: 'a' } : {}) }
      const { record } = await workspace.create(doctype, sound)
      if (what === 'default' || what === 'required_when') return
      const change = workspace.update(doctype, String(record.id), body)
      assert.match(JSON.stringify((await refused('VALIDATION_ERROR', change)).details), message)
      assert.is((await workspace.get(doctype, String(record.id))).record.x, 4)
    })
  }

  test('names the field where it is one', async () => {
    await invalid(['v'], workspace.create(nameOf(0), { x: 0 }))
    await invalid(['v[0].w'], workspace.create(nameOf(1), { x: 0, v: [{}] }))
  })
})

const loading = suite('what no database can compute')

for (const [what, source, line] of [
  [
    'lookup where',
    'lower(title) == this.title',
    '  v: {type: float, lookup: {from: Place, where: @, value: price, at: submit}}',
  ],
  ['default_from', 'slots.count() > 0', '  v: {type: link, options: Place, default_from: @}'],
  [
    'status tick',
    'upper(title) == "X"',
    'status: {field: state, derive: {A: "true"}, tick: {daily: @}}',
  ],
] as const) {
  loading(`is refused when loaded: ${what}`, () => {
    const head = 'module: setup\ntier: free\nfields:\n  title: {type: data}\n'
    const place = `doctype: Place\n${head}  price: {type: float}\n  slots: {type: table, fields: {hours: {type: int}}}\n`
    const folder = writeDoctypes(
      `${place}\n---\ndoctype: Slip\n${head}${line.replace('@', source)}\n`,
    )
    try {
      loadChecked({ doctypes: [folder], hooks })
      assert.unreachable('loaded')
    } catch (error) {
      assert.instance(error, DefinitionErrors, String(error))
      const [problem] = (error as DefinitionErrors).problems
      assert.match(problem!.message, 'cannot run in the database')
      assert.is(problem!.line, 6)
      const column = line.indexOf('@') + 1
      assert.ok(problem!.column >= column && problem!.column < column + source.length)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
}

loading.run()
