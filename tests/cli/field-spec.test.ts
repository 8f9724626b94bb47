import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { UsageError } from '../../cli/failure.ts'
import { parseFieldSpec } from '../../cli/field-spec.ts'

const spec = suite('--field')

spec('reads name and type', () => {
  assert.equal(parseFieldSpec('make:data'), { name: 'make', type: 'data', keys: { type: 'data' } })
})

spec('reads flags after commas', () => {
  assert.equal(parseFieldSpec('make:data,required,filterable,createOnly').keys, {
    type: 'data',
    required: true,
    filterable: true,
    createOnly: true,
  })
})

spec('splits the options of a select at |', () => {
  const { keys } = parseFieldSpec('state:select:New|Almost New|Used,required')
  assert.equal(keys, { type: 'select', options: ['New', 'Almost New', 'Used'], required: true })
})

spec('takes the DocType of a link as it is', () => {
  assert.is(parseFieldSpec('row:link:Sales Order.items').keys.options, 'Sales Order.items')
})

const WRONG: readonly (readonly [text: string, message: RegExp])[] = [
  ['make', /expected name:type/],
  [':data', /expected name:type/],
  ['make:strnig', /unknown field type "strnig"; expected one of data small_text/],
  ['make:curency', /unknown field type "curency"; did you mean currency\?/],
  ['make:data,requird', /unknown flag "requird"; did you mean required\?/],
  ['make:data,fast', /unknown flag "fast"; expected one of required filterable createOnly/],
  ['state:select', /needs options, such as state:select:New\|Used/],
  ['driver:link', /needs options, such as driver:link:Employee/],
  ['make:data:long', /takes no options/],
]

for (const [text, message] of WRONG) {
  spec(`refuses ${text} and says what is possible`, () => {
    assert.throws(
      () => parseFieldSpec(text),
      (error: unknown) => error instanceof UsageError && message.test(error.message),
    )
  })
}

spec.run()
