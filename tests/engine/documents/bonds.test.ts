import * as assert from 'uvu/assert'
import { AppError } from '../../../engine/base/errors.ts'
import { verifyWorkspace } from '../../../engine/documents/verify/verify.ts'
import { forEachDatabase } from '../../helpers/databases.ts'
import { type Random, randomOf, rounds, seedsOf } from '../../helpers/random.ts'
import { openWorkspace, refused, type Workspace } from './workspace.ts'

const SEEDS = seedsOf(import.meta.filename, [1, 2])

const HARBOUR = `
doctype: Harbour
module: setup
tier: free
naming: field:title
fields:
  title: {type: data, required: true}
  main_berth: {type: link, options: Berth}
---
doctype: Berth
module: setup
tier: free
naming: prompt
belongs_to: harbour
proposed: '!closed'
fields:
  harbour: {type: link, options: Harbour, filterable: true}
  beside: {type: link, options: Berth}
  free: {type: check, default: true}
  closed: {type: check}
---
doctype: Boat
module: setup
tier: free
naming: prompt
fields:
  usual_berth: {type: link, options: Berth}
  last_berth: {type: link, options: Berth}
---
doctype: Visit
module: setup
tier: free
naming: prompt
fields:
  harbour: {type: link, options: Harbour}
  boat: {type: link, options: Boat}
  berth: {type: link, options: Berth, fetch: {from: boat.usual_berth, when: empty}, default: harbour.main_berth}
  first_free: {type: link, options: Berth, default: boat.last_berth, default_from: free}
  copied: {type: link, options: Berth, fetch: boat.last_berth}
  stops:
    type: table
    fields:
      berth: {type: link, options: Berth, default: parent.berth}
  transfers:
    type: table
    fields:
      port: {type: link, options: Harbour}
      berth: {type: link, options: Berth}
`

forEachDatabase('records that belong to one of another DocType', ({ test, create }) => {
  let workspace: Workspace

  test.before(async () => {
    workspace = await openWorkspace(await create(), HARBOUR)
    for (const title of ['Kiel', 'Oslo']) await workspace.create('Harbour', { title })
    for (const [name, harbour] of BERTHS) await workspace.create('Berth', { name, harbour })
  })
  test.after(() => workspace.close())

  let visits = 0
  const visit = (body: object) => workspace.create('Visit', { name: `V${++visits}`, ...body })
  const problem = (field: string, berth: string, ours: string, theirs: string) => ({
    field,
    message: `expected one of the Harbour "${ours}", got the Berth "${berth}" of "${theirs}"`,
    code: 'rule',
  })
  async function problems(promise: Promise<unknown>) {
    return (await refused('VALIDATION_ERROR', promise)).details
  }

  test('are named by records of the same alone, in fields and in rows', async () => {
    assert.equal(
      await problems(
        visit({
          harbour: 'Kiel',
          berth: 'O1',
          first_free: 'K1',
          stops: [{ berth: 'K1' }, { berth: 'X1' }, { berth: 'O2' }],
          transfers: [
            { port: 'Oslo', berth: 'O1' },
            { port: 'Oslo', berth: 'K2' },
            { port: null, berth: 'O2' },
          ],
        }),
      ),
      [
        problem('berth', 'O1', 'Kiel', 'Oslo'),
        problem('stops[2].berth', 'O2', 'Kiel', 'Oslo'),
        problem('transfers[1].berth', 'K2', 'Oslo', 'Kiel'),
        // The row that has a port of its own, and leaves it empty, binds nobody.
      ],
    )
    const shared = await visit({ harbour: 'Kiel', berth: 'X1', stops: [{ berth: 'K2' }] })
    assert.is(shared.record.berth, 'X1', 'what belongs to nobody may be named by all')
    await visit({ berth: 'O1', stops: [{ berth: 'K1' }] })
  })

  test('stay with who names them: a document cannot move to another owner beneath its links', async () => {
    const { id } = await visit({ harbour: 'Kiel', berth: 'K1', first_free: 'X1' })
    assert.equal(await problems(workspace.update('Visit', id, { harbour: 'Oslo' })), [
      problem('berth', 'K1', 'Oslo', 'Kiel'),
    ])
    const moved = await workspace.update('Visit', id, { harbour: 'Oslo', berth: 'O1' })
    assert.equal([moved.record.harbour, moved.record.berth], ['Oslo', 'O1'])
  })

  test('an owner names its own', async () => {
    assert.equal(await problems(workspace.update('Harbour', 'Kiel', { main_berth: 'O1' })), [
      problem('main_berth', 'O1', 'Kiel', 'Oslo'),
    ])
    await workspace.update('Harbour', 'Kiel', { main_berth: 'K2' })
    assert.equal(await problems(workspace.update('Berth', 'K1', { beside: 'O2' })), [
      problem('beside', 'O2', 'Kiel', 'Oslo'),
    ])
  })

  test('are given to an owner once', async () => {
    await workspace.create('Berth', { name: 'N1' })
    await workspace.update('Berth', 'N1', { harbour: 'Kiel' })
    for (const harbour of ['Oslo', null])
      assert.equal(await problems(workspace.update('Berth', 'N1', { harbour })), [
        {
          field: 'harbour',
          message: 'the Berth belongs to "Kiel", which cannot change; make another one',
          code: 'rule',
        },
      ])
    await workspace.remove('Berth', 'N1')
  })

  test('of others none is proposed: what comes next stands in', async () => {
    await workspace.create('Boat', { name: 'B1', usual_berth: 'O2', last_berth: 'O1' })
    const inOslo = (await visit({ harbour: 'Oslo', boat: 'B1' })).record
    assert.equal([inOslo.berth, inOslo.first_free], ['O2', 'O1'])
    await workspace.create('Boat', { name: 'B2', usual_berth: 'O2' })
    const inKiel = (await visit({ harbour: 'Kiel', boat: 'B2', stops: [{}] })).record
    assert.equal([inKiel.berth, inKiel.first_free], ['K2', 'K1'])
    assert.equal((inKiel.stops as readonly { berth: string }[])[0]?.berth, 'K2')
    // A copy is no proposal: callers cannot say another one, so they are told.
    assert.equal(await problems(visit({ harbour: 'Kiel', boat: 'B1' })), [
      problem('copied', 'O1', 'Kiel', 'Oslo'),
    ])
  })

  test('that say they are not to be proposed are passed over', async () => {
    await workspace.update('Berth', 'K1', { closed: true })
    const inKiel = (await visit({ harbour: 'Kiel' })).record
    assert.is(inKiel.first_free, 'K2')
    assert.is((await visit({})).record.first_free, 'K2')
    await workspace.update('Berth', 'K1', { closed: false })
    assert.is((await visit({})).record.first_free, 'K1')
  })

  test('given to an owner after others have named them, they are what verify warns of', async () => {
    await workspace.create('Berth', { name: 'N2' })
    const { id } = await visit({
      harbour: 'Oslo',
      berth: 'O1',
      stops: [{ berth: 'O1' }, { berth: 'N2' }],
    })
    const warnings = async () => (await verifyWorkspace(workspace.engine.services)).warnings
    assert.equal(await warnings(), [])
    await workspace.update('Berth', 'N2', { harbour: 'Kiel' })
    assert.equal(await warnings(), [
      {
        kind: 'validation',
        name: 'Visit: belongs_to',
        differences: 1,
        found: [
          {
            doctype: 'Visit',
            id,
            field: 'stops[1].berth',
            stored: 'N2',
            message: 'is of the Harbour "Kiel", expected one of "Oslo"',
          },
        ],
      },
    ])
    await workspace.remove('Visit', id)
  })

  for (const seed of SEEDS) {
    test(`hold as a model says (seed ${seed})`, async () => {
      const random = randomOf(seed)
      for (let round = 0; round < rounds(25); round += 1) {
        const body = anyVisit(random)
        const wrong = wrongIn(body)
        assert.equal(await fieldsToldOf(visit(body)), wrong, JSON.stringify(body))
        if (wrong.length > 0) continue
        const change = { ...body, harbour: random.one([null, 'Kiel', 'Oslo']) }
        const told = await fieldsToldOf(workspace.update('Visit', `V${visits}`, change))
        assert.equal(told, wrongIn(change), JSON.stringify([body, change]))
      }
    })
  }
})

const BERTHS: readonly (readonly [string, string | null])[] = [
  ['K1', 'Kiel'],
  ['K2', 'Kiel'],
  ['O1', 'Oslo'],
  ['O2', 'Oslo'],
  ['X1', null],
]

interface AnyVisit {
  readonly harbour: string | null
  readonly berth: string
  readonly first_free: string
  readonly stops: readonly { readonly berth: string }[]
  readonly transfers: readonly { readonly port: string | null; readonly berth: string }[]
}

function anyVisit(random: Random): AnyVisit {
  // Mostly of one harbour, or nearly every visit would be wrong somewhere.
  const likely = random.one(['K', 'O'])
  const berth = (): string => {
    const near = BERTHS.filter(([name]) => name.startsWith(likely) || name === 'X1')
    return random.one(random.chance(0.85) ? near : BERTHS)[0]
  }
  const some = <T>(make: () => T): T[] => Array.from({ length: random.below(3) }, make)
  return {
    harbour: random.one([null, likely === 'K' ? 'Kiel' : 'Oslo']),
    berth: berth(),
    first_free: berth(),
    stops: some(() => ({ berth: berth() })),
    transfers: some(() => ({ port: random.one([null, 'Kiel', 'Oslo']), berth: berth() })),
  }
}

/** Fields that name a berth of another harbour, by the letter that its name begins with. */
function wrongIn({ harbour, berth, first_free, stops, transfers }: AnyVisit): readonly string[] {
  const named: readonly (readonly [string, string | null, string])[] = [
    ['berth', harbour, berth],
    ['first_free', harbour, first_free],
    ...stops.map((stop, at) => [`stops[${at}].berth`, harbour, stop.berth] as const),
    ...transfers.map((one, at) => [`transfers[${at}].berth`, one.port, one.berth] as const),
  ]
  return named
    .filter(([, owner, name]) => owner !== null && name !== 'X1' && owner[0] !== name[0])
    .map(([field]) => field)
}

async function fieldsToldOf(promise: Promise<unknown>): Promise<readonly string[]> {
  try {
    await promise
    return []
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return (error.details ?? []).map(({ field }) => field)
  }
}
