import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { pictureSize } from '../../../server/files/picture-size.ts'
import { picture } from './pictures.ts'

const test = suite('the size that the head of a picture says')

/** A GIF with this screen, a table of four colors, a comment, and one picture of this size. */
function gif(screen: readonly [number, number], first: readonly [number, number]): Buffer {
  const head = Buffer.from('GIF89a\0\0\0\0\0\0\0')
  head.writeUInt16LE(screen[0], 6)
  head.writeUInt16LE(screen[1], 8)
  head[10] = 0x81
  const descriptor = Buffer.alloc(10)
  descriptor[0] = 0x2c
  descriptor.writeUInt16LE(first[0], 5)
  descriptor.writeUInt16LE(first[1], 7)
  const comment = Buffer.from([0x21, 0xfe, 3, 97, 98, 99, 0])
  return Buffer.concat([head, Buffer.alloc(12), comment, descriptor, Buffer.alloc(8)])
}

test('of a PNG, and of a GIF with the picture in it, which may be larger than its screen', () => {
  assert.equal(pictureSize(picture([1, 2, 3], 30, 20)), { width: 30, height: 20 })
  assert.equal(pictureSize(gif([30, 20], [30, 20])), { width: 30, height: 20 })
  assert.equal(pictureSize(gif([2, 2], [60_000, 50_000])), { width: 60_000, height: 50_000 })
})

test('is unknown where there is no picture', () => {
  assert.is(pictureSize(gif([2, 2], [2, 2]).subarray(0, 40)), undefined)
  assert.is(pictureSize(Buffer.alloc(100)), undefined)
})

test.run()
