import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { compileExpression } from '../../../engine/expression/expression.ts'
import { interpret } from '../../../engine/expression/run/interpret.ts'
import { toJs } from '../../../engine/expression/run/to-js.ts'
import { ExpressionError } from '../../../engine/expression/tree/problem.ts'
import type { EvalValue, Node } from '../../../engine/expression/tree/types.ts'
import { rounds, seedsOf } from '../../helpers/random.ts'
import { document, environmentAfter, KINDS, SCOPE, sources } from './random-expression.ts'

const SEEDS = seedsOf(import.meta.filename, [1, 2, 3])

const same = suite('generated code and interpreter')

/** The value or what went wrong; anything but an ExpressionError fails the test. */
function outcome(run: () => EvalValue): EvalValue {
  try {
    return run()
  } catch (error) {
    if (error instanceof ExpressionError) return `error: ${error.message}`
    throw error
  }
}

const kinds = fc.constantFrom(...KINDS)
const source = sources({ rows: true })
const cases = kinds.chain((kind) => source(kind, 4))
/** Expressions of each seed. */
const RUNS = rounds(700)

for (const seed of SEEDS)
  same(
    `give the same result for every expression and document, also from a tree sent as JSON (seed ${seed})`,
    () => {
      let checked = 0
      const property = fc.property(
        cases,
        fc.array(document, { minLength: 1, maxLength: 4 }),
        (text, documents) => {
          const result = compileExpression(text, SCOPE)
          if (!result.ok) {
            // The generator cannot avoid all that a checker refuses, but only these few things.
            assert.match(
              `${result.problem.message} in ${text}`,
              /division by zero|decimal places|may take|outside the years|exceeded|characters|nest/i,
            )
            return
          }
          checked++
          const { tree } = result.expression
          const compiled = toJs(tree)
          const sent = JSON.parse(JSON.stringify(tree)) as Node
          for (const [index, doc] of documents.entries()) {
            // The first document has none before it, as on create.
            const environment = environmentAfter(index === 0 ? null : documents[index - 1]!)
            const expected = outcome(() => interpret(sent, doc, environment))
            const actual = outcome(() => compiled(doc, environment))
            assert.ok(Object.is(actual, expected), `${text}: ${actual}, interpreted ${expected}`)
          }
        },
      )
      fc.assert(property, { seed, numRuns: RUNS })
      assert.ok(checked > (RUNS * 2) / 3, `only ${checked} of ${RUNS} expressions were accepted`)
    },
  )

same.run()
