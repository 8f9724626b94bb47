import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { answerReader } from '../../bench/load.ts'

const test = suite('answers that the bench waits for')

const WITH_LENGTH = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"abc"'
const IN_CHUNKS =
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n"abc"\r\n2\r\n{}\r\n0\r\n\r\n'

for (const [how, answer] of [
  ['length', WITH_LENGTH],
  ['chunks', IN_CHUNKS],
] as const) {
  test(`is whole at its last byte, by ${how}, and another may follow`, () => {
    const isWhole = answerReader(200)
    for (let turn = 0; turn < 2; turn += 1)
      for (const [at, byte] of [...answer].entries())
        assert.is(isWhole(Buffer.from(byte)), at === answer.length - 1)
  })
}

test('of another status is refused with what it says', () => {
  assert.throws(
    () => answerReader(201)(Buffer.from(WITH_LENGTH)),
    /expected status 201, got HTTP\/1\.1 200 OK[\s\S]*"abc"/,
  )
})

test('of no known end is refused', () => {
  assert.throws(
    () => answerReader(200)(Buffer.from('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n')),
    /expected Content-Length or chunks/,
  )
})

test.run()
