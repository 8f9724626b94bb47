import { resolve } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { ReportFiles } from '../../engine/definition/load/folders.ts'
import { loadDefinitions } from '../../engine/definition/load/load.ts'
import { DefinitionErrors } from '../../engine/definition/yaml/problems.ts'
import type { SourceFile } from '../../engine/definition/yaml/source.ts'
import { checkReportTexts } from '../../engine/reports/compile/load.ts'
import { hooks } from '../../hooks/index.ts'

const { registry } = loadDefinitions([resolve(import.meta.dirname, '../../doctypes')], hooks)

const HEAD = 'report: Try\nmodule: accounts\ndescription: A try.\n'

const filesOf = (
  reports: readonly SourceFile[],
  blocks: readonly SourceFile[] = [],
): ReportFiles => ({
  layers: [reports],
  blocks: [blocks],
  problems: [],
})

/** What is said about a report, each mistake as `line:column: message`. */
function mistakesOf(text: string): string[] {
  try {
    checkReportTexts(filesOf([{ path: 'try.yaml', text: HEAD + text }]), registry)
    return []
  } catch (error) {
    assert.instance(error, DefinitionErrors, (error as Error).stack)
    return (error as DefinitionErrors).problems.map(
      ({ line, column, message }) => `${line}:${column}: ${message}`,
    )
  }
}

const test = suite('a mistake in a report')

/** Text with → before the place that the mistake is told at, and how what is said begins. */
const MISTAKES: readonly (readonly [what: string, text: string, message: string])[] = [
  [
    'an unknown key',
    'from: Account\n→colums: {}\ncolumns: {name: {}}',
    'unknown key colums; did you mean columns?',
  ],
  [
    'an unknown source',
    'from: →Acount\ncolumns: {name: {}}',
    'expected a DocType with records, Doctype.table, got "Acount"',
  ],
  [
    'a table that is none',
    'from: →Account.items\ncolumns: {name: {}}',
    'expected a DocType with records',
  ],
  ['an unknown field', 'from: Account\ncolumns:\n  colour: →{}', "unknown field 'colour'"],
  [
    'a field of an expression',
    'from: Account\ncolumns:\n  a: {value: "1 + →amount"}',
    "unknown field 'amount'",
  ],
  [
    'a wrong name in a let, once',
    'let: {net: debit - →credits}\nfrom: GL Entry\ncolumns: {a: {sum: net}, b: {sum: 2 * net}}',
    "unknown field 'credits'",
  ],
  [
    'a let that does not fit',
    'let: {net: debit - credit}\nfrom: GL Entry\nwhere: debit > 0 && →net\ncolumns: {a: {sum: net}}',
    'expected a condition, got money',
  ],
  [
    'a let that nothing uses',
    'let: {→net: debit - credit}\nfrom: GL Entry\ncolumns: {a: {sum: debit}}',
    'nothing uses the let net; remove it',
  ],
  [
    'a let that is called like a column',
    'let: {→a: debit - credit}\nfrom: GL Entry\ncolumns: {a: {sum: debit}}',
    'a let cannot be called a: the report has something of that name',
  ],
  [
    'a parameter that is none',
    'from: Account\nwhere: is_group == param.→group\ncolumns: {name: {}}',
    "unknown field 'group'",
  ],
  [
    'a filter without its parameter',
    'from: Account\nfilter: [→company]\ncolumns: {name: {}}',
    'no parameter "company"',
  ],
  [
    'a column that comes later',
    'from: Account\ncolumns:\n  a: {formula: →b + 1, type: int}\n  b: {count: true}',
    "unknown field 'b'",
  ],
  ['a secret', 'from: User\ncolumns:\n  password: →{}', "unknown field 'password'"],
  ['an order by nothing', 'from: Account\ncolumns: {name: {}}\norder: [→-age]', 'no column "age"'],
  [
    'a running sum without order',
    'from: GL Entry\ncolumns:\n  debit: {}\n  b: {running: →debit, type: currency}',
    'needs the key order of its query',
  ],
  [
    'a tree of what is none',
    'from: GL Entry\ntree: →party\ncolumns: {party: {}, debit: {sum: debit}}',
    'expected a column that links to a DocType whose records form a tree',
  ],
  [
    'a value beside a tree',
    'from: GL Entry\ntree: account\ncolumns:\n  account: {}\n  →remarks: {}\n  debit: {sum: debit}',
    'a tree has its own column',
  ],
  [
    'periods that are not declared',
    'from: GL Entry\ncolumns:\n  →debit: {sum: debit, in_period: posting_date}',
    'needs the key periods of the report',
  ],
  [
    'columns for values of two expressions',
    'from: GL Entry\ncolumns:\n  debit: {sum: debit, for_each: →account}\n  credit: {sum: credit, for_each: party}',
    'stands alone: not beside periods, another for_each, or several sources',
  ],
  [
    'totals of texts',
    'from: Account\ncolumns: {name: {}}\ntotals: [→name]',
    'no column of numbers "name"',
  ],
  [
    'a parameter that every report has',
    'params:\n  →limit: {type: int}\nfrom: Account\ncolumns: {name: {}}',
    'is a parameter of every report',
  ],
  [
    'a chart of nothing',
    'from: Account\ncolumns: {name: {}}\nchart: {type: bar, x: →day, y: [name]}',
    'no column "day"',
  ],
  [
    'a column of sources nobody sets',
    'columns:\n  →a: {type: int}\nsources:\n  - {from: Account, set: {}}',
    'no source sets it',
  ],
  [
    'what no column takes',
    'columns:\n  a: {type: int}\nsources:\n  - {from: Account, set: {a: 1 + 1, →b: name}}',
    'no column "b" takes it',
  ],
]

for (const [what, marked, message] of MISTAKES) {
  test(what, () => {
    const before = (HEAD + marked).slice(0, (HEAD + marked).indexOf('→')).split('\n')
    const place = `${before.length}:${before.at(-1)!.length + 1}: `
    const found = mistakesOf(marked.replace('→', ''))
    assert.ok(
      found.some((one) => one.startsWith(place + message)),
      `expected ${place}${message}\ngot ${found.join('\n')}`,
    )
  })
}

test('in one of several conditions', () => {
  const text = 'from: Account\nwhere:\n  - is_group\n  - colour == 1\ncolumns: {name: {}}'
  assert.match(mistakesOf(text).join('\n'), /^7:5: unknown field 'colour'/)
})

/** A block of reports, and a report that uses it with this; what is said about both. */
function mistakesWith(block: string, use: string, rest = ''): string[] {
  const text = `${HEAD}use: [${use}]\n${rest}`
  const blockText = `kind: report\ndescription: A block.\n${block}`
  try {
    checkReportTexts(
      filesOf([{ path: 'try.yaml', text }], [{ path: 'blocks/span.yaml', text: blockText }]),
      registry,
    )
    return []
  } catch (error) {
    assert.instance(error, DefinitionErrors, (error as Error).stack)
    return (error as DefinitionErrors).message.split('\n')
  }
}

const COLUMNS = 'from: Account\ncolumns: {name: {}}'

test('that uses no block of that name', () => {
  assert.equal(mistakesWith('params: {day: {type: date}}', 'spam', COLUMNS), [
    'try.yaml:4:7: no block "spam"; did you mean span?',
  ])
})

test('that gives a block what it does not take, or not what it needs', () => {
  const block = 'parameters: {from: {}}\nparams: {day: {type: date, default: $from}}'
  assert.equal(mistakesWith(block, 'span', COLUMNS), [
    'try.yaml:4:7: the block span needs with: {from: …}',
  ])
  const found = mistakesWith(block, '{block: span, with: {from: today(), too: 1}}', COLUMNS)
  assert.equal(found, ['try.yaml:4:43: the block span has no parameter too'])
})

test('that has no columns, nor have its blocks', () => {
  assert.equal(mistakesWith('params: {day: {type: date}}', 'span', 'from: Account'), [
    'try.yaml:4:1: no block of these has columns; write the key columns',
  ])
})

test('in its block, told there with who uses it', () => {
  const field = mistakesWith('from: Account\ncolumns: {colour: {}}', 'span')
  assert.match(
    field.join('\n'),
    /^blocks\/span.yaml:4:19: unknown field 'colour'.* \(used by try.yaml:4:7\)$/,
  )
  const shape = mistakesWith('colums: {}', 'span', COLUMNS)
  assert.match(
    shape.join('\n'),
    /^blocks\/span.yaml:3:1: unknown key colums; did you mean columns\?$/,
  )
})

test('in what a parameter makes of its block', () => {
  const block =
    'parameters: {from: {}, check: {}}\nparams: {day: {type: $from}}\nvalidate: [{check: $check, field: day, message: no}]'
  const found = mistakesWith(block, '{block: span, with: {from: dat, check: day > 1}}', COLUMNS)
  assert.match(
    found.join('\n'),
    /^blocks\/span.yaml:4:22: expected .*, got "dat".* \(used by try.yaml:4:7\)$/,
  )
  const checks = 'validate:\n  - {check: day == other, field: day, message: no}\n'
  const own = mistakesWith(
    block,
    '{block: span, with: {from: date, check: day == old}}',
    checks + COLUMNS,
  )
  assert.match(own[0]!, /^blocks\/span.yaml:5:27: unknown field 'old'/)
  assert.match(own[1]!, /^try.yaml:6:20: unknown field 'other'/)
})

test('below a tree, told once', () => {
  const text =
    'from: GL Entry\nwhere: colour == 1\ntree: account\ncolumns: {account: {}, debit: {sum: debit}}'
  const found = mistakesOf(text)
  assert.is(found.length, 1, found.join('\n'))
  assert.match(found[0]!, "5:8: unknown field 'colour'")
})

test('a file that is not called as its report', () => {
  const text = `${HEAD}from: Account\ncolumns: {name: {}}`
  assert.throws(
    () => checkReportTexts(filesOf([{ path: 'reports/other.yaml', text }]), registry),
    (error: Error) =>
      error.message.includes('reports/other.yaml:1:9: expected its file to be called try.yaml'),
  )
})

test.run()
