import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  createLocator,
  MAX_FILE_BYTES,
  parseFully,
  parseYaml,
} from '../../../engine/definition/yaml/parse.ts'
import { readPlainYaml } from '../../../engine/definition/yaml/plain-yaml.ts'
import { randomOf, rounds, seedsOf } from '../../helpers/random.ts'
import { withSlips } from './slips.ts'

const SEEDS = seedsOf(import.meta.filename, [1, 2, 3])

const ROOT = fileURLToPath(new URL('../../../doctypes', import.meta.url))
const shipped = globSync(['!(labels)/*.yaml', 'setup/dialects/*.yaml'], { cwd: ROOT }).map((path) =>
  readFileSync(`${ROOT}/${path}`, 'utf8'),
)

/** Labels of a language: their keys are texts. */
const labels = globSync('*.yaml', { cwd: `${ROOT}/../labels` }).map((name) =>
  readFileSync(`${ROOT}/../labels/${name}`, 'utf8'),
)

/** Those with the texts of single quotes in double ones, as JSON and `svc doctype show --flat` write them. */
const escaped = shipped.map((text) =>
  text.replace(/'((?:[^'\n]|'')*)'/g, (_whole, inner: string) =>
    JSON.stringify(inner.replaceAll("''", "'")),
  ),
)

const limits = suite('a hostile YAML text')

limits('over 256 KB is refused without reading it', () => {
  const { data, problems } = parseYaml(`a: ${'x'.repeat(MAX_FILE_BYTES)}`)
  assert.is(data, undefined)
  assert.equal(problems, [
    { line: 1, column: 1, message: 'expected a file of at most 256 KB, got 257 KB' },
  ])
})

limits('nested thousands of levels deep is one problem', () => {
  for (const text of [
    '['.repeat(20_000),
    '{a: '.repeat(10_000),
    '- '.repeat(3000),
    `a: ${'['.repeat(30)}${']'.repeat(30)}`,
  ]) {
    const { data, problems } = parseYaml(text)
    assert.is(data, undefined)
    assert.match(problems[0]?.message ?? '', 'expected at most 24 levels of nesting')
  }
})

limits('with an alias bomb is refused', () => {
  const bomb = [
    'a: &a [x, x]',
    ...'bcdefgh'
      .split('')
      .map((name, n) => `${name}: &${name} [*${'abcdefg'[n]}, *${'abcdefg'[n]}]`),
  ].join('\n')
  assert.is(parseYaml(bomb).data, undefined)
})

limits('full of mistakes has a bounded number of problems', () => {
  assert.ok(parseYaml('}: [\n'.repeat(5000)).problems.length <= 20)
})

limits('leaves the prototypes of objects alone', () => {
  for (const text of [
    '__proto__: {polluted: 1}',
    'a: {__proto__: {polluted: 1}}',
    'constructor: {prototype: {polluted: 1}}',
  ]) {
    assert.is(parseYaml(text).data, undefined)
    assert.is(({} as { polluted?: unknown }).polluted, undefined)
  }
})

limits('with half a character of Unicode or a number without end is refused', () => {
  assert.match(parseYaml('a: "\\uD800"').problems[0]?.message ?? '', 'expected well-formed Unicode')
  assert.match(parseYaml('a: .inf').problems[0]?.message ?? '', 'expected a finite number')
})

limits('with a list as a key is refused at its place', () => {
  const { data, problems } = parseYaml('a: 1\n? [b]\n: 2')
  assert.is(data, undefined)
  assert.equal(problems, [{ line: 2, column: 3, message: 'expected a text as key' }])
})

const plain = suite('the short cut for plain files')

plain('reads every shipped DocType and the labels, and as the full parser does', () => {
  for (const text of [...shipped, ...labels]) {
    const data = readPlainYaml(text)
    assert.ok(data !== undefined, text.slice(0, 80))
    assert.is(JSON.stringify(data), JSON.stringify(parseFully(text).data))
  }
})

for (const seed of SEEDS)
  plain(
    `gives what the full parser gives, or leaves it to that, whatever is done to a file (seed ${seed})`,
    () => {
      const random = randomOf(seed)
      let read = 0
      for (let run = 0; run < rounds(1500); run += 1) {
        const lines = random.one([...shipped, ...escaped, ...labels]).split('\n')
        const from = random.below(lines.length)
        const cut = lines.slice(from, from + 1 + random.below(12))
        const indent = cut[0]!.length - cut[0]!.trimStart().length
        const text = withSlips(
          cut
            .map((line) => line.slice(Math.min(indent, line.length - line.trimStart().length)))
            .join('\n'),
          random,
        )
        const data = readPlainYaml(text)
        if (data === undefined) continue
        read += 1
        const full = parseFully(text)
        assert.equal(full.problems, [], text)
        assert.is(JSON.stringify(data), JSON.stringify(full.data), text)
      }
      assert.ok(read > rounds(1500) / 16, `only ${read} of the texts were plain enough to compare`)
    },
  )

plain('reads escapes and keys in quotes as the full parser does', () => {
  for (const text of [
    ...escaped,
    String.raw`a: "x == \"y\" # z" # why`,
    String.raw`a: ["\\", "\n\t", {b: "\""}]`,
    '"Sales User": [read]\n"a": 1\nb: {c: 1}',
    '"true": 1\n"a\\"": 2',
    "'Yes': Ja\nItem No.: 1\n'Supplier''s Invoice': x\nTaxes (net), in %: 2\n'{a} is: b': 'c: d' # why",
  ]) {
    const full = parseFully(text)
    assert.is(JSON.stringify(readPlainYaml(text) ?? full.data), JSON.stringify(full.data), text)
  }
  assert.equal(readPlainYaml(String.raw`"Sales User": "x == \"y\"" # z`), {
    'Sales User': 'x == "y"',
  })
  for (const text of [
    String.raw`a: "\x41"`,
    String.raw`a: "b\"`,
    '"a" : 1',
    'true: 1',
    'a#b: 1',
    "'a: 1",
  ])
    assert.is(readPlainYaml(text), undefined, text)
})

plain('knows quoting, comments, numbers, words and lists', () => {
  const text = [
    '# a comment',
    "a: 'it''s' # why",
    'b: "x # y"',
    'c: [1, -2.50, true, ~, x y, "z", {d: e}, []]',
    'f:',
    '- g: 1',
    '  h: http://x.example/#i',
    '- {j: {}}',
    'k:',
    '  l:',
    '  m: Sales & Co',
  ].join('\n')
  assert.equal(readPlainYaml(text), {
    a: "it's",
    b: 'x # y',
    c: [1, -2.5, true, null, 'x y', 'z', { d: 'e' }, []],
    f: [{ g: 1, h: 'http://x.example/#i' }, { j: {} }],
    k: { l: null, m: 'Sales & Co' },
  })
})

plain(
  'reads what brackets hold over several lines, and leaves texts that do so to the full parser',
  () => {
    const wrapped = [
      'set: {a: x, b: "y, {",',
      "  c: Customer's, d: 'it''s [',",
      '  # why',
      '',
      '  e: [1, 2,',
      '    3]',
      '} # done',
      'rows:',
      '  - {f: 1,',
      '    g: 2}',
      '  - [a,',
      '     b]',
    ].join('\n')
    const data = {
      set: { a: 'x', b: 'y, {', c: "Customer's", d: "it's [", e: [1, 2, 3] },
      rows: [{ f: 1, g: 2 }, ['a', 'b']],
    }
    assert.is(readPlainYaml(wrapped), undefined, 'a bracket closed where its key stands')
    const text = wrapped.replace('\n} #', '\n  } #')
    assert.equal(readPlainYaml(text), data)
    assert.equal(parseFully(text).data, data)
    for (const other of [
      'a: {b: one\n  two}',
      'a: {b: "one\n  two"}',
      'a: [b, # c\n  d]',
      'a: [b,\nc]',
      'a: {b: c,',
    ])
      assert.is(readPlainYaml(other), undefined, other)
  },
)

const places = suite('the place of a path')

places('is that of the key or of the value, in block and flow', () => {
  const { find } = createLocator('a:\n  b: [x, {c: 1}]\n  d:\n')
  assert.equal(find(['a'], 'key'), { line: 1, column: 1 })
  assert.equal(find(['a', 'b', 0], 'value'), { line: 2, column: 7 })
  assert.equal(find(['a', 'b', 1, 'c'], 'key'), { line: 2, column: 11 })
  assert.equal(find(['a', 'b', 1, 'c'], 'value'), { line: 2, column: 14 })
  assert.equal(find(['a', 'd'], 'value'), { line: 3, column: 3 })
  assert.is(find(['a', 'nothing'], 'value'), undefined)
  assert.is(find(['a', 'b', 7], 'value'), undefined)
})

for (const each of [limits, plain, places]) each.run()
