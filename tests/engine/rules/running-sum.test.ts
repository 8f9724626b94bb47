import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { compileExpression } from '../../../engine/expression/expression.ts'
import { toJs } from '../../../engine/expression/run/to-js.ts'
import { documentScope, rowScope } from '../../../engine/expression/tree/scope.ts'
import type { Environment, FieldValues } from '../../../engine/expression/tree/types.ts'
import { type RunningSum, runningSum } from '../../../engine/rules/cells/running-sum.ts'
import type { Row } from '../../../engine/storage/database/document.ts'
import { rounds, seedsOf } from '../../helpers/random.ts'

const SEEDS = seedsOf(import.meta.filename, [1, 2, 3])

const running = suite('a sum over the earlier rows')

const SCOPE = rowScope(
  documentScope([
    {
      name: 'items',
      kind: 'rows',
      maxRows: 1000,
      rows: [
        { name: 'bin', kind: 'str' },
        { name: 'qty', kind: 'decimal' },
        { name: 'pieces', kind: 'int' },
        { name: 'kept', kind: 'bool' },
      ],
    },
  ]),
  'items',
)

function sumOf(source: string): RunningSum | undefined {
  const result = compileExpression(source, SCOPE, { kind: 'decimal', scale: 6 })
  if (!result.ok) throw new Error(result.problem.message)
  return runningSum(result.expression.tree, 'items')
}

const CARRIED = [
  'parent.items.filter(x, x.idx < idx).count()',
  'parent.items.filter(x, x.bin == bin && x.idx < idx).sum(x, x.qty)',
  'parent.items.filter(x, idx > x.idx && bin == x.bin && x.kept == kept).sum(x, x.pieces)',
  'parent.items.filter(x, x.idx < idx).filter(x, x.kept && x.qty > 1).sum(x, min(x.qty * 2, x.pieces))',
]

const NOT_CARRIED = [
  'parent.items.filter(x, x.bin == bin).sum(x, x.qty)',
  'parent.items.filter(x, x.idx <= idx).sum(x, x.qty)',
  'parent.items.filter(x, x.idx > idx).sum(x, x.qty)',
  'parent.items.filter(x, x.idx < idx && x.qty < qty).sum(x, x.qty)',
  'parent.items.filter(x, x.idx < idx).sum(x, x.qty * qty)',
  'parent.items.filter(x, x.idx < idx).max(x, x.qty)',
  'parent.items.filter(x, x.idx < idx || x.bin == bin).sum(x, x.qty)',
]

running('is carried along where nothing but the place and equal fields of the row count', () => {
  for (const source of CARRIED) assert.ok(sumOf(source), source)
})

running('is not where more of the row counts; a long table is refused then', () => {
  for (const source of NOT_CARRIED) {
    const result = compileExpression(source, SCOPE, { kind: 'decimal', scale: 6 })
    assert.is(result.ok, false, source)
    if (!result.ok) assert.match(result.problem.message, 'lower max: of the tables', source)
  }
})

const rows = fc.array(
  fc.record({
    bin: fc.constantFrom('A', 'B', '', null),
    qty: fc.constantFrom(null, 0n, 1_500_000n, -2_000_000n, 7n),
    pieces: fc.constantFrom(null, 0, 3, -4),
    kept: fc.constantFrom(true, false, null),
  }),
  { maxLength: 12 },
)

for (const seed of SEEDS)
  running(`is the same as the one over all rows (seed ${seed})`, () => {
    const property = fc.property(fc.constantFrom(...CARRIED), rows, (source, drawn) => {
      const items: readonly Row[] = drawn.map((row, index) => ({
        ...row,
        row_id: `r${index}`,
        idx: index + 1,
      }))
      const parent: FieldValues = { items }
      const environment: Environment = { today: '', now: '', records: { parent } }
      const result = compileExpression(source, SCOPE, { kind: 'decimal', scale: 6 })
      assert.ok(result.ok)
      const whole = toJs(result.expression.tree)
      const carry = sumOf(source)!.start()
      for (const row of items)
        assert.is(carry(row, environment), whole(row, environment), JSON.stringify(row.idx))
    })
    fc.assert(property, { numRuns: rounds(150), seed })
  })

running.run()
