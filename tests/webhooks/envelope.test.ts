import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Envelope, envelopeText } from '../../webhooks/signing/envelope.ts'
import { randomOf, rounds, seedsOf } from '../helpers/random.ts'

const SEEDS = seedsOf(import.meta.filename, [1, 2, 3])

const envelope = suite('the envelope of a delivery')

const ORDER: Envelope = {
  event: 'sales-orders.submitted',
  resource: 'sales-orders',
  delivery_id: 'dlv_1',
  timestamp: '2026-03-01T12:00:00.000Z',
  data: '{"id":"SO-1","grand_total":20.33}',
}

envelope('is the text of the interface, in its order', () => {
  assert.is(
    envelopeText(ORDER),
    '{"event":"sales-orders.submitted","resource":"sales-orders","delivery_id":"dlv_1","timestamp":"2026-03-01T12:00:00.000Z","data":{"id":"SO-1","grand_total":20.33}}',
  )
})

envelope('takes the stored data as it is, without reading and writing it anew', () => {
  const data = '{ "big": 12345678901234567890, "sum": 1.10, "b": 1, "a": "\\u00e9é" }'
  assert.ok(envelopeText({ ...ORDER, data }).endsWith(`"data":${data}}`))
})

envelope('says `test` for a test delivery only', () => {
  const { test, data } = JSON.parse(envelopeText({ ...ORDER, test: true })) as Record<
    string,
    unknown
  >
  assert.equal([test, data], [true, JSON.parse(ORDER.data)])
  assert.is(envelopeText({ ...ORDER, test: false }), envelopeText(ORDER))
  assert.not.match(envelopeText(ORDER), '"test"')
})

for (const seed of SEEDS)
  envelope(
    `is JSON of its parts whatever they hold, and the same bytes each time (seed ${seed})`,
    () => {
      const random = randomOf(seed)
      const characters = ['"', '\\', '\n', '\u2028', '\0', 'é', '東', '}', '{', ',', 'a', '😀']
      const text = () =>
        Array.from({ length: random.below(12) }, () => random.one(characters)).join('')
      for (let round = 0; round < rounds(150); round += 1) {
        const parts = { event: text(), resource: text(), delivery_id: text(), timestamp: text() }
        const data = { [text()]: text(), list: [text(), random.next()] }
        const first = envelopeText({ ...parts, data: JSON.stringify(data) })
        const { timestamp, delivery_id, resource, event } = parts
        const again = { data: JSON.stringify(data), timestamp, delivery_id, resource, event }
        assert.is(envelopeText(again), first)
        assert.equal(JSON.parse(first), { ...parts, data })
      }
    },
  )

envelope.run()
