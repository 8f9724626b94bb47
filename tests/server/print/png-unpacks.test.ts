import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { unpacksAsItSays } from '../../../server/print/png-unpacks.ts'
import { picture, swellingPicture } from '../files/pictures.ts'

const test = suite('the dots of a logo')

test('are as many as its head says', () => {
  assert.is(unpacksAsItSays(picture()), true)
  assert.is(unpacksAsItSays(picture([1, 2, 3], 1, 1)), true)
  assert.is(unpacksAsItSays(swellingPicture(14)), true)
})

test('are not unpacked beyond that', () => {
  const swelling = swellingPicture(200_000_000)
  const before = process.resourceUsage().maxRSS
  assert.is(unpacksAsItSays(swelling), false)
  assert.ok(process.resourceUsage().maxRSS - before < 50_000, 'kilobytes more memory')
  assert.is(unpacksAsItSays(picture().subarray(0, 60)), false)
})

test('of what is no PNG are left to who draws it', () => {
  assert.is(unpacksAsItSays(Buffer.from('no picture at all, and longer than a head')), true)
})

test.run()
