import * as assert from 'uvu/assert'
import { SYSTEM_ACTOR } from '../../engine/access/actor.ts'
import { cancelDocument } from '../../engine/documents/operations/cancel.ts'
import { createDocument } from '../../engine/documents/operations/create.ts'
import { removeDocument } from '../../engine/documents/operations/remove.ts'
import { submitDocument } from '../../engine/documents/operations/submit.ts'
import { updateDocument } from '../../engine/documents/operations/update.ts'
import { updateWebhook, type WebhookStatus } from '../../webhooks/store.ts'
import { subscriptionsChanged } from '../../webhooks/version.ts'
import { forEachDatabase } from '../helpers/databases.ts'
import { type Random, randomOf, rounds, seedsOf } from '../helpers/random.ts'
import { TEST_DOCTYPES, testClock } from '../server/test-app.ts'
import { openWebhookApp, type WebhookApp } from './webhook-app.ts'

const SEEDS = seedsOf(import.meta.filename, [1])

const STEPS = rounds(150)

/** Lowest tier that has each resource; the order of the tiers. */
const TIER_OF: Readonly<Record<string, string>> = {
  gadgets: 'free',
  parcels: 'free',
  masts: 'pro',
  turbines: 'business',
}
const TIERS = ['free', 'pro', 'business']
const RESOURCES = Object.keys(TIER_OF)
const VERBS = ['created', 'updated', 'deleted']
const ALIASES: Readonly<Record<string, string>> = { gizmos: 'gadgets' }

const MAST = `
doctype: Mast
module: assets
tier: pro
naming: prompt
fields:
  height: {type: int}
`

/** A subscription as the test remembers it: what it asked for, in its own words. */
interface Asked {
  patterns: readonly string[]
  status: WebhookStatus
}

/** A document as the test remembers it. */
interface Known {
  readonly slug: string
  readonly id: string
  docstatus: 0 | 1 | 2
}

forEachDatabase('the deliveries of an event', ({ test, fresh }) => {
  for (const seed of SEEDS)
    test(`are exactly one for each subscription that asks for it, whatever happened before (seed ${seed})`, async () => {
      const random = randomOf(seed)
      const database = await fresh()
      const clock = testClock()
      const options = {
        database,
        clock,
        isIdle: true,
        settings: { rateLimit: false },
        doctypes: { ...TEST_DOCTYPES, mast: MAST },
        policy: { loopback: true, private: false, ownPorts: [] },
      }
      // What one process changes holds for what the other one does next.
      const apps = [await openWebhookApp(options), await openWebhookApp(options)]
      try {
        await walk(random, apps)
      } finally {
        for (const app of apps) await app.close()
      }
    })
})

async function walk(random: Random, apps: readonly WebhookApp[]): Promise<void> {
  const asked = new Map<string, Asked>()
  const documents: Known[] = []
  const expected = new Set<string>()
  let tier = 'free'
  let seen = 0n
  let serial = 0

  /** What the log tells since the last look is for those who ask for it now. */
  async function look(): Promise<void> {
    const { events, database } = apps[0]!.engine.services
    for (;;) {
      const page = await events.page(database.read, {
        filter: {},
        order: 'asc',
        limit: 500,
        beyond: seen,
      })
      for (const { seq, id, event, resource } of page) {
        seen = seq
        for (const [webhook, one] of asked)
          if (isFor(one, event, resource)) expected.add(`${id} ${event} ${webhook}`)
      }
      if (page.length === 0) return
    }
  }

  function isFor({ patterns, status }: Asked, event: string, resource: string): boolean {
    if (status === 'disabled') return false
    if (TIERS.indexOf(TIER_OF[resource]!) > TIERS.indexOf(tier)) return false
    return patterns.some((pattern) => {
      if (pattern === '*' || pattern === event) return true
      const [name = '', verb] = pattern.split('.')
      const slug = ALIASES[name] ?? name
      return slug === resource && (verb === '*' || `${slug}.${verb}` === event)
    })
  }

  async function change(): Promise<void> {
    const app = random.one(apps)
    // Tiers gate requests, never what the engine itself does: so all of it may happen in any tier.
    const context = app.engine.context(SYSTEM_ACTOR, 'business')
    const { registry } = app.engine.services
    const definitionOf = (slug: string) => registry.bySlug(slug)!
    const document = documents.length > 0 && random.chance(0.6) ? random.one(documents) : undefined
    if (!document) {
      const slug = random.one(RESOURCES)
      serial += 1
      const bodies: Readonly<Record<string, object>> = {
        gadgets: { code: `G${serial}`, title: 'New' },
        parcels: { receiver: 'Zoë' },
      }
      const body = bodies[slug] ?? { name: `X${serial}` }
      const { id } = await createDocument(context, definitionOf(slug), body)
      documents.push({ slug, id, docstatus: 0 })
      return
    }
    const { slug, id, docstatus } = document
    const definition = definitionOf(slug)
    if (slug === 'parcels' && docstatus < 2 && random.chance(0.5)) {
      if (docstatus === 0) await submitDocument(context, definition, id)
      else await cancelDocument(context, definition, id)
      document.docstatus = docstatus === 0 ? 1 : 2
    } else if (docstatus === 0 && random.chance(0.3)) {
      await removeDocument(context, definition, id)
      documents.splice(documents.indexOf(document), 1)
    } else if (docstatus === 0) {
      serial += 1
      const fields: Readonly<Record<string, object>> = {
        gadgets: { title: `T${serial}` },
        parcels: { receiver: `R${serial}` },
        masts: { height: serial },
      }
      await updateDocument(context, definition, id, fields[slug] ?? { power: serial })
    }
  }

  async function subscribe(): Promise<void> {
    const app = random.one(apps)
    const patterns = patternsOf(random)
    const url = random.one(['http://127.0.0.1:9001/', 'http://127.0.0.1:9002/'])
    const { id } = await app.subscribe(url, patterns)
    asked.set(id, { patterns, status: 'active' })
  }

  async function resubscribe(): Promise<void> {
    if (asked.size === 0) return
    const app = random.one(apps)
    const [id, one] = random.one([...asked])
    const path = `/v1/webhooks/${id}`
    const what = random.below(4)
    if (what === 0) {
      one.patterns = patternsOf(random)
      await app.call('patch', path, { events: one.patterns })
    } else if (what === 1) {
      one.status = random.one(['active', 'paused'])
      await app.call('patch', path, { status: one.status })
    } else if (what === 2) {
      one.status = 'disabled'
      await app.engine.services.database.write(async (tx) => {
        await updateWebhook(tx, id, { status: 'disabled' })
        await subscriptionsChanged(tx)
      })
    } else if (random.chance(0.5)) {
      await app.call('delete', path)
      asked.delete(id)
    }
  }

  for (let step = 0; step < STEPS; step += 1) {
    const what = random.below(20)
    if (what < 3) await subscribe()
    else if (what < 6) await resubscribe()
    else if (what === 6) {
      tier = random.one(TIERS)
      await random.one(apps).engine.setTier(tier)
    } else await change()
    await look()
  }
  // Several at once, as requests come.
  serial += 1000
  await Promise.all(
    Array.from({ length: 20 }, (_, n) => apps[n % 2]!.makeGadget(`together-${serial + n}`)),
  )
  await look()
  const rows = await apps[0]!.deliveries()
  const told = rows.map(({ event_id, event, webhook_id }) => `${event_id} ${event} ${webhook_id}`)
  assert.equal(told.toSorted(), [...expected].toSorted())
  assert.ok(expected.size > 50, 'hardly anything happened')
  assert.is(new Set(rows.map(({ id }) => id)).size, rows.length)
  for (const { state, due, leased_by, attempts, created } of rows) {
    assert.is(state, 'pending')
    assert.is(due, BigInt(Date.parse(created as string)))
    assert.is(leased_by, null)
    assert.is(attempts, 0n)
  }
}

function patternsOf(random: Random): string[] {
  const one = (): string => {
    if (random.chance(0.1)) return '*'
    const resource = random.one([...RESOURCES, 'gizmos'])
    if (random.chance(0.4)) return `${resource}.*`
    if (resource === 'parcels' && random.chance(0.5))
      return `parcels.${random.one(['submitted', 'cancelled'])}`
    return `${resource}.${random.one(VERBS)}`
  }
  return Array.from({ length: 1 + random.below(4) }, one)
}
