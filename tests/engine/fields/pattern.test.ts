import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { patternExample, patternProblem } from '../../../engine/fields/pattern.ts'

const HARMLESS = [
  '^[A-Z]{3}$',
  '^[A-Z]{2}\\d{2}[A-Z0-9]{1,30}$',
  '^\\d+(\\.\\d+)?$',
  '^[^@\\s]+@[^@\\s]+\\.[a-z]+$',
  '^([A-Z]{2}-)*$',
  '^(?:Mr|Ms|Dr)\\. \\p{Lu}\\w+$',
  '^(?<year>\\d{4})/\\d{1,6}$',
  '^[\\]\\-a]{2,4}?$',
  '^\\u0041\\b-\\x42$',
  '[0-9]+',
]

const CATASTROPHIC = [
  '^(a+)+$',
  '^(a*)*$',
  '^(a|a)*$',
  '^(a|ab)+$',
  '^([a-z]+\\s?)+$',
  '^(\\d+)*x$',
  '(a?){30}a{30}',
  `^${'a?'.repeat(30)}${'a'.repeat(30)}$`,
  '^(.*)(.*)(.*)(.*)$',
  '^((a{1,20}){1,20})$',
  '.*.*.*x',
]

const patterns = suite('a pattern')

patterns('that cannot be made slow is accepted, with an example that matches it', () => {
  for (const pattern of HARMLESS) {
    assert.is(patternProblem(pattern, 140), undefined, pattern)
    for (const n of [0, 1, 30, 5000])
      assert.match(patternExample(pattern, n), new RegExp(pattern, 'u'))
  }
})

patterns('that could stand still on some text is refused', () => {
  for (const pattern of CATASTROPHIC)
    assert.match(patternProblem(pattern, 140) ?? '', 'can take very long', pattern)
})

patterns('is judged by how long the text may be', () => {
  assert.is(patternProblem('^\\w+-\\w+-\\w+$', 140), undefined)
  assert.match(patternProblem('^\\w+-\\w+-\\w+$', 5000) ?? '', 'can take very long')
})

patterns('that is no regular expression is refused with the reason', () => {
  assert.match(
    patternProblem('[', 140) ?? '',
    /^expected a regular expression, got "\[": Unterminated/,
  )
  assert.match(patternProblem('a{2,1}', 140) ?? '', 'expected a regular expression')
})

patterns('with what cannot be judged is refused', () => {
  for (const pattern of ['^(?=a)', '(?<!x)y', '(?!z)'])
    assert.match(patternProblem(pattern, 140) ?? '', 'look-around')
  for (const pattern of ['^(a)\\1$', '(?<x>a)\\k<x>'])
    assert.match(patternProblem(pattern, 140) ?? '', 'back-references')
})

patterns('gives different examples for different numbers', () => {
  const made = new Set(Array.from({ length: 300 }, (_, n) => patternExample('^[A-Z]{3}$', n)))
  assert.is(made.size, 300)
})

patterns.run()
