import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { testsReachedBy } from './reach.ts'

const SOURCES = new Map(
  Object.entries({
    'engine/base/money.ts': '',
    'engine/rules/sum.ts': `import { add } from '../base/money.ts'`,
    'engine/rules/shape.ts': `import type { Sum } from './sum.ts'`,
    'cli/svc.js': `await import('../engine/rules/sum.ts')`,
    'docs/api.md': '',
    'doctypes/sales/quotation.yaml': 'doctype: Quotation\n',
    'doctypes/sales/sales-order.yaml': 'doctype: Sales Order\nfields:\n  q: {options: Quotation}\n',
    'doctypes/hr/leave.yaml': 'doctype: Leave\n',
    'tests/helpers/adder.ts': `import { add } from '../../engine/rules/sum.ts'`,
    'tests/stories/story.ts': `const first = 'sales-orders'`,
    'tests/money.test.ts': `import './helpers/adder.ts'`,
    'tests/shape.test.ts': `import '../engine/rules/shape.ts'`,
    'tests/cli.test.ts': `spawn(new URL('../cli/svc.js', import.meta.url))`,
    'tests/docs.test.ts': `read('docs/api.md')`,
    'tests/stories/orders.test.ts': `import './story.ts'`,
    'tests/stories/leave.test.ts': `story.create('Leave', {})`,
    'tests/every.test.ts': `load(SHIPPED_DOCTYPES)`,
  }),
)
const ALL = [...SOURCES.keys()].filter((path) => path.endsWith('.test.ts')).sort()

const reach = suite('tests that a change reaches')

const CASES: readonly (readonly [changed: string, tests: readonly string[]])[] = [
  ['engine/base/money.ts', ['tests/cli.test.ts', 'tests/money.test.ts']],
  ['engine/rules/shape.ts', ['tests/shape.test.ts']],
  ['cli/svc.js', ['tests/cli.test.ts']],
  ['docs/api.md', ['tests/docs.test.ts']],
  ['tests/docs.test.ts', ['tests/docs.test.ts']],
  ['doctypes/sales/quotation.yaml', ['tests/every.test.ts', 'tests/stories/orders.test.ts']],
  ['doctypes/hr/leave.yaml', ['tests/every.test.ts', 'tests/stories/leave.test.ts']],
  ['package.json', ALL],
  ['LICENSE', []],
]

for (const [changed, tests] of CASES)
  reach(`of ${changed}`, () => assert.equal(testsReachedBy([changed], SOURCES), tests))

reach.run()
