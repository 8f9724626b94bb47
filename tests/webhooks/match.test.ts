import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  type KnownEvents,
  matcher,
  normalisePattern,
  patternProblem,
} from '../../webhooks/match.ts'
import { randomOf, rounds, seedsOf } from '../helpers/random.ts'

const SEEDS = seedsOf(import.meta.filename, [1, 2, 3])

const EVENTS = [
  'leads.created',
  'leads.converted',
  'sales-orders.submitted',
  'sales-orders.cancelled',
  'sales-invoices.paid',
  'bank-accounts.balance_updated',
]
const known: KnownEvents = {
  events: new Set(EVENTS),
  resources: new Set(['leads', 'sales-orders', 'sales-invoices', 'bank-accounts', 'items']),
}
const ALIASES = new Map([
  ['invoices', 'sales-invoices'],
  ['orders', 'sales-orders'],
])

const patterns = suite('a pattern')

patterns('may be *, every verb of a resource, or an event', () => {
  for (const pattern of ['*', 'leads.*', 'items.*', ...EVENTS])
    assert.is(patternProblem(pattern, known), undefined, pattern)
})

const WRONG: readonly (readonly [pattern: string, problem: string])[] = [
  [
    'sales-orders.submited',
    'no event matches "sales-orders.submited"; did you mean sales-orders.submitted?',
  ],
  ['Leads.created', 'no event matches "Leads.created"; did you mean leads.created?'],
  ['sales-order.*', 'no event matches "sales-order.*"; did you mean sales-orders.*?'],
  ['leads', 'no event matches "leads"; did you mean leads.*?'],
  ['leads.exploded-utterly', 'that resource has leads.created, leads.converted'],
  ['*.submitted', 'GET /v1/webhooks/events lists them, * and <resource>.* stand for many'],
  ['', 'no event matches ""; GET /v1/webhooks/events lists them'],
  ['**', 'GET /v1/webhooks/events lists them'],
  ['leads.*.*', 'did you mean leads.*?'],
  ['__proto__.*', 'GET /v1/webhooks/events lists them'],
]

for (const [pattern, problem] of WRONG) {
  patterns(`${JSON.stringify(pattern)} is refused with what was meant`, () => {
    const found = patternProblem(pattern, known) ?? ''
    assert.ok(found.includes(problem), found)
  })
}

patterns('of any length is shown in a message of some length', () => {
  assert.ok((patternProblem('x'.repeat(100_000), known) ?? '').length < 200)
})

patterns('may name a resource by its alias and is kept with the slug', () => {
  const normal = (pattern: string) => normalisePattern(pattern, ALIASES)
  assert.is(normal('invoices.*'), 'sales-invoices.*')
  assert.is(normal('orders.submitted'), 'sales-orders.submitted')
  for (const pattern of ['*', 'leads.*', 'sales-orders.submitted', 'invoices-old.*', ''])
    assert.is(normal(pattern), pattern)
  assert.match(patternProblem(normal('invoices'), known) ?? '', 'did you mean sales-invoices.*?')
})

const matching = suite('a matcher')

matching('takes what its patterns name and nothing else', () => {
  const taken = (...given: string[]) => EVENTS.filter(matcher(given))
  assert.equal(taken('*'), EVENTS)
  assert.equal(taken('leads.*', '*'), EVENTS)
  assert.equal(taken(), [])
  assert.equal(taken('leads.*'), ['leads.created', 'leads.converted'])
  assert.equal(taken('leads.created'), ['leads.created'])
  assert.equal(taken('lead.*', 'sales.*', 'leads', 'leads.create'), [])
  assert.equal(taken('leads.created', 'sales-invoices.*'), ['leads.created', 'sales-invoices.paid'])
})

for (const seed of SEEDS)
  matching(`agrees with the rule spelt out, whatever is subscribed to (seed ${seed})`, () => {
    const random = randomOf(seed)
    const words = ['a', 'b', 'a-b', 'ab', 'created', '*']
    const event = () => `${random.one(words)}.${random.one(words)}`
    for (let round = 0; round < rounds(300); round += 1) {
      const given = Array.from({ length: random.below(5) }, () =>
        random.chance(0.05) ? '*' : event(),
      )
      const matches = matcher(given)
      for (let at = 0; at < 10; at += 1) {
        const name = event()
        const expected = given.some(
          (pattern) =>
            pattern === '*' ||
            pattern === name ||
            (pattern.endsWith('.*') && name.startsWith(pattern.slice(0, -1))),
        )
        assert.is(matches(name), expected, `${name} with ${given.join(' ')}`)
      }
    }
  })

patterns.run()
matching.run()
