import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { SYSTEM_ACTOR } from '../../../engine/access/actor.ts'
import { assertCan } from '../../../engine/access/can.ts'
import { type Engine, openEngine } from '../../../engine/index.ts'
import { workspaceEvents } from '../../../engine/schema/catalogue/workspace-events.ts'

const PLANS = ['gratis', 'large']
  .map(
    (slug, index) => `
  - slug: ${slug}
    label: ${slug}
    price_per_user_month: ${index}
    currency: EUR
    seats: null
    requests_per_minute: 100
    files: {largest_mb: 1, total_gb: 1}
    features: []
    includes: []`,
  )
  .join('')

const VAN = `
doctype: Van
module: fleet
tier: large
fields: {plate: {type: data}}
`

const tiers = suite('tiers of a plans.yaml that calls them otherwise')
let folder = ''
let engine: Engine

tiers.before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'own-tiers-'))
  const limits = 'signed_in_user_per_minute: 100\ncontact_messages_per_hour: 1\n'
  writeFileSync(join(folder, 'plans.yaml'), `plans:${PLANS}\n${limits}`)
  writeFileSync(join(folder, 'van.yaml'), VAN)
  engine = await openEngine({
    database: { kind: 'sqlite', file: join(folder, 'svc.db'), durability: 'normal' },
    doctypes: [folder],
    hooks: new Map(),
    secretKey: Buffer.alloc(32, 7),
  })
})
tiers.after(async () => {
  await engine?.close()
  rmSync(folder, { recursive: true, force: true })
})

tiers('begin with the lowest, and decide what a workspace has', async () => {
  assert.is(await engine.tier(), 'gratis')
  await engine.setTier('large')
  assert.is(await engine.tier(), 'large')
  await engine.setTier(undefined)
  assert.is(await engine.tier(), 'gratis')
})

tiers('gate the DocTypes that name them', () => {
  const van = engine.services.registry.byDoctype('Van')!
  const actor = { ...SYSTEM_ACTOR, kind: 'user' } as const
  const read = (tier: string) => () => assertCan(engine.context(actor, tier), van, 'read')
  assert.throws(read('gratis'), /are part of the large plan \(tier large\)/)
  assert.not.throws(read('large'))
})

tiers('are the only ones there are', async () => {
  try {
    await engine.setTier('free')
    assert.unreachable()
  } catch (error) {
    assert.is((error as Error).message, 'expected one of the tiers gratis, large, got "free"')
  }
})

tiers('are named by the example of the event that tells of a change', () => {
  const changed = workspaceEvents(engine.services.registry.vocabulary).find(
    ({ event }) => event === 'tiers.changed',
  )
  assert.equal(changed?.example, { id: 'large', tier: 'large', previous_tier: 'gratis' })
})

tiers.run()
