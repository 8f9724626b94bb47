import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { wallClock } from '../../hooks/wall-clock.ts'
import { randomOf, rounds, seedsOf } from '../helpers/random.ts'

const SEEDS = seedsOf(import.meta.filename, [1, 2, 3])

const test = suite('the clocks of a place')

test('are ahead of UTC or behind, by summer time too', () => {
  const berlin = wallClock('Europe/Berlin')
  assert.is(berlin.shownAt('2026-01-15T12:00:00.000Z'), '2026-01-15T13:00:00')
  assert.is(berlin.shownAt('2026-07-15T22:30:00.000Z'), '2026-07-16T00:30:00')
  assert.is(berlin.momentOf('2026-07-16T00:30:00'), '2026-07-15T22:30:00.000Z')
  assert.is(wallClock('Asia/Kolkata').momentOf('2026-03-01T00:00:00'), '2026-02-28T18:30:00.000Z')
  assert.is(wallClock('').momentOf('2026-03-01T00:00:00'), '2026-03-01T00:00:00.000Z')
})

test('show an hour twice or never when they change', () => {
  const berlin = wallClock('Europe/Berlin')
  // From 3:00 back to 2:00: the first 2:30 is meant.
  assert.is(berlin.momentOf('2026-10-25T02:30:00'), '2026-10-25T00:30:00.000Z')
  // From 2:00 on to 3:00: there is no 2:30; it is half an hour after 2:00, when they show 3:30.
  const leftOut = berlin.momentOf('2026-03-29T02:30:00')
  assert.is(leftOut, '2026-03-29T01:30:00.000Z')
  assert.is(berlin.shownAt(leftOut), '2026-03-29T03:30:00')
})

for (const seed of SEEDS)
  test(`lead back to the moment they were read at (seed ${seed})`, () => {
    const random = randomOf(seed)
    const zones = [
      'Europe/Berlin',
      'America/New_York',
      'Asia/Kolkata',
      'Australia/Lord_Howe',
      'UTC',
    ]
    const clocks = zones.map(wallClock)
    for (let round = 0; round < rounds(200); round += 1) {
      const moment = new Date(Date.UTC(2026, 0, 1, 0, 0, random.below(366 * 86_400))).toISOString()
      const clock = random.one(clocks)
      const shown = clock.shownAt(moment)
      assert.is(clock.shownAt(clock.momentOf(shown)), shown, moment)
    }
  })

test.run()
