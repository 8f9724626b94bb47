import * as assert from 'uvu/assert'
import type { EventFilter, LoggedEvent } from '../../../engine/events/log.ts'
import { forEachDatabase } from '../../helpers/databases.ts'
import { randomOf, seedsOf } from '../../helpers/random.ts'
import { openWorkspace, type Workspace } from '../documents/workspace.ts'

const SEEDS = seedsOf(import.meta.filename, [1])

const DOCTYPES = `
doctype: Note
module: setup
tier: free
naming: prompt
fields:
  text: {type: data}
`

type NewLine = Omit<LoggedEvent, 'id' | 'event'>

const START = Date.parse('2026-03-09T12:00:00.000Z')

function line(n: number, more: Partial<NewLine> = {}): NewLine {
  return {
    resource: 'notes',
    kind: 'created',
    record_id: `n${n}`,
    at: new Date(START + n * 1000).toISOString(),
    actor: 'key_a',
    data: JSON.stringify({ n }),
    ...more,
  }
}

forEachDatabase('the event log', ({ kind, test, create }) => {
  let workspace: Workspace
  test.before.each(async () => {
    workspace = await openWorkspace(await create(), DOCTYPES)
  })
  test.after.each(() => workspace.close())

  const append = (lines: readonly NewLine[]): Promise<LoggedEvent[]> => {
    const { database, events } = workspace.engine.services
    return database.write((tx) => events.append(tx, lines))
  }
  const found = async (filter: EventFilter): Promise<string[]> => {
    const { database, events } = workspace.engine.services
    const page = await events.page(database.read, { filter, order: 'asc', limit: 1000 })
    assert.is(await events.count(database.read, filter), page.length)
    return page.map(({ record_id }) => record_id)
  }

  test('keeps the lines of one change in their order, however many', async () => {
    const lines = await append(Array.from({ length: 60 }, (_, n) => line(n, { at: line(0).at })))
    assert.is(new Set(lines.map(({ id }) => id)).size, 60)
    assert.equal(
      await found({}),
      Array.from({ length: 60 }, (_, n) => `n${n}`),
    )
  })

  test('filters by event, resource, kind, record, actor, period and what stays hidden', async () => {
    await append([
      line(1),
      line(2, { kind: 'paid', resource: 'bills' }),
      line(3, { actor: 'key_b' }),
      line(4, { kind: 'updated', record_id: 'n1' }),
    ])
    assert.equal(await found({ event: 'bills.paid' }), ['n2'])
    assert.equal(await found({ resource: 'notes' }), ['n1', 'n3', 'n1'])
    assert.equal(await found({ kind: 'created' }), ['n1', 'n3'])
    assert.equal(await found({ resource: 'notes', record_id: 'n1' }), ['n1', 'n1'])
    assert.equal(await found({ actor: 'key_b' }), ['n3'])
    assert.equal(await found({ since: line(2).at }), ['n2', 'n3', 'n1'])
    assert.equal(await found({ until: line(2).at }), ['n1'])
    assert.equal(await found({ since: line(2).at, until: line(4).at }), ['n2', 'n3'])
    assert.equal(await found({ since: line(900).at }), [])
    assert.equal(await found({ hidden: ['bills'] }), ['n1', 'n3', 'n1'])
  })

  test('is pruned from its old end, a few lines at a time', async () => {
    await append(Array.from({ length: 10 }, (_, n) => line(n)))
    const { database, events } = workspace.engine.services
    const prune = (limit: number): Promise<number> =>
      database.write((tx) => events.prune(tx, line(6).at, limit))
    assert.is(await prune(4), 4)
    assert.equal(await found({}), ['n4', 'n5', 'n6', 'n7', 'n8', 'n9'])
    assert.is(await prune(4), 2)
    assert.is(await prune(4), 0)
    assert.equal(await found({}), ['n6', 'n7', 'n8', 'n9'])
  })

  // SQLite has one writer, whose jobs await nothing but the database.
  if (kind === 'postgres')
    test('shows no line before an older one that commits later', async () => {
      const { database, events } = workspace.engine.services
      let finish: () => void = () => {}
      const held = new Promise<void>((resolve) => {
        finish = resolve
      })
      let appended: () => void = () => {}
      const isAppended = new Promise<void>((resolve) => {
        appended = resolve
      })
      const slow = database.write(async (tx) => {
        await events.append(tx, [line(1)])
        appended()
        await held
      })
      await isAppended
      let before: readonly string[]
      try {
        await append([line(2)])
        before = await found({})
      } finally {
        finish()
        await slow
      }
      assert.equal(before, [])
      assert.equal(await found({}), ['n1', 'n2'])
    })

  for (const seed of SEEDS)
    test(`is read to its end by a walk that others write beside, each line once and none left out (seed ${seed})`, async () => {
      const random = randomOf(seed)
      const { database, events } = workspace.engine.services
      let writing = true
      const writers = Promise.all(
        Array.from({ length: 6 }, async (_, writer) => {
          for (let n = 0; n < 25; n += 1)
            await database.write(async (tx) => {
              await events.append(tx, [line(n, { record_id: `w${writer}-${n}-a` })])
              if (kind === 'postgres')
                await new Promise((resolve) => setTimeout(resolve, random.below(8)))
              await events.append(tx, [line(n, { record_id: `w${writer}-${n}-b` })])
            })
        }),
      ).finally(() => {
        writing = false
      })
      const read: string[] = []
      let beyond: bigint | undefined
      for (;;) {
        const isLast = !writing
        const page = await events.page(database.read, {
          filter: {},
          order: 'asc',
          limit: 7,
          ...(beyond === undefined ? {} : { beyond }),
        })
        read.push(...page.map(({ record_id }) => record_id))
        beyond = page.at(-1)?.seq ?? beyond
        if (page.length === 0 && isLast) break
        if (page.length === 0) await new Promise((resolve) => setImmediate(resolve))
      }
      await writers
      assert.is(new Set(read).size, read.length, 'a line was read twice')
      assert.is(read.length, 6 * 25 * 2)
    })
})
