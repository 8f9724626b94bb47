import * as assert from 'uvu/assert'
import { AppError } from '../../../engine/base/errors.ts'
import type { Preview } from '../../../engine/documents/work/present.ts'
import { forEachDatabase } from '../../helpers/databases.ts'
import { isDeepRun, type Random, randomOf, rounds, seedsOf } from '../../helpers/random.ts'
import { everything } from '../storage/table-content.ts'
import { type Known, previewed, randomOperation } from './preview-work.ts'
import { openTrade } from './trading.ts'
import type { Workspace } from './workspace.ts'

/** What a preview and the operation after it have each their own: ids that are drawn. */
const DRAWN = /"(row_id|order_row)":"[^"]*"|[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{22}/g

const plain = (value: unknown): string => JSON.stringify(value).replace(DRAWN, '"-"')

forEachDatabase('a preview', ({ test, create }) => {
  let workspace: Workspace
  const known: Known = new Map()
  test.before(async () => {
    workspace = await openTrade(await create())
    for (const customer_name of ['Ann', 'Bob'])
      await workspace.create('Customer', { customer_name })
    const items = [{ item: 'A', place: 'Hall', qty: 40, rate: 2 }]
    const { id } = await workspace.create('Move', { items })
    await workspace.submit('Move', id)
  })
  test.after(() => workspace.close())

  const database = () => workspace.engine.services.database
  /** Events there are, ledger rows and all other records of the workspace. */
  const contents = () => everything(database())

  test('of a submit tells what is posted, what is made and changed, and the events', async () => {
    const { id } = await workspace.create('Move', {
      note: 'look',
      items: [{ item: 'A', place: 'Hall', qty: -10 }],
    })
    const before = await contents()
    const run = (as: object) => workspace.submit('Move', id, as)
    const preview = (await previewed(workspace, { doctype: 'Move', id, run })) as Preview
    assert.equal([preview.record?.docstatus, preview.record?.note_set], [1, 'set by submit'])
    assert.equal(preview.problems, [])
    const [row] = preview.ledgers['stock-rows']!
    assert.equal([row?.item, row?.qty, row?.value, row?.voucher_no], ['A', -10, -20, id])
    assert.equal(
      preview.created.map(({ resource, record }) => [resource, record.subject, record.docstatus]),
      [['tasks', `Check ${id}`, 1]],
    )
    const bin = preview.changed.find(({ resource }) => resource === 'bins')
    assert.equal([bin?.id, bin?.title, bin?.fields.qty], ['A::Hall', 'A::Hall', [40, 30]])
    assert.equal(bin?.fields.valuation_rate, undefined)
    assert.ok(!bin || !('modified' in bin.fields))
    assert.equal(preview.deleted, [])
    assert.equal(preview.events, ['moves.submitted', 'tasks.created', 'tasks.submitted'])
    assert.is(await contents(), before)
    const { record } = await workspace.submit('Move', id)
    assert.is(plain(record), plain(preview.record))
    assert.not.equal(await contents(), before)
    await workspace.cancel('Move', id)
  })

  test('of a wrong body tells the problems beside what can be computed', async () => {
    const body = {
      customer: 'Nobody',
      items: [
        { item: 'A', qty: 2, rate: 3 },
        { qty: 1, rate: 1 },
      ],
      zzz: 1,
    }
    const before = await contents()
    const operation = {
      doctype: 'Invoice',
      body,
      run: (as: object) => workspace.create('Invoice', body, as),
    }
    const { problems, record, ...rest } = (await previewed(workspace, operation)) as Preview
    assert.equal(
      problems.map(({ field, code }) => [field, code]),
      [
        ['zzz', 'unknown_field'],
        ['items[1].item', 'required'],
        ['customer', 'no_such_record'],
      ],
    )
    assert.equal([record?.id, record?.created, record?.net_total], [null, null, 7])
    assert.equal(rest, {
      warnings: [],
      created: [],
      changed: [],
      deleted: [],
      ledgers: {},
      events: [],
    })
    assert.is(await contents(), before)
  })

  test('is refused as the operation is: 404, 409, and 412 for another version', async () => {
    const none = { doctype: 'Move', id: 'MOVE-999' }
    const run = (as: object) => workspace.submit('Move', none.id, as)
    assert.is(await previewed(workspace, { ...none, run }), 'NOT_FOUND')
    const again = (as: object) => workspace.submit('Move', 'MOVE-001', as)
    assert.is(
      await previewed(workspace, { doctype: 'Move', id: 'MOVE-001', run: again }),
      'CONFLICT',
    )
    const stale = (as: object) => workspace.cancel('Move', 'MOVE-001', { ...as, ifMatch: ['"x"'] })
    assert.is(
      await previewed(workspace, { doctype: 'Move', id: 'MOVE-001', run: stale }),
      'PRECONDITION_FAILED',
    )
  })

  test('beside real writes takes none of them back, and uses no number', async () => {
    const body = { customer: 'Ann', items: [{ item: 'A', qty: 1, rate: 1 }] }
    const tries = Array.from({ length: 24 }, (_, at) =>
      at % 3 === 0
        ? workspace.create('Invoice', body).then(({ id }) => id)
        : previewed(workspace, {
            doctype: 'Invoice',
            body,
            run: (as) => workspace.create('Invoice', body, as),
          }).then(() => undefined),
    )
    const made = (await Promise.all(tries)).filter((id) => id !== undefined).sort()
    const wanted = made.map((_, at) => `INV-${String(at + 1).padStart(3, '0')}`)
    assert.equal(made, wanted)
    assert.is((await workspace.list('Invoice')).total, made.length)
    for (const id of made) await workspace.remove('Invoice', id)
  })

  /** Tries what is about to be done, does it, and compares. */
  async function step(random: Random): Promise<string> {
    const operation = randomOperation(workspace, random, known)
    const before = await contents()
    const preview = await previewed(workspace, operation)
    assert.is(await contents(), before)
    const lines = await logged()
    try {
      const result = await operation.run(workspace.context())
      assert.ok(typeof preview !== 'string', `previewed as ${preview}, was done`)
      assert.is(plain(preview.record), plain(result.record))
      assert.equal(preview.problems, [])
      assert.equal(preview.events, (await logged()).slice(lines.length))
      for (const { resource, record } of preview.created)
        await same(resource, String(record.id), record)
      for (const { resource, id, fields } of preview.changed)
        for (const [name, [, after]] of Object.entries(fields))
          await same(resource, id, { [name]: after })
      known.set(`${operation.doctype} ${result.id}`, [operation.doctype, result.id])
      return 'done'
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      if (typeof preview === 'string') assert.is(preview, error.code)
      else assert.equal(preview.problems, error.details)
      return error.code
    }
  }

  async function logged(): Promise<string[]> {
    const { events } = workspace.engine.services
    const lines = await events.page(database().read, { filter: {}, order: 'asc', limit: 100_000 })
    return lines.map(({ event }) => event)
  }

  /** The record is now as it was told. */
  async function same(slug: string, id: string, told: object): Promise<void> {
    const { doctype } = workspace.engine.services.registry.bySlug(slug)!
    const { record } = await workspace.get(doctype, id)
    for (const [name, value] of Object.entries(told)) assert.is(plain(record[name]), plain(value))
  }

  for (const seed of seedsOf(import.meta.filename, [1])) {
    test(`equals what the operation then answers (seed ${seed})`, async () => {
      const random = randomOf(seed)
      const outcomes = new Set<string>()
      for (let at = 0; at < rounds(isDeepRun() ? 200 : 20); at += 1)
        outcomes.add(await step(random))
      assert.ok(outcomes.has('done') && outcomes.has('CONFLICT'), [...outcomes].join())
    })
  }
})
