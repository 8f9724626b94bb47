import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Backoff, createBackoff } from '../../webhooks/backoff.ts'
import { type Random, randomOf, rounds, seedsOf } from '../helpers/random.ts'

const SEEDS = seedsOf(import.meta.filename, [1, 2, 3])

const HOUR = 3_600_000
const SCHEDULE = [5, 30, 120, 300, 900, 1800, 3600, 7200, 14_400, 21_600, 27_000].map(
  (seconds) => seconds * 1000,
)
const TIMEOUT = 10_000
const MIDDLE = () => 0.5

/** The wait after the first attempt, 10 s after its start, with this Retry-After. */
function firstWait(backoff: Backoff, retryAfter: string | null, now = 0): number | undefined {
  return backoff.nextDelay({ attempt: 1, elapsedMs: TIMEOUT, retryAfter, now })
}

const schedule = suite('the retry schedule')

schedule('waits as the interface document says, and ends after 12 attempts', () => {
  const backoff = createBackoff({ random: MIDDLE })
  assert.is(backoff.attempts, 12)
  const waits = Array.from({ length: 12 }, (_, at) =>
    backoff.nextDelay({ attempt: at + 1, elapsedMs: 0, retryAfter: null, now: 0 }),
  )
  assert.equal(waits, [...SCHEDULE, undefined])
})

schedule('is the one in docs/webhooks.md', () => {
  const page = readFileSync(new URL('../../docs/webhooks.md', import.meta.url), 'utf8')
  const rows = [...page.matchAll(/^\| (\d+) \| ([\d.]+) (s|min|h) \|/gm)]
  const units: Readonly<Record<string, number>> = { s: 1000, min: 60_000, h: HOUR }
  assert.equal(
    rows.map(([, attempt, count, unit = '']) => [Number(attempt), Number(count) * units[unit]!]),
    SCHEDULE.map((delay, at) => [at + 2, delay]),
  )
})

schedule('differs by up to a tenth from one delivery to the next', () => {
  assert.is(firstWait(createBackoff({ random: () => 0 }), null), 4500)
  const longest = firstWait(createBackoff({ random: () => 1 - Number.EPSILON }), null) ?? 0
  assert.ok(longest > 5490 && longest <= 5501, String(longest))
})

schedule('scales with its base, 24 hours included', () => {
  const fast = createBackoff({ baseMs: 50, random: MIDDLE })
  assert.is(firstWait(fast, null), 50)
  assert.is(fast.nextDelay({ attempt: 11, elapsedMs: 0, retryAfter: null, now: 0 }), 270_000)
  assert.is(firstWait(createBackoff({ baseMs: 50 }), '1'), 1000, 'Retry-After works there too')
  const most = firstWait(createBackoff({ baseMs: 50 }), '86400') ?? 0
  assert.ok(most < (24 * HOUR) / 100, String(most))
})

schedule('refuses a base that is no wait, and attempts that are none', () => {
  for (const baseMs of [0, -1, Number.NaN, Number.POSITIVE_INFINITY])
    assert.throws(() => createBackoff({ baseMs }), /expected baseMs to be a number above 0, got /)
  for (const attempt of [0, -1, 1.5]) {
    const failed = { attempt, elapsedMs: 0, retryAfter: null, now: 0 }
    assert.throws(() => createBackoff().nextDelay(failed), /expected attempt to be a whole number/)
  }
})

const retryAfter = suite('Retry-After')

retryAfter('makes the wait longer, in seconds and as any of the three forms of a date', () => {
  const backoff = createBackoff({ random: MIDDLE })
  const now = Date.parse('1994-11-06T08:49:17Z')
  for (const header of [
    '20',
    ' 20 ',
    'Sun, 06 Nov 1994 08:49:37 GMT',
    'Sunday, 06-Nov-94 08:49:37 GMT',
    'Sun Nov  6 08:49:37 1994',
  ])
    assert.is(firstWait(backoff, header, now), 20_000, header)
})

retryAfter('never makes it shorter', () => {
  const backoff = createBackoff({ random: MIDDLE })
  const now = Date.parse('2026-01-01T00:00:00Z')
  for (const header of ['0', '4', 'Wed, 31 Dec 2025 23:00:00 GMT', 'Thu, 01 Jan 2026 00:00:01 GMT'])
    assert.is(firstWait(backoff, header, now), 5000, header)
})

retryAfter('that cannot be read is as good as none', () => {
  const backoff = createBackoff({ random: MIDDLE })
  for (const header of ['', 'soon', '-5', '1e3', '1.5', '0x10', 'Mon, 99 Foo', '2030-01-01'])
    assert.is(firstWait(backoff, header), 5000, header)
})

retryAfter('is cut where the attempts that remain would end after 24 hours', () => {
  const backoff = createBackoff({ random: MIDDLE })
  const worst = SCHEDULE.slice(1).reduce((total, delay) => total + Math.ceil(delay * 1.1), 0)
  const most = 24 * HOUR - TIMEOUT - worst - 11 * TIMEOUT
  assert.ok(Math.abs((firstWait(backoff, '99999999') ?? 0) - most) <= 1)
  assert.is(firstWait(backoff, '9'.repeat(400)), firstWait(backoff, '99999999'))
})

retryAfter('gives way to the schedule when a process that was down has used up the time', () => {
  const backoff = createBackoff({ random: MIDDLE })
  const failed = { attempt: 3, elapsedMs: 30 * HOUR, retryAfter: '3600', now: 0 }
  assert.is(backoff.nextDelay(failed), 120_000)
})

const property = suite('whatever receivers answer,')

/** A header that a receiver might send, sensible or not. */
function anyRetryAfter(random: Random, now: number): string | null {
  const seconds = Math.floor(10 ** (random.next() * 7))
  return random.one([
    null,
    String(seconds),
    new Date(now + seconds * 1000).toUTCString(),
    new Date(now - seconds * 1000).toUTCString(),
    '0',
    '999999999999999999999',
    'later',
  ])
}

for (const seed of SEEDS)
  property(
    `12 attempts are made, the last ends within 24 hours, no wait is below the schedule (seed ${seed})`,
    () => {
      const random = randomOf(seed)
      for (let round = 0; round < rounds(500); round += 1) {
        const scale = random.one([0.5, 1, 1, 1, 3])
        const jitter = random.one([random.next, () => 0, () => 1 - Number.EPSILON])
        const backoff = createBackoff({ baseMs: 5000 * scale, random: jitter })
        const generous = random.chance(0.3)
        const start = 1_767_225_600_000 + random.below(1_000_000)
        let elapsedMs = 0
        let attempt = 0
        for (;;) {
          attempt += 1
          elapsedMs += random.one([TIMEOUT, random.below(TIMEOUT)])
          const now = start + elapsedMs
          const header = generous ? '99999999' : anyRetryAfter(random, now)
          const wait = backoff.nextDelay({ attempt, elapsedMs, retryAfter: header, now })
          if (wait === undefined) break
          const least = 0.9 * SCHEDULE[attempt - 1]! * scale
          assert.ok(wait >= least, `round ${round}, attempt ${attempt}: ${wait} < ${least}`)
          assert.ok(Number.isInteger(wait))
          elapsedMs += wait
        }
        assert.is(attempt, 12)
        const hours = elapsedMs / HOUR
        assert.ok(hours <= 24 * scale, `round ${round}: the last attempt ended after ${hours} h`)
      }
    },
  )

schedule.run()
retryAfter.run()
property.run()
