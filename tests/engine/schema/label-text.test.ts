import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { capitalised, inSentence, withArticle } from '../../../engine/schema/shapes/label-text.ts'

const labels = suite('labels in sentences')

labels('have the article that is spoken', () => {
  for (const [label, said] of [
    ['Sales Order', 'a Sales Order'],
    ['item', 'an item'],
    ['expense claim', 'an expense claim'],
    ['unit of measure', 'a unit of measure'],
    ['HR file', 'an HR file'],
    ['GL entry', 'a GL entry'],
    ['UOM', 'a UOM'],
    ['BOM', 'a BOM'],
  ] as const)
    assert.is(withArticle(label), said)
})

labels('are small, but for what is spelled in capitals', () => {
  assert.is(inSentence('Bill of Materials'), 'bill of materials')
  assert.is(inSentence('GL Entry'), 'GL entry')
  assert.is(inSentence('McKinsey Report'), 'McKinsey report')
})

labels('begin a sentence with a capital', () => {
  assert.is(capitalised('a sales order'), 'A sales order')
  assert.is(capitalised(''), '')
})

labels.run()
