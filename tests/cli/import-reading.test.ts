import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { csvLine } from '../../engine/base/csv-line.ts'
import { type CsvRow, csvRows } from '../../server/import/csv-rows.ts'
import { BrokenSource } from '../../server/import/incoming.ts'
import { type JsonText, jsonElements, jsonLines } from '../../server/import/json-values.ts'
import { randomOf } from '../helpers/random.ts'

/** The text in pieces of this length, as a file comes in: whole characters each. */
async function* pieces(text: string, length: number): AsyncGenerator<string> {
  const all = [...text]
  for (let at = 0; at < all.length; at += length) yield all.slice(at, at + length).join('')
}

/** What is read, and what it ended with, whatever the pieces are; every length must give the same. */
async function readAll<T>(
  read: (text: AsyncIterable<string>) => AsyncGenerator<T>,
  text: string,
): Promise<{ readonly found: readonly T[]; readonly broken: string | undefined }> {
  const results = []
  for (const length of [1, 2, 7, 100_000]) {
    const found: T[] = []
    let broken: string | undefined
    try {
      for await (const one of read(pieces(text, length))) found.push(one)
    } catch (error) {
      if (!(error instanceof BrokenSource)) throw error
      broken = `${error.line}: ${error.message}`
    }
    results.push({ found, broken })
  }
  for (const result of results) assert.equal(result, results[0])
  return results[0]!
}

const short = ({ line, cells }: CsvRow): string => `${line} ${JSON.stringify(cells)}`

const csv = suite('rows of a CSV text')

csv('keep the line where they begin, also behind cells of several lines', async () => {
  const { found, broken } = await readAll(csvRows, 'a,b\r\n1,"x\r\ny\nz"\r\n\r\n2,"""q"""\r\n3,')
  assert.equal(found.map(short), [
    '1 ["a","b"]',
    '2 ["1","x\\r\\ny\\nz"]',
    '5 [""]',
    '6 ["2","\\"q\\""]',
    '7 ["3",""]',
  ])
  assert.is(broken, undefined)
})

for (const [delimiter, text] of [
  [';', 'a;"b,c,d,e";f\n1;2,5;3\n'],
  ['\t', 'a\tb c\n1\t2;3,4\n'],
  [',', 'a,b\n1;2,3\n'],
] as const) {
  csv(`are told apart by ${JSON.stringify(delimiter)} where the header is`, async () => {
    const { found } = await readAll(csvRows, text)
    const widths = found.map(({ cells }) => cells.length)
    assert.equal(
      widths,
      widths.map(() => (delimiter === ';' ? 3 : 2)),
    )
  })
}

csv('are given up to the one whose quotes do not match, which is named', async () => {
  for (const [text, line, why] of [
    ['a,b\n1,"x\ny"\n2,"open\n3,4\n', '4', 'is not closed'],
    ['a,b\n1,2\n2,"x" y\n3,4\n', '3', 'goes on behind its closing quote'],
    ['a,b\n1,2\n2,x "y"\n3,4\n', '3', 'is not quoted'],
  ] as const) {
    const { found, broken } = await readAll(csvRows, text)
    assert.is(found.length, 2, text)
    assert.ok(broken?.startsWith(`${line}: `), broken)
    assert.match(broken ?? '', why)
  }
})

csv('written by an export are read back as they were', async () => {
  const random = randomOf(20261121)
  const signs = ['"', ',', ';', '\t', '\n', '\r', '\r\n', ' ', '=', '@', 'é', '😀', '0', 'a', "'"]
  const cell = (): string =>
    Array.from({ length: random.below(6) }, () => random.one(signs)).join('')
  const rows = Array.from({ length: 300 }, () => ['x', cell(), cell(), cell()])
  const table = [['a', 'b', 'c', 'd'], ...rows]
  const { found, broken } = await readAll(csvRows, table.map(csvLine).join(''))
  assert.is(broken, undefined)
  assert.equal(
    found.map(({ cells }) => cells),
    table,
  )
})

const json = suite('elements of a JSON list')

const shown = ({ line, text }: JsonText): string => `${line} ${text}`

json('are cut out with the line where they begin', async () => {
  const { found, broken } = await readAll(
    jsonElements,
    '\n[ {"a": "],\\"}"},\n\n  {"b": [1, {"c": "\\\\"}]}\n, 3]\n',
  )
  assert.equal(found.map(shown), ['2 {"a": "],\\"}"}', '4 {"b": [1, {"c": "\\\\"}]}', '5 3'])
  assert.is(broken, undefined)
})

json('are none in an empty list', async () => {
  assert.equal(await readAll(jsonElements, ' [ ] '), { found: [], broken: undefined })
})

json('are given up to where the list breaks off', async () => {
  for (const [text, count, why] of [
    ['[{"a":1},\n{"a":2},\n{"a":', 2, '3: the list breaks off here'],
    ['[{"a":1}', 0, '1: the list breaks off here'],
    ['{"a":1}', 0, '1: expected a list of records, [{…}, …]'],
    ['\n', 0, '2: expected a list of records, got nothing'],
    ['[1]\n[2]', 1, '2: expected nothing behind the list'],
  ] as const) {
    const { found, broken } = await readAll(jsonElements, text)
    assert.is(found.length, count, text)
    assert.is(broken, why)
  }
})

json('that are missing are told by their commas', async () => {
  const { found } = await readAll(jsonElements, '[1,,2,]')
  assert.equal(found.map(shown), ['1 1', '1 ', '1 2', '1 '])
})

json('of one a line are those lines, the last without an end too', async () => {
  const { found } = await readAll(jsonLines, '{"a":1}\r\n\n  \n{"b":2}')
  assert.equal(
    found.map(({ line, text }) => `${line} ${text.trim()}`),
    ['1 {"a":1}', '4 {"b":2}'],
  )
})

const ends = suite('how far a file is done')

ends('is told in bytes by each record: where it ends, not what was read ahead', async () => {
  const table = 'a,b\r\n1,"é\nz"\r\n2,"""q"""\r\n😀,'
  const rows = await readAll(csvRows, table)
  assert.equal(endsOf(rows.found), bytesUpTo(table, ['b\r\n', 'z"\r\n', 'q"""\r\n', '😀,']))
  const list = '[{"a": "é"},\n {"b": [1, 2]} ,3]\n'
  const elements = await readAll(jsonElements, list)
  assert.equal(endsOf(elements.found), bytesUpTo(list, ['},', ' ,', '3]']))
  const lines = await readAll(jsonLines, '{"a":"é"}\n\n{"b":2}')
  assert.equal(endsOf(lines.found), [11, 19])
})

function endsOf(found: readonly { readonly end: number }[]): readonly number[] {
  return found.map(({ end }) => end)
}

/** Bytes of a text up to the end of each of these parts, each looked for behind the one before. */
function bytesUpTo(text: string, parts: readonly string[]): readonly number[] {
  let from = 0
  return parts.map((part) => {
    from = text.indexOf(part, from) + part.length
    return Buffer.byteLength(text.slice(0, from))
  })
}

csv.run()
json.run()
ends.run()
