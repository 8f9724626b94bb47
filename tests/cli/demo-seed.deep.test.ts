import { hash } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { SYSTEM_ACTOR } from '../../engine/access/actor.ts'
import { diceOf } from '../../engine/base/dice.ts'
import { createDocument } from '../../engine/documents/operations/create.ts'
import type { Field } from '../../engine/fields/field.ts'
import { prepareData } from '../helpers/prepared.ts'
import { companiesOf, demoFolders, rowsOf } from './demo-folders.ts'
import { runHere } from './in-process.ts'
import { readFirstRun, serve, svc } from './process.ts'

const repeated = suite('svc demo with a seed')
const folders = demoFolders()

/** A record that a workspace had before the demo. */
const OWN = { doctype: 'Bank', name: 'Bank of Ann' }

/** Row ids and UUIDs are made by chance, and stand in the layers of stock behind their document; moments depend on the time of day. */
const RANDOM = /\b([0-9a-f]{20}|[0-9a-f]{8}-[0-9a-f-]{27})\b/g

/** A digest of what the records of each resource say; those of the workspace itself, what it had before, and the taxes it began with, left out. */
function contentOf(name: string): Promise<Record<string, string>> {
  return folders.inside(name, async (engine) => {
    const digests: Record<string, string> = {}
    for (const { doctype, slug, module, fields } of engine.services.registry.all) {
      if (module === 'setup' || slug.endsWith('-taxes-and-charges-templates')) continue
      const said = fields.filter((field) => !field.child && !isOfTheClock(field))
      const records = (await rowsOf(engine, doctype)).filter(({ name }) => name !== OWN.name)
      const rows = records.map((row) =>
        [row.name, row.owner, row.docstatus, ...said.map((field) => row[field.name])]
          .map((value) => String(value).replaceAll(RANDOM, ''))
          .join('\t'),
      )
      digests[slug] = `${rows.length} ${hash('sha256', rows.toSorted().join('\n'))}`
    }
    return digests
  })
}

const CLOCK_TYPES: ReadonlySet<string> = new Set(['datetime', 'time', 'duration'])

/** The last day is told as far as the machine's own day is, so moments and what passed until them differ. */
function isOfTheClock({ name, type }: Pick<Field, 'name' | 'type'>): boolean {
  return CLOCK_TYPES.has(type) || name.endsWith('_seconds')
}

const SHORT = ['--months', '1', '--seed', '5'] as const

repeated(
  'refuses a workspace that is in use and says why; --force puts a company beside',
  async () => {
    const where = ['--data', folders.dataOf('used')]
    await prepareData(folders.dataOf('used'))
    const setup = await runHere(['setup', ...where])
    assert.is(setup.code, 0, setup.stderr)
    await folders.inside('used', (engine) =>
      createDocument(
        engine.context(SYSTEM_ACTOR, 'business'),
        engine.services.registry.byDoctype(OWN.doctype)!,
        { bank_name: OWN.name },
      ),
    )
    const refused = await runHere(['demo', ...where, ...SHORT])
    assert.is(refused.code, 1)
    assert.match(
      refused.stderr,
      /^svc: this workspace has records of its own \(1 banks\); --force adds a second company .*\n$/,
    )
    const forced = await svc(['demo', ...where, ...SHORT, '--force'])
    assert.is(forced.code, 0, forced.stderr)
    assert.match(forced.stdout, /^RESOURCE {2,}RECORDS\n/)
    assert.match(
      forced.stdout,
      /^owner@demo\.example {2,}\w{24} {2,}Johanna Thaler: System Manager$/m,
    )
    assert.is(forced.stderr, '\nkeep what is secret now, it is not shown again\n')
    const [, next = ''] = forced.stdout.split('\nNext:\n')
    assert.match(next, `  1. svc serve --data ${folders.dataOf('used')}\n`)
    assert.match(next, 'http://127.0.0.1:8000/login as owner@demo.example\n')
    await folders.inside('used', async (engine) => {
      assert.equal(await companiesOf(engine), [
        ['Test Company', true],
        ['Bergwind Cycles GmbH', false],
      ])
      const entries = await rowsOf(engine, 'GL Entry')
      assert.equal([...new Set(entries.map(({ company }) => company))], ['Bergwind Cycles GmbH'])
    })
  },
)

repeated('tells the same story again, and no webhook of it', async () => {
  // It is told to a workspace that a server has set up, and that somebody listens to.
  await prepareData(folders.dataOf('served'))
  const served = await serve(folders.dataOf('served'))
  const { admin_key } = readFirstRun(folders.dataOf('served'))
  const answer = await fetch(`${served.url}/v1/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin_key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      url: 'https://receiver.example/',
      events: ['sales-invoices.submitted'],
    }),
  })
  assert.is(answer.status, 201, await answer.text())
  await served.end()
  const second = await runHere(['demo', '--data', folders.dataOf('served'), ...SHORT, '--json'])
  assert.is(second.code, 0, second.stderr)
  assert.is(JSON.parse(second.stdout).setup, null)

  assert.equal(await contentOf('served'), await contentOf('used'))
  await folders.inside('served', async (engine) => {
    const { read } = engine.services.database
    assert.equal(await read.selectFrom('svc_deliveries').selectAll().execute(), [])
    assert.equal(await companiesOf(engine), [
      ['Test Company', false],
      ['Bergwind Cycles GmbH', true],
    ])
    assert.is(await engine.tier(), 'free')
  })
})

repeated('rolls the same dice for the same seed alone', () => {
  const rolls = (seed: string, fork: string): number[] => {
    const dice = diceOf(seed).fork(fork)
    return Array.from({ length: 20 }, () => dice.between(1, 6))
  }
  assert.equal(rolls('1', 'a'), rolls('1', 'a'))
  assert.not.equal(rolls('1', 'a'), rolls('2', 'a'))
  assert.not.equal(rolls('1', 'a'), rolls('1', 'b'))
  assert.equal(
    [...new Set(rolls('1', 'a'))].filter((side) => side < 1 || side > 6),
    [],
  )
})

repeated('refuses wrong flags', async () => {
  for (const [flags, problem] of [
    [['--tier', 'gold'], /--tier: expected one of free, pro, business, got "gold"/],
    [['--months', '13'], /expected a whole number from 1 to 12/],
    [['--seed', 'x'], /expected a whole number from 0/],
  ] as const) {
    const { code, stderr } = await runHere(['demo', '--data', folders.dataOf('wrong'), ...flags])
    assert.is(code, 2, stderr)
    assert.match(stderr, problem)
  }
  const { code } = await runHere(['demo', '--data', folders.dataOf('used'), '--tier', 'gold'])
  assert.is(code, 0, 'where the demo is already nothing is asked for')
})

repeated.after(() => folders.remove())
repeated.run()
