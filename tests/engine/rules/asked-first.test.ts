import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { compileExpression } from '../../../engine/expression/expression.ts'
import { documentScope, fieldsOf, withRecord } from '../../../engine/expression/tree/scope.ts'
import { askedFirst } from '../../../engine/rules/base/asked-first.ts'

const FIELDS = [
  { name: 'list', kind: 'str' as const },
  { name: 'rules', kind: 'int' as const },
]
const SCOPE = ['this', 'parent'].reduce(
  (scope, name) => withRecord(scope, name, fieldsOf(FIELDS)),
  documentScope(FIELDS),
)

/** Whether a statement is sent for a condition, by what looks (`this`) and its document (`parent`). */
function asks(source: string, self: object, parent: object = {}): boolean {
  const result = compileExpression(source, SCOPE, { kind: 'bool', scale: 0 })
  if (!result.ok) throw new Error(result.problem.message)
  const records = { this: self as never, parent: parent as never }
  return askedFirst(result.expression.tree)({ today: '2026-03-09', now: '', records })
}

const test = suite('a condition over stored records')

test('is not asked while a part of it that speaks only of who asks is false', () => {
  const where = 'parent.rules > 0 && list == this.list && this.list != ""'
  assert.is(asks(where, { list: 'A' }, { rules: 1 }), true)
  assert.is(asks(where, { list: 'A' }, { rules: 0 }), false)
  assert.is(asks(where, { list: 'A' }), false)
  assert.is(asks(where, { list: null }, { rules: 1 }), false)
})

test('is asked where a part looks at what is found too, or at nothing at all', () => {
  assert.is(asks('list == this.list', { list: null }), true)
  assert.is(asks('this.list != "" || list == ""', { list: null }), true)
  assert.is(asks('1 == 2', {}), true)
})

test.run()
