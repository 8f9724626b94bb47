import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { sameOriginPath } from '../../server/http/same-origin-path.ts'
import { rounds, seedsOf } from '../helpers/random.ts'

const paths = suite('a path to go on to')

paths('is one of this origin, as it came', () => {
  for (const path of ['/', '/orders', '/orders?status=Open&q=a%20b#top', '/a/b/', '/?next=//x'])
    assert.is(sameOriginPath(path), path)
  assert.is(sameOriginPath('/a/../b'), '/b')
})

paths('is nothing else', () => {
  const others: readonly unknown[] = [
    undefined,
    null,
    7,
    ['/a'],
    '',
    'orders',
    'https://evil.example',
    'javascript:alert(1)',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/.//evil.example',
    '/a/..//evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/a\r\nSet-Cookie: sid=x',
    ' //evil.example',
    '/\0',
    `/${'a'.repeat(3_000)}`,
  ]
  for (const other of others) assert.is(sameOriginPath(other), undefined, JSON.stringify(other))
})

paths('leads a browser nowhere else, whatever was sent', () => {
  const part = fc.constantFrom(
    '/',
    '\\',
    '.',
    '..',
    '@',
    ':',
    'evil.example',
    '%2f',
    '?',
    '#',
    '\t',
    'a',
  )
  const isOurs = fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
    const path = sameOriginPath(`/${parts.join('')}`)
    if (path === undefined) return
    assert.is(new URL(path, 'https://erp.example.com').origin, 'https://erp.example.com')
  })
  for (const seed of seedsOf(import.meta.filename, [1, 2, 3]))
    fc.assert(isOurs, { seed, numRuns: rounds(1_500) })
})

paths.run()
