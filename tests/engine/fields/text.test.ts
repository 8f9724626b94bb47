import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Field } from '../../../engine/fields/field.ts'
import type { Value } from '../../../engine/fields/field-type.ts'
import { fieldType, fieldTypes } from '../../../engine/fields/index.ts'
import { aField } from './a-field.ts'

const read = (name: string, input: string, more: Partial<Field> = {}): Value =>
  fieldType(name).read(input, aField(name, more))

const FORMS: Readonly<
  Record<string, { readonly good: readonly string[]; readonly bad: readonly string[] }>
> = {
  email: {
    good: [
      'ann@example.com',
      'a.b+c@sub.example.co',
      "o'neil@example.com",
      'ann@bücher.example',
      'x@1.de',
    ],
    bad: [
      'ann',
      'ann@',
      '@example.com',
      'a@b',
      'a@b@c.de',
      'a b@c.de',
      'a@c..de',
      '.a@c.de',
      'a@-c.de',
      'a@c.de\n',
      'a<x@c.de',
      `${'a'.repeat(65)}@c.de`,
    ],
  },
  phone: {
    good: [
      '+49 30 1234567',
      '030/1234567',
      '(555) 123-4567',
      '112',
      '+1-555-123-4567 x12',
      '555.123.4567 ext 9',
    ],
    bad: ['12', 'call me', '+', '1234+567', '5551234x', '1'.repeat(21), '555 123 x1 x2', '٣٤٥٦٧'],
  },
  url: {
    good: ['https://example.com', 'HTTP://example.com/a?b=c#d', 'http://127.0.0.1:8000/x'],
    bad: [
      'example.com',
      'ftp://example.com',
      'javascript:alert(1)',
      'https://',
      'https://exa mple.com',
      'https://x.de/\n',
      '//example.com',
    ],
  },
  color: {
    good: ['#1f6feb', '#FFF', '#11223344'],
    bad: ['1f6feb', '#12', '#12345', '#ggg', 'red', '#1f6fe!'],
  },
  attach: {
    good: ['/files/a.pdf', 'https://example.com/a.pdf'],
    bad: [
      'files/a.pdf',
      '//evil.example/a',
      '/\\evil.example',
      'javascript:alert(1)',
      'data:text/html,x',
      '/a\nb',
    ],
  },
}

const forms = suite('a text with a form')

for (const [name, { good, bad }] of Object.entries(FORMS)) {
  forms(`of the type ${name} is taken as it came, anything else is refused`, () => {
    for (const text of good) assert.is(read(name, text), text)
    for (const text of bad)
      assert.throws(() => read(name, text), /expected/, `${name} ${JSON.stringify(text)}`)
  })
}

forms('may be looked for by a part of it', () => {
  for (const name of Object.keys(FORMS))
    assert.is(fieldType(name).readText('ann@', aField(name)), 'ann@')
})

const lengths = suite('the length of a text')

lengths('counts characters, not code units', () => {
  assert.is(read('data', '🚀'.repeat(140)), '🚀'.repeat(140))
  assert.throws(() => read('data', '🚀'.repeat(141)), /expected at most 140 characters, got 141/)
})

lengths(
  'is 140 for a line, 1000 for a small text, 100000 for others, or what the field declares',
  () => {
    const limits: Readonly<Record<string, number>> = {
      data: 140,
      small_text: 1000,
      text: 100_000,
      html: 100_000,
      link: 140,
    }
    for (const [name, limit] of Object.entries(limits)) {
      assert.is(read(name, 'x'.repeat(limit)), 'x'.repeat(limit))
      assert.throws(
        () => read(name, 'x'.repeat(limit + 1)),
        new RegExp(`at most ${limit} characters`),
      )
      assert.is(fieldType(name).schema(aField(name)).maxLength, limit)
    }
    assert.throws(() => read('data', 'abcd', { length: 3 }), /at most 3 characters, got 4/)
  },
)

lengths('is a whole number from 1', () => {
  for (const length of [0, -1, 1.5, 2_000_000]) {
    assert.is(fieldType('data').check(aField('data', { length }))[0]?.key, 'length')
  }
})

const storable = suite('a text')

storable('that is empty is unset', () => {
  for (const { name, kind, optionsMean, read: readAny } of fieldTypes.values()) {
    if (kind !== 'str') continue
    const more = optionsMean === 'values' ? { options: ['A'] } : {}
    assert.is(readAny('', aField(name, more)), null, name)
  }
})

storable('with NUL or half of a surrogate pair is refused, in values and in filters', () => {
  for (const name of ['data', 'text', 'html', 'password', 'link', 'dynamic_link']) {
    for (const text of ['a\0b', '\ud800', 'x\udc00y']) {
      assert.throws(() => read(name, text), /expected (text without the NUL|well-formed)/, name)
      assert.throws(() => fieldType(name).readText(text, aField(name)), /expected/, name)
    }
  }
})

storable('in one line has no line breaks, longer ones may', () => {
  assert.throws(() => read('data', 'a\nb'), /expected text in one line/)
  assert.is(read('small_text', 'a\nb'), 'a\nb')
})

storable('of a password never comes out', () => {
  const type = fieldType('password')
  assert.ok(type.secret)
  assert.equal(type.operators, [])
  assert.is(type.toWire('hunter2', aField('password')), null)
})

storable('is checked in time that grows with its length only', () => {
  for (const name of ['email', 'phone', 'url', 'color', 'attach']) {
    const hostile = `${'a.'.repeat(450)}@${'-'.repeat(50)}`
    assert.throws(() => read(name, hostile, { length: 2000 }), /expected/)
  }
})

for (const each of [forms, lengths, storable]) each.run()
