import * as assert from 'uvu/assert'
import { FileRefused } from '../../server/import/file-refused.ts'
import type { Incoming } from '../../server/import/incoming.ts'
import { linkResolver } from '../../server/import/links.ts'
import { type RunOptions, runImport } from '../../server/import/run.ts'
import { openWorkspace, type Workspace } from '../engine/documents/workspace.ts'
import { forEachDatabase } from '../helpers/databases.ts'

const DOCTYPES = `doctype: Parcel
module: crm
tier: free
naming: "P-{#####}"
fields:
  number: {type: int, max: 100000}
---
doctype: Box
module: crm
tier: free
fields:
  parcel: {type: link, options: Parcel}
`

const AT_ONCE = 20
/** More than two batches. */
const MANY = 47

/** A record of a file, on the line of its number. */
function incoming(number: number): Incoming {
  return {
    line: number,
    end: number,
    body: { number },
    problems: [],
    lineOf: () => number,
    original: JSON.stringify({ number }),
  }
}

forEachDatabase('an import', ({ test, create }) => {
  let workspace: Workspace
  /** Numbers of which our own machinery fails. */
  const fatal = new Set<number>()

  test.before(async () => {
    const sink = async (_tx: unknown, events: readonly { readonly data: string }[]) => {
      for (const { data } of events)
        if (fatal.has(JSON.parse(data).number)) throw new Error('the disk is full')
    }
    workspace = await openWorkspace(await create(), DOCTYPES, { sinks: [sink] })
  })
  test.after(() => workspace.close())
  test.before.each(async () => {
    for (const { id } of await parcels()) await workspace.remove('Parcel', String(id))
  })

  async function parcels(): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const all = []
    const query = { sort: 'created', order: 'asc', limit: '100' }
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const page = await workspace.list('Parcel', { ...query, cursor })
      all.push(...page.data)
      cursor = page.nextCursor
    }
    return all
  }

  function optionsOf(
    records: AsyncIterable<Incoming>,
    more: Partial<RunOptions> & { readonly told?: string[] } = {},
  ): RunOptions {
    const { told = [] } = more
    const definition = workspace.definition('Parcel')
    return {
      context: workspace.context(),
      definition,
      submit: false,
      key: undefined,
      records,
      resolveLinks: linkResolver(workspace.engine.services, definition, { isDryRun: false }),
      listener: {
        written: ({ line }) => void told.push(`${line} in`),
        refused: ({ line }) => void told.push(`${line} refused`),
        batchDone: ({ line }) => void told.push(`up to ${line}`),
      },
      isStopped: () => false,
      atOnce: AT_ONCE,
      ...more,
    }
  }

  const isBad = (number: number): boolean => number % 10 === 0

  async function* numbers(count: number, bad: (number: number) => boolean = () => false) {
    for (let number = 1; number <= count; number += 1)
      yield incoming(bad(number) ? 1_000_000 + number : number)
  }

  test('has a batch in memory at most, and gives names in the order of the file', async () => {
    const told: string[] = []
    let taken = 0
    let most = 0
    async function* counted(): AsyncGenerator<Incoming> {
      for await (const one of numbers(MANY, isBad)) {
        taken += 1
        const ended = told.filter((line) => !line.startsWith('up to')).length
        most = Math.max(most, taken - ended)
        yield one
      }
    }
    assert.is(await runImport(optionsOf(counted(), { told })), undefined)
    assert.is(most, AT_ONCE)
    const found = await parcels()
    const good = Array.from({ length: MANY }, (_, at) => at + 1).filter((one) => !isBad(one))
    assert.equal(
      found.map(({ number }) => number),
      good,
    )
    const ids = found.map(({ id }) => Number(String(id).slice(2)))
    assert.equal(
      ids,
      ids.map((_, at) => ids[0]! + at),
    )
    const lines = told.filter((line) => !line.startsWith('up to'))
    assert.equal(
      lines,
      Array.from({ length: MANY }, (_, at) =>
        isBad(at + 1) ? `${1_000_001 + at} refused` : `${at + 1} in`,
      ),
    )
  })

  test('begins nothing once it is stopped, and ends what it has begun', async () => {
    const told: string[] = []
    const isStopped = (): boolean => told.length > 0
    await runImport(optionsOf(numbers(MANY), { told, isStopped }))
    assert.is((await parcels()).length, AT_ONCE)
    assert.is(told.at(-1), `up to ${AT_ONCE}`)
  })

  test('has in what came before an end that cannot be read', async () => {
    async function* cut(): AsyncGenerator<Incoming> {
      yield* numbers(3)
      throw new FileRefused('stdin is not UTF-8')
    }
    const broken = await runImport(optionsOf(cut()))
    assert.equal([broken?.line, broken?.message], [3, 'stdin is not UTF-8'])
    assert.is((await parcels()).length, 3)
  })

  test('ends with what is no fault of a record, when nothing is in flight any more', async () => {
    fatal.add(5)
    const told: string[] = []
    let message = ''
    await runImport(optionsOf(numbers(MANY), { told })).catch((error: Error) => {
      message = error.message
    })
    fatal.clear()
    assert.is(message, 'the disk is full')
    assert.is((await parcels()).length, AT_ONCE - 1)
    assert.is(told.length, AT_ONCE - 1)
    assert.not.ok(told.includes('5 in'))
  })

  test('knows what its records link to also when it can remember but one name', async () => {
    const definition = workspace.definition('Box')
    const [first, second] = await Promise.all(
      [1, 2].map((number) => workspace.create('Parcel', { number })),
    )
    const resolve = linkResolver(workspace.engine.services, definition, {
      isDryRun: false,
      maxKnown: 1,
    })
    const box = (parcel: unknown): Incoming => ({ ...incoming(1), body: { parcel } })
    assert.equal(await resolve([box(first?.id)]), [[]])
    assert.equal(await resolve([box(first?.id), box(second?.id)]), [[], []])
  })

  test('makes no record twice when the answer to a commit is lost', async () => {
    const { services } = workspace.engine
    let isLost = false
    const write: typeof services.database.write = async (job) => {
      const result = await services.database.write(job)
      if (isLost) return result
      isLost = true
      throw Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' })
    }
    const context = {
      ...workspace.context(),
      services: { ...services, database: { ...services.database, write } },
    }
    let message = ''
    await runImport({ ...optionsOf(numbers(MANY)), context }).catch((error: Error) => {
      message = error.message
    })
    assert.is(message, 'Connection terminated unexpectedly')
    const found = (await parcels()).map(({ number }) => number)
    assert.equal(found, [...new Set(found)])
    assert.is(found.length, AT_ONCE)
  })
})
