import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { DefinitionErrors } from '../../../engine/definition/yaml/problems.ts'
import { openEngine } from '../../../engine/index.ts'
import { hooks } from '../../../hooks/index.ts'
import { writeDoctypes } from '../documents/workspace.ts'

/** Stands in the YAML right before the place where a mistake is expected. */
const MARK = '→'

function yaml(fields: string, rest = ''): string {
  return `doctype: Order
module: sales
tier: free
fields:
  title: {type: data}
  factor: {type: int}
  day: {type: date}
  open: {type: check}
${fields}
  items:
    type: table
    options: Order Item
    fields:
      qty: {type: float}
      rate: {type: currency}
      amount: {type: currency, formula: "qty * rate"}
${rest}`
}

/** `line:column: message` of every mistake when the marked YAML is opened, or nothing. */
async function mistakes(text: string): Promise<readonly string[]> {
  const folder = writeDoctypes(text.replaceAll(MARK, ''))
  try {
    const engine = await openEngine({
      hooks,
      database: { kind: 'sqlite', file: join(folder, 'svc.db') },
      doctypes: [folder],
      secretKey: Buffer.alloc(32, 1),
    })
    await engine.close()
    return []
  } catch (error) {
    if (!(error instanceof DefinitionErrors)) throw error
    assert.is(error.message.split('\n').length, error.problems.length)
    return error.problems.map(({ file, line, column, message }) => {
      assert.ok(file.startsWith(join(tmpdir(), 'svc-doctypes-')), file)
      assert.match(error.message, `${file}:${line}:${column}: ${message}`)
      return `${line}:${column}: ${message}`
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function marks(text: string): string[] {
  return text.split(MARK).flatMap((_part, index, parts) => {
    if (index === 0) return []
    const lines = parts.slice(0, index).join('').split('\n')
    return [`${lines.length}:${lines.at(-1)!.length + 1}`]
  })
}

const rules = suite('a mistake in a rule stops the opening, at its file:line:column')

/** A field in block style, its expression a plain scalar. */
function field(name: string, type: string, key: string, expression: string): string {
  return `  ${name}:\n    type: ${type}\n    ${key}: ${expression}`
}

/** A validation in block style. */
function check(expression: string): string {
  return `validate:\n  - check: ${expression}\n    field: title\n    message: no\n`
}

/** A field that looks another order up. */
function lookup(rest: string): string {
  return `  found:\n    type: float\n    lookup:\n      from: Order\n      at: draft\n${rest}`
}

const CASES: readonly (readonly [what: string, text: string, message: RegExp])[] = [
  [
    'a typo in a formula',
    yaml(field('total', 'int', 'formula', 'factor + →facto')),
    /unknown field 'facto'/,
  ],
  ['a typo in a row', yaml(field('total', 'float', 'formula', 'items.sum(i, i.→qtty)')), /qtty/],
  ['a typo in a function', yaml(field('total', 'float', 'formula', '→rond(factor)')), /rond/],
  ['a formula of another kind', yaml(field('total', 'int', 'formula', '→title')), /int|number/],
  ['text plus number', yaml(field('total', 'int', 'formula', '→factor + title')), /\+|operator/],
  ['syntax', yaml(field('total', 'int', 'formula', 'factor +→')), /./],
  ['a typo in a default', yaml(field('other', 'date', 'default', 'add_days(→dya, 1)')), /dya/],
  ['a typo in required_when', yaml(field('other', 'data', 'required_when', '→opn')), /opn/],
  [
    'a condition that is none',
    yaml(field('other', 'data', 'required_when', '→factor')),
    /bool|true or false/,
  ],
  [
    'a status that names nothing',
    yaml('', 'status:\n  field: status\n  derive:\n    Open: →opn\n'),
    /opn/,
  ],
  [
    'a typo in one of several conditions',
    yaml(lookup('      where:\n        - open\n        - this.day > →dya\n      value: factor')),
    /dya/,
  ],
  [
    'what is no condition among several',
    yaml(lookup('      where: [open, →factor + 1]\n      value: factor')),
    /bool|true or false/,
  ],
  [
    'a typo in the value of what is found',
    yaml(lookup('      where: open\n      value: factor * this.→fctor')),
    /fctor/,
  ],
  [
    'a value of another kind',
    yaml(lookup('      where: open\n      value: →concat(title)')),
    /expected a decimal|got text/,
  ],
  [
    'a typo in what is the latest',
    yaml(lookup('      where: open\n      latest: year(→dya)\n      value: factor')),
    /dya/,
  ],
  [
    'a value that no database computes',
    yaml(lookup('      where: open\n      value: items.→sum(i, i.qty)')),
    /cannot run in the database/,
  ],
  ['a check that is none', yaml('', check('→factor + 1')), /bool|true or false/],
  ['a typo in a check', yaml('', check('items.all(i, i.qty > →x)')), /'x'/],
]

for (const [what, text, message] of CASES) {
  rules(what, async () => {
    const found = await mistakes(text)
    const places = found.map((one) => one.split(':').slice(0, 2).join(':'))
    assert.equal(places, marks(text), found.join('\n'))
    assert.match(found[0]!, message)
  })
}

rules('a cycle, with its way round', async () => {
  const text = yaml(
    [
      field('a', 'int', 'formula', '→b + 1'),
      field('b', 'int', 'formula', 'c'),
      field('c', 'int', 'formula', 'a'),
    ].join('\n'),
  )
  const [found, ...more] = await mistakes(text)
  assert.equal(more, [])
  assert.match(found!, /formula cycle: a -> b -> c -> a/)
  assert.is(found!.split(':').slice(0, 2).join(':'), marks(text)[0])
})

rules('a cycle through rows and the document', async () => {
  const text = yaml(field('net', 'currency', 'formula', 'items.sum(i, i.part)')).replace(
    'amount: {type: currency, formula: "qty * rate"}',
    'part: {type: currency, formula: "parent.net / 2"}',
  )
  const [found = ''] = await mistakes(text)
  assert.match(
    found,
    /formula cycle: (net -> items\.part -> net|items\.part -> net -> items\.part)/,
  )
})

rules('one line, also when the expression has several', async () => {
  const [found = ''] = await mistakes(
    yaml('  a:\n    type: int\n    formula: |\n      factor +\n      x'),
  )
  assert.match(found, /`factor \+ x`$/)
})

rules('inside quotes and blocks', async () => {
  for (const text of [
    yaml('  a: {type: int, formula: "factor + →x"}'),
    yaml("  a: {type: int, formula: 'factor + →x'}"),
    yaml('  a:\n    type: int\n    formula: >\n      →x + 1'),
  ]) {
    const [found = ''] = await mistakes(text)
    assert.is(found.split(':').slice(0, 2).join(':'), marks(text)[0], found)
  }
})

rules('a formula of itself', async () => {
  const [found = ''] = await mistakes(yaml(field('a', 'int', 'formula', '→a + 1')))
  assert.match(found, /formula cycle: a -> a/)
})

rules('all mistakes of all rules at once', async () => {
  const text = yaml(
    `${field('a', 'int', 'formula', '→x')}\n${field('b', 'int', 'default', '→y')}`,
    check('→z'),
  )
  assert.equal(
    (await mistakes(text)).map((one) => one.split(':').slice(0, 2).join(':')),
    marks(text),
  )
})

rules(
  'one in rows that have a file of their own, in that file, naming who has such rows',
  async () => {
    const rows = `doctype: Part
module: sales
tier: free
child: true
fields:
  qty: {type: int}
  twice:
    type: int
    formula: parent.→factr * qty`
    const parent = (name: string): string => `doctype: ${name}
module: sales
tier: free
fields:
  factor: {type: int}
  parts: {type: table, options: Part}`
    const text = [rows, parent('Order'), parent('Offer')].join('\n---\n')
    const found = await mistakes(text)
    assert.is(found.length, 2)
    for (const [index, name] of ['Order', 'Offer'].entries()) {
      assert.is(found[index]!.split(':').slice(0, 2).join(':'), marks(text)[0])
      assert.ok(
        found.some((one) => one.endsWith(`as rows of ${name}.parts`)),
        found.join('\n'),
      )
    }
  },
)

rules('none, and it opens', async () => {
  assert.equal(
    await mistakes(yaml(field('total', 'float', 'formula', 'items.sum(i, i.qty) + factor'))),
    [],
  )
})

rules.run()
