import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { csvLine } from '../../engine/base/csv-line.ts'
import { csvRows } from '../../server/import/csv-rows.ts'
import { BrokenSource } from '../../server/import/incoming.ts'
import { randomOf, rounds, seedsOf } from '../helpers/random.ts'
import { importPlace } from './import-place.ts'
import type { Finished } from './process.ts'

const SEEDS = seedsOf(import.meta.filename, [1])

const DOCTYPE = `doctype: Gadget
module: setup
tier: free
naming: field:code
fields:
  code: {type: data, required: true}
  size: {type: int, max: 1000}
  parts:
    type: table
    fields:
      part: {type: data}
      extra: {type: json}
`

const hostile = suite('an import of a hostile file')
const place = importPlace(hostile, { 'gadget.yaml': DOCTYPE })
const { data, file, exported } = place

const read = (name: string): string => readFileSync(join(data, name), 'utf8')

const run = (...args: string[]): Promise<Finished> => place.run('gadgets', ...args)

const codes = async (): Promise<unknown[]> => (await exported('gadgets')).map(({ code }) => code)

const DEEP = `${'['.repeat(100_000)}${']'.repeat(100_000)}`

/** Members of an object that are refused; who reads and writes them again has others, or none. */
const REFUSED = [
  '"size":1e400',
  '"size":9007199254740993',
  '"size":"\\ud800"',
  `"size":${DEEP}`,
  '"__proto__":{"size":1}',
  '"constructor":{}',
]

hostile('keeps what JSON it refuses as it was written, however often it is tried', async () => {
  const bad = REFUSED.map((member, at) => `{"code":"b${at}",${member}}`)
  const path = file('g.json', `[${[...bad, '{"code":"good",\n"size":1}'].join(',\n')}, 7]`)
  const first = await run(path)
  assert.match(first.stdout, `1 created, ${REFUSED.length + 1} failed`)
  assert.match(first.stderr, '__proto__: unknown field')
  // What could not be read at all lacks nothing.
  assert.not.match(first.stderr, 'is required')
  assert.equal(await codes(), ['good'])
  const second = await run(join(data, 'g.errors.jsonl'))
  assert.match(second.stdout, `0 created, ${REFUSED.length + 1} failed`)
  for (const name of ['g.errors.jsonl', 'g.errors.errors.jsonl']) {
    const lines = read(name).trimEnd().split('\n')
    for (const [at, member] of REFUSED.entries()) {
      assert.ok(
        lines[at]?.endsWith(`,"code":"b${at}",${member}}`),
        `${name} ${member.slice(0, 40)}`,
      )
      assert.is(lines[at]?.match(/"_error"/g)?.length, 1)
    }
  }
})

hostile('does not take a table in a cell that a body of the API could not have', async () => {
  const cells = [
    '9007199254740993',
    '1e400',
    '"\\u0000"',
    '"\\ud800"',
    '['.repeat(40) + ']'.repeat(40),
  ]
  const rows = cells.map((cell, at) => csvLine([`c${at}`, `[{"extra":${cell}}]`]))
  const { stdout } = await run(file('g.csv', `code,parts\r\n${rows.join('')}`))
  assert.match(stdout, `0 created, ${cells.length} failed`)
})

hostile('finds no record by a name that is two or none', async () => {
  await run(file('g.csv', 'code\nK1\nK2\n'))
  const names = ['{"id":["K1"],"size":1}', '{"id":"K1","name":"K2","size":2}', '{"id":true}']
  const json = await run(file('n.jsonl', names.join('\n')), '--upsert')
  assert.match(json.stdout, '0 created, 3 failed')
  assert.match(
    json.stderr,
    'n.jsonl:2: name: expected the same as id, "K1", or one of both; got "K2"',
  )
  const csv = await run(file('n.csv', 'id,name,size\nK1,K2,3\nK1,,4\n,K2,5\n'), '--upsert')
  assert.match(csv.stdout, '0 created, 2 updated, 1 failed')
})

for (const seed of SEEDS)
  hostile(
    `loses no row without a word: each is created, or stands whole in the error file (seed ${seed})`,
    async () => {
      const random = randomOf(seed)
      const cell = (): string =>
        random.one([
          '',
          '',
          '7',
          '5000',
          'x',
          ' ',
          '"',
          'a,b',
          'a\nb',
          '\u0000',
          '\ufeff',
          '=1',
          '1e5',
        ])
      const rows = Array.from({ length: rounds(150) }, (_, at) => [
        random.chance(0.8) ? `r${seed}-${at}` : '',
        ...Array.from({ length: random.chance(0.8) ? 1 : random.below(4) }, cell),
      ])
      const filled = rows.filter((row) => row.some((one) => one !== ''))
      const { stdout } = await run(
        file('g.csv', csvLine(['code', 'size']) + rows.map(csvLine).join('')),
        '--json',
      )
      const { created, failed } = JSON.parse(stdout)
      assert.is(created + failed, filled.length)
      assert.ok(created > 10 && failed > 10, stdout.slice(0, 200))
      const kept: (readonly string[])[] = []
      async function* text(): AsyncGenerator<string> {
        yield read('g.errors.csv')
      }
      for await (const { cells } of csvRows(text())) kept.push(cells.slice(2))
      const there = new Set(await codes())
      assert.equal(
        kept.slice(1),
        filled.filter(([code = '']) => !there.has(code)),
      )
    },
  )

hostile('reads no more of a row without end than a row may have', async () => {
  let taken = 0
  async function* endless(): AsyncGenerator<string> {
    for (; taken < 1000; taken += 1) yield 'x'.repeat(64 * 1024)
  }
  const rows = csvRows(endless())
  const error = await rows.next().catch((reason: unknown) => reason)
  assert.instance(error, BrokenSource)
  assert.ok(taken < 300, String(taken))
})

hostile('names some of the columns nobody knows', async () => {
  const heads = Array.from({ length: 2000 }, (_, at) => `c${at}`)
  const { stderr } = await run(file('g.csv', `${heads.join(',')}\n1\n`))
  assert.match(stderr, /; and 1980 more\n$/)
  const long = await run(file('l.csv', `${'x'.repeat(100_000)}\n1\n`))
  assert.ok(long.stderr.length < 200, String(long.stderr.length))
})

hostile('sends the terminal no commands and no lines of the file', async () => {
  const lines = [
    '{"code":"a","\\u001b[2J":1}',
    '{"code":"b","x\\nin.csv:9: y":1}',
    '{"\u001b]0;x\u0007": ',
  ]
  const { stderr } = await run(file('in.jsonl', lines.join('\n')))
  assert.match(stderr, /\\u001b\[2J: unknown field/)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
  assert.not.match(stderr, /[\u0000-\u0009\u000b-\u001f\u007f]/)
  assert.is(stderr.match(/^[^\n]*in\.(jsonl|csv):\d/gm)?.length, 3)
})

hostile('counts what is in when the error file cannot be written', async () => {
  const none = join(data, 'none', 'errors.csv')
  const { code, stderr } = await run(
    file('g.csv', 'code,size\na,1\nb,x\nc,2\nd,x\n'),
    '--errors',
    none,
  )
  assert.is(code, 1)
  assert.match(stderr, `cannot write ${none}: there is no such file or folder`)
  assert.match(stderr, 'from line 3 on not all that was refused was kept (2 created, 2 failed)')
  assert.equal(await codes(), ['a', 'c'])
})

hostile('takes a link for an error file that is there, wherever it leads', async () => {
  const path = file('g.csv', 'code,size\na,1\nb,x\n')
  symlinkSync(join(data, 'nowhere'), join(data, 'g.errors.csv'))
  const { code, stderr } = await run(path)
  assert.is(code, 1)
  assert.match(stderr, 'g.errors.csv is there from an earlier import')
  assert.equal(await codes(), [])
  assert.not.ok(existsSync(join(data, 'nowhere')))
})

hostile.run()
